//! Questions: their names, what they ask, and the answers that can be listed (ledger 5).

use tricorne_game::{Side, UnitId};

use crate::action::{Action, ActionKind, Flight, Leg};
use crate::field::{Field, bits};
use crate::measure::Decimal;
use crate::state::{Response, Slide, Step};

impl Field {
    /// Every listable answer to the pending question.
    pub(crate) fn listed(&self) -> Vec<Action> {
        let Some(ask) = self.question() else { return vec![] };
        let mut list: Vec<Action> = Vec::new();
        let ids = |side: Side| self.present_of(side).map(|u| self.spec(u).id);
        match ask {
            Step::AskBegin => list.push(Action::Begin),
            Step::AskRelease(side) => {
                let all: Vec<UnitId> = self.attached(side).map(|c| self.chief(c).id).take(8).collect();
                for set in 0..1_u32 << all.len() {
                    let some = all.iter().enumerate().filter(|(i, _)| set & (1 << i) != 0).map(|(_, id)| *id);
                    list.push(Action::Release(some.collect()));
                }
            }
            Step::AskKing { .. } => list.extend([Action::Pass, Action::Play]),
            Step::AskActivate(side) => {
                list.push(Action::Pass);
                list.extend(self.group_names(side).map(Action::Activate));
                list.extend(self.loose_chiefs(side).map(|c| Action::Activate(self.chief(c).id)));
            }
            Step::AskJack(side) => {
                list.extend([Action::Pass, Action::Own]);
                list.extend(self.group_names(side.enemy()).map(Action::Force));
            }
            Step::AskQueen(side) => {
                list.push(Action::Pass);
                list.extend(ids(side).map(Action::Restore));
            }
            Step::AskKingNow(_) => list.extend([Action::UseNow, Action::Hold]),
            Step::AskAce(_) => list.extend([Action::Pass, Action::Draw]),
            Step::AskEvent { side, card } => list.extend(self.event_choices(side, card)),
            Step::AskAttach { commander, .. } => {
                list.push(Action::Pass);
                list.extend(ids(self.chief(commander).side).map(Action::Attach));
            }
            Step::AskSquare | Step::AskEscape { .. } => list.push(Action::Pass),
            Step::AskNext => {
                let left = self.s.group.as_ref().map_or(0, |g| g.left);
                list.extend(bits(left).map(|u| Action::Next(self.spec(u).id)));
                list.push(Action::End);
            }
            Step::AskAction(_) => list.extend(ActionKind::ALL.map(Action::naming)),
            Step::AskTarget { unit, optional, .. } => {
                list.extend(ids(self.side(unit).enemy()).map(Action::Target));
                if optional {
                    list.extend([Action::Hold, Action::Pass]);
                }
            }
            Step::AskManoeuvre(_) => {
                list.extend([Slide::Left, Slide::Right, Slide::Back].map(Action::Slide));
            }
            Step::AskCharge(u) => {
                for target in ids(self.side(u).enemy()) {
                    list.extend([false, true].map(|fire_first| Action::ChargeAt { target, fire_first }));
                }
            }
            Step::AskReturn { .. } => list.extend([Action::Pass, Action::ReturnFire]),
            Step::AskContinue => list.extend([Action::ChargeOn, Action::Stay]),
            Step::AskResponse => {
                let all = [
                    Response::Stand,
                    Response::Fire,
                    Response::Countercharge,
                    Response::Square,
                    Response::Evade,
                ];
                list.extend(all.map(Action::Respond));
            }
            Step::AskEvade { .. } => list.extend([Flight::Full, Flight::OutOfReach].map(Action::Evade)),
            Step::AskFollow => list.extend([Action::Stop, Action::Follow]),
            Step::AskAfter { .. } => list.extend([Action::Stay, Action::Occupy, Action::FollowUp]),
            _ => {}
        }
        list.retain(|action| self.resolve(action).is_ok());
        list
    }

    /// One name for each group that can still be activated.
    fn group_names(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.open_groups(side).into_iter().filter_map(move |g| {
            let first = bits(self.fresh(g)).next()?;
            Some(self.spec(first).id)
        })
    }

    /// A straight path's worth of legs for a mover that goes any way.
    pub(crate) fn go(bearing: f64, distance: f64) -> Leg {
        Leg::Go(Decimal::of(bearing), Decimal::of(distance))
    }
}

/// Whether a step waits for a player.
pub(crate) fn is_question(step: Step) -> bool {
    !matches!(
        step,
        Step::DeployNext
            | Step::TurnStart
            | Step::KingWindow(_)
            | Step::Draw
            | Step::Check
            | Step::EndTurn
            | Step::GroupAttach(_)
            | Step::GroupCheck
            | Step::GroupSquare
            | Step::GroupNext
            | Step::GroupTests
            | Step::SquareFace { .. }
            | Step::Shoot { .. }
            | Step::AfterChargeFire
            | Step::MeleeRound
            | Step::MeleeEnd
    )
}

