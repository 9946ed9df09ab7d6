//! The lifelines of a sequence: who has one, in which order, and where they stand.

use super::Layout;
use super::home::{self, Zone};
use super::pill::{badge, family_class, names};
use super::text::{Face, width};
use crate::model::{Actor, Role};

/// Someone with a lifeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Party {
    /// kube-apiserver, which every write goes to.
    Api,
    /// An actor; a Node's kernel is one that others act on.
    Actor(Actor),
}

impl Party {
    /// Its part of the key.
    pub fn key(&self) -> String {
        match self {
            Party::Api => "api-server".to_owned(),
            Party::Actor(actor) => actor.to_string(),
        }
    }

    /// The class that gives it its hue.
    pub fn class(&self) -> &'static str {
        match self {
            Party::Api => "kernel",
            Party::Actor(actor) => family_class(actor.role.family()),
        }
    }

    /// The letters of its badge.
    pub const fn letters(&self) -> &'static str {
        match self {
            Party::Api => "API",
            Party::Actor(actor) => badge(actor.role),
        }
    }

    /// Its names, the fullest first.
    pub const fn names(&self) -> &'static [&'static str] {
        match self {
            Party::Api => &["API server", "API"],
            Party::Actor(actor) => names(actor.role),
        }
    }

    /// Its names with the Node's, then without, the fullest first.
    pub fn full_names(&self) -> Vec<String> {
        let own = self.names().iter().map(|n| (*n).to_owned());
        match self {
            Party::Actor(Actor { node: Some(node), .. }) => {
                self.names().iter().map(|n| format!("{n} · {node}")).chain(own).collect()
            }
            Party::Api | Party::Actor(_) => own.collect(),
        }
    }

    /// Where it stands: the control plane, the API server, the CSI controller Pod, then Node by Node.
    fn place(&self) -> (usize, Option<&str>, usize) {
        match self {
            Party::Api => (1, None, 0),
            Party::Actor(actor) => {
                let zone = match (&actor.node, home::zone_of(actor.role)) {
                    (Some(_), _) => 3,
                    (None, Some(Zone::CsiController)) => 2,
                    (None, _) => 0,
                };
                let rank = Role::ALL.iter().position(|r| *r == actor.role).unwrap_or(0);
                (zone, actor.node.as_deref(), rank)
            }
        }
    }
}

/// The parties in the order of their lifelines, each once.
pub fn ordered(parties: impl Iterator<Item = Party>) -> Vec<Party> {
    let mut out: Vec<Party> = Vec::new();
    for party in parties {
        if !out.contains(&party) {
            out.push(party);
        }
    }
    out.sort_by(|a, b| a.place().cmp(&b.place()));
    out
}

/// A lifeline in a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Whose it is.
    pub party: Party,
    /// Where, in units.
    pub x: i32,
}

/// A place that several lifelines share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lane {
    /// Its part of the key.
    pub key: String,
    /// The class that gives it its tint.
    pub class: &'static str,
    /// Its titles, the fullest first.
    pub titles: Vec<String>,
    /// Its left edge, in units.
    pub x: i32,
    /// Its width, in units.
    pub w: i32,
}

/// Lifelines side by side, with their names above them where there is room.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns {
    /// The lifelines, from left to right.
    pub list: Vec<Column>,
    /// The places they stand in.
    pub lanes: Vec<Lane>,
    /// The names of the lifelines; `None` where they do not all fit.
    pub names: Option<Named>,
}

