//! Files as the command line names them. `-` is standard input where something is read and standard output where
//! something is written.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::failure::{Failure, Outcome};

/// Standard output carries a file, so what is told goes to stderr.
static ASIDE: AtomicBool = AtomicBool::new(false);

/// What can be read only once (standard input, a pipe): some commands look at a file before they know what it is.
static READ: Mutex<BTreeMap<PathBuf, Result<Vec<u8>, String>>> = Mutex::new(BTreeMap::new());

/// No file of ours is longer. What never ends (`/dev/zero`) would be read for ever.
const LONGEST: u64 = 256 << 20;

/// Says something on stderr. Where nobody can hear it, nothing is lost: the exit code is as ever.
pub fn remark(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Whether a name means standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether something can be read there.
pub fn is_there(path: &Path) -> bool {
    is_standard(path) || std::fs::metadata(path).is_ok_and(|m| !m.is_dir())
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
    let wrong = |why: String| Failure::wrong(format!("{}: {why}", name(path)));
    if path.is_dir() && !is_standard(path) {
        return Err(wrong("is a folder; name a file".into()));
    }
    if !is_standard(path) && std::fs::metadata(path).is_ok_and(|m| m.is_file()) {
        return File::open(path).map_err(|e| e.to_string()).and_then(whole).map_err(wrong);
    }
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let bytes = read.entry(path.to_owned()).or_insert_with(|| {
        if is_standard(path) {
            whole(std::io::stdin().lock())
        } else {
            File::open(path).map_err(|e| e.to_string()).and_then(whole)
        }
    });
    bytes.clone().map_err(wrong)
}

/// All there is to read, if it has an end.
fn whole(from: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    from.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    if bytes.len() as u64 > LONGEST {
        return Err(format!("is longer than {} MB, as no file of ours is; name another", LONGEST >> 20));
    }
    Ok(bytes)
}

/// Writes a file and says so, or writes to standard output.
pub fn write(path: &Path, bytes: &[u8]) -> Outcome {
    if is_standard(path) {
        let mut out = std::io::stdout().lock();
        return out.write_all(bytes).and_then(|()| out.flush()).map_err(unsaid);
    }
    put(path, bytes)?;
    wrote(path);
    Ok(())
}

/// Why nothing could be said on standard output.
pub fn unsaid(e: std::io::Error) -> Failure {
    match Failure::from(e) {
        Failure::Wrong(why) => Failure::Wrong(format!("standard output: {why}")),
        other => other,
    }
}

/// Writes a file: all of it beside its place first, then in its place. Where that fails, what was there is still there.
pub fn put(path: &Path, bytes: &[u8]) -> Outcome {
    let wrong = |e: std::io::Error| Failure::wrong(format!("{}: {e}", path.display()));
    let Some(target) = replaceable(path) else {
        return std::fs::write(path, bytes).map_err(wrong);
    };
    let kept = std::fs::metadata(&target).ok();
    if kept.is_some() {
        // What may only be read is not replaced either.
        OpenOptions::new().write(true).open(&target).map_err(wrong)?;
    }
    let (beside, mut file) = match beside(&target) {
        Ok(made) => made,
        // Nothing can be made there, but what is there may be written.
        Err(_) if kept.is_some() => return std::fs::write(path, bytes).map_err(wrong),
        Err(e) => return Err(wrong(e)),
    };
    let written = file
        .write_all(bytes)
        .and_then(|()| file.sync_all())
        .and_then(|()| kept.map_or(Ok(()), |kept| std::fs::set_permissions(&beside, kept.permissions())));
    drop(file);
    written.and_then(|()| std::fs::rename(&beside, &target)).map_err(|e| {
        let _ = std::fs::remove_file(&beside);
        wrong(e)
    })
}

/// The file that is meant, links followed; none for what can't be replaced by another file: a pipe, a device, what a shell
/// has opened.
fn replaceable(path: &Path) -> Option<PathBuf> {
    if path.starts_with("/dev") || path.starts_with("/proc") {
        return None;
    }
    match std::fs::symlink_metadata(path) {
        Ok(there) if there.is_symlink() => {
            std::fs::canonicalize(path).ok().filter(|to| to.is_file()).and_then(|to| replaceable(&to))
        }
        Ok(there) => there.is_file().then(|| path.to_owned()),
        Err(_) => Some(path.to_owned()),
    }
}

/// A new file in the same folder.
fn beside(path: &Path) -> std::io::Result<(PathBuf, File)> {
    let mut n = 0;
    loop {
        let new = folder(path).join(format!(".tricorne-{}-{n}.new", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&new) {
            Err(e) if e.kind() == ErrorKind::AlreadyExists && n < 100 => n += 1,
            made => return made.map(|file| (new, file)),
        }
    }
}

/// The folder a file stands in.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether a file could be written there: found out before the work, not after it.
pub fn can_be_written(path: &Path) -> Outcome {
    let wrong = |why: String| Err(Failure::wrong(format!("{}: {why}", path.display())));
    if path.is_dir() {
        return wrong("is a folder; name a file".into());
    }
    // A pipe that is opened waits for whoever reads it.
    let Some(target) = replaceable(path) else { return Ok(()) };
    if target.exists() {
        return OpenOptions::new().write(true).open(&target).map(drop).or_else(|e| wrong(e.to_string()));
    }
    let folder = folder(&target);
    if !folder.is_dir() {
        return wrong(format!("there is no folder {}; make it first, or name another", folder.display()));
    }
    match beside(&target) {
        Ok((new, _)) => std::fs::remove_file(new).or_else(|e| wrong(e.to_string())),
        Err(e) => wrong(e.to_string()),
    }
}

/// A journal may take the place of a journal; anything else that is there is somebody's own.
pub fn can_take_a_journal(path: &Path) -> Outcome {
    const BEGINS: &[u8] = b"{\"tricorne\"";
    if is_standard(path) || !std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() > 0) {
        return Ok(());
    }
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(BEGINS.len() as u64).read_to_end(&mut start));
    match read {
        Err(e) => Err(Failure::wrong(format!("{}: {e}", path.display()))),
        Ok(_) if start == BEGINS || replaceable(path).is_none() => Ok(()),
        Ok(_) => Err(Failure::wrong(format!(
            "{}: is there already and is no journal, so it is left as it is; choose another name",
            path.display()
        ))),
    }
}

