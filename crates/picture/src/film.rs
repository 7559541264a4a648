//! A battle as an animated GIF: one palette for all of it, and of each frame only the part that changed.

use std::borrow::Cow;

use gif::{DisposalMethod, Encoder, Repeat};
use resvg::tiny_skia::Pixmap;
use tricorne_game::view::View;
use tricorne_game::ways::Scene;

use crate::compose::{self, Layout, Part};
use crate::march;
use crate::names::Habits;
use crate::raster::{self, PictureError};
use crate::smoke::Powder;
use crate::style::Style;

/// How fast a film runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Each scene, in hundredths of a second.
    pub frame: u16,
    /// Each frame on the way from one scene to the next.
    pub step: u16,
    /// The last scene, so that one sees how it ended.
    pub last: u16,
}

impl Default for Pace {
    fn default() -> Self {
        Self { frame: 70, step: 9, last: 400 }
    }
}

/// A card is turned in so many frames: it lies face down, stands on its edge, and shows its face.
const TURNING: [f64; 3] = [0.0, 0.3, 0.75];

/// What is filmed: the table, what is said of it, and the scene whose ways, fire and dice led to it where those are shown.
#[derive(Clone, Copy)]
struct Take<'a> {
    view: &'a View,
    caption: &'a str,
    led: Option<&'a Scene>,
}

/// An animated GIF of views with their captions, `style.width` pixels wide, repeated without end.
///
/// All frames are as high as the highest needs. The style's own caption is not used.
///
/// # Errors
///
/// When there is no frame, or a frame cannot be drawn.
pub fn gif(frames: &[(View, String)], style: &Style, pace: Pace) -> Result<Vec<u8>, PictureError> {
    let takes: Vec<Take<'_>> =
        frames.iter().map(|(view, caption)| Take { view, caption, led: None }).collect();
    shot(&takes, style, pace)
}

/// An animated GIF of scenes: everybody goes along his way from one to the next, they fire in flash and smoke and some fall, the
/// dice lie beside those who threw them, cards are turned, and what came of it is seen.
///
/// # Errors
///
/// As [`gif`].
pub fn film(scenes: &[Scene], style: &Style, pace: Pace) -> Result<Vec<u8>, PictureError> {
    let takes: Vec<Take<'_>> = scenes
        .iter()
        .map(|scene| Take { view: &scene.view, caption: &scene.caption, led: Some(scene) })
        .collect();
    shot(&takes, style, pace)
}

fn shot(takes: &[Take<'_>], style: &Style, pace: Pace) -> Result<Vec<u8>, PictureError> {
    let studio = Studio::of(takes, style)?;
    let mut reel = Reel { palette: palette(takes, &studio)?, size: (0, 0), before: Vec::new(), film: None };
    let mut habits = Habits::new();
    for (index, take) in takes.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|i| takes.get(i));
        if let (Some(scene), Some(before)) = (take.led, before) {
            for step in march::steps(before.view, take.view, &scene.ways, !scene.shots.is_empty()) {
                let table = march::between(before.view, take.view, &scene.ways, step);
                let powder =
                    step.smoke.map(|age| Powder::of(&table, take.view, scene, age)).unwrap_or_default();
                // What is said is what they set out to do.
                let drawn =
                    studio.shoot_in(&powder.without_fallen(&table), take.caption, &mut habits, &powder)?;
                reel.add(&drawn, pace.step)?;
            }
            // A card says who acts next: it is turned when this action is over, as on the page.
            for turned in TURNING.into_iter().filter(|_| !scene.cards.is_empty()) {
                let cards = Powder::settled(take.view, scene, turned);
                reel.add(&studio.shoot_in(take.view, take.caption, &mut habits, &cards)?, pace.step)?;
            }
        }
        let delay = if index + 1 == takes.len() { pace.last } else { pace.frame };
        // The dice lie as long as the scene is looked at.
        let dice =
            before.and(take.led).map(|scene| Powder::settled(take.view, scene, 1.0)).unwrap_or_default();
        reel.add(&studio.shoot_in(take.view, take.caption, &mut habits, &dice)?, delay)?;
    }
    reel.film.map_or(Err(PictureError::NoFrames), |encoder| Ok(encoder.into_inner()?))
}

