//! Armies bought and ground diced for at the table (U2, U3; SYW-ARMY-02, SYW-POINTS, SYW-TERRGEN).

use std::sync::Arc;

use smallvec::SmallVec;
use tricorne_chance::{Seeded, Whim};
use tricorne_drill::{Now, refuse};
use tricorne_game::{Event, Fault, Illegal, InOrder, Log, Purpose, Seat, Side, Source, UnitId};
use tricorne_table::{Area, Point};

use crate::action::Place;
use crate::model::field::SevenYearsBattle;
use crate::points::{Army, Entry, Points, Work};
use crate::setup::file::{File, GeneralFile, GroundWords, PieceFile, UnitFile, UnitWords};
use crate::setup::ordinal;
use crate::terrain_generation::{self, Kind};

/// The shortest piece of a work that is laid out.
const SHORTEST_WORK: f64 = 0.5;

/// What a battle that is set up at the table starts from.
#[derive(Clone, Debug)]
pub struct Muster {
    /// The set-up file as it was read.
    pub file: File,
    /// Its name and text, for faults.
    pub source: Source,
    /// A scenario, or the position of a case.
    pub purpose: Purpose,
    /// What each side may spend on its army (U2).
    pub points: Option<Points>,
    /// The ground is diced for (U3).
    pub random_terrain: bool,
    /// The defender may give up troops for ground (U7).
    pub buy_terrain: bool,
}

/// A work that has been laid out.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Laid {
    pub side: Side,
    pub work: Work,
    pub from: Point,
    pub to: Point,
}

/// Counters in a nation's mix, one of which is the C-in-C's (SYW-GEN-01).
const MOST_SUB_GENERALS: u8 = 11;

impl SevenYearsBattle {
    pub(crate) fn nation_of(&self, side: Side) -> &str {
        &self.fixed.book.nations()[self.fixed.sides[side.index().min(1)].nation].id
    }

    /// What a side may spend.
    pub(crate) fn purse(&self) -> Points {
        self.fixed.muster.as_ref().and_then(|m| m.points).unwrap_or(Points::ZERO)
    }

    /// The army a side gets when its player leaves it to the umpire (U2).
    pub(crate) fn usual_army(&self, side: Side) -> Army {
        self.fixed.book.market.muster(self.nation_of(side), self.purse()).unwrap_or_default()
    }

    /// Judges an army (SYW-ARMY, SYW-GROUP, SYW-POINTS).
    pub(crate) fn judge_army(&self, side: Side, army: &Army) -> Result<(), Illegal> {
        if army.nation != self.nation_of(side) {
            return refuse(
                "SYW-ARMY-02",
                format!("this army is bought from the list of `{}`", self.nation_of(side)),
            );
        }
        if army.sub_generals > MOST_SUB_GENERALS {
            return refuse(
                "SYW-GEN-01",
                format!("there are counters for {MOST_SUB_GENERALS} sub-generals at most"),
            );
        }
        if army.works.iter().any(|w| !(w.1.is_finite() && w.1 > 0.0)) {
            return refuse("SYW-POINTS-05", "a work has a length greater than 0");
        }
        if let Some(wrong) = self.fixed.book.market.objections(army, self.purse()).into_iter().next() {
            return refuse(wrong.clause, wrong.why);
        }
        // Names and numbers are judged by the same reader that will raise it.
        let mut armies = [self.usual_army(Side(0)), self.usual_army(Side(1))];
        armies[side.index().min(1)] = army.clone();
        let Some(muster) = &self.fixed.muster else { return Ok(()) };
        match self.raised(muster, Some(&armies)) {
            Ok(_) => Ok(()),
            Err(fault) => refuse("SYW-ARMY-02", fault.problem),
        }
    }

    /// An army is bought; only its owner sees what (U2).
    pub(crate) fn enlist(&mut self, side: Side, army: Army, log: &mut Log) {
        let price = f64::from(self.fixed.book.market.army(&army));
        let name = self.fixed.sides[side.index().min(1)].name.clone();
        let units = army.units.len() as u64;
        self.s.armies[side.index().min(1)].bought = Some(army);
        log.say(|| {
            Event::new("army_bought", "SYW-POINTS-01")
                .with("side", name)
                .with("points", price)
                .with("units", units)
                .only(&[Seat(side.0)])
        });
    }

