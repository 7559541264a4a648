//! The position of a rule case: the middle of a battle, as a file says it.

use tricorne_chance::{Playing, Suit};
use tricorne_game::{Fault, Place, Seat, Side};

use crate::field::{ARMIES, Engagement};
use crate::setup::Clerk;
use crate::setup::scenario::{BattleFile, Phase};
use crate::state::{Activation, Presence, Stage, UnitNo};

impl Clerk<'_> {
    fn card(&self, place: &[Place], text: &str, suits: [Suit; 2]) -> Result<Playing, Fault> {
        let card: Playing = text.parse().map_err(|e: String| self.file.fault(place, e))?;
        match card {
            Playing::Suited(_, suit) if !suits.contains(&suit) => self.fault(
                place,
                format!("{text} is set aside: the deck has the two armies' suits [ATKM-TURN-03]"),
            ),
            card => Ok(card),
        }
    }

    /// The middle of a battle, for a rule case.
    pub(crate) fn position(&self, written: &BattleFile, battle: &mut Engagement) -> Result<(), Fault> {
        if written.own.phase != Some(Phase::Muster) {
            battle.name_commanders();
        }
        battle.reckon_start();
        let waiting = battle.state.units.iter().position(|u| u.presence == Presence::Waiting);
        let phase = written.own.phase.unwrap_or_default();
        if let Some(i) = waiting.filter(|_| !matches!(phase, Phase::Deploy | Phase::Muster)) {
            return self
                .fault(&["unit".into(), i.into()], "needs `at`, or `routed = true`, or phase = \"deploy\"");
        }
        for army in ARMIES {
            let i = army.index();
            let state = &mut battle.state;
            if let Some(n) = written.own.began_units.get(army) {
                state.began[i] = n.clamp(0, 1000) as u16;
            }
            if let Some(n) = written.own.began_privates.get(army) {
                state.began_privates[i] = n.clamp(0, 10_000) as u16;
            }
            if let Some(n) = written.own.began_points.get(army) {
                state.began_points[i] = n;
            }
            state.scored[i] = written.own.scored.get(army).unwrap_or(0);
        }
        battle.state.quiet = written.own.quiet_turns;
        battle.state.blood = written.own.blood;
        let turn = written.own.turn.unwrap_or(1);
        battle.state.turn = if matches!(phase, Phase::Turn | Phase::Deploy | Phase::Muster) {
            turn.saturating_sub(1)
        } else {
            turn
        };
        let card = self.lay_deck(written, battle)?;
        match phase {
            Phase::Muster => battle.state.stage = Stage::Muster,
            Phase::Deploy => {
                battle.state.stage = Stage::Deploy;
                battle.state.placing = battle.first_to_place();
            }
            Phase::Turn => battle.state.stage = Stage::TurnStart,
            Phase::Gifts => battle.state.stage = Stage::Gifts(Side(0)),
            Phase::Card => battle.state.stage = Stage::Draw,
            Phase::End => battle.state.stage = Stage::TurnEnd,
            Phase::Ride => battle.state.stage = Stage::Ride(0),
            Phase::Play => self.play(written, battle, card)?,
        }
        Ok(())
    }

    /// The deck less what is out of it; gives the card being settled.
    fn lay_deck(&self, written: &BattleFile, battle: &mut Engagement) -> Result<Playing, Fault> {
        let suits = battle.field.suits;
        let acting_army = match (&written.own.active, written.own.acting.map(Seat)) {
            (Some(id), _) => battle.state.units.iter().find(|u| u.id == *id.as_str()).map(|u| u.army),
            (None, Some(seat)) => battle.state.generals.get(seat.index()).map(|g| g.army),
            _ => None,
        };
        let own = acting_army.unwrap_or(Side(0));
        let in_play = written.own.phase.unwrap_or_default() == Phase::Play;
        let card = match &written.own.card {
            Some(text) => self.card(&["card".into()], text, suits)?,
            None => {
                let ordinary = Playing::suit(suits[own.index()]).filter(|c| {
                    let label = c.to_string();
                    matches!(c, Playing::Suited(r, _) if (3..=10).contains(&r.number()))
                        && !written
                            .own
                            .drawn
                            .iter()
                            .chain(written.own.deck.iter().flatten())
                            .any(|d| *d == label)
                });
                ordinary.max().unwrap_or(Playing::Joker(tricorne_chance::Colour::Red))
            }
        };
        let mut left: Vec<Playing> = battle.state.deck.left().to_vec();
        let mut spent = Vec::new();
        let take = |left: &mut Vec<Playing>, card: Playing, place: &[Place]| match left
            .iter()
            .position(|c| *c == card)
        {
            Some(i) => Ok(left.remove(i)),
            None => Err(self.file.fault(place, format!("{card} is in the deck only once [ATKM-TURN-03]"))),
        };
        if in_play || written.own.card.is_some() {
            take(&mut left, card, &["card".into()])?;
        }
        for (i, text) in written.own.drawn.iter().enumerate() {
            let place = ["drawn".into(), i.into()];
            let drawn = self.card(&place, text, suits)?;
            spent.push(take(&mut left, drawn, &place)?);
        }
        if let Some(deck) = &written.own.deck {
            let mut down = Vec::new();
            for (i, text) in deck.iter().enumerate() {
                let place = ["deck".into(), i.into()];
                let card = self.card(&place, text, suits)?;
                down.push(take(&mut left, card, &place)?);
            }
            spent.append(&mut left);
            left = down;
        }
        let mut deck = tricorne_chance::Deck::new(left);
        for card in spent {
            deck.spend(card);
        }
        battle.state.deck = deck;
        Ok(card)
    }

    /// A card being settled, and perhaps a unit already chosen.
    fn play(&self, written: &BattleFile, battle: &mut Engagement, card: Playing) -> Result<(), Fault> {
        battle.turn_up(card);
        let army = battle.served_by(card);
        if let Some(seat) = written.own.acting.map(Seat) {
            let in_army = battle.state.generals.get(seat.index()).is_some_and(|g| g.army == army);
            if !in_army {
                return self
                    .fault(&["acting".into()], format!("seat {} has no part in the card {card}", seat.0));
            }
            // Seats before it have acted already.
            if let Some(play) = &mut battle.state.play
                && let Some(i) = play.queue.iter().position(|&s| s == seat)
            {
                play.queue.drain(..i);
            }
        }
        let mut quiet = tricorne_game::Log::off();
        let lone = battle.seats_of(army).count() == 1;
        let beneficiary = written.own.beneficiary.map(Seat).or_else(|| lone.then(|| battle.commander(army)));
        if battle.state.stage == Stage::Beneficiary
            && let Some(seat) = beneficiary
        {
            if battle.state.generals.get(seat.index()).is_none_or(|g| g.army != army) {
                return self.fault(
                    &["beneficiary".into()],
                    format!("seat {} has no part in the card {card}", seat.0),
                );
            }
            battle.do_benefit(seat, false, &mut quiet);
        }
        if battle.state.stage == Stage::Order {
            battle.step_order();
        }
        if let (Some(left), Some(play)) = (written.own.left, &mut battle.state.play) {
            play.left = left;
        }
        let Some(id) = &written.own.active else { return Ok(()) };
        let found = battle.state.units.iter().position(|u| u.id == *id.as_str() && u.present());
        let Some(no) = found.map(UnitNo::at) else {
            return self.fault(&["active".into()], format!("there is no unit `{id}` on the table"));
        };
        let unit = *battle.unit(no);
        if battle.state.stage != Stage::Choose || unit.army != army {
            return self.fault(&["active".into()], format!("the card {card} does not activate `{id}`"));
        }
        let began = written.own.began.unwrap_or(unit.colour);
        battle.state.activation = Some(Activation {
            fired: written.own.fired,
            moved: written.own.moved,
            changed: written.own.changed,
            fired_last: written.own.fired && (written.own.moved || written.own.changed),
            ..Activation::new(battle.acting(), no, began, written.own.paid, battle.benefit())
        });
        battle.state.stage = Stage::Act;
        Ok(())
    }
}