/// The names of lifelines, each with the row it stands in, from 0.
type Named = Vec<(&'static str, usize)>;

/// Between two lanes, in units.
const GAP: i32 = 4;
/// A lifeline whose names are to stand above it needs so much, in units.
pub const ROOM: i32 = 54;

impl Columns {
    /// Spreads the parties, which are in order, from `left` to `right`, both in units.
    pub fn new(parties: &[Party], left: i32, right: i32) -> Columns {
        let mut lanes: Vec<(usize, Option<&str>, usize)> = Vec::new();
        for party in parties {
            let (zone, node, _) = party.place();
            match lanes.last_mut() {
                Some((z, n, count)) if *z == zone && *n == node => *count += 1,
                _ => lanes.push((zone, node, 1)),
            }
        }
        let shares = i32::try_from(parties.len()).unwrap_or(1).max(1);
        let gaps = i32::try_from(lanes.len()).unwrap_or(1).saturating_sub(1) * GAP;
        let free = right - left - gaps;
        let mut columns = Columns { list: Vec::new(), lanes: Vec::new(), names: None };
        let (mut at, mut done) = (left, 0);
        for (zone, node, count) in lanes {
            let n = i32::try_from(count).unwrap_or(1);
            // Every lane ends where its share of the whole does, so that nothing is lost by rounding.
            let w = free * (done + n) / shares - free * done / shares;
            let (key, class, titles) = lane(zone, node);
            for (i, party) in (0..n).zip(parties.iter().skip(usize::try_from(done).unwrap_or(0))) {
                columns.list.push(Column { party: party.clone(), x: at + w * (2 * i + 1) / (2 * n) });
            }
            columns.lanes.push(Lane { key, class, titles, x: at, w });
            at += w + GAP;
            done += n;
        }
        columns.names = columns.name(left, right);
        columns
    }

    /// Where the lifeline of a party is.
    pub fn x(&self, party: &Party) -> Option<i32> {
        self.list.iter().find(|c| c.party == *party).map(|c| c.x)
    }

    /// The fullest names that stand beside each other in one row or in two, the upper ones tied to their lifelines
    /// between the lower ones; in one row where both are as full.
    fn name(&self, left: i32, right: i32) -> Option<Named> {
        let rows: [fn(usize) -> usize; 3] = [|_| 0, |i| i % 2, |i| (i + 1) % 2];
        let named = rows.into_iter().filter_map(|row| self.name_in(row, left, right));
        named.min_by_key(|(short, _)| *short).map(|(_, names)| names)
    }

    /// The fullest names in these rows, after how many of them are not the fullest there are.
    fn name_in(&self, row: fn(usize) -> usize, left: i32, right: i32) -> Option<(usize, Named)> {
        let tail = |c: &Column| c.party.names().last().copied().unwrap_or_default();
        let mut names: Named = self.list.iter().enumerate().map(|(i, c)| (tail(c), row(i))).collect();
        if !self.fits(&names, left, right) {
            return None;
        }
        let mut short = 0;
        for (i, column) in self.list.iter().enumerate() {
            let with = |name: &'static str| {
                let mut tried = names.clone();
                tried.get_mut(i).into_iter().for_each(|n| n.0 = name);
                tried
            };
            let fullest = column.party.names().iter().map(|n| with(n)).find(|n| self.fits(n, left, right));
            names = fullest.unwrap_or(names);
            let is_full = names.get(i).map(|n| n.0) == column.party.names().first().copied();
            short += usize::from(!is_full);
        }
        Some((short, names))
    }

    fn fits(&self, names: &[(&str, usize)], left: i32, right: i32) -> bool {
        let spans: Vec<(i32, i32, i32, usize)> = self
            .list
            .iter()
            .zip(names)
            .map(|(c, (name, row))| {
                let (at, w) = name_span(c.x, name, left, right);
                (at, at + w, c.x, *row)
            })
            .collect();
        spans.iter().enumerate().all(|(i, (a, b, x, row))| {
            let inside = *a >= left && *b <= right && a <= x && x <= b;
            inside
                && spans.iter().skip(i + 1).all(|(c, d, y, other)| match row == other {
                    true => b + 8 <= *c,
                    // The one above is tied to its lifeline past the one below.
                    false if row < other => *x < c - 4 || *x > d + 4,
                    false => *y < a - 4 || *y > b + 4,
                })
        })
    }
}

/// Where a name begins and how wide it is: around its lifeline, as far as the edges let it.
pub fn name_span(x: i32, name: &str, left: i32, right: i32) -> (i32, i32) {
    let w = width(Face::Bold, name);
    ((x - w / 2).min(right - w).max(left), w)
}

fn lane(zone: usize, node: Option<&str>) -> (String, &'static str, Vec<String>) {
    let own = |titles: &[&str]| titles.iter().map(|t| (*t).to_owned()).collect();
    match (zone, node) {
        (0, _) => ("control-plane".to_owned(), "lane kube", own(&["Control plane"])),
        (1, _) => ("api".to_owned(), "lane", own(&["Declared", ""])),
        (2, _) => {
            ("csi-controller".to_owned(), "lane sidecar", own(&["CSI controller Pod", "CSI Pod", "CSI"]))
        }
        (_, node) => {
            let node = node.unwrap_or_default().to_owned();
            (format!("node/{node}"), "lane kube", vec![format!("Node · {node}"), node])
        }
    }
}

/// The edges between which lifelines and words stand, in units; `numbered` leaves room for numbers at the left.
pub const fn edges(layout: Layout, numbered: bool) -> (i32, i32) {
    match (layout, numbered) {
        (Layout::Wide, _) => (40, 792),
        (Layout::Narrow, true) => (30, 356),
        (Layout::Narrow, false) => (8, 352),
    }
}