    /// The ground is diced for and the armies stand ready to be deployed (U3).
    pub(crate) fn raise_armies(&mut self, now: &mut Now<'_>) {
        let Some(muster) = self.fixed.muster.clone() else { return };
        let table = [self.fixed.table.width(), self.fixed.table.depth()];
        let mut country = terrain_generation::Country { table, pieces: Vec::new() };
        if muster.random_terrain {
            country = terrain_generation::generate(table, &self.fixed.book.ground, now.chance);
            let count = |kind| country.count(kind) as u64;
            let (hills, woods, marshes) = (count(Kind::Hill), count(Kind::Wood), count(Kind::Marsh));
            let (streams, towns) = (count(Kind::Stream), count(Kind::Town));
            now.say(|| {
                Event::new("ground", "SYW-TERRGEN-02")
                    .with("hills", hills)
                    .with("woods", woods)
                    .with("marshes", marshes)
                    .with("streams", streams)
                    .with("towns", towns)
            });
        }
        self.s.country = Some(country);
        self.stand_ready();
    }

    /// The armies as they were bought, on the ground as it lies, none of them placed yet.
    pub(crate) fn stand_ready(&mut self) {
        let Some(muster) = self.fixed.muster.clone() else { return };
        let armies = muster.points.map(|_| {
            [0_usize, 1]
                .map(|k| self.s.armies[k].bought.clone().unwrap_or_else(|| self.usual_army(Side(k as u8))))
        });
        // `judge_army` has raised each of them before.
        let Ok(new) = self.raised(&muster, armies.as_ref()) else { return };
        self.s.units = new.s.units;
        self.s.groups = new.s.groups;
        self.s.generals = new.s.generals;
        for k in 0..2 {
            self.s.armies[k].started = new.s.armies[k].started;
            self.s.armies[k].points = new.s.armies[k].points;
            let works = armies.as_ref().map(|a| a[k].works.clone()).unwrap_or_default();
            for &(work, length) in &works {
                self.s.armies[k].points += f64::from(self.fixed.book.market.prices.work(work, length));
            }
            self.s.armies[k].works = works.into_iter().collect();
        }
        let mut fixed = (*new.fixed).clone();
        fixed.counters_given = self.fixed.counters_given;
        fixed.muster = Some(muster);
        self.fixed = Arc::new(fixed);
    }

    /// The battle as it would stand with these armies on the ground as it lies now.
    fn raised(&self, muster: &Muster, armies: Option<&[Army; 2]>) -> Result<SevenYearsBattle, Fault> {
        let mut file = self.with_ground(&muster.file);
        if let Some(armies) = armies {
            for k in 0..armies.len() {
                self.enrol((muster, &mut file), k, armies, |n| Some(n + 1))?;
            }
        }
        self.set_up_from(muster, &file)
    }

    /// Units of an army as they would stand ready, each under the number it is given; those without one are left out, and so is
    /// the other army.
    pub(crate) fn recruits(
        &self,
        side: Side,
        army: &Army,
        number: impl Fn(usize) -> Option<usize>,
    ) -> Result<SevenYearsBattle, Fault> {
        let Some(muster) = &self.fixed.muster else { return Ok(self.clone()) };
        let mut armies =
            [Side(0), Side(1)].map(|s| Army { nation: self.nation_of(s).into(), ..Army::default() });
        armies[side.index().min(1)] = army.clone();
        let mut file = muster.file.clone();
        for k in 0..armies.len() {
            self.enrol((muster, &mut file), k, &armies, &number)?;
        }
        self.set_up_from(muster, &file)
    }

    fn set_up_from(&self, muster: &Muster, file: &File) -> Result<SevenYearsBattle, Fault> {
        let (book, options) = (Arc::clone(&self.fixed.book), self.fixed.options.clone());
        crate::setup::set_up_again(&muster.source, file, book, options, muster.purpose)
    }

