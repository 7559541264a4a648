//! Runs the cases under each mutant: `trial CASES MUTANTS...` prints a line for each mutant, `number TAB told TAB case`,
//! `number TAB lived TAB how many cases came by it`. After one that does not end it breaks off: a thread cannot be stopped.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use the_rules::{SYSTEM, mutant};
use tricorne_game::Source;
use tricorne_game::case::{Case, Verdict, run};

/// So many questions may a case ask, and so many times those that it asks without a mutant.
const QUESTIONS: (u64, u64) = (200_000, 10);
/// What asks none and does not end is given up after this.
const PATIENCE: Duration = Duration::from_secs(20);

fn gather(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()) {
        if path.is_dir() {
            gather(&path, found);
        } else if path.extension().is_some_and(|e| e == "toml") && !path.ends_with("not-enforced.toml") {
            found.push(path);
        }
    }
}

fn passes(source: &Source, case: &Case) -> bool {
    catch_unwind(AssertUnwindSafe(|| run(&SYSTEM, source, case).verdict == Verdict::Passed)).unwrap_or(false)
}

fn main() {
    let mut arguments = env::args().skip(1);
    let folder = PathBuf::from(arguments.next().expect("the folder of cases"));
    let wanted: Vec<u32> = arguments.map(|n| n.parse().expect("a number")).collect();
    std::panic::set_hook(Box::new(|_| {}));
    let mut paths = Vec::new();
    gather(&folder, &mut paths);
    paths.sort();
    let mut cases = Vec::new();
    let mut comes_by: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for path in paths {
        let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
        let source = Source::new(name.clone(), fs::read_to_string(&path).expect("a case"));
        let Ok(case) = Case::read(&source) else {
            println!("# {name} cannot be read");
            continue;
        };
        mutant::switch(mutant::WATCH, 0);
        let sound = passes(&source, &case);
        let (seen, asked) = mutant::seen();
        if !sound {
            println!("# {name} fails without any mutant");
            continue;
        }
        for number in seen {
            comes_by.entry(number).or_default().push(cases.len());
        }
        cases.push((source, case, QUESTIONS.0 + QUESTIONS.1 * asked));
    }
    // Those that come by few places first: they are short, and about little else.
    let mut breadth = vec![0_usize; cases.len()];
    for those in comes_by.values() {
        for case in those {
            breadth[*case] += 1;
        }
    }
    for those in comes_by.values_mut() {
        those.sort_by_key(|case| breadth[*case]);
    }
    let all = Arc::new((cases, comes_by, wanted, AtomicUsize::new(0)));
    let (tell, told) = mpsc::channel::<Option<String>>();
    let at_work: Arc<Mutex<BTreeMap<u32, Instant>>> = Arc::default();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    for _ in 0..threads {
        let (all, tell, at_work) = (Arc::clone(&all), tell.clone(), Arc::clone(&at_work));
        let work = move || {
            let (cases, comes_by, wanted, next) = &*all;
            while let Some(&number) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
                at_work.lock().unwrap().insert(number, Instant::now());
                let those = comes_by.get(&number).map_or(&[][..], Vec::as_slice);
                let caught = those.iter().find(|case| {
                    let (source, case, questions) = &cases[**case];
                    mutant::switch(number, *questions);
                    !passes(source, case)
                });
                at_work.lock().unwrap().remove(&number);
                let line = match caught {
                    Some(case) => format!("{number}\ttold\t{}", cases[*case].0.name),
                    None => format!("{number}\tlived\t{}", those.len()),
                };
                let _ = tell.send(Some(line));
            }
            let _ = tell.send(None);
        };
        thread::Builder::new().stack_size(64 << 20).spawn(work).expect("a thread");
    }
    let mut working = threads;
    while working > 0 {
        match told.recv_timeout(Duration::from_secs(1)) {
            Ok(Some(line)) => println!("{line}"),
            Ok(None) => working -= 1,
            Err(_) => {}
        }
        let at_work = at_work.lock().unwrap();
        let stuck = at_work.iter().filter(|(_, since)| since.elapsed() > PATIENCE).map(|(number, _)| *number);
        let stuck: Vec<u32> = stuck.collect();
        for number in &stuck {
            println!("{number}\ttold\tit does not end");
        }
        if !stuck.is_empty() {
            process::exit(3);
        }
    }
}
