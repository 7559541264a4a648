//! Where labels go: beside what they name, on nobody's figures if that can be, never on each other and never off
//! the table.
//!
//! Every label has a ring of candidate spots at growing distances. A first pass sets the labels down one by one,
//! the most crowded first; later passes lift each one up and set it down again where it is now best. A label that
//! fits nowhere is tried smaller, and in the last resort left out.

/// A box on the picture, in pixels, `y` downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

impl Frame {
    /// The box round a middle.
    pub fn about((x, y): (f64, f64), w: f64, h: f64) -> Self {
        Self { x: x - w * 0.5, y: y - h * 0.5, w, h }
    }

    /// The middle.
    pub fn middle(&self) -> (f64, f64) {
        (self.x + self.w * 0.5, self.y + self.h * 0.5)
    }

    /// Larger by so much on every side.
    pub fn grown(&self, by: f64) -> Self {
        Self { x: self.x - by, y: self.y - by, w: self.w + 2.0 * by, h: self.h + 2.0 * by }
    }

    /// The ground two boxes share.
    pub fn shared(&self, other: &Self) -> f64 {
        let wide = (self.x + self.w).min(other.x + other.w) - self.x.max(other.x);
        let high = (self.y + self.h).min(other.y + other.h) - self.y.max(other.y);
        wide.max(0.0) * high.max(0.0)
    }

    /// Whether two boxes share any ground.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.x < other.x + other.w
            && other.x < self.x + self.w
            && self.y < other.y + other.h
            && other.y < self.y + self.h
    }

    /// Whether another box lies wholly in this one.
    pub fn holds(&self, other: &Self) -> bool {
        other.x >= self.x
            && other.y >= self.y
            && other.x + other.w <= self.x + self.w
            && other.y + other.h <= self.y + self.h
    }

    /// The spot in it nearest to another spot.
    pub fn nearest(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (x.clamp(self.x, self.x + self.w), y.clamp(self.y, self.y + self.h))
    }

    /// How far apart two boxes are.
    pub fn gap(&self, other: &Self) -> f64 {
        let wide = (self.x.max(other.x) - (self.x + self.w).min(other.x + other.w)).max(0.0);
        let high = (self.y.max(other.y) - (self.y + self.h).min(other.y + other.h)).max(0.0);
        (wide * wide + high * high).sqrt()
    }

    /// Whether a straight line runs through it.
    pub fn cut_by(&self, from: (f64, f64), to: (f64, f64)) -> bool {
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for (start, end, low, high) in
            [(from.0, to.0, self.x, self.x + self.w), (from.1, to.1, self.y, self.y + self.h)]
        {
            let run = end - start;
            if run == 0.0 {
                if start < low || start > high {
                    return false;
                }
                continue;
            }
            let (a, b) = ((low - start) / run, (high - start) / run);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        enter < leave
    }
}

/// A label to be set down.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The box round what it names.
    pub anchor: Frame,
    /// The pieces of what it names, where it is more than one: a slanting line leaves much of its box empty.
    pub parts: Vec<Frame>,
    /// How large it is, the best first; later ones are tried when the best fits nowhere.
    pub sizes: Vec<(f64, f64)>,
    /// Which way the named thing looks, of length one: a label there hides what it is about to shoot at.
    pub front: Option<(f64, f64)>,
    /// Where its middle was last time, from the middle of what it names: in a film, labels should not hop about.
    pub habit: Option<(f64, f64)>,
    /// Whether what is under the label may be its own anchor: a name written on a field.
    pub inside: bool,
}

impl Wanted {
    /// How far a box is from what is named.
    fn gap(&self, at: &Frame) -> f64 {
        if self.parts.is_empty() {
            return at.gap(&self.anchor);
        }
        self.parts.iter().map(|part| at.gap(part)).fold(f64::INFINITY, f64::min)
    }