/// Refuses `-` where neither standard input nor output will do.
pub fn no_dash(path: &Path, why: &str) -> Outcome {
    if is_standard(path) { Err(Failure::wrong(format!("`-` won't do here: {why}"))) } else { Ok(()) }
}

/// Says on stderr that a file was written, so that what is piped on stays clean.
pub fn wrote(path: &Path) {
    let size = std::fs::metadata(path).map_or(0, |m| m.len());
    let size = match size {
        0..10_000 => format!("{size} bytes"),
        10_000..10_000_000 => format!("{} kB", size / 1000),
        _ => format!("{} MB", size / 1_000_000),
    };
    remark(&format!("wrote {} ({size})", path.display()));
}

/// What a command is asked to write, before it does anything: at most one thing can go to standard output, and then
/// everything that is told goes to stderr. Each file must be one that can be written, and no two the same.
pub fn outputs<'a>(json: bool, paths: impl IntoIterator<Item = Option<&'a Path>>) -> Outcome {
    let paths: Vec<&Path> = paths.into_iter().flatten().collect();
    let count = paths.iter().filter(|p| is_standard(p)).count();
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
    for (n, path) in paths.iter().enumerate().filter(|(_, p)| !is_standard(p)) {
        if paths[..n].contains(path) {
            let why = "is to be written twice; name another file for one of them";
            return Err(Failure::wrong(format!("{}: {why}", path.display())));
        }
        can_be_written(path)?;
    }
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
