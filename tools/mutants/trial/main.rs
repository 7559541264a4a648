//! Runs the cases under each mutant: `trial CASES MUTANTS...` prints a line for each mutant, `number TAB told TAB case`,
//! `number TAB lived TAB how many cases came by it`. After one that does not end it breaks off: a thread cannot be stopped.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use the_rules::{SYSTEM, mutant};
use tricorne_conformance::{case_files, follow};
use tricorne_game::Source;
use tricorne_game::case::{Case, Verdict, run};

/// So many questions may a case ask, and so many times those that it asks without a mutant.
const QUESTIONS: (u64, u64) = (200_000, 10);
/// A case that asks none and does not end is given up after this.
const PATIENCE: Duration = Duration::from_secs(30);

/// A case looked at in one of two ways.
struct Look {
    source: Source,
    case: Case,
    /// Not what comes of it, but which of its answers are not listed: these, without a mutant.
    unlisted: Option<Vec<String>>,
    questions: u64,
    /// How many places it comes by.
    breadth: usize,
}

impl Look {
    fn holds(&self) -> bool {
        let look = || match &self.unlisted {
            None => run(&SYSTEM, &self.source, &self.case).verdict == Verdict::Passed,
            Some(unlisted) => follow(&SYSTEM, &self.source, &self.case, &[]).1 == *unlisted,
        };
        catch_unwind(AssertUnwindSafe(look)).unwrap_or(false)
    }

    /// What comes of the case, and what is listed on the way. None of it if the case does not pass.
    fn both(source: Source, case: Case) -> Option<[(Look, Vec<u32>); 2]> {
        let unlisted = follow(&SYSTEM, &source, &case, &[]).1;
        let look = |unlisted| Look { source: source.clone(), case: case.clone(), unlisted, questions: 0, breadth: 0 };
        let watched = |mut look: Look| {
            mutant::switch(mutant::WATCH, 0);
            let holds = look.holds();
            let (seen, asked) = mutant::seen();
            look.questions = QUESTIONS.0 + QUESTIONS.1 * asked;
            look.breadth = seen.len();
            holds.then_some((look, seen))
        };
        Some([watched(look(None))?, watched(look(Some(unlisted)))?])
    }
}

fn main() {
    let mut arguments = env::args().skip(1);
    let folder = PathBuf::from(arguments.next().expect("the folder of cases"));
    let wanted: Vec<u32> = arguments.map(|n| n.parse().expect("a number")).collect();
    std::panic::set_hook(Box::new(|_| {}));
    let mut looks = Vec::new();
    let mut comes_by: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for path in case_files(&folder) {
        let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
        let source = Source::new(name.clone(), fs::read_to_string(&path).expect("a case"));
        let Some(both) = Case::read(&source).ok().and_then(|case| Look::both(source, case)) else {
            println!("# {name} fails without any mutant");
            continue;
        };
        for (look, seen) in both {
            for number in seen {
                comes_by.entry(number).or_default().push(looks.len());
            }
            looks.push(look);
        }
    }
    // What comes of cases before what they list, and those that come by few places first: they are short.
    for those in comes_by.values_mut() {
        those.sort_by_key(|look| (looks[*look].unlisted.is_some(), looks[*look].breadth));
    }
    let all = Arc::new((looks, comes_by, wanted, AtomicUsize::new(0)));
    let (tell, told) = mpsc::channel::<Option<String>>();
    let at_work: Arc<Mutex<BTreeMap<u32, Instant>>> = Arc::default();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    for _ in 0..threads {
        let (all, tell, at_work) = (Arc::clone(&all), tell.clone(), Arc::clone(&at_work));
        let work = move || {
            let (looks, comes_by, wanted, next) = &*all;
            while let Some(&number) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
                let those = comes_by.get(&number).map_or(&[][..], Vec::as_slice);
                let caught = those.iter().find(|look| {
                    at_work.lock().unwrap().insert(number, Instant::now());
                    mutant::switch(number, looks[**look].questions);
                    !looks[**look].holds()
                });
                at_work.lock().unwrap().remove(&number);
                let line = if let Some(look) = caught {
                    format!("{number}\ttold\t{}", looks[*look].source.name)
                } else {
                    let cases: BTreeSet<_> = those.iter().map(|look| &looks[*look].source.name).collect();
                    format!("{number}\tlived\t{}", cases.len())
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
