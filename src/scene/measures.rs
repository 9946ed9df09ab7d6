//! The measures of the layouts, in units: for each the roomiest first, then those for larger casts.

use super::Layout;

/// The measures of one way to lay a picture out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measures {
    /// The canvas's width.
    pub width: i32,
    /// A canvas that gets higher than this is laid out with the next measures, if there are any.
    pub limit: i32,
    /// From the canvas's edge to the zones.
    pub margin: i32,
    /// Between zones.
    pub gap: i32,
    /// From a zone's side to what it holds.
    pub pad: i32,
    /// From a zone's side to its cards.
    pub inset: i32,
    /// From a zone's upper edge to what it holds.
    pub head: i32,
    /// From a zone's upper edge to the baseline of its title.
    pub title: i32,
    /// Below what a zone holds.
    pub foot: i32,
    /// A pill's height.
    pub pill: i32,
    /// A badge's radius.
    pub badge: i32,
    /// Below pills between which calls run.
    pub call: i32,
    /// A card's header.
    pub header: i32,
    /// A card's row.
    pub row: i32,
    /// The columns of cards.
    pub columns: i32,
    /// Between columns of cards.
    pub aisle: i32,
    /// Between cards of a column.
    pub stack: i32,
    /// The most rows of a card.
    pub rows: usize,
    /// Whether cards show rows that nobody writes.
    pub basic: bool,
    /// Whether objects are shown that are only read.
    pub reads: bool,
    /// Whether the card that is written most has the shelf's whole width.
    pub hero: bool,
    /// Between rows of pills among which no calls run.
    pub line: i32,
    /// The height of a device or mount.
    pub thing: i32,
    /// Between devices and mounts of a column.
    pub thing_gap: i32,
}

/// The roomiest measures of the wide layout.
pub const WIDE: Measures = Measures {
    width: 800,
    limit: 640,
    margin: 8,
    gap: 8,
    pad: 16,
    inset: 12,
    head: 32,
    title: 21,
    foot: 8,
    pill: 40,
    badge: 14,
    call: 56,
    header: 28,
    row: 22,
    columns: 3,
    aisle: 26,
    stack: 8,
    rows: 5,
    basic: true,
    reads: true,
    hero: false,
    line: 16,
    thing: 40,
    thing_gap: 16,
};

const NARROW: Measures = Measures {
    width: 360,
    limit: 640,
    margin: 4,
    gap: 4,
    pad: 12,
    inset: 12,
    head: 24,
    title: 17,
    foot: 4,
    pill: 36,
    badge: 13,
    call: 36,
    header: 24,
    row: 20,
    columns: 2,
    aisle: 16,
    stack: 8,
    rows: 3,
    basic: true,
    reads: true,
    hero: true,
    line: 16,
    thing: 32,
    thing_gap: 16,
};

/// The roomiest measures of a layout.
#[cfg(not(target_arch = "wasm32"))]
pub const fn roomy(layout: Layout) -> Measures {
    match layout {
        Layout::Wide => WIDE,
        Layout::Narrow => NARROW,
    }
}

/// The measures of a layout, from the roomiest to the densest.
pub const fn measures(layout: Layout) -> &'static [Measures] {
    const COLUMNS: Measures = Measures { columns: 4, aisle: 18, rows: 4, basic: false, ..WIDE };
    const LOW: Measures = Measures {
        reads: false,
        head: 28,
        title: 19,
        pill: 36,
        badge: 13,
        call: 44,
        header: 24,
        row: 20,
        line: 12,
        thing: 36,
        thing_gap: 12,
        ..COLUMNS
    };
    const LOWEST: Measures =
        Measures { rows: 3, gap: 6, head: 24, title: 17, foot: 6, call: 42, line: 8, thing_gap: 10, ..LOW };
    const WIDE_LEVELS: &[Measures] = &[WIDE, Measures { rows: 4, ..WIDE }, COLUMNS, LOW, LOWEST];
    const PAIRS: Measures = Measures { hero: false, ..NARROW };
    const WRITTEN: Measures = Measures { basic: false, reads: false, ..PAIRS };
    const SHORT: Measures = Measures {
        rows: 2,
        limit: 760,
        head: 20,
        title: 15,
        header: 22,
        row: 19,
        stack: 6,
        call: 34,
        thing: 28,
        thing_gap: 12,
        ..WRITTEN
    };
    const NARROW_LEVELS: &[Measures] = &[
        NARROW,
        Measures { reads: false, ..NARROW },
        PAIRS,
        WRITTEN,
        Measures { rows: 2, limit: 760, ..WRITTEN },
        SHORT,
        Measures { rows: 1, ..SHORT },
    ];
    match layout {
        Layout::Wide => WIDE_LEVELS,
        Layout::Narrow => NARROW_LEVELS,
    }
}
