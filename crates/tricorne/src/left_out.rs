//! What the usual build leaves out, because it takes long to compile and few people need it: the features of
//! `Cargo.toml`. Whoever asks for such a form is told at once how to get it, before a study or a film is made in vain.

use crate::failure::{Failure, Outcome};

/// Whether files of this ending can be written by this build.
pub fn has(ending: &str) -> Outcome {
    let (there, what, instead) = match ending {
        "png" | "gif" => (cfg!(feature = "png"), "PNG and GIF pictures", ".svg"),
        "parquet" => (cfg!(feature = "parquet"), "Parquet", ".csv"),
        _ => return Ok(()),
    };
    if there {
        return Ok(());
    }
    Err(Failure::wrong(format!(
        "this Tricorne was built without {what}: build it with `cargo build --release --features full`, or write {instead} instead"
    )))
}

#[cfg(feature = "parquet")]
pub use tricorne_lab::{rows_parquet, units_parquet};
#[cfg(feature = "png")]
pub use tricorne_picture::{Pace, film, png};

#[cfg(not(feature = "png"))]
pub use without_png::{Pace, film, png};

#[cfg(not(feature = "png"))]
mod without_png {
    use tricorne_game::ways::Scene;
    use tricorne_picture::Style;

    use crate::failure::Failure;

    #[derive(Default)]
    pub struct Pace;

    pub fn png(_svg: &str, _width: u32) -> Result<Vec<u8>, Failure> {
        super::has("png").map(|()| Vec::new())
    }

    pub fn film(_scenes: &[Scene], _style: &Style, _pace: Pace) -> Result<Vec<u8>, Failure> {
        super::has("gif").map(|()| Vec::new())
    }
}

#[cfg(not(feature = "parquet"))]
pub use without_parquet::{rows_parquet, units_parquet};

#[cfg(not(feature = "parquet"))]
mod without_parquet {
    use std::path::Path;

    use tricorne_lab::{Row, Study};

    use crate::failure::Outcome;

    pub fn rows_parquet(_path: &Path, _study: &Study, _rows: &[Row]) -> Outcome {
        super::has("parquet")
    }

    pub fn units_parquet(_path: &Path, _study: &Study, _rows: &[Row]) -> Outcome {
        super::has("parquet")
    }
}