    /// The piece of what is named that is nearest to a box.
    fn nearest(&self, at: &Frame) -> Frame {
        let nearest = self.parts.iter().min_by(|a, b| at.gap(a).total_cmp(&at.gap(b)));
        nearest.copied().unwrap_or(self.anchor)
    }
}

/// A label set down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    /// Which of its sizes.
    pub size: usize,
    /// Where.
    pub at: Frame,
    /// Whether it is far enough to need a line to what it names.
    pub led: bool,
}

/// Between two labels at least.
const APART: f64 = 2.0;
/// A label farther than this from what it names gets a line.
pub(crate) const LED: f64 = 11.0;
const RINGS: [f64; 9] = [4.0, 8.0, 16.0, 28.0, 44.0, 66.0, 96.0, 140.0, 200.0];
/// What a pixel of distance costs.
const FAR: f64 = 0.45;
/// What it is worth to stay where one was.
const KEPT: f64 = 8.0;
const PASSES: usize = 3;

/// Sets labels down within `table`, off the `obstacles` if that can be.
pub(crate) fn place(wanted: &[Wanted], obstacles: &[Frame], table: Frame) -> Vec<Option<Spot>> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    let crowd = |index: usize| {
        let near = wanted[index].anchor.grown(70.0);
        wanted.iter().filter(|other| near.overlaps(&other.anchor)).count()
    };
    order.sort_by_key(|&index| (std::cmp::Reverse(crowd(index)), index));
    let mut spots: Vec<Option<Spot>> = vec![None; wanted.len()];
    for pass in 0..=PASSES {
        for &index in &order {
            // A label that found its best size is only lifted up to find it a better spot.
            let before = spots[index].take();
            let taken: Vec<(Frame, Option<Line>)> = (0..wanted.len())
                .filter_map(|other| spots[other].map(|spot| (spot, other)))
                .map(|(spot, other)| (spot.at, leader(&wanted[other], &spot)))
                .collect();
            spots[index] = best(&wanted[index], obstacles, &taken, table);
            if spots[index].is_none() && pass > 0 {
                spots[index] = before;
            }
        }
    }
    spots
}

type Line = ((f64, f64), (f64, f64));

/// The line from a label to what it names, if it needs one.
pub(crate) fn leader(wanted: &Wanted, spot: &Spot) -> Option<Line> {
    spot.led.then(|| {
        let to = wanted.nearest(&spot.at).nearest(spot.at.middle());
        (spot.at.nearest(to), to)
    })
}

fn best(wanted: &Wanted, obstacles: &[Frame], taken: &[(Frame, Option<Line>)], table: Frame) -> Option<Spot> {
    let free = |at: &Frame| {
        table.holds(at)
            && taken.iter().all(|(other, _)| !at.grown(APART * 0.5).overlaps(&other.grown(APART * 0.5)))
    };
    for (size, &(w, h)) in wanted.sizes.iter().enumerate() {
        let mut found = None;
        for (index, gap) in RINGS.into_iter().enumerate() {
            // A spot on a farther ring costs at least its distance; the habitual one is looked at with the first.
            if found.is_some_and(|(least, _)| least <= gap * FAR) || (wanted.inside && index > 0) {
                break;
            }
            let more = cheapest(wanted, ring(wanted, w, h, table, gap), free, obstacles, taken);
            if more.is_some_and(|(price, _)| found.is_none_or(|(least, _)| price < least)) {
                found = more;
            }
        }
        if found.is_none() && !wanted.inside {
            // Anywhere at all, on a grid over the whole table.
            let (columns, rows) = ((table.w / 18.0) as u32, (table.h / 9.0) as u32);
            let anywhere = (0..rows).flat_map(|row| {
                (0..columns).map(move |column| {
                    let (x, y) = (table.x + f64::from(column) * 18.0, table.y + f64::from(row) * 9.0);
                    Frame { x, y, w, h }
                })
            });
            found = cheapest(wanted, anywhere, free, obstacles, taken);
        }
        if let Some((_, at)) = found {
            return Some(Spot { size, at, led: !wanted.inside && wanted.gap(&at) > LED });
        }
    }
    None
}

