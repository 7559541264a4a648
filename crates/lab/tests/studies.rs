//! Studies: the same rows on any number of threads, stopped and gone on with or not.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use tricorne_agents::Level;
use tricorne_chance::{Seed, Whim};
use tricorne_game::{Choices, Purpose, Side, Source};
use tricorne_lab::{Ledger, Place, Row, Study, StudyError, Vary, handicaps, run, summary};

fn study(battles: u64) -> Study {
    let (system, scenario) = tricorne_shelf::scenario("would-be-kings/crossing-the-veld").unwrap();
    Study {
        ruleset: system.about().id.into(),
        scenario,
        muster: None,
        choices: Choices::default(),
        players: [Level::Random, Level::Subaltern],
        battles,
        seed: Seed::from(7),
    }
}

/// The full count where there is time for it.
fn battles(few: u64, full: u64) -> u64 {
    if std::env::var_os("TRICORNE_FULL").is_some() { full } else { few }
}

fn rows(study: &Study, threads: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    run(study, 0, threads, &AtomicBool::new(false), &mut |row| {
        rows.push(row);
        Ok(())
    })
    .unwrap();
    rows
}

#[test]
fn rows_do_not_depend_on_the_number_of_threads() {
    let study = study(12);
    let one = rows(&study, 1);
    assert_eq!(one.len(), 12);
    for threads in [2, 5] {
        assert_eq!(rows(&study, threads), one, "{threads} threads");
    }
}

#[test]
fn sides_are_swapped_and_every_battle_has_its_seed() {
    let study = study(4);
    let rows = rows(&study, 2);
    for (n, row) in (0..).zip(&rows) {
        let right = if n % 2 == 0 { ["random", "subaltern"] } else { ["subaltern", "random"] };
        assert_eq!(row.players, right);
        assert_eq!((row.battle, row.seed), (n, Seed::from(7 + n)));
        assert_eq!(row.won_by.map(|p| study.side_of(n, p)), row.winner);
        assert!(row.decisions > 10 && row.turns > 0 && !row.grade.is_empty() && !row.units.is_empty());
    }
    let sum = summary(&rows);
    assert_eq!(sum.won[0] + sum.won[1] + sum.drawn, 4);
    assert_eq!(sum.decided.iter().map(|d| d.battles).sum::<u64>(), 4);
    assert!(sum.losses.iter().all(|u| u.lost.mean <= u.strength));
}

/// Fights until `stop_after` further rows are written, as Ctrl-C would stop it.
fn fight(path: &Path, study: &Study, stop_after: u64, threads: usize) -> Result<(), StudyError> {
    let (mut ledger, done) = Ledger::resume(path, study)?;
    let stop = AtomicBool::new(false);
    let mut written = 0;
    run(study, done.len() as u64, threads, &stop, &mut |row| {
        ledger.add(&row)?;
        written += 1;
        if written >= stop_after {
            stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    })
}

#[test]
fn a_study_stopped_anywhere_and_gone_on_with_has_the_same_rows() {
    let study = study(battles(40, 10_000));
    let folder = tempfile::tempdir().unwrap();
    let (through, broken) = (folder.path().join("through.csv"), folder.path().join("broken.csv"));
    fight(&through, &study, u64::MAX, 2).unwrap();
    let mut whim = Whim::new(Seed::from(99), 0);
    let mut stops = 0;
    loop {
        let after = 1 + whim.below(study.battles as usize / 4) as u64;
        match fight(&broken, &study, after, 1 + whim.below(3)) {
            Ok(()) => break,
            Err(StudyError::Stopped) => stops += 1,
            Err(other) => panic!("{other}"),
        }
        // As if the machine had gone down in the middle of a line.
        let bytes = std::fs::read(&broken).unwrap();
        let cut = bytes.len() - whim.below(bytes.len().min(300));
        std::fs::write(&broken, &bytes[..cut]).unwrap();
    }
    assert!(stops > 1, "it was never stopped");
    assert!(std::fs::read(&through).unwrap() == std::fs::read(&broken).unwrap(), "the rows differ");
}

#[test]
fn another_study_is_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    let first = study(3);
    fight(&path, &first, u64::MAX, 1).unwrap();
    let why = |study: &Study| Ledger::resume(&path, study).unwrap_err().to_string();
    assert!(
        why(&Study { seed: Seed::from(8), ..first.clone() }).contains("rows.csv:2: belongs to another study")
    );
    assert!(why(&Study { players: [Level::Random; 2], ..first.clone() }).contains("another study"));
    // More battles of the same are welcome.
    let more = Study { battles: 5, ..first.clone() };
    assert_eq!(Ledger::resume(&path, &more).unwrap().1, rows(&first, 1));
    assert!(Ledger::begin(&path, &first).unwrap_err().to_string().contains("--resume"));
    std::fs::write(&path, "a,b\n1,2\n").unwrap();
    assert!(why(&first).contains("rows.csv:1: is no rows file"));
}

