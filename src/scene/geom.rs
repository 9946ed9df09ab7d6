//! Rectangles and directions on the canvas, in units.

/// A point, in units.
pub type Pt = (i32, i32);

/// A rectangle, in units.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rect {
    /// Left edge.
    pub x: i32,
    /// Upper edge.
    pub y: i32,
    /// Width.
    pub w: i32,
    /// Height.
    pub h: i32,
}

impl Rect {
    /// The rectangle with its upper left corner at `x`, `y`.
    pub const fn new(x: i32, y: i32, w: i32, h: i32) -> Self {
        Rect { x, y, w, h }
    }

    /// The rectangle of this size around a point.
    pub const fn around(centre: Pt, w: i32, h: i32) -> Self {
        Rect::new(centre.0 - w / 2, centre.1 - h / 2, w, h)
    }

    /// The thinnest rectangle that holds both points.
    pub fn between(a: Pt, b: Pt) -> Self {
        Rect::new(a.0.min(b.0), a.1.min(b.1), (a.0 - b.0).abs(), (a.1 - b.1).abs())
    }

    /// The right edge.
    pub const fn right(&self) -> i32 {
        self.x + self.w
    }

    /// The lower edge.
    pub const fn bottom(&self) -> i32 {
        self.y + self.h
    }

    /// The middle from left to right.
    pub const fn cx(&self) -> i32 {
        self.x + self.w / 2
    }

    /// The middle from top to bottom.
    pub const fn cy(&self) -> i32 {
        self.y + self.h / 2
    }

    /// This rectangle, larger by `d` on every side.
    pub const fn grown(&self, d: i32) -> Self {
        Rect::new(self.x - d, self.y - d, self.w + 2 * d, self.h + 2 * d)
    }

    /// Whether the insides of the two meet; touching edges do not count.
    pub const fn meets(&self, o: &Rect) -> bool {
        self.x < o.right() && o.x < self.right() && self.y < o.bottom() && o.y < self.bottom()
    }

    /// Whether `o` lies wholly inside.
    pub const fn holds(&self, o: &Rect) -> bool {
        self.x <= o.x && self.y <= o.y && o.right() <= self.right() && o.bottom() <= self.bottom()
    }
}

/// One of the four ways along the axes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dir {
    /// Towards smaller `y`.
    Up,
    /// Towards larger `x`.
    Right,
    /// Towards larger `y`.
    Down,
    /// Towards smaller `x`.
    Left,
}

impl Dir {
    /// All four, clockwise.
    pub const ALL: [Dir; 4] = [Dir::Up, Dir::Right, Dir::Down, Dir::Left];

    /// Its unit step.
    pub const fn step(self) -> Pt {
        match self {
            Dir::Up => (0, -1),
            Dir::Right => (1, 0),
            Dir::Down => (0, 1),
            Dir::Left => (-1, 0),
        }
    }

    /// The way back.
    pub const fn back(self) -> Dir {
        match self {
            Dir::Up => Dir::Down,
            Dir::Right => Dir::Left,
            Dir::Down => Dir::Up,
            Dir::Left => Dir::Right,
        }
    }

    /// The way from `a` to `b`, which differ along one axis.
    pub fn from_to(a: Pt, b: Pt) -> Dir {
        if a.0 == b.0 {
            if b.1 < a.1 { Dir::Up } else { Dir::Down }
        } else if b.0 < a.0 {
            Dir::Left
        } else {
            Dir::Right
        }
    }

    /// The point `d` units this way from `p`.
    pub const fn ahead(self, p: Pt, d: i32) -> Pt {
        let (x, y) = self.step();
        (p.0 + x * d, p.1 + y * d)
    }
}

/// How long a polyline along the axes is, in units.
pub fn length(points: &[Pt]) -> i32 {
    points.iter().zip(points.iter().skip(1)).map(|(a, b)| (a.0 - b.0).abs() + (a.1 - b.1).abs()).sum()
}

/// The point at `s` units along a polyline; its end when `s` is longer.
pub fn along(points: &[Pt], s: i32) -> Pt {
    let mut left = s.max(0);
    for (a, b) in points.iter().zip(points.iter().skip(1)) {
        let d = length(&[*a, *b]);
        if left <= d && d > 0 {
            return Dir::from_to(*a, *b).ahead(*a, left);
        }
        left -= d;
    }
    points.last().copied().unwrap_or((0, 0))
}