/// The free spot that costs least.
fn cheapest(
    wanted: &Wanted,
    spots: impl IntoIterator<Item = Frame>,
    free: impl Fn(&Frame) -> bool,
    obstacles: &[Frame],
    taken: &[(Frame, Option<Line>)],
) -> Option<(f64, Frame)> {
    let mut found: Option<(f64, Frame)> = None;
    for at in spots.into_iter().filter(free) {
        let price = price(wanted, &at, obstacles, taken);
        if found.is_none_or(|(least, _)| price < least) {
            found = Some((price, at));
        }
    }
    found
}

/// Candidate spots: on rings about the anchor, pushed back onto the table where they hang over.
fn ring(wanted: &Wanted, w: f64, h: f64, table: Frame, gap: f64) -> Vec<Frame> {
    let anchor = wanted.anchor;
    let (x, y) = anchor.middle();
    let mut spots = Vec::new();
    let mut push = |at: Frame| {
        let inner = Frame {
            x: at.x.min(table.x + table.w - w).max(table.x),
            y: at.y.min(table.y + table.h - h).max(table.y),
            ..at
        };
        spots.push(inner);
    };
    if wanted.inside {
        for (dx, dy) in
            [(0.0, 0.0), (0.0, -0.22), (0.0, 0.22), (-0.2, 0.0), (0.2, 0.0), (-0.2, 0.25), (0.2, -0.25)]
        {
            push(Frame::about((x + dx * anchor.w, y + dy * anchor.h), w, h));
        }
        return spots;
    }
    if let Some((hx, hy)) = wanted.habit.filter(|_| gap == RINGS[0]) {
        push(Frame::about((x + hx, y + hy), w, h));
    }
    let ends = [wanted.parts.first(), wanted.parts.get(wanted.parts.len() / 2), wanted.parts.last()];
    for about in ends.into_iter().flatten().chain([&anchor]) {
        let (x, y) = about.middle();
        let anchor = about;
        let (across, down) = ((anchor.w + w) * 0.5 + gap, (anchor.h + h) * 0.5 + gap);
        for step in -3_i32..=3 {
            let share = f64::from(step) / 3.0;
            push(Frame::about((x + share * across, y - down), w, h));
            push(Frame::about((x + share * across, y + down), w, h));
            if step.abs() < 3 {
                push(Frame::about((x - across, y + share * down), w, h));
                push(Frame::about((x + across, y + share * down), w, h));
            }
        }
    }
    spots
}