#[test]
#[cfg(feature = "parquet")]
fn parquet_holds_the_rows() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;
    use tricorne_lab::{rows_parquet, units_parquet};
    let study = study(3);
    let rows = rows(&study, 1);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    rows_parquet(&path, &study, &rows).unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
    let back: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    assert_eq!(back.len(), 3);
    for (row, back) in rows.iter().zip(&back) {
        assert_eq!(back.get_long(1).unwrap(), row.battle as i64);
        assert_eq!(back.get_string(2).unwrap(), &row.seed.to_string());
        assert_eq!(back.get_string(7).unwrap(), &row.grade);
        assert_eq!(back.get_long(13).unwrap(), row.decisions as i64);
        assert_eq!(back.get_long(5).ok(), row.winner.map(|w| i64::from(w.0) + 1));
    }
    let path = folder.path().join("units.parquet");
    units_parquet(&path, &study, &rows).unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
    let units: usize = rows.iter().map(|r| r.units.len()).sum();
    assert_eq!(reader.metadata().file_metadata().num_rows(), units as i64);
}

#[test]
fn every_rulebook_hands_out_the_data_it_reads() {
    for system in tricorne_shelf::systems() {
        let files = system.data_files();
        assert!(files.iter().any(|f| f.0 == "profiles.toml"), "{}", system.about().id);
        let data = files.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect();
        let choices = Choices { data, ..Choices::default() };
        let text = &system.scenarios()[0];
        let source = Source::new(text.id, text.text);
        let set_up = |choices: &Choices| system.set_up(&source, choices, Purpose::Scenario).map(|b| b.hash());
        assert_eq!(set_up(&choices), set_up(&Choices::default()), "{}", system.about().id);
    }
}

#[test]
fn what_is_varied_changes_the_study() {
    let study = study(1);
    let system = tricorne_shelf::system(&study.ruleset).unwrap();
    let vary: Vary = "scenario:turns=3,4".parse().unwrap();
    assert!(matches!(vary.place, Place::Scenario(_)));
    let short = vary.with(&study, system, "3").unwrap();
    assert_eq!(rows(&short, 1)[0].turns, 3);
    let wrong: Vary = "nonsense.toml:a=1".parse().unwrap();
    assert!(wrong.with(&study, system, "1").unwrap_err().contains("it has profiles.toml"));
    let wrong: Vary = "no_such_option=1".parse().unwrap();
    assert!(wrong.with(&study, system, "1").unwrap_err().contains("there is no option"));
}

#[test]
fn a_handicap_takes_units_from_one_side_only() {
    for (name, side) in [("would-be-kings/crossing-the-veld", 0), ("von-futsch/encounter", 1)] {
        let (system, scenario) = tricorne_shelf::scenario(name).unwrap();
        let count = |file: &Source, side: u8| {
            let battle = system.set_up(file, &Choices::default(), Purpose::Scenario).unwrap();
            battle.view(None).units.iter().filter(|u| u.side == Side(side)).count()
        };
        let all = handicaps(system, &scenario, &Choices::default(), Side(side));
        assert!(all.len() > 2, "{name}: {}", all.len());
        for h in all {
            assert_eq!(count(&h.scenario, 1 - side), count(&scenario, 1 - side), "{name}: {:?}", h.without);
            assert_eq!(count(&h.scenario, side) + h.without.len(), count(&scenario, side), "{name}");
        }
    }
}
