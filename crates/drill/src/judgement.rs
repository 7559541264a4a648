//! What programs judge by: things that are weighed have names in code ([`terms!`]), how much they weigh stands in the
//! rulebook's `judgement.toml`, and a battle carries the weights that its programs go by ([`Mind`]).
//!
//! A position's worth is learnt from battles: the sum of its features, each times its weight, is the log-odds of winning.
//! The weights of answers are tuned by battles. Neither is a rule, and no hash depends on either.
//!
//! ```
//! use tricorne_drill::{Mind, judgement, terms};
//!
//! terms! {
//!     /// What a position is worth.
//!     pub struct Worth {
//!         /// The lead in men, as a share of both sides'.
//!         men,
//!         /// The hill: 1 if ours, -1 if theirs.
//!         hill,
//!     }
//! }
//! terms! {
//!     /// How much an officer makes of what he weighs.
//!     pub struct Weighs {
//!         /// An enemy shot down against a man of ours.
//!         boldness,
//!     }
//! }
//!
//! let file = judgement::read("[worth]\nmen = 3.0\nhill = 0.5\n[weighs]\nboldness = 1.25").unwrap();
//! let mind: Mind<Worth, Weighs> = Mind::of(&file).unwrap();
//! let now = Worth { men: 0.1, hill: -1.0 };
//! assert!((mind.standing(&now) + 0.0977).abs() < 1e-3); // a little behind: the hill weighs more than the men
//! assert_eq!(mind.weighs.boldness, 1.25);
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use tricorne_game::{Fault, Frailties, Frailty, Judgement, Lapse, School, Side, Source, Temper};

/// Reads the text of a `judgement.toml`.
pub fn read(text: &str) -> Result<Judgement, Fault> {
    Judgement::alone(&Source::new("judgement.toml", text))
}

/// Things that are weighed, by name: a struct of numbers that [`terms!`] declares. The same struct holds what there is of
/// each in a position, and how much each weighs.
pub trait Terms: Clone + Copy + Default + Send + Sync + 'static {
    /// Their names, in order.
    const NAMES: &'static [&'static str];

    /// The names of those that are not weighed but must be reached: the least chance at which an order is tried. They are
    /// seen as they are, for whoever asks too much there would do nothing all day, and that is no weakness of judgement.
    const THRESHOLDS: &'static [&'static str];

    /// What there is of each, in the order of the names.
    fn each(&self) -> impl Iterator<Item = f64>;

    /// From a table by name, over what they are here; whatever else stands there is passed over.
    #[must_use]
    fn with(self, table: &std::collections::BTreeMap<String, f64>) -> Self;

    /// What there is of each as the other side sees it.
    #[must_use]
    fn turned(self) -> Self;

    /// The sum of each times its weight.
    fn times(&self, weights: &Self) -> f64 {
        self.each().zip(weights.each()).map(|(value, weight)| value * weight).sum()
    }

    /// With their names.
    fn named(&self) -> Vec<(&'static str, f64)> {
        Self::NAMES.iter().copied().zip(self.each()).collect()
    }
}

