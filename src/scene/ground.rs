//! The ground: what is at the backend, what each Node has of it, and the pipes between them, each in its place.

use super::cast::Cast;
use super::geom::Rect;
use super::home::ThingKind;
use super::measures::Measures;
use super::real::{Chain, Stored, Use};
use super::thing::{Pipe, Thing};

/// How the things of a Node are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Two columns: device and staging mount, above and below them a container and a mount for each Pod.
    Square,
    /// One row for each Pod, from the device to the container.
    Along,
    /// The same from right to left.
    Back,
}

/// A row of cells, from left to right.
type Cells = Vec<Option<Thing>>;

/// What stands on the ground of a picture.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ground {
    /// The things in drawing order.
    pub things: Vec<Thing>,
    /// The pipes between them.
    pub pipes: Vec<Pipe>,
}

/// Something of a Node.
fn thing(kind: ThingKind, node: &str, path: &str, key: String) -> Thing {
    Thing {
        kind,
        key,
        place: Rect::new(0, 0, 0, 0),
        node: node.to_owned(),
        path: path.to_owned(),
        says: String::new(),
        plain: false,
        pod: None,
    }
}

fn device(chain: &Chain) -> Option<Thing> {
    let key = format!("thing/device/{}", chain.node);
    chain.device.then(|| Thing {
        says: chain.volume.clone(),
        ..thing(ThingKind::Device, &chain.node, &chain.volume, key)
    })
}

fn staging(chain: &Chain) -> Option<Thing> {
    let key = format!("thing/staging/{}", chain.node);
    chain
        .staging
        .as_ref()
        .map(|path| Thing { says: path.clone(), ..thing(ThingKind::Staging, &chain.node, path, key) })
}

fn target(chain: &Chain, of: &Use) -> Option<Thing> {
    let key = format!("thing/target/{}", chain.node);
    let says = within_devices(&of.path, "publish/").unwrap_or(&of.path).to_owned();
    Some(Thing { says, ..thing(ThingKind::Target, &chain.node, &of.path, key) })
}

fn map(chain: &Chain, of: &Use) -> Option<Thing> {
    let (path, key) = (of.map.as_ref()?, format!("thing/map/{}", chain.node));
    let says = within_devices(path, "dev/").unwrap_or(path).to_owned();
    Some(Thing { says, ..thing(ThingKind::Map, &chain.node, path, key) })
}

/// The part of a raw block volume's path that begins like this: the uid at its end is too long to keep.
fn within_devices<'p>(path: &'p str, begin: &str) -> Option<&'p str> {
    let (_, rest) = path.split_once("/volumeDevices/")?;
    rest.find(begin).and_then(|at| rest.get(at..))
}

fn container(chain: &Chain, of: &Use) -> Option<Thing> {
    let pod = of.pod.clone()?;
    let key = format!("thing/container/{}", pod.name);
    let says = format!("in Pod {}", pod.name);
    Some(Thing { says, pod: Some(pod.clone()), ..thing(ThingKind::Container, &chain.node, &pod.name, key) })
}

/// The rows of a Node's things: the first use above what it is fed from, the others below.
fn square(chains: &[&Chain]) -> Vec<Cells> {
    let mut rows: Vec<Cells> = Vec::new();
    for chain in chains {
        let mut uses = chain.uses.iter();
        let block = chain.uses.iter().any(|u| u.map.is_some());
        if block && chain.staging.is_none() {
            let first = uses.next();
            rows.extend(first.map(|u| vec![container(chain, u), map(chain, u)]));
            rows.push(vec![device(chain), first.and_then(|u| target(chain, u))]);
        } else {
            let first = uses.next();
            rows.extend(first.map(|u| vec![container(chain, u), target(chain, u)]));
            if chain.device || chain.staging.is_some() {
                rows.push(vec![device(chain), staging(chain)]);
            }
        }
        rows.extend(uses.map(|u| vec![container(chain, u), target(chain, u)]));
    }
    rows
}

/// The same with a row for each Pod.
fn along(chains: &[&Chain]) -> Vec<Cells> {
    let mut rows: Vec<Cells> = Vec::new();
    for chain in chains {
        let mut front = vec![device(chain), staging(chain)];
        if chain.uses.is_empty() {
            front.extend([None, None]);
            rows.push(front);
            continue;
        }
        for one in &chain.uses {
            let middle = if one.map.is_some() { target(chain, one) } else { None };
            let fed = std::mem::replace(&mut front, vec![None, None]);
            let mut row: Cells = fed;
            if middle.is_some() && row.get(1).is_none_or(Option::is_none) {
                row.truncate(1);
                row.push(middle);
                row.push(map(chain, one));
            } else {
                row.push(target(chain, one));
            }
            row.push(container(chain, one));
            rows.push(row);
        }
    }
    rows
}

impl Ground {
    /// How many rows a Node's things take.
    pub fn rows(cast: &Cast, node: &str, order: Order) -> i32 {
        let rows = match order {
            Order::Square => square(&chains(cast, node)).len(),
            Order::Along | Order::Back => along(&chains(cast, node)).len(),
        };
        i32::try_from(rows).unwrap_or(0)
    }

