//! What stands on a message of the sequence: its words in several lengths, of which the fullest that fits is drawn.

use super::text::{Face, elide, width};
use crate::model::{Actor, Code, Kind, ObjectRef};
use crate::trace::{Change, Fate};

/// One line of words on a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Says {
    /// A call's method.
    Method(&'static str),
    /// That a call went well, where the call itself stands in another step.
    Fine(&'static str),
    /// What went wrong with a call, with the driver's words.
    Failed(Code, Option<String>),
    /// An object came to be.
    Made(ObjectRef),
    /// The fields that a new object begins with, each with its value.
    Begins(Vec<(&'static str, String)>),
    /// An object is gone.
    Gone(ObjectRef),
    /// A field got another value.
    Field {
        /// The object's kind, and its name where the run has several of that kind.
        object: (Kind, Option<String>),
        /// The field's path.
        field: &'static str,
        /// What became of its values.
        values: Vec<(Fate, String)>,
    },
    /// An Event's reason, whether it is a warning, and what it is about.
    Event(&'static str, bool, Kind),
    /// Something about a path or a device of a Node.
    Real(&'static str, String),
    /// What an actor does for itself, and the objects it looks at.
    Does(String, Vec<ObjectRef>),
    /// What an actor waits for.
    Waits(&'static str),
    /// Cluster time that passes before what follows, in milliseconds.
    Later(u64),
}

impl Says {
    /// A field's new value; `several` says whether the run has more objects of this kind.
    pub fn field(
        object: &ObjectRef,
        several: bool,
        field: &'static str,
        from: Option<&str>,
        to: Option<&str>,
        by: &Actor,
    ) -> Says {
        let own = |v: Option<&str>| v.map(str::to_owned);
        let change =
            Change { what: String::new(), field: field.into(), from: own(from), to: own(to), by: by.clone() };
        let list = [from, to].into_iter().flatten().all(|v| v.split(", ").all(|part| !part.contains(' ')));
        let values = if list {
            change.values()
        } else {
            let one = |fate, v: Option<&str>| v.map(|v| (fate, v.to_owned()));
            one(Fate::Gone, from).into_iter().chain(one(Fate::New, to)).collect()
        };
        Says::Field { object: (object.kind, several.then(|| object.name.clone())), field, values }
    }

    /// The face of these words, and the class that gives it.
    pub const fn face(&self) -> (Face, &'static str) {
        match self {
            Says::Method(_) | Says::Failed(..) => (Face::Mono, "mono b"),
            Says::Made(_) | Says::Gone(_) | Says::Field { .. } | Says::Event(..) | Says::Real(..) => {
                (Face::Mono, "mono")
            }
            Says::Begins(_) | Says::Fine(_) => (Face::Mono, "mono m"),
            Says::Does(..) | Says::Waits(_) => (Face::Sans, ""),
            Says::Later(_) => (Face::Sans, "m"),
        }
    }

    /// The words in at most `room` units; a field's at this level or a shorter one.
    pub fn fit(&self, room: i32, level: usize) -> String {
        let (face, _) = self.face();
        let skip = if matches!(self, Says::Field { .. }) { level } else { 0 };
        let mut lengths = self.lengths().into_iter().skip(skip);
        lengths.find(|text| width(face, text) <= room).unwrap_or_else(|| {
            let mut rest: Vec<char> = self.lengths().pop().unwrap_or_default().chars().collect();
            while !rest.is_empty() && width(face, &rest.iter().collect::<String>()) + width(face, "…") > room
            {
                rest.pop();
            }
            rest.into_iter().chain(['…']).collect()
        })
    }

    /// How far a field's words are shortened to fit `room` units; 0 for all other words.
    pub fn level(&self, room: i32) -> usize {
        let (face, _) = self.face();
        let fits = |text: &String| width(face, text) <= room;
        if matches!(self, Says::Field { .. }) { self.lengths().iter().position(fits).unwrap_or(0) } else { 0 }
    }

    /// Whether `room` units hold the words without any being cut, and without a field losing its object.
    pub fn fits(&self, room: i32) -> bool {
        let (face, _) = self.face();
        let lengths = self.lengths();
        let told = lengths.len() - if matches!(self, Says::Field { .. }) { BARE.len() } else { 0 };
        lengths.iter().take(told).any(|text| width(face, text) <= room)
    }

    /// The words, the fullest first.
    fn lengths(&self) -> Vec<String> {
        match self {
            Says::Method(method) => vec![(*method).to_owned()],
            Says::Fine(method) => vec![format!("{method} OK"), "OK".to_owned()],
            Says::Failed(code, message) => {
                let code = code.name();
                let told =
                    message.iter().flat_map(|m| [60, 44, 32].map(|n| format!("{code}: {}", cap(m, n))));
                told.chain([code.to_owned()]).collect()
            }
            Says::Made(object) => named("create ", object, ""),
            Says::Gone(object) => named("", object, " gone"),
            Says::Begins(fields) => begins(fields),
            Says::Field { object: (kind, name), field, values } => {
                written(*kind, name.as_deref(), field, values)
            }
            Says::Event(reason, warning, kind) => {
                let kind = [format!(" on {}", kind.name()), format!(" on {}", short(*kind)), String::new()];
                let warning = if *warning { "Warning " } else { "" };
                // The hue and the flag say once more that it is a warning.
                let told = kind.map(|on| format!("{warning}{reason}{on}"));
                told.into_iter().chain([(*reason).to_owned()]).collect()
            }
            Says::Real(what, path) => {
                [60, 44, 34, 26, 20, 14].map(|n| format!("{what} {}", cap(path, n))).into()
            }
            Says::Does(does, objects) => {
                let list = |name: &dyn Fn(&ObjectRef) -> String| {
                    objects.iter().map(name).collect::<Vec<_>>().join(", ")
                };
                let full = list(&|o| format!("{} {}", o.kind.name(), cap(&o.name, 14)));
                let kinds = list(&|o| short(o.kind).to_owned());
                let told = [full, kinds].into_iter().filter(|l| !l.is_empty());
                told.map(|l| format!("{does}: {l}")).chain([does.clone()]).collect()
            }
            Says::Waits(fact) => vec![format!("waits: {fact}"), format!("waits: {}", last(fact))],
            Says::Later(ms) => vec![lapse(*ms)],
        }
    }
}

/// How many letters a value has at least where there is no room for its object either.
const BARE: [usize; 2] = [10, 6];

/// The words of a new value: path and kind are shortened before the values are.
fn written(kind: Kind, name: Option<&str>, field: &str, values: &[(Fate, String)]) -> Vec<String> {
    let object = |kind: &str, n: usize| {
        name.map_or_else(|| format!("{kind}."), |name| format!("{kind}/{} ", cap(name, n)))
    };
    let (long, brief) = (object(kind.name(), 12), object(short(kind), 9));
    let plain = field.strip_prefix("metadata.annotations[").map_or(field, |f| f.trim_end_matches(']'));
    let heads = [
        (format!("{long}{field}"), 40),
        (format!("{long}{field}"), 24),
        (format!("{long}{}", last(plain)), 24),
        (format!("{brief}{}", last(plain)), 20),
        (format!("{brief}{}", last(plain)), 14),
        (format!("{brief}{}", last(plain)), 10),
    ];
    let full = heads.iter().map(|(head, n)| format!("{head}: {}", change(values, *n, true)));
    let new = heads.iter().skip(3).map(|(head, n)| format!("{head}: {}", change(values, *n, false)));
    let least = BARE.map(|n| format!("{}: {}", last(plain), change(values, n, false)));
    full.chain(new).chain(least).collect()
}

/// `old → new`, or what came to a list and what left it.
fn change(values: &[(Fate, String)], most: usize, whole: bool) -> String {
    let of = |fate: Fate| values.iter().filter(move |(f, _)| *f == fate).map(|(_, v)| cap(v, most));
    let (gone, new): (Vec<_>, Vec<_>) = (of(Fate::Gone).collect(), of(Fate::New).collect());
    if let ([] | [_], [] | [_], None) = (&gone[..], &new[..], of(Fate::Stays).next()) {
        let value = |v: &[String]| v.first().cloned().unwrap_or_else(|| "—".to_owned());
        // Two values that differ only where they are cut are told as one.
        let old = if whole && gone != new { value(&gone) + " " } else { String::new() };
        return format!("{old}→ {}", value(&new));
    }
    let signed = |sign: &str, list: Vec<String>| {
        if list.is_empty() { None } else { Some(format!("{sign} {}", list.join(", "))) }
    };
    [signed("+", new), signed("−", gone)].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The fields of a new object, as many as are wanted and a number for the rest.
fn begins(fields: &[(&'static str, String)]) -> Vec<String> {
    let told = |count: usize, most: usize| {
        let list: Vec<_> =
            fields.iter().take(count).map(|(f, v)| format!("{} {}", last(f), cap(v, most))).collect();
        let rest = fields.len() - list.len();
        match (list.is_empty(), rest) {
            (_, 0) => list.join(", "),
            (true, 1) => "1 field".to_owned(),
            (true, rest) => format!("{rest} fields"),
            (false, rest) => format!("{}, +{rest}", list.join(", ")),
        }
    };
    (0..=fields.len()).rev().flat_map(|count| [told(count, 20), told(count, 12)]).collect()
}

/// An object's kind and name between two words.
fn named(before: &str, object: &ObjectRef, after: &str) -> Vec<String> {
    let told = |kind: &str, n: usize| format!("{before}{kind} {}{after}", cap(&object.name, n));
    let long = object.kind.name();
    let brief = short(object.kind);
    vec![told(long, 18), told(long, 12), told(brief, 14), told(brief, 10), format!("{before}{brief}{after}")]
}

/// A kind as people who type it often do.
fn short(kind: Kind) -> &'static str {
    match kind {
        Kind::PersistentVolumeClaim => "PVC",
        Kind::PersistentVolume => "PV",
        Kind::VolumeAttachment => "VA",
        Kind::VolumeSnapshot => "Snapshot",
        Kind::VolumeSnapshotContent => "Content",
        Kind::Pod | Kind::Node | Kind::CsiNode | Kind::CsiDriver | Kind::StorageClass => kind.name(),
    }
}

/// A field by the last part of its path, by the last two where several fields of an object end alike; an annotation
/// by what follows its domain.
fn last(field: &str) -> &str {
    let field = field.trim_end_matches(']');
    let mut ends = field.rmatch_indices(['/', '.']).map(|(at, _)| field.get(at + 1..).unwrap_or(field));
    let last = ends.next().unwrap_or(field);
    if matches!(last, "storage" | "status") { ends.next().unwrap_or(last) } else { last }
}

/// A value in at most so many letters.
fn cap(value: &str, letters: usize) -> String {
    if let Some((code, why)) = value.split_once("code = ").and_then(|(_, told)| told.split_once(" desc = ")) {
        return cap(&format!("{code}: {why}"), letters);
    }
    let value = value.split_once('^').map_or(value, |(_, id)| id);
    let room = (i32::try_from(letters).unwrap_or(0) * 86 + 9) / 10;
    match value.split_once('/') {
        _ if value.chars().count() <= letters => value.to_owned(),
        // What follows somebody's domain says more than the domain.
        Some((domain, name)) if domain.contains('.') && !domain.contains(' ') => cap(name, letters),
        _ => elide(Face::Mono, value, room),
    }
}

/// Cluster time as a reader says how long something took.
fn lapse(ms: u64) -> String {
    let (min, s) = (ms / 60_000, ms % 60_000 / 1000);
    match (min, s) {
        (0, s) => format!("{s}\u{a0}s later"),
        (min, 0) => format!("{min}\u{a0}min later"),
        (min, s) => format!("{min}\u{a0}min {s}\u{a0}s later"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Role;

    fn field(field: &'static str, from: Option<&str>, to: Option<&str>) -> Says {
        let object = ObjectRef { kind: Kind::VolumeAttachment, name: "csi-1".into() };
        Says::field(&object, false, field, from, to, &Actor { role: Role::User, node: None })
    }

    #[test]
    fn a_field_is_shortened_from_the_outside_in() {
        let attached = field("status.attached", Some("false"), Some("true"));
        assert_eq!(attached.fit(480, 0), "VolumeAttachment.status.attached: false → true");
        assert_eq!(attached.fit(344, 0), "VolumeAttachment.attached: false → true");
        assert_eq!(attached.fit(250, 0), "VA.attached: false → true");
        assert_eq!(attached.fit(170, 0), "VA.attached: → true");
        let id = field("metadata.annotations[csi.alpha.kubernetes.io/node-id]", None, Some("node-1"));
        assert_eq!(id.fit(300, 0), "VA.node-id: — → node-1");
    }

    #[test]
    fn a_list_says_what_came_and_what_went() {
        let more = field("metadata.finalizers", Some("a/b"), Some("a/b, c/d"));
        assert_eq!(more.fit(480, 0), "VolumeAttachment.metadata.finalizers: + c/d");
        let less = field("metadata.finalizers", Some("a/b, c/d"), Some("a/b"));
        assert_eq!(less.fit(480, 0), "VolumeAttachment.metadata.finalizers: − c/d");
        let error = field("status.attachError", None, Some("rpc error: a, b"));
        assert_eq!(error.fit(500, 0), "VolumeAttachment.status.attachError: — → rpc error: a, b");
    }

    #[test]
    fn a_new_object_counts_the_fields_it_has_no_room_for() {
        let fields =
            vec![("spec.attacher", "disk.csi.example.com".to_owned()), ("spec.nodeName", "node-1".into())];
        assert_eq!(
            Says::Begins(fields.clone()).fit(480, 0),
            "attacher disk.csi.example.com, nodeName node-1"
        );
        assert_eq!(Says::Begins(fields.clone()).fit(260, 0), "attacher disk.csi.ex…, +1");
        assert_eq!(Says::Begins(fields).fit(80, 0), "2 fields");
    }

    #[test]
    fn time_passes_in_words() {
        assert_eq!(lapse(10_000), "10\u{a0}s later");
        assert_eq!(lapse(360_000), "6\u{a0}min later");
    }
}