/// Declares what is weighed: one line a thing, with what it means. What an answer must reach instead, a number that its
/// worth or its chance is compared with, is marked as a [threshold](Terms::THRESHOLDS). See [`judgement`](crate::judgement).
///
/// ```
/// use tricorne_drill::{Terms, terms};
/// terms! {
///     struct Weighs {
///         /// An enemy shot down against a man of ours.
///         boldness,
///         /// The least chance at which an order is tried.
///         chance: threshold,
///     }
/// }
/// assert_eq!(Weighs::THRESHOLDS, ["chance"]);
/// ```
#[macro_export]
macro_rules! terms {
    (@threshold threshold $term:ident) => { stringify!($term) };
    ($(#[$doc:meta])* $vis:vis struct $Name:ident {
        $($(#[$said:meta])* $term:ident $(: $mark:ident)?),+ $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        $vis struct $Name {
            $($(#[$said])* $vis $term: f64,)+
        }

        impl $crate::Terms for $Name {
            const NAMES: &'static [&'static str] = &[$(stringify!($term)),+];

            const THRESHOLDS: &'static [&'static str] = &[$($($crate::terms!(@threshold $mark $term),)?)+];

            fn each(&self) -> impl Iterator<Item = f64> {
                [$(self.$term),+].into_iter()
            }

            fn turned(mut self) -> Self {
                $(self.$term = -self.$term;)+
                self
            }

            fn with(mut self, table: &std::collections::BTreeMap<String, f64>) -> Self {
                $(if let Some(value) = table.get(stringify!($term)) {
                    self.$term = *value;
                })+
                self
            }
        }
    };
}

/// What a battle's programs go by: a school, what features are worth (`W`) and what is made of things in an answer (`A`).
#[derive(Clone, Debug)]
pub struct Mind<W, A> {
    /// Whether it is the present judgement, by whichever weights, or the first.
    pub first: bool,
    /// What each feature of a position is worth.
    pub worth: W,
    /// How much an officer makes of each thing that he weighs.
    pub weighs: A,
    /// What a bold and a cautious officer make of some of them: factors by name.
    pub tempers: Arc<[BTreeMap<String, f64>; 2]>,
    /// How weak the ranks below a subaltern are.
    pub frailties: Arc<Frailties>,
    /// What slips whoever thinks.
    pub lapse: Lapse,
}

impl<W: Terms, A: Terms> Mind<W, A> {
    /// By the weights of a file that names just what is weighed here.
    pub fn of(file: &Judgement) -> Result<Self, String> {
        same("worth", file.worth.keys(), W::NAMES)?;
        same("weighs", file.weighs.keys(), A::NAMES)?;
        for (table, factors) in [("bold", &file.bold), ("cautious", &file.cautious)] {
            known(table, factors.keys(), A::NAMES)?;
        }
        Ok(Self {
            first: false,
            worth: W::default().with(&file.worth),
            weighs: A::default().with(&file.weighs),
            tempers: Arc::new([file.bold.clone(), file.cautious.clone()]),
            frailties: Arc::new(file.frailty.clone()),
            lapse: Lapse::default(),
        })
    }

    /// By a player's own file; what it leaves out is as in the rulebook's weights.
    pub fn read(file: &Source, standard: &Judgement) -> Result<Self, Fault> {
        Self::of(&Judgement::read(file, standard)?).map_err(|why| file.fault(&[], why))
    }

    /// The same turned to a school; weights of one's own go over these.
    #[must_use]
    pub fn heeding(&self, school: &School) -> Self {
        match school {
            School::Present => Self { first: false, ..self.clone() },
            School::First => Self { first: true, ..self.clone() },
            School::Own(own) => Self {
                first: false,
                worth: self.worth.with(&own.worth),
                weighs: misjudged(self.tempered(self.weighs.with(&own.weighs), own), &own.lapse),
                tempers: Arc::clone(&self.tempers),
                frailties: self.frailties_under(&own.frailty),
                lapse: own.lapse,
            },
        }
    }

    /// How weak an officer of a rank is.
    pub fn frailty(&self, rank: &str) -> Frailty {
        Frailty::of(rank, &self.frailties)
    }

    fn frailties_under(&self, own: &Frailties) -> Arc<Frailties> {
        if own.is_empty() {
            return Arc::clone(&self.frailties);
        }
        let mut all = (*self.frailties).clone();
        Frailty::over(&mut all, own);
        Arc::new(all)
    }

    /// Weights as an officer of some temper has them: by his own factors where he has any, otherwise by the rulebook's.
    fn tempered(&self, weighs: A, own: &Judgement) -> A {
        let [bold, cautious] = &*self.tempers;
        let factors = match own.temper {
            Temper::Even => return weighs,
            Temper::Bold if own.bold.is_empty() => bold,
            Temper::Bold => &own.bold,
            Temper::Cautious if own.cautious.is_empty() => cautious,
            Temper::Cautious => &own.cautious,
        };
        let scaled = |(name, weight): (&str, f64)| Some((name.to_owned(), weight * factors.get(name)?));
        weighs.with(&weighs.named().into_iter().filter_map(scaled).collect())
    }

    /// How a position with these features stands, from -1 (as good as lost) to 1 (as good as won): twice the chance of
    /// winning, less one.
    pub fn standing(&self, features: &W) -> f64 {
        standing(features.times(&self.worth))
    }
}

/// Written among the [`Rules`](crate::Rules) of a battle that two schools judge: the present one, whose weights are tuned, and the first,
/// which stays as it was so that progress is measured against something that does not move. The battle has a [`Mind`] in
/// its field `mind`, and answers `features_of(seat)`, `stands_for(seat)`, `proposed(most, whim)` and
/// `reasons_for(action)`; as the first school sees it (the type that is named here) it answers `stands_for` and
/// `proposed`, and gives no reasons. A battle that can name its best proposal without judging the others names that
/// method too.
///
/// ```ignore
/// impl Rules for Skirmish {
///     two_schools!(First, foremost_of);
/// }
/// ```
#[macro_export]
macro_rules! two_schools {
    ($First:ident $(, $foremost:ident)?) => {
        fn heed(&mut self, school: &$crate::__game::School) {
            self.mind = std::sync::Arc::new(self.mind.heeding(school));
        }

        fn frailty(&self, rank: &str) -> $crate::__game::Frailty {
            self.mind.frailty(rank)
        }

        fn features(&self, seat: $crate::__game::Seat) -> Vec<(&'static str, f64)> {
            $crate::Terms::named(&self.features_of(seat))
        }

        fn standing(&self, seat: $crate::__game::Seat) -> f64 {
            if self.mind.first { $First(self).stands_for(seat) } else { self.stands_for(seat) }
        }

        fn because(&self, action: &Self::Action) -> Vec<$crate::__game::Because> {
            if self.mind.first { Vec::new() } else { self.reasons_for(action) }
        }

        fn proposals(
            &self,
            most: usize,
            whim: &mut $crate::__chance::Whim,
        ) -> Vec<$crate::__game::Proposal<Self::Action>> {
            if self.mind.first { $First(self).proposed(most, whim) } else { self.proposed(most, whim) }
        }

        $(fn foremost(&self, most: usize, whim: &mut $crate::__chance::Whim) -> Option<Self::Action> {
            if !self.mind.first {
                return self.$foremost(most, whim);
            }
            let proposals = $First(self).proposed(most, whim);
            $crate::__game::first_sight::best(proposals).map(|proposal| proposal.action)
        })?
    };
}

/// How a battle that is over stands for a side.
pub fn decided(winner: Option<Side>, side: Side) -> f64 {
    match winner {
        Some(winner) if winner == side => 1.0,
        Some(_) => -1.0,
        None => 0.0,
    }
}

/// Log-odds of winning as a standing. Short of what an ending counts, so that a battle won is better than any that is
/// as good as won.
pub fn standing(log_odds: f64) -> f64 {
    (0.98 * libm::tanh(log_odds / 2.0)).clamp(-0.98, 0.98)
}

/// Weights as they look to whoever sees them out of proportion; thresholds as they are.
fn misjudged<A: Terms>(weighs: A, lapse: &Lapse) -> A {
    if lapse.frailty.misjudges <= 0.0 {
        return weighs;
    }
    let weighed = weighs.named().into_iter().filter(|(name, _)| !A::THRESHOLDS.contains(name));
    let seen = |(name, weight): (&str, f64)| (name.to_owned(), weight * libm::exp(lapse.bias(name)));
    weighs.with(&weighed.map(seen).collect())
}

/// The names of the weights that no weak officer has out of proportion, found by trying: for the tests of rulebooks, which
/// name their thresholds there.
pub fn seen_as_they_are<W: Terms, A: Terms>(mind: &Mind<W, A>) -> Vec<&'static str> {
    let frailty = Frailty { misjudges: 1.0, ..Frailty::default() };
    let seen: Vec<A> = (0..20_u64)
        .map(|seed| {
            let lapse = Lapse { frailty, seed: Some(seed.into()), turn: 1 };
            mind.heeding(&School::Own(Arc::new(Judgement { lapse, ..Judgement::default() }))).weighs
        })
        .collect();
    let same = |n: usize, weight: f64| seen.iter().all(|weighs| weighs.each().nth(n) == Some(weight));
    let named = mind.weighs.named().into_iter().enumerate();
    named.filter(|&(n, (_, weight))| same(n, weight)).map(|(_, (name, _))| name).collect()
}

fn same<'a>(table: &str, have: impl Iterator<Item = &'a String>, want: &[&str]) -> Result<(), String> {
    let have: Vec<&str> = have.map(String::as_str).collect();
    if let Some(missing) = want.iter().find(|name| !have.contains(name)) {
        return Err(format!("[{table}] has no weight for `{missing}`"));
    }
    known(table, have.into_iter(), want)
}