    /// Places a Node's things in a room of this width.
    pub fn node(&mut self, cast: &Cast, node: &str, order: Order, place: Rect, m: &Measures) {
        let chains = chains(cast, node);
        let (rows, cells) = match order {
            Order::Square => (square(&chains), 2),
            Order::Along | Order::Back => (along(&chains), 4),
        };
        let apart = match order {
            Order::Square if m.width > 600 => 32,
            Order::Square | Order::Along => 16,
            Order::Back => 8,
        };
        let w = (place.w - (cells - 1) * apart) / cells;
        for (j, row) in (0..).zip(rows) {
            for (i, found) in (0..).zip(row) {
                let column = if order == Order::Back { cells - 1 - i } else { i };
                let at = Rect::new(
                    place.x + column * (w + apart),
                    place.y + j * (m.thing + m.thing_gap),
                    w,
                    m.thing,
                );
                if let Some(mut thing) = found {
                    thing.place = at;
                    thing.plain = order != Order::Square || m.width < 600;
                    if thing.plain && thing.kind == ThingKind::Container && cast.pods() < 2 {
                        thing.says = String::new();
                    }
                    self.add(thing);
                }
            }
        }
    }

    /// Adds a thing; of two of one kind the second has a longer key.
    fn add(&mut self, mut thing: Thing) {
        let base = thing.key.clone();
        let mut n = 1;
        while self.things.iter().any(|t| t.key == thing.key) {
            n += 1;
            thing.key = format!("{base}/{n}");
        }
        self.things.push(thing);
    }

    /// Places what is at the backend, side by side or one below the other.
    pub fn backend(&mut self, stored: &[Stored], place: Rect, beside: bool, widest: i32) {
        let n = i32::try_from(stored.len()).unwrap_or(1).max(1);
        for (i, one) in (0..).zip(stored) {
            let at = if beside {
                let w = ((place.w - (n - 1) * 12) / n).min(widest) / 4 * 4;
                // What is attached stands nearest to the Nodes; where there is none, beneath the driver.
                let x = match n {
                    1 if place.w > 300 => place.right() - w,
                    1 => place.x + (place.w - w) / 4 / 4 * 4,
                    _ => place.x + i * (place.w - w) / (n - 1),
                };
                Rect::new(x, place.y, w, place.h)
            } else {
                let h = (place.h - (n - 1) * 6) / n;
                Rect::new(
                    place.x + (place.w - place.w.min(widest)) / 2,
                    place.y + i * (h + 6),
                    place.w.min(widest),
                    h,
                )
            };
            let (kind, word) =
                if one.snapshot { (ThingKind::Snapshot, "snapshot") } else { (ThingKind::Volume, "volume") };
            let key = format!("thing/{word}/{}", one.handle);
            let mut found = thing(kind, "", &one.handle, key);
            found.says.clone_from(&one.handle);
            let flat = at.h.min(44);
            found.place = if one.snapshot { Rect::new(at.x, at.bottom() - flat, at.w, flat) } else { at };
            self.add(found);
        }
    }

    /// Lays the pipes between what feeds and what is fed.
    pub fn lay_pipes(&mut self, cast: &Cast) {
        for chain in &cast.real.chains {
            let volume = self.find(ThingKind::Volume, "", &chain.volume);
            let device = self.find(ThingKind::Device, &chain.node, &chain.volume).filter(|_| chain.device);
            let staged = chain.staging.as_ref().and_then(|p| self.find(ThingKind::Staging, &chain.node, p));
            let attached = device.or(staged);
            let first = if device.is_some() { "attached" } else { "staged" };
            self.lay(first, &chain.node, volume, attached, false);
            self.lay("staged", &chain.node, device, staged, false);
            for one in &chain.uses {
                let target = self.find(ThingKind::Target, &chain.node, &one.path);
                let map = one.map.as_ref().and_then(|p| self.find(ThingKind::Map, &chain.node, p));
                let pod =
                    one.pod.as_ref().and_then(|p| self.find(ThingKind::Container, &chain.node, &p.name));
                self.lay("published", &chain.node, staged.or(device), target, true);
                self.lay("mapped", &chain.node, target, map, true);
                self.lay("used", &chain.node, map.or(target), pod, true);
            }
        }
    }

    fn find(&self, kind: ThingKind, node: &str, path: &str) -> Option<usize> {
        self.things.iter().position(|t| t.kind == kind && t.node == node && t.path == path)
    }

    fn lay(&mut self, name: &'static str, node: &str, from: Option<usize>, to: Option<usize>, bind: bool) {
        let Some((from, to)) = from.zip(to) else { return };
        let Some((a, b)) = self.things.get(from).zip(self.things.get(to)) else { return };
        let Some(line) = Pipe::between(a.place, b.place) else { return };
        let (feeds, fed) = (a.key.clone(), b.key.clone());
        let mut key = format!("pipe/{name}");
        let mut n = 1;
        while self.pipes.iter().any(|p| p.key == key) {
            n += 1;
            key = if n == 2 { format!("pipe/{name}/{node}") } else { format!("pipe/{name}/{node}/{n}") };
        }
        self.pipes.push(Pipe { key, name, from: feeds, to: fed, line, bind });
    }
}

/// What a Node has.
fn chains<'c>(cast: &'c Cast, node: &str) -> Vec<&'c Chain> {
    cast.real.chains.iter().filter(|c| c.node == node).collect()
}