    /// Adds an army to a set-up file: its generals, and those of its units that have a number.
    fn enrol(
        &self,
        (muster, file): (&Muster, &mut File),
        k: usize,
        armies: &[Army; 2],
        number: impl Fn(usize) -> Option<usize>,
    ) -> Result<(), Fault> {
        let (side, letter) = (&self.fixed.sides[k].id, self.letters(armies)[k]);
        let big = letter.to_ascii_uppercase();
        let general = |id: String, cinc: bool| GeneralFile {
            id,
            cinc,
            side: Some(side.clone()),
            ..GeneralFile::default()
        };
        file.own.general.push(general(format!("{big}C"), true));
        for n in 1..=armies[k].sub_generals {
            file.own.general.push(general(format!("{big}{n}"), false));
        }
        let names = self.names_of(k, armies);
        for (n, (unit, name)) in armies[k].units.iter().zip(names).enumerate() {
            let Some(n) = number(n) else { continue };
            let id = format!("{letter}{n}");
            file.units.push(UnitFile {
                id: id.parse().map_err(|why: String| muster.source.fault(&["unit".into()], why))?,
                side: Side(k as u8),
                seat: None,
                kind: unit.code.clone(),
                name: name.unwrap_or_default(),
                at: None,
                facing: None,
                arrives: None,
                own: UnitWords {
                    stands: unit.stands,
                    command: Some(unit.command.map_or("none".into(), |c| format!("{big}{c}"))),
                    group: Some(match &unit.group {
                        Some(name) => format!("{big}-{name}"),
                        None => format!("{big}G{n}"),
                    }),
                    upgraded_drill: unit.upgraded_drill,
                    upgraded_shots: unit.upgraded_shots,
                    ..UnitWords::default()
                },
            });
        }
        Ok(())
    }

    /// What the units of a bought army are called: `1st Prussian Musketeers`. Each is numbered among its own army and named
    /// after it, for a number that counted the other army's too, or a name that needed none, would tell what was bought
    /// there (U2).
    fn names_of(&self, k: usize, armies: &[Army; 2]) -> Vec<Option<String>> {
        let nation = self.fixed.book.nations().iter().find(|n| n.id == armies[k].nation);
        let own = self.fixed.sides[k].name.trim_start_matches("The ");
        let of = nation.filter(|_| armies[0].nation != armies[1].nation).map_or(own, |n| &n.name);
        let called = |code: &str| nation?.units.iter().find(|e| e.code == code).map(Entry::called);
        let called: Vec<Option<&str>> = armies[k].units.iter().map(|unit| called(&unit.code)).collect();
        let numbered = |n: usize| {
            let nth = called[..=n].iter().filter(|other| **other == called[n]).count();
            called[n].map(|name| format!("{} {of} {name}", ordinal(nth)))
        };
        (0..called.len()).map(numbered).collect()
    }

    /// The letter the ids of each side begin with: that of its list, and another where both have the same.
    fn letters(&self, armies: &[Army; 2]) -> [char; 2] {
        let of = |k: usize, other: char| {
            let code = self
                .fixed
                .book
                .nations()
                .iter()
                .find(|n| n.id == armies[k].nation)
                .and_then(|n| n.units.first())
                .and_then(|e| e.code.chars().next());
            code.map_or(other, |c| c.to_ascii_lowercase())
        };
        let first = of(0, 'a');
        let second = of(1, 'b');
        [first, if second == first { 'x' } else { second }]
    }

    /// A set-up file with the ground that has been diced for, bought and built.
    fn with_ground(&self, file: &File) -> File {
        let mut file = file.clone();
        let bare = |id: String, kind: &str| PieceFile {
            id,
            kind: kind.into(),
            area: None,
            line: Vec::new(),
            width: 0.0,
            level: None,
            own: GroundWords::default(),
        };
        let name = |wanted: String, file: &File| {
            let taken = |id: &str| file.terrain.iter().any(|p| p.id == id);
            let fresh = (2..).map(|n| format!("{wanted}-{n}"));
            std::iter::once(wanted.clone()).chain(fresh).find(|id| !taken(id)).unwrap_or(wanted)
        };
        for piece in self.s.country.iter().flat_map(|c| &c.pieces) {
            let id = name(piece.id.clone(), &file);
            // What is no area has no outline, which the reader says.
            let area = piece.kind.covers_ground().then(|| Area::new(piece.points.clone()).ok()).flatten();
            let line = if piece.kind.covers_ground() { Vec::new() } else { piece.points.clone() };
            file.terrain.push(PieceFile { level: piece.level, area, line, ..bare(id, piece.kind.name()) });
        }
        for (n, laid) in self.s.works.iter().enumerate() {
            let (letter, kind) = match laid.work {
                Work::Abatis => ('A', "abatis"),
                Work::Barricade => ('B', "barricade"),
            };
            let id = name(format!("{letter}{}", n + 1), &file);
            file.terrain.push(PieceFile { line: vec![laid.from, laid.to], ..bare(id, kind) });
        }
        file
    }