fn known<N: AsRef<str>>(table: &str, mut have: impl Iterator<Item = N>, want: &[&str]) -> Result<(), String> {
    match have.find(|name| !want.contains(&name.as_ref())) {
        Some(unknown) => Err(format!("[{table}]: nothing called `{}` is weighed", unknown.as_ref())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    terms! { struct Worth { men, hill } }
    terms! { struct Weighs { boldness } }

    fn file(text: &str) -> Judgement {
        read(text).unwrap()
    }

    #[test]
    fn weights_and_what_is_weighed_have_the_same_names() {
        let mind = |text: &str| Mind::<Worth, Weighs>::of(&file(text)).map(|m| m.worth);
        assert_eq!(
            mind("[worth]\nmen = 1.0\nhill = 2\n[weighs]\nboldness = 1.0"),
            Ok(Worth { men: 1.0, hill: 2.0 })
        );
        assert!(mind("[worth]\nmen = 1.0\n[weighs]\nboldness = 1.0").unwrap_err().contains("`hill`"));
        let odd = mind("[worth]\nmen = 1.0\nhill = 2.0\nford = 1.0\n[weighs]\nboldness = 1.0");
        assert!(odd.unwrap_err().contains("`ford`"));
    }

    #[test]
    fn a_school_of_ones_own_goes_over_the_rulebooks_and_the_first_is_told_apart() {
        let standard = file("[worth]\nmen = 1.0\nhill = 2.0\n[weighs]\nboldness = 1.0");
        let mind: Mind<Worth, Weighs> = Mind::of(&standard).unwrap();
        let worth = BTreeMap::from([("hill".to_owned(), 3.0)]);
        let own = mind.heeding(&School::Own(Arc::new(Judgement { worth, ..Judgement::default() })));
        assert_eq!((own.worth.men, own.worth.hill, own.first), (1.0, 3.0, false));
        assert!(mind.heeding(&School::First).first && !mind.heeding(&School::Present).first);
    }

    #[test]
    fn a_temper_makes_more_of_some_things() {
        let standard =
            file("[worth]\nmen = 1.0\nhill = 2.0\n[weighs]\nboldness = 2.0\n[bold]\nboldness = 1.5");
        let mind: Mind<Worth, Weighs> = Mind::of(&standard).unwrap();
        let of = |temper| mind.heeding(&School::Own(Arc::new(Judgement { temper, ..Judgement::default() })));
        assert_eq!(of(Temper::Bold).weighs.boldness, 3.0);
        assert_eq!(of(Temper::Cautious).weighs.boldness, 2.0, "no factor is a factor of 1");
        assert_eq!(of(Temper::Even).weighs.boldness, 2.0);
        let odd = file("[worth]\nmen = 1.0\nhill = 2.0\n[weighs]\nboldness = 2.0\n[bold]\nhill = 1.5");
        assert!(Mind::<Worth, Weighs>::of(&odd).unwrap_err().contains("[bold]"));
    }

    #[test]
    fn nothing_is_as_good_as_an_ending() {
        assert!(standing(1e9) < 1.0 && standing(-1e9) > -1.0 && standing(0.0) == 0.0);
        assert!(standing(0.5) < standing(0.6));
    }

    #[test]
    fn how_weak_a_rank_is_comes_from_the_file_and_from_ones_own() {
        let standard = file(
            "[worth]\nmen = 1.0\nhill = 2.0\n[weighs]\nboldness = 2.0\n\
             [frailty.recruit]\nforgets = 0.5\nmisjudges = 1.0\n[frailty.sergeant]\nforgets = 0.125",
        );
        let mind: Mind<Worth, Weighs> = Mind::of(&standard).unwrap();
        assert_eq!((mind.frailty("recruit").forgets, mind.frailty("sergeant").forgets), (0.5, 0.125));
        assert_eq!(mind.frailty("corporal"), Frailty::usual("corporal"));
        let own = file("[frailty.recruit]\nforgets = 0.25");
        let weak = mind.heeding(&School::Own(Arc::new(own))).frailty("recruit");
        assert_eq!((weak.forgets, weak.misjudges), (0.25, 1.0));
    }

    #[test]
    fn whoever_misjudges_has_his_weights_out_of_proportion() {
        let standard = file("[worth]\nmen = 1.0\nhill = 2.0\n[weighs]\nboldness = 2.0");
        let mind: Mind<Worth, Weighs> = Mind::of(&standard).unwrap();
        let boldness = |misjudges: f64, seed: u64| {
            let frailty = Frailty { misjudges, ..Frailty::default() };
            let lapse = Lapse { frailty, seed: Some(seed.into()), turn: 1 };
            mind.heeding(&School::Own(Arc::new(Judgement { lapse, ..Judgement::default() }))).weighs.boldness
        };
        assert_eq!(boldness(0.0, 1), 2.0);
        assert_eq!(boldness(0.5, 1), boldness(0.5, 1));
        assert_ne!(boldness(0.5, 1), boldness(0.5, 2));
        assert!((0..100).all(|seed| (0.7..5.5).contains(&boldness(0.5, seed))));
    }

    #[test]
    fn what_must_be_reached_is_seen_as_it_is() {
        terms! { struct Thresholds { chance: threshold, boldness } }
        let standard = file("[worth]\nmen = 1.0\nhill = 2.0\n[weighs]\nchance = 0.25\nboldness = 2.0");
        let mind: Mind<Worth, Thresholds> = Mind::of(&standard).unwrap();
        assert_eq!(seen_as_they_are(&mind), ["chance"]);
    }
}
