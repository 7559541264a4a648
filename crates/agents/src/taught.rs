//! A program by weights of one's own: `subaltern@mine.toml`.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use tricorne_game::{Judgement, Source};

/// No file of weights is longer.
const LONGEST: u64 = 1 << 20;

/// Weights of one's own from a file. Small and copied freely, so they are kept for as long as the process lives; they come
/// from whoever started us, never from strangers.
#[derive(Clone, Copy)]
pub struct Taught {
    file: &'static Source,
    weights: &'static Arc<Judgement>,
    /// Tells files of one name apart, so that a study says what it was fought with.
    mark: u32,
}

impl Taught {
    /// Reads the file.
    pub fn read(path: &str) -> Result<Self, String> {
        // Weights are a page; what never ends (`/dev/zero`) would be read for ever.
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut bytes));
        read.map_err(|why| format!("{path}: {why}"))?;
        if bytes.len() as u64 > LONGEST {
            return Err(format!("{path}: is longer than {} kB, as no file of weights is", LONGEST >> 10));
        }
        let text = String::from_utf8(bytes).map_err(|_| format!("{path}: is not text (UTF-8)"))?;
        let name =
            Path::new(path).file_name().map_or_else(|| path.into(), |n| n.to_string_lossy().into_owned());
        Self::of(Source::new(name, text))
    }

    /// From a file that was read.
    pub fn of(file: Source) -> Result<Self, String> {
        let weights = Judgement::alone(&file).map_err(|fault| fault.to_string())?;
        // FNV-1a: small, and the same everywhere.
        let mark = file
            .text
            .bytes()
            .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        Ok(Self { file: Box::leak(Box::new(file)), weights: Box::leak(Box::new(Arc::new(weights))), mark })
    }

    /// The weights.
    pub fn weights(self) -> &'static Arc<Judgement> {
        self.weights
    }

    /// The file they are from: whoever knows the system can say whether all its names are weighed there.
    pub fn file(self) -> &'static Source {
        self.file
    }
}

impl PartialEq for Taught {
    fn eq(&self, other: &Self) -> bool {
        self.file.name == other.file.name && self.file.text == other.file.text
    }
}

impl Eq for Taught {}

impl fmt::Display for Taught {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{:08x}", self.file.name, self.mark)
    }
}

impl fmt::Debug for Taught {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
