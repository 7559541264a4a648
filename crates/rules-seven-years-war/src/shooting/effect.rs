//! What a shot does: its dice, the generals it endangers, those the ball goes on into, and what all of them lose
//! (SYW-SHOOT-05 to -07, SYW-DICE-05, SYW-SEQ-08).

use smallvec::SmallVec;
use tricorne_drill::{Now, Reasons};
use tricorne_game::{Event, Log};
use tricorne_table::{Rect, Shape};

use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::state::{Presence, Units};
use crate::morale::disorder::Disorder;
use crate::options::{ResultBands, ShotDie};
use crate::shooting::shots::{Band, Mark, Shot, band_of};

impl SevenYearsBattle {
    /// Kills and disorder of a score (T6, SYW-SHOOT-05 to -07).
    pub(crate) fn score(&self, score: i32) -> (u8, bool) {
        let mut found = (0, false);
        for line in &self.fixed.book.charts.score {
            if score >= line.at_least {
                found = (line.kills, line.disorders);
            }
        }
        if score == 6 && self.fixed.options.result_bands == ResultBands::Strict {
            return (0, true);
        }
        found
    }

    /// Makes a shot (S1).
    pub(crate) fn shoot(&mut self, shot: &Shot, now: &mut Now<'_>) {
        let u = shot.unit;
        if self.unit(u).presence == Presence::Hidden {
            self.reveal(u, "SYW-HIDE-03", now.log);
        }
        let dice = if self.fixed.options.shot_die == ShotDie::PerStand { shot.stands.len() } else { 1 };
        match shot.mark {
            Mark::General(i) => {
                let face = now.chance.d6("shot");
                let (who, whom) = (self.unit(u).id, self.general(i).id);
                now.say(|| {
                    Event::new("shot", "SYW-GEN-21").who(who).whom(whom).faces(&[face]).outcome("nothing")
                });
                if self.endangers_generals(face) {
                    self.risk_general(i, now);
                }
            }
            Mark::Unit(t) => {
                for _ in 0..dice {
                    if self.unit(t).is_known() {
                        self.shoot_once(shot, t, now);
                    }
                }
            }
        }
        let unit = self.unit_mut(u);
        for &i in &shot.stands {
            unit.phase.shot |= 1 << i;
        }
        if !unit.fired {
            unit.phase.first_fire = true;
        }
        unit.fired = true;
        unit.phase.fired = true;
        unit.phase.shots = unit.phase.shots.saturating_add(1);
        unit.phase.shot_at.push(shot.mark);
    }

    pub(crate) fn shoot_once(&mut self, shot: &Shot, t: UnitIx, now: &mut Now<'_>) {
        let u = shot.unit;
        let sums = self.shot_sums(u, t, shot.stands.len(), shot.range, shot.band);
        let face = now.chance.d6("shot");
        let score = i32::from(face) + sums.sum();
        // SYW-DICE-05: the exposed general, then the bounces, with everything still where it was (SYW-SHOOT-30).
        let exposed = if self.endangers_generals(face) { self.exposed_by(t) } else { SmallVec::new() };
        let behind = self.bounce_targets(u, t, score, shot.band);
        self.tell_shot(("shot", "SYW-SHOOT-02"), shot, t, &[face], &sums, score, now.log);
        for general in exposed {
            self.risk_general(general, now);
        }
        let mut results: SmallVec<[(UnitIx, i32); 4]> = SmallVec::new();
        results.push((t, score));
        self.mark_shot_at(u, t, shot.range, shot.band);
        let mut queue: SmallVec<[UnitIx; 4]> = behind;
        let mut done: Units = Units::from_slice(&[t]);
        while !queue.is_empty() {
            let v = queue.remove(0);
            if done.contains(&v) {
                continue;
            }
            done.push(v);
            let range = self.range_to(u, v);
            let Some(band) = band_of(range, self.fixed.book.ranges(self.info(u).weapon)) else { continue };
            let sums = self.shot_sums(u, v, 1, range, band);
            let face = now.chance.d6("bounce");
            let score = i32::from(face) + sums.sum();
            // As if shot at directly (SYW-SHOOT-26, SYW-GEN-19).
            let exposed = if self.endangers_generals(face) { self.exposed_by(v) } else { SmallVec::new() };
            let bounced = Shot { range, band, stands: shot.stands.clone(), unit: u, mark: Mark::Unit(v) };
            self.tell_shot(("bounce", "SYW-SHOOT-26"), &bounced, v, &[face], &sums, score, now.log);
            for general in exposed {
                self.risk_general(general, now);
            }
            results.push((v, score));
            self.mark_shot_at(u, v, range, band);
            if self.fixed.options.bounce_chain {
                let more = self.bounce_targets(u, v, score, band);
                queue.extend(more);
            }
        }
        for (v, score) in results {
            let (kills, disorders) = self.score(score);
            self.hit(v, kills, disorders, Disorder::UnderFire, now.log);
        }
    }

    fn tell_shot(
        &self,
        (what, clause): (&'static str, &'static str),
        shot: &Shot,
        t: UnitIx,
        faces: &[u8],
        sums: &Reasons,
        score: i32,
        log: &mut Log,
    ) {
        let (kills, disorders) = self.score(score);
        let (who, whom) = (self.unit(shot.unit).id, self.unit(t).id);
        log.say(|| {
            Event::new(what, clause)
                .who(who)
                .whom(whom)
                .faces(faces)
                .modifiers(sums.told())
                .made(score)
                .outcome(if kills > 0 {
                    "killed"
                } else if disorders {
                    "disordered"
                } else {
                    "nothing"
                })
                .with("range", tricorne_table::round_to(shot.range, 0.01))
                .with("band", shot.band.name())
                .with("kills", kills)
                .with("already", disorders && self.unit(t).disordered)
        });
    }

    /// Who was shot at by whom, for morale (SYW-MORALE-16, -18).
    pub(crate) fn mark_shot_at(&mut self, u: UnitIx, t: UnitIx, _range: f64, band: Band) {
        let gun = self.info(u).weapon.is_gun();
        let g = self.unit(t).group;
        let group = self.group_mut(g);
        if !group.phase.shot_by.contains(&u) {
            group.phase.shot_by.push(u);
        }
        if gun && band == Band::Short {
            group.phase.short_guns = true;
        }
    }

    pub(crate) fn range_to(&self, u: UnitIx, v: UnitIx) -> f64 {
        let rect = self.rect(u, 0);
        let edge = Shape::Rect(Rect::centred(rect.front(), rect.width(), 0.0));
        self.rects(v).iter().map(|r| edge.gap(&Shape::Rect(*r))).fold(f64::MAX, f64::min)
    }
}
