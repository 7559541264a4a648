//! Little signs: the tone of a state, the arm of a unit, the badge of a side. A shape of its own for each, so that
//! none depends on its colour.

use tricorne_game::view::{Arm, Livery, Tone};

use crate::labels::Frame;
use crate::paint::{self, Coat, Paint};
use crate::sheet::{N, Sheet};

/// Draws the sign of a tone in a box: a disc for good, a triangle for fair, a barred square on its corner for bad,
/// a ring for plain.
pub(crate) fn tone(sheet: &mut Sheet, tone: Tone, at: Frame) {
    let (x, y) = at.middle();
    let r = at.h.min(at.w) * 0.5;
    let colour = paint::tone(tone);
    let line = N((r * 0.3).max(0.8));
    match tone {
        Tone::Good => sheet.put(format_args!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{colour}\"/>",
            N(x),
            N(y),
            N(r * 0.9)
        )),
        Tone::Fair => sheet.put(format_args!(
            "<path d=\"M{} {}L{} {}L{} {}Z\" fill=\"{colour}\" stroke=\"#5b4000\" stroke-width=\".6\"/>",
            N(x),
            N(y - r),
            N(x + r),
            N(y + r * 0.8),
            N(x - r),
            N(y + r * 0.8)
        )),
        Tone::Bad => sheet.put(format_args!(
            "<path d=\"M{0} {1}L{2} {3}L{0} {4}L{5} {3}Z\" fill=\"{colour}\"/><path d=\"M{6} {3}H{7}\" stroke=\"#fff\" \
             stroke-width=\"{line}\"/>",
            N(x),
            N(y - r * 1.1),
            N(x + r * 1.1),
            N(y),
            N(y + r * 1.1),
            N(x - r * 1.1),
            N(x - r * 0.55),
            N(x + r * 0.55)
        )),
        Tone::Plain => sheet.put(format_args!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{line}\"/>",
            N(x),
            N(y),
            N(r * 0.68)
        )),
    }
}

/// The colour that shows up on a coat.
fn on_coat(livery: Livery, coat: &Coat) -> &'static str {
    match livery {
        Livery::White | Livery::Khaki | Livery::Ochre => coat.rim,
        _ => "#fff",
    }
}

/// Draws the badge of a side in a box, with the sign of an arm if one is given. The first side's badge is square,
/// the second's is round and barred, the third's barred twice.
pub(crate) fn badge(
    sheet: &mut Sheet,
    at: Frame,
    side: usize,
    livery: Livery,
    arm: Option<Arm>,
    paint: &Paint,
) {
    let coat = paint::coat(livery);
    let round = if side == 0 { 0.0 } else { at.h * 0.32 };
    sheet.put(format_args!(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\".8\"/>",
        N(at.x),
        N(at.y),
        N(at.w),
        N(at.h),
        N(round),
        coat.cloth,
        paint.rim(&coat)
    ));
    let light = on_coat(livery, &coat);
    for bar in 0..side.min(3) {
        let y = at.y + at.h - 1.4 - 2.0 * bar as f64;
        sheet.put(format_args!(
            "<path d=\"M{} {}H{}\" stroke=\"{light}\" stroke-width=\".9\"/>",
            N(at.x + round.max(1.0) * 0.8),
            N(y),
            N(at.x + at.w - round.max(1.0) * 0.8)
        ));
    }
    if let Some(arm) = arm {
        let inner = Frame { h: at.h - 2.0 * side.min(3) as f64, ..at };
        sign(sheet, arm, inner.grown(-at.h * 0.2), light);
    }
}

fn sign(sheet: &mut Sheet, arm: Arm, at: Frame, colour: &str) {
    let (left, top, right, foot) = (N(at.x), N(at.y), N(at.x + at.w), N(at.y + at.h));
    let (x, y) = at.middle();
    let line = N((at.h * 0.17).max(1.0));
    let stroke =
        format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{line}\" stroke-linecap=\"round\"");
    match arm {
        Arm::Infantry => {
            sheet.put(format_args!("<path d=\"M{left} {top}L{right} {foot}M{left} {foot}L{right} {top}\" {stroke}/>"));
        }
        Arm::Cavalry => sheet.put(format_args!("<path d=\"M{left} {foot}L{right} {top}\" {stroke}/>")),
        Arm::Skirmishers => {
            for (dx, dy) in [(-0.32, 0.3), (0.32, 0.3), (0.0, -0.3)] {
                sheet.put(format_args!(
                    "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{colour}\"/>",
                    N(x + dx * at.w),
                    N(y + dy * at.h),
                    N(at.h * 0.16)
                ));
            }
        }
        Arm::Artillery => sheet.put(format_args!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{colour}\"/>",
            N(x),
            N(y),
            N(at.h * 0.42)
        )),
        Arm::Command => star(sheet, (x, y), at.h * 0.62, &format!("fill=\"{colour}\"")),
        Arm::Train => sheet.put(format_args!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {stroke}/><circle cx=\"{0}\" cy=\"{1}\" r=\"{line}\" fill=\"{colour}\"/>",
            N(x),
            N(y),
            N(at.h * 0.44)
        )),
    }
}

/// A star of five points.
pub(crate) fn star(sheet: &mut Sheet, (x, y): (f64, f64), radius: f64, attributes: &str) {
    let mut trace = crate::sheet::Trace::default();
    let points: Vec<tricorne_table::Point> = (0..10)
        .map(|corner| {
            let reach = if corner % 2 == 0 { radius } else { radius * 0.42 };
            let way = tricorne_table::angle::forward(f64::from(corner) * 36.0);
            tricorne_table::Point::new(x + way.x * reach, y - way.y * reach)
        })
        .collect();
    trace.chain(&points, true);
    sheet.path(&trace, format_args!("{attributes}"));
}