    /// Puts the ground on the table as it has come to lie.
    pub(crate) fn relay_ground(&mut self) {
        let Some(muster) = self.fixed.muster.clone() else { return };
        let file = self.with_ground(&muster.file);
        let pieces = crate::setup::pieces_again(
            &muster.source,
            &file,
            Arc::clone(&self.fixed.book),
            &self.fixed.table,
        );
        if let Ok(pieces) = pieces {
            Arc::make_mut(&mut self.fixed).pieces = pieces;
        }
        for u in self.unit_ids() {
            self.refresh(u);
        }
    }

    /// Judges where a work that was bought is laid out (SYW-POINTS-05, SYW-TERR-12).
    pub(crate) fn judge_work(&self, side: Side, work: Work, from: Place, to: Place) -> Result<Laid, Illegal> {
        let (a, b) = (Point::new(from[0], from[1]).round_to(0.01), Point::new(to[0], to[1]).round_to(0.01));
        if !(a.is_finite() && b.is_finite()) || a.distance(b) < SHORTEST_WORK {
            return refuse(
                "SYW-POINTS-05",
                "a work runs from one place to another, half a centimetre off or more",
            );
        }
        let left = self.left_of_work(side, work);
        if !crate::model::state::within(a.distance(b), left) {
            return refuse(
                "SYW-POINTS-05",
                format!("{left:.2} cm of that are left; {:.2} were asked for", a.distance(b)),
            );
        }
        for p in [a, b] {
            let bounds = tricorne_table::Bounds { min: p, max: p };
            self.judge_ground_of(side, &bounds)?;
        }
        Ok(Laid { side, work, from: a, to: b })
    }

    fn left_of_work(&self, side: Side, work: Work) -> f64 {
        self.s.armies[side.index().min(1)].works.iter().filter(|w| w.0 == work).map(|w| w.1).sum()
    }

    /// Whether a side has bought works that it may still lay out.
    pub(crate) fn can_lay_works(&self, side: Side) -> bool {
        [Work::Abatis, Work::Barricade].iter().any(|&work| self.left_of_work(side, work) >= SHORTEST_WORK)
    }

    pub(crate) fn lay_work(&mut self, laid: Laid, log: &mut Log) {
        let mut need = laid.from.distance(laid.to);
        let army = &mut self.s.armies[laid.side.index().min(1)];
        for w in army.works.iter_mut().filter(|w| w.0 == laid.work) {
            let part = need.min(w.1);
            w.1 -= part;
            need -= part;
        }
        army.works.retain(|w| w.1 > crate::model::state::SLACK);
        let name = self.fixed.sides[laid.side.index().min(1)].name.clone();
        let work = match laid.work {
            Work::Abatis => "an abatis",
            Work::Barricade => "a barricade",
        };
        self.s.works.push(laid);
        self.relay_ground();
        log.say(|| Event::new("work_laid", "SYW-TERR-12").with("side", name).with("work", work));
    }

    /// What the works have cost that a side has still to lay out.
    pub(crate) fn unlaid_works(&self, side: Side) -> f64 {
        let price =
            |&(work, length): &(Work, f64)| f64::from(self.fixed.book.market.prices.work(work, length));
        self.s.armies[side.index().min(1)].works.iter().map(price).sum()
    }

    /// An army bought at a whim: the usual one as often as not.
    pub(crate) fn army_at_a_whim(&self, side: Side, whim: &mut Whim) -> Option<Army> {
        if whim.chance(0.5) {
            return None;
        }
        let mut dice = Seeded::new(whim.below(1 << 30) as u64);
        let army = self.fixed.book.market.muster_at_random(self.nation_of(side), self.purse(), &mut dice);
        army.filter(|army| self.judge_army(side, army).is_ok())
    }

    /// Units of a side that wait to be deployed, by their price.
    pub(crate) fn for_sale(&self, side: Side) -> SmallVec<[(UnitId, f64); 16]> {
        let mut found: SmallVec<[(UnitId, f64); 16]> = self
            .s
            .units
            .iter()
            .filter(|u| u.side == side && u.presence == crate::model::state::Presence::Waiting)
            .map(|u| (u.id, f64::from(u.started) * self.info_of(u).price))
            .collect();
        found.put_in_order(|a, b| a.1.total_cmp(&b.1));
        found
    }
}