/// What a spot costs: distance, figures hidden, the view ahead barred, lines crossed.
fn price(wanted: &Wanted, at: &Frame, obstacles: &[Frame], taken: &[(Frame, Option<Line>)]) -> f64 {
    let gap = wanted.gap(at);
    let (x, y) = at.middle();
    let (ax, ay) = wanted.anchor.middle();
    let mut price = gap * FAR;
    // Of equals, the one that sits square under or over the middle.
    price += ((x - ax).abs() * 0.05 + (y - ay).abs() * 0.03).min(9.0);
    let whole = at.w * at.h;
    let hidden: f64 = obstacles.iter().map(|other| at.shared(other)).sum();
    if hidden > 0.0 {
        price += 9.0 + 95.0 * (hidden / whole).min(2.0);
    }
    if let Some((hx, hy)) = wanted.habit
        && (x - ax - hx).abs() + (y - ay - hy).abs() < 1.0
    {
        price -= KEPT;
    }
    if let Some((fx, fy)) = wanted.front {
        let (dx, dy) = (x - ax, y - ay);
        let ahead = (dx * fx + dy * fy) / (dx * dx + dy * dy).sqrt().max(1e-6);
        price += 5.0 * ahead.max(0.0);
    }
    let own = leader(wanted, &Spot { size: 0, at: *at, led: gap > LED });
    if let Some((from, to)) = own {
        price += 7.0;
        price += 14.0 * taken.iter().filter(|(other, _)| other.cut_by(from, to)).count() as f64;
        price += 3.0 * obstacles.iter().filter(|other| other.cut_by(from, to)).count().min(4) as f64;
    }
    for &(from, to) in taken.iter().filter_map(|(_, line)| line.as_ref()) {
        if at.cut_by(from, to) {
            price += 14.0;
        }
    }
    price
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TABLE: Frame = Frame { x: 20.0, y: 40.0, w: 1000.0, h: 640.0 };

    fn wanted(x: f64, y: f64) -> Wanted {
        Wanted {
            anchor: Frame::about((x, y), 60.0, 20.0),
            parts: Vec::new(),
            sizes: vec![(110.0, 34.0), (80.0, 16.0), (40.0, 14.0)],
            front: Some((0.0, -1.0)),
            habit: None,
            inside: false,
        }
    }

    #[test]
    fn a_lone_label_sits_behind_its_unit() {
        let unit = wanted(500.0, 300.0);
        let spots = place(std::slice::from_ref(&unit), &[unit.anchor], TABLE);
        let spot = spots[0].unwrap();
        assert_eq!(spot.size, 0);
        assert!(!spot.led);
        assert!(
            spot.at.y > unit.anchor.y + unit.anchor.h,
            "{spot:?} is not south of a unit that looks north"
        );
    }

    #[test]
    fn a_label_in_a_crowd_moves_off_and_gets_a_line() {
        let unit = wanted(500.0, 300.0);
        let crowd = Frame::about((500.0, 300.0), 300.0, 160.0);
        let spots = place(std::slice::from_ref(&unit), &[crowd], TABLE);
        let spot = spots[0].unwrap();
        assert!(spot.led && !spot.at.overlaps(&crowd), "{spot:?}");
        assert!(leader(&unit, &spot).is_some());
    }

    #[test]
    fn a_label_stays_where_it_was() {
        let unit = Wanted { habit: Some((88.0, 0.0)), ..wanted(500.0, 300.0) };
        let spot = place(std::slice::from_ref(&unit), &[unit.anchor], TABLE)[0].unwrap();
        assert_eq!(spot.at.middle(), (588.0, 300.0));
        let barred = Frame::about((588.0, 300.0), 30.0, 30.0);
        let spot = place(std::slice::from_ref(&unit), &[unit.anchor, barred], TABLE)[0].unwrap();
        assert!(!spot.at.overlaps(&barred), "a figure stands there now");
    }

    #[test]
    fn lines_through_a_box_are_seen() {
        let frame = Frame { x: 0.0, y: 0.0, w: 10.0, h: 10.0 };
        assert!(frame.cut_by((-5.0, 5.0), (15.0, 5.0)));
        assert!(frame.cut_by((5.0, 5.0), (6.0, 5.0)));
        assert!(!frame.cut_by((-5.0, 5.0), (-1.0, 5.0)));
        assert!(!frame.cut_by((-5.0, 0.0), (0.0, 25.0)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn labels_never_overlap_nor_leave_the_table(
            places in prop::collection::vec((30.0..1010.0f64, 50.0..670.0f64), 1..40)
        ) {
            let units: Vec<Wanted> = places.iter().map(|&(x, y)| wanted(x, y)).collect();
            let bases: Vec<Frame> = units.iter().map(|unit| unit.anchor).collect();
            let spots = place(&units, &bases, TABLE);
            for (index, spot) in spots.iter().enumerate() {
                let spot = spot.expect("forty labels find room on this table");
                prop_assert!(TABLE.holds(&spot.at));
                for other in spots[..index].iter().flatten() {
                    prop_assert!(!spot.at.overlaps(&other.at), "{spot:?} {other:?}");
                }
            }
        }
    }
}
