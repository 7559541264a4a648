//! Pixels: an SVG drawn with the crate's own fonts, so that it looks the same on every machine.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::outlined::outlined;

/// Why a picture could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The text is not SVG.
    #[error("this is no SVG that can be drawn: {0}")]
    Svg(String),
    /// A picture of no size, or of more pixels than there is memory for.
    #[error("a picture of {width} by {height} pixels cannot be made; choose a width from 1 to 16000")]
    Size {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// The PNG could not be written.
    #[error("the PNG could not be written: {0}")]
    Png(#[from] png::EncodingError),
    /// The GIF could not be written.
    #[error("the GIF could not be written: {0}")]
    Gif(#[from] gif::EncodingError),
    /// A film of no frames.
    #[error("a film needs at least one frame")]
    NoFrames,
}

/// An SVG as pixels, so many across; the height follows.
pub(crate) fn pixels(svg: &str, width: u32) -> Result<Pixmap, PictureError> {
    pixels_on(svg, width, None)
}

/// An SVG as pixels, drawn over others if they are of the same size.
pub(crate) fn pixels_on(svg: &str, width: u32, under: Option<&Pixmap>) -> Result<Pixmap, PictureError> {
    let tree = Tree::from_str(&outlined(svg), &Options::default())
        .map_err(|error| PictureError::Svg(error.to_string()))?;
    let size = tree.size();
    let scale = width as f32 / size.width();
    let height = (size.height() * scale).round() as u32;
    let wrong = PictureError::Size { width, height };
    if width == 0 || width > 16_000 || height > 32_000 {
        return Err(wrong);
    }
    let mut pixels = match under {
        Some(under) if under.width() == width && under.height() == height => under.clone(),
        _ => Pixmap::new(width, height).ok_or(wrong)?,
    };
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    Ok(pixels)
}

/// An SVG as a PNG, `width` pixels across; the height follows.
///
/// # Errors
///
/// When the text is not SVG or the size cannot be had.
pub fn png(svg: &str, width: u32) -> Result<Vec<u8>, PictureError> {
    let pixels = pixels(svg, width)?;
    // A picture has no clear parts, so a quarter of the bytes would say nothing.
    let opaque: Vec<u8> =
        pixels.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(png::Filter::Adaptive);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&opaque)?;
    writer.finish()?;
    Ok(out)
}