/// The short name of a question.
pub(crate) fn kind_of(ask: Step) -> &'static str {
    match ask {
        Step::AskBegin => "begin",
        Step::AskDeploy(_) => "deploy",
        Step::AskRelease(_) => "release",
        Step::AskKing { .. } => "king",
        Step::AskActivate(_) => "activate",
        Step::AskJack(_) => "jack",
        Step::AskQueen(_) => "queen",
        Step::AskKingNow(_) => "king_now",
        Step::AskAce(_) => "ace",
        Step::AskEvent { .. } => "event",
        Step::AskCommanderMove { .. } => "commander_move",
        Step::AskAttach { .. } => "attach",
        Step::AskSquare => "regimental_square",
        Step::AskNext => "next",
        Step::AskAction(_) => "action",
        Step::AskPath(_) => "path",
        Step::AskTarget { .. } => "target",
        Step::AskManoeuvre(_) => "manoeuvre",
        Step::AskDistance { .. } => "distance",
        Step::AskUnlimber(_) => "unlimber",
        Step::AskCharge(_) => "charge",
        Step::AskFace(_) => "face",
        Step::AskReform(_) => "reform",
        Step::AskBearing { .. } => "bearing",
        Step::AskReturn { .. } => "return_fire",
        Step::AskContinue => "continue",
        Step::AskResponse => "response",
        Step::AskEvade { .. } => "evade",
        Step::AskFollow => "follow",
        Step::AskAfter { .. } => "after",
        Step::AskFallBack { .. } => "fall_back",
        Step::AskEscape { .. } => "escape",
        _ => "umpire",
    }
}

/// The part of the turn a question belongs to, for people.
pub(crate) fn phase_of(ask: Step) -> &'static str {
    match ask {
        Step::AskBegin | Step::AskDeploy(_) => "deployment",
        Step::AskKing { .. }
        | Step::AskKingNow(_)
        | Step::AskJack(_)
        | Step::AskQueen(_)
        | Step::AskAce(_)
        | Step::AskEvent { .. } => "cards",
        Step::AskRelease(_)
        | Step::AskActivate(_)
        | Step::AskCommanderMove { .. }
        | Step::AskAttach { .. } => "command",
        Step::AskTarget { .. } | Step::AskReturn { .. } => "fire",
        Step::AskCharge(_) | Step::AskContinue | Step::AskResponse | Step::AskEvade { .. } => "charge",
        Step::AskFollow | Step::AskAfter { .. } | Step::AskFallBack { .. } => "melee",
        Step::AskBearing { .. } | Step::AskEscape { .. } => "retreat",
        _ => "activation",
    }
}

/// What a question asks, in a sentence.
pub(crate) fn prompt_of(ask: Step) -> &'static str {
    match ask {
        Step::AskBegin => "The position stands; begin.",
        Step::AskDeploy(_) => "Place a regiment, an independent unit or a commander within 12 of your edge.",
        Step::AskRelease(_) => "Which attached commanders leave their units?",
        Step::AskKing { .. } => "Play a held King for an activation, or pass?",
        Step::AskActivate(_) => "Activate a group or a commander, or pass.",
        Step::AskJack(_) => "A Jack: an activation of your own, or force an enemy group?",
        Step::AskQueen(_) => "A Queen: which unit gets d3 figures back?",
        Step::AskKingNow(_) => "A King: use it now or hold it?",
        Step::AskAce(_) => "An Ace: draw an event?",
        Step::AskEvent { .. } => "Choose for the event.",
        Step::AskCommanderMove { .. } => "Where does the commander ride?",
        Step::AskAttach { .. } => "Does the commander attach himself to a unit?",
        Step::AskSquare => "Form a regimental square?",
        Step::AskNext => "Which sub-unit acts next?",
        Step::AskAction(_) => "What does it do?",
        Step::AskPath(_) => "Which way does it march?",
        Step::AskTarget { .. } => "At whom does it fire?",
        Step::AskManoeuvre(_) => "How does it manoeuvre?",
        Step::AskDistance { .. } => "How far?",
        Step::AskUnlimber(_) => "Which way does the gun face?",
        Step::AskCharge(_) => "Whom does it charge?",
        Step::AskFace(_) => "Which way does it face now?",
        Step::AskReform(_) => "How does it reform?",
        Step::AskBearing { .. } => "Which way and how far does it go back?",
        Step::AskReturn { .. } => "Return the fire?",
        Step::AskContinue => "The target has fallen back: charge on, or stay?",
        Step::AskResponse => "How does it meet the charge?",
        Step::AskEvade { .. } => "How far does it fall back?",
        Step::AskFollow => "Stop where the target stood, or follow?",
        Step::AskAfter { .. } => "Stay, occupy the ground, or follow up?",
        Step::AskFallBack { .. } => "How far does the attacker fall back?",
        Step::AskEscape { .. } => "Where does the commander escape to?",
        _ => "",
    }
}