/// The film as far as it is made.
struct Reel {
    palette: Palette,
    size: (u16, u16),
    before: Vec<u8>,
    film: Option<Encoder<Vec<u8>>>,
}

impl Reel {
    fn add(&mut self, pixels: &Pixmap, delay: u16) -> Result<(), PictureError> {
        if self.film.is_none() {
            self.size = size(pixels)?;
            let mut fresh = Encoder::new(Vec::new(), self.size.0, self.size.1, &self.palette.colours)?;
            fresh.set_repeat(Repeat::Infinite)?;
            self.film = Some(fresh);
        }
        let indexed = self.palette.apply(pixels);
        let (left, top, width, height, patch) = changed(&self.before, &indexed, self.size.0, self.size.1);
        let frame = gif::Frame {
            delay,
            dispose: DisposalMethod::Keep,
            transparent: (!self.before.is_empty()).then_some(CLEAR),
            left,
            top,
            width,
            height,
            buffer: Cow::Owned(patch),
            ..gif::Frame::default()
        };
        if let Some(film) = &mut self.film {
            film.write_frame(&frame)?;
        }
        self.before = indexed;
        Ok(())
    }
}

/// Where frames are drawn: all of one height, over one ground.
struct Studio<'a> {
    style: &'a Style,
    height: f64,
    first: &'a View,
    ground: Pixmap,
}

