//! Whole pictures of whole tables, most of them in pixels.

use std::fs;

use resvg::tiny_skia::Pixmap;
use tricorne_game::Side;
use tricorne_game::view::{Dye, Livery, Look, Role, TerrainView, View};
use tricorne_game::ways::{Scene, Shot, Throw};
use tricorne_picture::{Labels, Pace, PictureError, Style, Theme, film, gif, png, svg};
use tricorne_table::Point;

fn fixture(name: &str) -> View {
    let path = format!("{}/tests/fixtures/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn bare(view: &View) -> View {
    View { units: Vec::new(), terrain: Vec::new(), tokens: Vec::new(), ..view.clone() }
}

const LOOKS: [Look; 26] = [
    Look::Wood,
    Look::Forest,
    Look::Palms,
    Look::Scrub,
    Look::Grass,
    Look::Crops,
    Look::Rocks,
    Look::Ruins,
    Look::Rough,
    Look::Donga,
    Look::Marsh,
    Look::Water,
    Look::Shallows,
    Look::Hill,
    Look::SteepHill,
    Look::Cliff,
    Look::Building,
    Look::Town,
    Look::Road,
    Look::Crossing,
    Look::Fence,
    Look::Hedge,
    Look::Wall,
    Look::Earthwork,
    Look::Abatis,
    Look::Stream,
];

fn piece(look: Look, points: &[(f64, f64)], closed: bool) -> TerrainView {
    TerrainView {
        id: "piece".into(),
        kind: String::new(),
        look,
        points: points.iter().map(|&(x, y)| Point::new(x, y)).collect(),
        closed,
        width: 0.0,
        level: 1,
        peak: None,
        notes: Vec::new(),
    }
}

/// The ground as drawn, without the cloth and the frame.
fn ground(drawing: &str) -> &str {
    let start = drawing.find("<g id=\"ground\">").expect("the ground has a group");
    &drawing[start..drawing.find("<g id=\"tokens\">").expect("the tokens come after the ground")]
}

#[test]
fn every_look_is_drawn_and_no_two_alike() {
    let style = Style { cloth: tricorne_picture::Cloth::Green, ..Style::wide(280) };
    let square = [(10.0, 10.0), (30.0, 10.0), (30.0, 30.0), (10.0, 30.0)];
    let line = [(10.0, 10.0), (30.0, 12.0), (34.0, 30.0)];
    for (points, closed) in [(&square[..], true), (&line[..], false)] {
        let mut seen: Vec<(Look, Vec<u8>)> = Vec::new();
        let empty = png(&svg(&bare(&fixture("every-look")), &style), 280).unwrap();
        for look in LOOKS {
            let mut view = bare(&fixture("every-look"));
            view.terrain.push(piece(look, points, closed));
            let drawing = svg(&view, &style);
            assert!(ground(&drawing).contains("<path"), "{look:?} draws nothing");
            let pixels = png(&drawing, 280).unwrap();
            assert!(pixels != empty, "{look:?} cannot be seen");
            for (other, others) in &seen {
                assert!(&pixels != others, "{look:?} looks like {other:?} (closed: {closed})");
            }
            seen.push((look, pixels));
        }
    }
}

#[test]
fn every_role_has_a_toy_of_its_own() {
    let sample = fixture("every-look");
    let roles = [
        Role::Foot,
        Role::Horse,
        Role::Leader,
        Role::MountedLeader,
        Role::Ensign,
        Role::Crew,
        Role::Gun,
        Role::LimberedGun,
        Role::MachineGun,
        Role::FootStand(4),
        Role::HorseStand(2),
        Role::Wagon,
        Role::General,
    ];
    let mut seen: Vec<Vec<u8>> = Vec::new();
    for role in roles {
        let mut unit = sample.units.iter().find(|unit| unit.id == *"W1").unwrap().clone();
        unit.figures[0].role = role;
        let view = View { units: vec![unit], ..bare(&sample) };
        let pixels = png(&svg(&view, &Style { labels: Labels::Nothing, ..Style::wide(500) }), 500).unwrap();
        assert!(!seen.contains(&pixels), "{role:?} looks like another");
        seen.push(pixels);
    }
}

#[test]
fn the_fixtures_hold_every_look_and_every_livery_can_be_told_from_every_other() {
    let sample = fixture("every-look");
    let missing: Vec<Look> =
        LOOKS.into_iter().filter(|look| sample.terrain.iter().all(|piece| piece.look != *look)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let liveries = [
        Livery::Red,
        Livery::Blue,
        Livery::Black,
        Livery::White,
        Livery::Khaki,
        Livery::Ochre,
        Livery::Green,
    ];
    let drawings: Vec<String> = liveries
        .map(|livery| {
            let mut view = sample.clone();
            view.sides[0].livery = livery;
            svg(&view, &Style::default())
        })
        .to_vec();
    for (index, drawing) in drawings.iter().enumerate() {
        assert!(!drawings[..index].contains(drawing), "{:?} is somebody else's coat", liveries[index]);
    }
}

#[test]
fn sides_in_the_same_coat_are_still_told_apart() {
    let mut view = fixture("centimetres");
    view.sides[1].livery = view.sides[0].livery;
    let drawing = svg(&view, &Style::default());
    assert!(drawing.contains("id=\"hatch1\"") && drawing.contains("url(#hatch1)"));
}

#[test]
fn the_same_view_gives_the_same_bytes() {
    let view = fixture("every-look");
    assert_eq!(svg(&view, &Style::default()), svg(&view.clone(), &Style::default()));
}

#[test]
fn pictures_are_sound_and_of_a_moderate_size() {
    for name in ["every-look", "centimetres"] {
        let view = fixture(name);
        for theme in [Theme::Light, Theme::Dark] {
            for chosen in [None, Some(view.units[0].id)] {
                let drawing = svg(&view, &Style { theme, chosen, ..Style::default() });
                let mut words = drawing.split(|letter: char| !letter.is_alphabetic());
                assert!(words.all(|word| word != "NaN" && word != "inf"), "no number in {name}");
                assert!(drawing.len() < 500_000, "{name} has {} bytes", drawing.len());
            }
        }
    }
}

#[test]
fn everything_used_is_defined() {
    let drawing = svg(&fixture("every-look"), &Style::default());
    for use_ in drawing.split("href=\"#").skip(1).chain(drawing.split("url(#").skip(1)) {
        let id: String = use_.chars().take_while(|letter| !matches!(letter, '"' | ')')).collect();
        assert!(drawing.contains(&format!("id=\"{id}\"")), "{id} is used and not defined");
    }
}

#[test]
fn the_ground_alone_has_nobody_on_it_and_brings_every_toy() {
    let mut view = fixture("every-look");
    let style = Style { pieces: false, labels: Labels::Nothing, ..Style::default() };
    let drawing = svg(&view, &style);
    assert!(!drawing.contains("class=\"unit") && !drawing.contains("class=\"token"), "somebody is on it");
    for side in 0..view.sides.len() {
        for toy in ["foot", "horse", "gun", "limbered-gun", "mounted-ensign", "wagon", "general"] {
            assert!(drawing.contains(&format!("id=\"s{side}-{toy}\"")), "side {side} comes without {toy}");
        }
    }
    // Who marches or takes something changes nothing about it.
    view.units.iter_mut().for_each(|unit| unit.on_table = false);
    view.tokens.iter_mut().for_each(|token| token.side = Some(Side(0)));
    let bare = |drawing: &str| {
        drawing.split("id=\"table\"").nth(1).unwrap().split("id=\"ground-names\"").next().unwrap().to_owned()
    };
    assert_eq!(bare(&svg(&view, &style)), bare(&drawing));
}

#[test]
fn a_regiment_is_drawn_in_its_facings() {
    let mut view = fixture("every-look");
    let unit = view.units.iter().position(|unit| unit.figures.iter().any(|f| f.role == Role::Foot)).unwrap();
    view.units[unit].facings = Some(Dye::LightBlue);
    let id = format!("s{}-foot-light-blue", view.units[unit].side.0);
    let drawing = svg(&view, &Style::default());
    assert!(drawing.contains(&format!("id=\"{id}\"")) && drawing.contains(&format!("href=\"#{id}\"")));
}

#[test]
fn fire_is_seen_in_a_film() {
    let view = fixture("every-look");
    let mut on = view.units.iter().filter(|unit| unit.on_table && !unit.figures.is_empty());
    let who = on.next().unwrap();
    let whom = on.find(|unit| unit.side != who.side).unwrap();
    let shot = Shot { who: who.id, whom: whom.id, dice: 6, hits: 2 };
    let scene = |shots: Vec<Shot>, throws: Vec<Throw>, cards: &[&str]| Scene {
        view: view.clone(),
        caption: String::new(),
        ways: Vec::new(),
        shots,
        throws,
        cards: cards.iter().map(|&card| card.to_owned()).collect(),
    };
    let frames = |shots: Vec<Shot>, throws: Vec<Throw>, cards: &[&str]| {
        let scenes = [scene(Vec::new(), Vec::new(), &[]), scene(shots, throws, cards)];
        let film = film(&scenes, &Style::wide(400), Pace::default()).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(film.as_slice()).unwrap();
        let mut changed = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            changed.push(usize::from(frame.width) * usize::from(frame.height));
        }
        changed
    };
    let nothing = frames(Vec::new(), Vec::new(), &[]);
    assert_eq!((nothing.len(), nothing[1]), (2, 1), "nobody does anything");
    let thrown = Throw { who: who.id, faces: vec![6, 1, 9], needed: Some(5) };
    let dice = frames(Vec::new(), vec![thrown], &[]);
    assert!(dice.len() == 2 && dice[1] > 300, "dice lie beside whoever threw them: {dice:?}");
    let fired = frames(vec![shot], Vec::new(), &[]);
    assert_eq!(fired.len(), 6, "flash and smoke take four frames");
    assert!(fired[1..].iter().all(|pixels| *pixels > 100), "each is another: {fired:?}");
    for card in ["KD", "JB", "imperial"] {
        let turned = frames(Vec::new(), Vec::new(), &[card]);
        assert_eq!(turned.len(), 5, "a card is turned in three frames, and lies there");
        assert!(turned[1..].iter().all(|pixels| *pixels > 100), "each is another: {turned:?}");
    }
    assert_ne!(frames(Vec::new(), Vec::new(), &["KD"])[4], frames(Vec::new(), Vec::new(), &["KD", "JB"])[4]);
}

#[test]
fn every_unit_on_the_table_has_a_group_and_a_label() {
    for name in ["every-look", "centimetres"] {
        let view = fixture(name);
        let drawing = svg(&view, &Style::default());
        for unit in &view.units {
            let group = drawing.contains(&format!("id=\"unit-{}\"", unit.id));
            let label = drawing.contains(&format!("data-unit=\"{}\"><rect", unit.id));
            assert_eq!((group, label), (unit.on_table, unit.on_table), "{} in {name}", unit.name);
        }
    }
}

#[test]
fn nonsense_is_drawn_without_harm() {
    let mut view = fixture("every-look");
    view.title = "<&\"'>\u{0}".into();
    view.units[0].name = "</text><script>".into();
    view.units[1].at = Point::new(f64::NAN, f64::INFINITY);
    view.units[2].outline.clear();
    view.units[2].figures.clear();
    view.units[3].strength = (9, 3);
    view.units[4].facing = Some(f64::NAN);
    view.terrain[0].points.truncate(1);
    view.terrain[1].points.clear();
    view.terrain[2].points = vec![Point::new(5.0, 5.0); 4];
    view.terrain[3].width = f64::NAN;
    view.terrain[4].points[0] = Point::new(f64::NAN, 3.0);
    view.tokens[0].radius = Some(f64::NAN);
    view.sides.truncate(1);
    for (width, height) in [(72.0, 48.0), (0.0, 10.0), (f64::NAN, 5.0), (1.0, 90.0)] {
        view.table.width = width;
        view.table.height = height;
        let drawing = svg(&view, &Style::wide(400));
        assert!(!drawing.contains("NaN") && !drawing.contains("<script"));
        if width > 50.0 {
            png(&drawing, 400).unwrap();
        }
    }
}

#[test]
fn a_png_has_the_width_asked_for() {
    let style = Style::wide(900);
    let drawing = svg(&fixture("centimetres"), &style);
    for width in [450, 900] {
        let pixels = Pixmap::decode_png(&png(&drawing, width).unwrap()).unwrap();
        assert_eq!(pixels.width(), width);
        assert!((0.6..0.95).contains(&(f64::from(pixels.height()) / f64::from(width))));
    }
    assert!(matches!(png(&drawing, 0), Err(PictureError::Size { .. })));
    assert!(matches!(png("no picture", 100), Err(PictureError::Svg(_))));
}

#[test]
fn letters_are_drawn_without_fonts_of_the_machine() {
    let view = bare(&fixture("every-look"));
    let mut nameless = view.clone();
    nameless.title.clear();
    let [with, without] = [&view, &nameless].map(|view| png(&svg(view, &Style::wide(700)), 700).unwrap());
    assert!(with != without, "the title left no trace");
}

#[test]
fn a_deep_table_has_its_panel_beside_it() {
    let mut view = fixture("every-look");
    view.table.height = 72.0;
    let drawing = svg(&view, &Style::wide(1000));
    let pixels = Pixmap::decode_png(&png(&drawing, 1000).unwrap()).unwrap();
    assert!(pixels.height() < 1000, "a square table with a panel beside it is wider than high");
}

/// The armies of a view march towards each other, a little in each frame.
fn march(view: &View, frames: usize) -> Vec<(View, String)> {
    let mut film = Vec::new();
    let mut now = view.clone();
    for frame in 0..frames {
        film.push((now.clone(), format!("Frame {frame}: the lines close")));
        let moved = frame % now.units.len();
        let unit = &mut now.units[moved];
        let way = Point::new(0.0, if unit.side.0 == 0 { 1.5 } else { -1.5 });
        unit.at += way;
        unit.outline.iter_mut().for_each(|corner| *corner += way);
        unit.figures.iter_mut().for_each(|figure| figure.shape = figure.shape.translated(way));
    }
    film
}

#[test]
fn a_film_has_its_frames_and_is_not_heavy() {
    let frames = march(&fixture("centimetres"), 30);
    let film = gif(&frames, &Style::wide(800), Pace::default()).unwrap();
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(film.as_slice()).unwrap();
    assert_eq!(decoder.width(), 800);
    let mut sizes = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        sizes.push((usize::from(frame.width) * usize::from(frame.height), frame.delay));
    }
    assert_eq!(sizes.len(), frames.len());
    assert_eq!(sizes[29].1, Pace::default().last);
    assert!(film.len() < 1_000_000, "{} bytes for 30 frames", film.len());
    assert!(matches!(gif(&[], &Style::wide(800), Pace::default()), Err(PictureError::NoFrames)));
}

