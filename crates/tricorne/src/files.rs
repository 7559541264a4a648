//! Files as the command line names them. `-` is standard input where something is read and standard output where
//! something is written.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::{Failure, Outcome};

/// Standard output carries a file, so what is told goes to stderr.
static ASIDE: AtomicBool = AtomicBool::new(false);

/// Standard input, read once: some commands look at a file before they know what it is.
static INPUT: OnceLock<Result<Vec<u8>, String>> = OnceLock::new();

/// Whether a name means standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether something can be read there.
pub fn is_there(path: &Path) -> bool {
    is_standard(path) || path.is_file()
}

/// What to call it in a message.
pub fn name(path: &Path) -> String {
    if is_standard(path) { "standard input".into() } else { path.display().to_string() }
}

/// Reads a text; an error names the file.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read_bytes(path)?)
        .map_err(|_| Failure::wrong(format!("{}: is not text (UTF-8)", name(path))))
}

/// Reads a file or standard input; an error names it.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    if !is_standard(path) {
        return std::fs::read(path).map_err(|e| Failure::wrong(format!("{}: {e}", path.display())));
    }
    let input = INPUT.get_or_init(|| {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes).map_err(|e| e.to_string())
    });
    input.clone().map_err(|why| Failure::wrong(format!("standard input: {why}")))
}

/// Writes a file and says so, or writes to standard output.
pub fn write(path: &Path, bytes: &[u8]) -> Outcome {
    if is_standard(path) {
        let mut out = std::io::stdout().lock();
        out.write_all(bytes)?;
        return Ok(out.flush()?);
    }
    std::fs::write(path, bytes).map_err(|e| Failure::wrong(format!("{}: {e}", path.display())))?;
    wrote(path);
    Ok(())
}

/// Says on stderr that a file was written, so that what is piped on stays clean.
pub fn wrote(path: &Path) {
    let size = std::fs::metadata(path).map_or(0, |m| m.len());
    let size = match size {
        0..10_000 => format!("{size} bytes"),
        10_000..10_000_000 => format!("{} kB", size / 1000),
        _ => format!("{} MB", size / 1_000_000),
    };
    eprintln!("wrote {} ({size})", path.display());
}

/// What a command is asked to write, before it does anything: at most one thing can go to standard output, and then
/// everything that is told goes to stderr.
pub fn outputs<'a>(json: bool, paths: impl IntoIterator<Item = Option<&'a Path>>) -> Outcome {
    let count = paths.into_iter().flatten().filter(|p| is_standard(p)).count();
    match count + usize::from(json) {
        0 | 1 => {}
        _ if json => {
            return Err(Failure::wrong(
                "--json and `-` both want standard output; name a file for one of them",
            ));
        }
        _ => {
            return Err(Failure::wrong(
                "only one thing can go to standard output; name a file for the others",
            ));
        }
    }
    ASIDE.store(count > 0, Ordering::Relaxed);
    Ok(())
}

/// Whether standard output carries a file.
pub fn aside() -> bool {
    ASIDE.load(Ordering::Relaxed)
}

/// The form of a file to be written: the one that is said, or by the ending of its name. On standard output it is the
/// first of those there are.
pub fn form(
    path: &Path,
    said: Option<&str>,
    known: &[&'static str],
    what: &str,
) -> Result<&'static str, Failure> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let wanted = match said {
        Some(said) => said,
        None if is_standard(path) => return Ok(known[0]),
        None if ending == "htm" => "html",
        None => ending.as_str(),
    };
    let form = known.iter().copied().find(|k| *k == wanted).ok_or_else(|| {
        let (last, others) = known.split_last().unwrap_or((&"", &[]));
        let all = match others {
            [] => format!(".{last}"),
            _ => format!(".{} or .{last}", others.join(", .")),
        };
        Failure::wrong(format!("{}: {what} in {all}", path.display()))
    })?;
    crate::left_out::has(form).map(|()| form)
}