impl<'a> Studio<'a> {
    fn of(takes: &[Take<'a>], style: &'a Style) -> Result<Self, PictureError> {
        let first = takes.first().ok_or(PictureError::NoFrames)?.view;
        let height = takes.iter().map(|take| Layout::of(take.view, style, 0.0).height).fold(0.0, f64::max);
        let layout = Layout::of(first, style, height);
        let ground = raster::pixels(
            &compose::draw(first, style, &layout, Part::Ground, &mut Habits::new()),
            style.width,
        )?;
        Ok(Self { style, height, first, ground })
    }

    fn shoot(&self, view: &View, caption: &str, habits: &mut Habits) -> Result<Pixmap, PictureError> {
        self.shoot_in(view, caption, habits, &Powder::default())
    }

    fn shoot_in(
        &self,
        view: &View,
        caption: &str,
        habits: &mut Habits,
        powder: &Powder<'_>,
    ) -> Result<Pixmap, PictureError> {
        let style = Style { caption: Some(caption.to_owned()), ..self.style.clone() };
        let layout = Layout::of(view, &style, self.height);
        let first = self.first;
        if view.terrain == first.terrain && view.table == first.table && view.title == first.title {
            let rest = compose::draw_with(view, &style, &layout, Part::Rest, habits, powder);
            raster::pixels_on(&rest, style.width, Some(&self.ground))
        } else {
            let whole = compose::draw_with(view, &style, &layout, Part::Whole, habits, powder);
            raster::pixels(&whole, style.width)
        }
    }
}

fn size(pixels: &Pixmap) -> Result<(u16, u16), PictureError> {
    let (width, height) = (pixels.width(), pixels.height());
    match (u16::try_from(width), u16::try_from(height)) {
        (Ok(width), Ok(height)) => Ok((width, height)),
        _ => Err(PictureError::Size { width, height }),
    }
}

/// The place in the palette that means: as it was.
const CLEAR: u8 = 255;

/// The part of a frame that differs from the one before, with what is the same left clear.
fn changed(before: &[u8], now: &[u8], width: u16, height: u16) -> (u16, u16, u16, u16, Vec<u8>) {
    if before.len() != now.len() {
        return (0, 0, width, height, now.to_vec());
    }
    let wide = usize::from(width);
    let (mut left, mut right, mut top, mut foot) = (wide, 0, usize::from(height), 0);
    for (row, (old, new)) in before.chunks(wide).zip(now.chunks(wide)).enumerate() {
        if old == new {
            continue;
        }
        top = top.min(row);
        foot = row;
        let first = old.iter().zip(new).position(|(a, b)| a != b).unwrap_or(0);
        let last = old.iter().zip(new).rposition(|(a, b)| a != b).unwrap_or(0);
        left = left.min(first);
        right = right.max(last);
    }
    if top > foot {
        // Nothing changed; a GIF still wants a frame to spend the time on.
        return (0, 0, 1, 1, vec![CLEAR]);
    }
    let mut patch = Vec::with_capacity((right - left + 1) * (foot - top + 1));
    for row in top..=foot {
        let span = row * wide + left..=row * wide + right;
        patch.extend(
            before[span.clone()].iter().zip(&now[span]).map(|(a, b)| if a == b { CLEAR } else { *b }),
        );
    }
    (left as u16, top as u16, (right - left + 1) as u16, (foot - top + 1) as u16, patch)
}

/// 255 colours and the clear one, with a table that finds the nearest quickly.
struct Palette {
    colours: Vec<u8>,
    /// The nearest colour for each of 32 by 64 by 32 shades.
    nearest: Vec<u8>,
}

/// The palette that suits the whole film: learnt from a few frames spread over it.
fn palette(takes: &[Take<'_>], studio: &Studio<'_>) -> Result<Palette, PictureError> {
    let last = takes.len().saturating_sub(1);
    let mut chosen = vec![0, last / 2, last];
    chosen.dedup();
    let mut sample = Vec::new();
    // Flash and smoke are in few frames, and want their colours all the same.
    let fired = takes.windows(2).find_map(|pair| {
        let scene = pair[1].led.filter(|scene| !scene.shots.is_empty())?;
        Some((pair[0].view, Powder::of(pair[0].view, pair[1].view, scene, 0.1)))
    });
    if let Some((view, powder)) = fired {
        sample.extend_from_slice(studio.shoot_in(view, "", &mut Habits::new(), &powder)?.data());
    }
    let turned =
        takes.iter().find_map(|take| Some((take.view, take.led.filter(|scene| !scene.cards.is_empty())?)));
    if let Some((view, scene)) = turned {
        for share in [0.0, 1.0] {
            let cards = Powder::cards(scene, share);
            sample.extend_from_slice(studio.shoot_in(view, "", &mut Habits::new(), &cards)?.data());
        }
    }
    for index in chosen {
        let Take { view, caption, .. } = takes[index];
        sample.extend_from_slice(studio.shoot(view, caption, &mut Habits::new())?.data());
    }
    Ok(Palette::of(&sample))
}

fn shade(red: u8, green: u8, blue: u8) -> usize {
    (usize::from(red >> 3) << 11) | (usize::from(green >> 2) << 5) | usize::from(blue >> 3)
}

/// A box of shades that will share a colour.
struct Crowd {
    shades: Vec<(usize, u32)>,
}

impl Crowd {
    /// Which of red, green and blue spreads most, and by how much, weighed by how many pixels there are.
    fn spread(&self) -> (usize, f64) {
        let total: f64 = self.shades.iter().map(|&(_, count)| weight(count)).sum();
        let mut widest = (0, -1.0);
        for channel in 0..3 {
            let value = |shade: usize| f64::from(parts(shade)[channel]);
            let mean =
                self.shades.iter().map(|&(shade, count)| value(shade) * weight(count)).sum::<f64>() / total;
            let error: f64 = self
                .shades
                .iter()
                .map(|&(shade, count)| (value(shade) - mean) * (value(shade) - mean) * weight(count))
                .sum();
            // Green counts most to the eye, blue least.
            let error = error * [0.9, 1.2, 0.6][channel];
            if error > widest.1 {
                widest = (channel, error);
            }
        }
        widest
    }

    fn colour(&self) -> [u8; 3] {
        let total: f64 = self.shades.iter().map(|&(_, count)| f64::from(count)).sum::<f64>().max(1.0);
        [0, 1, 2].map(|channel| {
            let sum: f64 = self
                .shades
                .iter()
                .map(|&(shade, count)| f64::from(parts(shade)[channel]) * f64::from(count))
                .sum();
            (sum / total).round() as u8
        })
    }
}

/// Rare colours (a marker, a coat) weigh more than their few pixels.
fn weight(count: u32) -> f64 {
    f64::from(count).sqrt()
}

fn parts(shade: usize) -> [u8; 3] {
    let (red, green, blue) = ((shade >> 11) & 31, (shade >> 5) & 63, shade & 31);
    [(red * 255 / 31) as u8, (green * 255 / 63) as u8, (blue * 255 / 31) as u8]
}

impl Palette {
    /// Cuts the crowd with the widest spread in two until there are 255.
    fn of(rgba: &[u8]) -> Self {
        let mut counts = vec![0_u32; 1 << 16];
        for pixel in rgba.chunks_exact(4) {
            counts[shade(pixel[0], pixel[1], pixel[2])] += 1;
        }
        let shades: Vec<(usize, u32)> =
            counts.into_iter().enumerate().filter(|&(_, count)| count > 0).collect();
        let mut crowds: Vec<(Crowd, usize, f64)> = Vec::new();
        let weigh = |shades: Vec<(usize, u32)>| {
            let crowd = Crowd { shades };
            let (channel, spread) = crowd.spread();
            (crowd, channel, spread)
        };
        crowds.push(weigh(shades));
        while crowds.len() < usize::from(CLEAR) {
            let Some((index, _)) = crowds
                .iter()
                .enumerate()
                .filter(|(_, (crowd, _, _))| crowd.shades.len() > 1)
                .max_by(|a, b| a.1.2.total_cmp(&b.1.2))
            else {
                break;
            };
            let (mut crowd, channel, _) = crowds.swap_remove(index);
            crowd.shades.sort_by_key(|&(shade, _)| (parts(shade)[channel], shade));
            let total: f64 = crowd.shades.iter().map(|&(_, count)| weight(count)).sum();
            let mut sum = 0.0;
            let half = crowd.shades.iter().position(|&(_, count)| {
                sum += weight(count);
                sum * 2.0 >= total
            });
            let at = half.map_or(1, |half| half + 1).clamp(1, crowd.shades.len() - 1);
            let rest = crowd.shades.split_off(at);
            crowds.push(weigh(crowd.shades));
            crowds.push(weigh(rest));
        }
        let mut colours: Vec<u8> = crowds.iter().flat_map(|(crowd, _, _)| crowd.colour()).collect();
        let used = colours.len() / 3;
        colours.resize(256 * 3, 0);
        let nearest = (0..1 << 16)
            .map(|shade| {
                let wanted = parts(shade);
                let far = |index: &usize| {
                    (0..3)
                        .map(|channel| {
                            let gap = i32::from(wanted[channel]) - i32::from(colours[index * 3 + channel]);
                            gap * gap * [3, 4, 2][channel]
                        })
                        .sum::<i32>()
                };
                (0..used).min_by_key(far).unwrap_or(0) as u8
            })
            .collect();
        Self { colours, nearest }
    }

    fn apply(&self, pixels: &Pixmap) -> Vec<u8> {
        pixels.data().chunks_exact(4).map(|pixel| self.nearest[shade(pixel[0], pixel[1], pixel[2])]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_kept() {
        let before = vec![1; 12];
        let mut now = before.clone();
        now[5] = 2;
        now[10] = 3;
        let (left, top, wide, high, patch) = changed(&before, &now, 4, 3);
        assert_eq!((left, top, wide, high), (1, 1, 2, 2));
        assert_eq!(patch, [2, CLEAR, CLEAR, 3]);
        assert_eq!(changed(&before, &before, 4, 3), (0, 0, 1, 1, vec![CLEAR]));
    }

    #[test]
    fn a_rare_colour_survives_a_crowd() {
        let mut rgba: Vec<u8> =
            (0..20_000_u32).flat_map(|i| [(i % 90) as u8 + 90, 150, (i % 60) as u8, 255]).collect();
        rgba.extend([207, 74, 18, 255].repeat(30));
        let palette = Palette::of(&rgba);
        let index = usize::from(palette.nearest[shade(207, 74, 18)]);
        let got = &palette.colours[index * 3..index * 3 + 3];
        assert!(got.iter().zip([207, 74, 18]).all(|(a, b)| a.abs_diff(b) < 14), "{got:?}");
    }
}
