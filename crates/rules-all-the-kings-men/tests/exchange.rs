//! Exact odds of a volley, from the dice that battles roll, against the closed form in whole numbers.

use tricorne_game::{Battle, Choices, Purpose, Source, System, odds};
use tricorne_rules_all_the_kings_men::{Action, AllTheKingsMen, Exchange, Pool};

fn choose(n: u32, k: u32) -> u128 {
    (0..k).fold(1, |c, i| c * u128::from(n - i) / u128::from(i + 1))
}

/// In how many of the six to the n falls of n dice exactly k reach the need.
fn falls(n: u32, k: u32, need: u32) -> u128 {
    let good = u128::from(7 - need);
    choose(n, k) * good.pow(k) * (6 - good).pow(n - k)
}

/// ATKM-FIRE-12 by counting: so many of all the falls of both pools leave so many casualties.
fn closed_form(a: u32, need: u32, d: u32, need_d: u32, men: u32) -> Vec<f64> {
    let mut counts = vec![0_u128; men as usize + 1];
    for x in 0..=a {
        for y in 0..=d {
            counts[x.saturating_sub(y).min(men) as usize] += falls(a, x, need) * falls(d, y, need_d);
        }
    }
    let all = 6_u128.pow(a + d);
    counts.iter().map(|&c| c as f64 / all as f64).collect()
}

#[test]
fn a_volley_has_the_odds_of_the_closed_form() {
    for (a, need, d, need_d, men) in [
        (12, 4, 12, 5, 12),
        (12, 4, 12, 4, 12),
        (8, 4, 12, 6, 12),
        (12, 5, 18, 5, 12),
        (4, 6, 8, 4, 2),
        (12, 4, 3, 6, 3),
    ] {
        let exchange = Exchange {
            attack: Pool { dice: a as i32, need: need as i32 },
            defence: Pool { dice: d as i32, need: need_d as i32 },
        };
        let odds = exchange.volley_odds(men as u8);
        let wanted = closed_form(a, need, d, need_d, men);
        assert!((odds.chance_of(|_| true) - 1.0).abs() < 1e-12);
        for (k, p) in wanted.iter().enumerate() {
            let found = odds.chance_of(|&men| usize::from(men) == k);
            assert!(
                (found - p).abs() < 1e-12,
                "{a} dice at {need} v {d} at {need_d}: {k} fall {found}, not {p}"
            );
        }
    }
}

/// The quick odds of a fire action are those of the whole action run along every path.
#[test]
fn the_odds_of_an_action_are_those_of_its_dice() {
    let text = "active = \"A\"\n[[unit]]\nid = \"A\"\nkind = \"I\"\narmy = \"red\"\nshape = \"L2\"\nat = [36, 18]\nfacing = 0\n\
         [[unit]]\nid = \"B\"\nkind = \"I\"\narmy = \"black\"\nshape = \"L2\"\nat = [36, 23]\nfacing = 180\ncolour = \"yellow\"\n\
         [[unit]]\nid = \"C\"\nkind = \"I\"\narmy = \"black\"\nshape = \"L2\"\nat = [6, 40]\nfacing = 180\n\
         [[unit]]\nid = \"D\"\nkind = \"I\"\narmy = \"black\"\nshape = \"L2\"\nat = [16, 40]\nfacing = 180\n\
         [[seat]]\narmy = \"red\"\ngeneral = [2, 2]\n[[seat]]\narmy = \"black\"\ngeneral = [70, 46]\n";
    let battle = AllTheKingsMen
        .set_up(&Source::new("odds.toml", text), &Choices::default(), Purpose::Position)
        .unwrap_or_else(|f| panic!("{f}"));
    let target = "B".parse().unwrap_or_else(|e| panic!("{e}"));
    let fire = Action::Fire { target };
    battle.check(&fire).unwrap_or_else(|e| panic!("{e}"));
    let quick =
        battle.casualties(&fire).unwrap_or_else(|e| panic!("{e}")).unwrap_or_else(|| panic!("no odds"));
    let whole = odds(&battle, &fire, 100_000).unwrap_or_else(|e| panic!("{e}"));
    assert!(whole.exact);
    let unit = whole.units.iter().find(|u| u.unit == target).unwrap_or_else(|| panic!("nothing happens"));
    for (left, p) in &unit.strength {
        let found = quick.chance_of(|l| u32::from(12 - l[1]) == *left);
        assert!((found - p).abs() < 1e-12, "{left} left: {found} {p}");
    }
    assert!(battle.casualties(&Action::End).is_err());
}
