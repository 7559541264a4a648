//! The book in `docs/`: its chapters are all listed, its links lead somewhere, its command lines run.

use std::path::{Path, PathBuf};

use crate::lines::{Folder, Line, root};

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Every Markdown file of the book, and the pages of the repository that people start from.
fn pages() -> Vec<PathBuf> {
    fn gather(folder: &Path, all: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                gather(&path, all);
            } else if path.extension().is_some_and(|e| e == "md") {
                all.push(path);
            }
        }
    }
    let mut all = vec![root().join("README.md"), root().join("ARCHITECTURE.md")];
    gather(&root().join("docs"), &mut all);
    all.sort();
    all
}

/// The text without code, where brackets mean something else; lines stay where they are.
fn without_code(text: &str) -> String {
    let mut fenced = false;
    let mut out = String::new();
    for line in text.lines() {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        if !fence && !fenced {
            let mut code = false;
            for part in line.split('`') {
                if !code {
                    out.push_str(part);
                }
                code = !code;
            }
        }
        out.push('\n');
    }
    out
}

/// Where the links of a page lead, each with its line.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut all = Vec::new();
    for (n, line) in without_code(text).lines().enumerate() {
        for part in line.split("](").skip(1) {
            let target = part.split(')').next().unwrap_or_default();
            all.push((n + 1, target.split(' ').next().unwrap_or_default().to_owned()));
        }
    }
    all
}

/// The names that headings of a page can be linked to by, as GitHub and mdBook make them.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|l| l.starts_with('#')).map(|l| l.trim_start_matches('#').trim());
    let name = |heading: &str| -> String {
        let kept = heading.to_lowercase().replace(' ', "-");
        kept.chars().filter(|c| c.is_alphanumeric() || *c == '-' || *c == '_').collect()
    };
    headings.map(name).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut seen = 0;
    let mut dead = Vec::new();
    for page in pages() {
        for (line, target) in links(&read(&page)) {
            if target.starts_with("http://") || target.starts_with("https://") || target.is_empty() {
                continue;
            }
            seen += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let path = if file.is_empty() { page.clone() } else { page.with_file_name("").join(file) };
            let there = path.exists()
                && (anchor.is_empty() || anchors(&read(&path)).iter().any(|name| name == anchor));
            if !there {
                dead.push(format!("{}:{line}: {target}", page.display()));
            }
        }
    }
    assert!(dead.is_empty(), "links that lead nowhere:\n{}", dead.join("\n"));
    assert!(seen > 60, "only {seen} links were found");
}

#[test]
fn every_page_of_the_book_is_in_its_summary() {
    let docs = root().join("docs");
    let listed: Vec<PathBuf> =
        links(&read(&docs.join("SUMMARY.md"))).into_iter().map(|(_, target)| docs.join(target)).collect();
    let missing: Vec<PathBuf> = pages()
        .into_iter()
        .filter(|p| p.starts_with(&docs) && !p.ends_with("SUMMARY.md") && !listed.contains(p))
        .collect();
    assert!(missing.is_empty(), "not in SUMMARY.md: {missing:?}");
}

/// Command lines of a page: those in fences marked `sh` or `console` that call the program. `serves` and `long` after the
/// mark say that a line is not for a test; `fails` that it must be refused.
fn commands(page: &Path) -> Vec<Line> {
    let mut mark: Option<String> = None;
    let mut all = Vec::new();
    for (n, line) in read(page).lines().enumerate() {
        if let Some(rest) = line.trim_start().strip_prefix("```") {
            mark = match mark {
                Some(_) => None,
                None => Some(rest.trim().to_owned()),
            };
            continue;
        }
        let Some(mark) = &mark else { continue };
        let marks: Vec<&str> = mark.split(',').collect();
        if !["sh", "console"].contains(&marks[0]) || marks.contains(&"serves") || marks.contains(&"long") {
            continue;
        }
        let typed = line.trim().strip_prefix("$ ").unwrap_or(line.trim());
        let place = format!("{}:{}", page.display(), n + 1);
        // What only makes a file for the next line (`sed … > short.toml`) is run too; cargo is not ours to test.
        if typed.is_empty() || typed.starts_with("cargo ") || typed.starts_with('#') {
            continue;
        }
        all.push(if marks.contains(&"fails") {
            Line::refused(typed, &place)
        } else {
            Line::new(typed, &place)
        });
    }
    all
}

#[test]
fn every_command_line_runs() {
    let mut count = 0;
    for page in pages().into_iter().filter(|p| p.starts_with(root().join("docs"))) {
        let lines = commands(&page);
        if lines.is_empty() {
            continue;
        }
        let folder = if read(&page).contains("sqlite:club.db") { Folder::of_a_club() } else { Folder::new() };
        for line in &lines {
            folder.run(line);
            count += 1;
        }
    }
    assert!(count > 70, "only {count} command lines were found");
}

/// What stands in the README after four spaces, with what it is for after more of them.
#[test]
fn every_command_line_of_the_readme_runs() {
    let page = root().join("README.md");
    let folder = Folder::of_a_club();
    let mut count = 0;
    for (n, line) in read(&page).lines().enumerate() {
        let Some(typed) = line.strip_prefix("    tricorne ") else { continue };
        let typed = typed.split("  ").next().unwrap_or_default().trim();
        // What serves until it is stopped; what names several commands at once.
        if typed.starts_with("serve") || typed.is_empty() || typed.contains('|') {
            continue;
        }
        folder.run(&Line::new(&format!("tricorne {typed}"), &format!("{}:{}", page.display(), n + 1)));
        count += 1;
    }
    assert!(count > 15, "only {count} command lines were found");
}

/// An indented or unmarked `tricorne …` would not be run: nobody would know when it fails.
#[test]
fn no_command_line_hides_from_the_tests() {
    let mut hidden = Vec::new();
    for page in pages().into_iter().filter(|p| p.starts_with(root().join("docs"))) {
        let mut fence: Option<String> = None;
        for (n, line) in read(&page).lines().enumerate() {
            if let Some(rest) = line.trim_start().strip_prefix("```") {
                fence = if fence.is_some() { None } else { Some(rest.trim().to_owned()) };
                continue;
            }
            let shell = fence.as_deref().is_some_and(|f| f.starts_with("sh") || f.starts_with("console"));
            let typed = line.trim_start().trim_start_matches("$ ");
            let is_code = fence.is_some() || line.starts_with("    ");
            if is_code && !shell && typed.starts_with("tricorne ") {
                hidden.push(format!("{}:{}: {typed}", page.display(), n + 1));
            }
        }
    }
    assert!(hidden.is_empty(), "mark these with ```sh:\n{}", hidden.join("\n"));
}