#[test]
fn a_film_over_one_ground_shows_what_whole_pictures_show() {
    // Where the ground changes between frames the film cannot reuse it: the same frame must come out either way.
    let view = fixture("every-look");
    let style = Style::wide(500);
    let mut other = view.clone();
    other.terrain.truncate(3);
    let frame = |view: &View| (view.clone(), String::from("A frame"));
    let reused = gif(&[frame(&view), frame(&view)], &style, Pace::default()).unwrap();
    let redrawn = gif(&[frame(&view), frame(&other), frame(&view)], &style, Pace::default()).unwrap();
    let count = |film: &[u8]| {
        let mut decoder = gif::DecodeOptions::new().read_info(film).unwrap();
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            frames.push((frame.width, frame.height));
        }
        frames
    };
    assert_eq!(count(&reused)[1], (1, 1), "nothing changed, nothing is stored");
    let redrawn = count(&redrawn);
    assert!(redrawn[1].0 > 300 && redrawn[2].0 > 300, "the ground went and came back: {redrawn:?}");
}

#[test]
fn a_stand_with_gaps_has_no_giants() {
    let sample = fixture("centimetres");
    let mut thinned = sample.clone();
    let unit = &mut thinned.units[0];
    unit.figures[0].role = Role::FootStand(2);
    let scales = |view: &View| {
        let drawing = svg(view, &Style::default());
        let mut scales: Vec<String> = drawing
            .split("<use href=\"#s0-foot\"")
            .skip(1)
            .map(|stamp| stamp.split("scale(").nth(1).unwrap().split(')').next().unwrap().to_owned())
            .collect();
        scales.sort();
        scales.dedup();
        scales
    };
    assert_eq!(scales(&sample).len(), 1);
    assert_eq!(scales(&thinned), scales(&sample), "two men where six stood are as large as they were");
}
