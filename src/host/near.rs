//! Names that are like one which is not there.

/// How many such names are worth reading.
const MOST: usize = 3;

/// The names most like this one, the most alike first: those that differ in few letters, or share a beginning or a
/// whole word with it.
pub(super) fn near<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let most = name.chars().count().div_ceil(4);
    let mut found: Vec<(usize, &str)> = names
        .filter_map(|other| {
            let apart = apart(name, other);
            let shares = name.len() > 2 && (other.starts_with(name) || other.split('-').any(|w| w == name));
            (apart <= most || shares).then_some((if shares { apart.min(most) } else { apart }, other))
        })
        .collect();
    found.sort_by_key(|(apart, _)| *apart);
    found.into_iter().take(MOST).map(|(_, other)| other).collect()
}

/// How many letters have to be added, dropped or changed to make one of the other.
fn apart(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.chars().count()).collect();
    for (done, letter) in one.chars().enumerate() {
        let mut corner = done;
        let mut left = done + 1;
        let mut next = vec![left];
        for (above, wanted) in row.iter().skip(1).zip(other.chars()) {
            left = (corner + usize::from(letter != wanted)).min(left + 1).min(above + 1);
            corner = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{apart, near};

    #[test]
    fn letters_are_counted_and_the_nearest_stands_first() {
        assert_eq!((apart("node", "node"), apart("node", "nod"), apart("nodes", "mode")), (0, 1, 2));
        let names = ["attach-error", "detach-failing", "attach-final", "expand"];
        assert_eq!(near("atach-error", names.into_iter()), ["attach-error"]);
        assert_eq!(near("attach", names.into_iter()), ["attach-error", "attach-final"]);
        assert!(near("zebra", names.into_iter()).is_empty());
    }
}
