//! How wide words are, and how a word too long for its place is cut.

/// The faces of the picture, all at 14 units but the badge letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Face {
    /// Identifiers.
    Mono,
    /// Words.
    Sans,
    /// Words in semibold.
    Bold,
}

/// The width to reserve for a text at 14 units, in units: an upper bound over the usual system fonts.
pub fn width(face: Face, text: &str) -> i32 {
    let letters = i32::try_from(text.chars().count()).unwrap_or(i32::MAX / 100);
    let tenths = match face {
        Face::Mono => letters * 86,
        Face::Sans => text.chars().map(|c| letter(c).0).sum::<i32>().max(letters * 74),
        Face::Bold => text.chars().map(|c| letter(c).1).sum(),
    };
    (tenths + 9) / 10
}

/// The widths of a letter in tenths of a unit, regular and semibold; letters differ too much for one
/// figure.
const fn letter(c: char) -> (i32, i32) {
    match c {
        'i' | 'j' | 'l' | '.' | ':' | ',' | '·' | ' ' | '\u{a0}' | '-' => (48, 58),
        'f' | 'r' | 't' => (58, 70),
        'c' | 's' | 'k' | 'v' => (81, 92),
        'm' | 'w' | '…' | '—' => (140, 146),
        'A'..='Z' => (102, 114),
        _ => (89, 100),
    }
}

/// The text, cut with an ellipsis so that it fits `room` units. An identifier after `^` is kept, and so
/// are both ends of an absolute path and what stands before a `/`; else the end is cut.
pub fn elide(face: Face, text: &str, room: i32) -> String {
    let fits = |s: &str| width(face, s) <= room;
    if fits(text) {
        return text.to_owned();
    }
    if let Some((_, id)) = text.split_once('^') {
        return if fits(id) { id.to_owned() } else { cut(face, id, room) };
    }
    if text.starts_with('/') {
        let tail = text.rfind('/').and_then(|i| text.get(i..)).unwrap_or("");
        let heads = text.rmatch_indices('/').map(|(i, _)| format!("{}…{tail}", text.get(..=i).unwrap_or("")));
        if let Some(middle) = heads.skip(1).find(|t| fits(t)) {
            return middle;
        }
    } else {
        let heads = text.rmatch_indices('/').map(|(i, _)| format!("{}…", text.get(..=i).unwrap_or("")));
        if let Some(head) = heads.into_iter().find(|h| fits(h)) {
            return head;
        }
    }
    let words = text.rmatch_indices(' ').map(|(i, _)| format!("{}…", text.get(..i).unwrap_or("")));
    // A cut between words is better unless it leaves only the first.
    match words.into_iter().find(|w| fits(w)) {
        Some(w) if w.contains(' ') => w,
        _ => cut(face, text, room),
    }
}

/// The longest beginning that fits with an ellipsis; nothing at all when not even one letter does.
fn cut(face: Face, text: &str, room: i32) -> String {
    let mut head: Vec<char> = text.chars().collect();
    while !head.is_empty() {
        let s: String = head.iter().collect::<String>() + "…";
        if width(face, &s) <= room {
            return s;
        }
        head.pop();
    }
    String::new()
}

/// A name of which the beginning and the end are kept, where it is as long as only a computed one is: both tell it
/// from others.
pub fn middle_out(name: &str) -> String {
    const WHOLE: usize = 24;
    const BEGIN: usize = 12;
    const END: usize = 4;
    let letters: Vec<char> = name.chars().collect();
    match (letters.get(..BEGIN), letters.len().checked_sub(END).and_then(|at| letters.get(at..))) {
        (Some(begin), Some(end)) if letters.len() > WHOLE => begin.iter().chain(&['…']).chain(end).collect(),
        _ => name.to_owned(),
    }
}

/// Simulated time as a reader says it: `0:04` under a minute, then `6 min 40 s`.
pub fn clock(sim_ms: u64) -> String {
    let s = sim_ms / 1000;
    if s < 60 { format!("0:{s:02}") } else { format!("{}\u{a0}min {}\u{a0}s", s / 60, s % 60) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_where_the_meaning_stays() {
        let f = "external-attacher/hostpath-csi-k8s-io";
        assert_eq!(elide(Face::Mono, f, 170), "external-attacher/…");
        assert_eq!(elide(Face::Mono, "kubernetes.io/csi/disk.csi.example.com^vol-1", 60), "vol-1");
        assert_eq!(elide(Face::Mono, "/var/lib/kubelet/x/globalmount", 188), "/var/…/globalmount");
        assert_eq!(elide(Face::Mono, "csi-07437a74f224eb3f", 96), "csi-07437a…");
        assert_eq!(elide(Face::Mono, "node-1", 100), "node-1");
        assert_eq!(elide(Face::Mono, "node-1", 8), "");
        assert_eq!(elide(Face::Sans, "waits: volumesInUse without the volume", 189), "waits: volumesInUse…");
    }

    #[test]
    fn keeps_both_ends_of_a_computed_name() {
        assert_eq!(middle_out("data"), "data");
        assert_eq!(middle_out("snapcontent-6f1d2a3e-8c47-4b9a-9d10-2e5b7c8f0a11"), "snapcontent-…0a11");
    }

    #[test]
    fn says_time_as_a_reader_does() {
        assert_eq!(clock(4_200), "0:04");
        assert_eq!(clock(400_000), "6\u{a0}min 40\u{a0}s");
    }
}
