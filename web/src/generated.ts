// The server's messages. Written by `TRICORNE_WRITE=1 cargo test -p tricorne-server --test all typescript`
// from the Rust types; not to be edited.

/** What this server is. */
export type AboutServer = {
  /** The version of the program. */
  version: string;
  /** Levels of the programs that play, weakest first. */
  programs: string[];
  /** Whether a new game may name its seed, and a general's budget in tries. */
  chosen_seeds: boolean;
  /** The person logged in. */
  user: Person | null;
};

/** Something that could stand on the table and does not: it is to be placed by a player, or is in a building. */
export type Absent = {
  /** The array it is in. */
  array: string;
  /** Which of it, from 0. */
  nth: number;
  /** Its id, if it has one. */
  id: string | null;
};

/** Who would leave a battle at that. */
export type Agreed = {
  /** The seats that would. */
  agreed: Seat[];
  /** Whether all would, and it is over. */
  ended: boolean;
};

/** The arm of service, for drawing. */
export type Arm = "infantry" | "skirmishers" | "cavalry" | "artillery" | "command" | "train";

/** A picked army, as it is kept in a file. */
export type Army = {
  /** The form of the file; 1. */
  format: number;
  /** The rule system. */
  ruleset: string;
  /** The list it is picked from. */
  list: string;
  /** Its name. */
  name: string;
  /** The points it may cost. */
  points: number;
  /** What is kept for the whole army, in the system's own words: a general's rating, a colour. */
  set?: Record<string, unknown>;
  /** Its units (and generals, where they are picked or drawn). */
  unit: ArmyUnit[];
};

/** Something that can be picked. */
export type ArmyEntry = {
  /** Its id in army files. */
  id: string;
  /** Its name: `Regular infantry`. */
  name: string;
  /** A heading to show it under: `Infantry`, `Generals`. */
  group: string;
  /** What one costs. */
  points: number;
  /** How many must be picked at least. */
  least: number;
  /** How many may be picked; none is no limit of its own. */
  most: number | null;
  /** What one comes with: figures, values, weapons. */
  notes: Note[];
  /** What can be added to one or taken from one. */
  upgrades: ArmyUpgrade[];
};

/** An army, picked or as a file. */
export type ArmyGiven = {
  army: AskedArmy;
} | {
  text: string;
};

/** A list that armies are picked from. */
export type ArmyList = {
  /** Its id in army files. */
  id: string;
  /** Its name: `Prussia, 1756 to 1763`. */
  name: string;
  /** The points a battle with it is usually fought at. */
  points: number;
  /** What must hold for the whole army, in words with their clauses. */
  limits: Note[];
  /** What can be picked. */
  entries: ArmyEntry[];
};

/** What an army costs and what is wrong with it. */
export type ArmyReport = {
  /** What it costs. */
  points: number;
  /** What it may cost. */
  limit: number;
  /** What each unit costs, in their order. */
  each: number[];
  /** The limits it breaks; empty for a legal army. */
  broken: BrokenLimit[];
};

/** One picked unit. */
export type ArmyUnit = {
  /** The entry of the list. */
  entry: string;
  /** Its own name; empty takes the entry's. */
  name?: string;
  /** Upgrades and downgrades by id. */
  with?: string[];
  /** What was rolled or drawn for it, or chosen beyond upgrades, in the system's own words: `leadership = 7`. */
  set?: Record<string, unknown>;
};

/** Something added to a unit or taken from it. */
export type ArmyUpgrade = {
  /** Its id in army files. */
  id: string;
  /** Its name: `Sharpshooters`. */
  name: string;
  /** What it costs; below 0 for a downgrade. */
  points: number;
  /** The clause that has it. */
  clause: string | null;
};

/** A picked army, as it is kept in a file. */
export type AskedArmy = {
  /** The form of the file; 1. */
  format: number;
  /** The rule system. */
  ruleset: string;
  /** The list it is picked from. */
  list: string;
  /** Its name. */
  name: string;
  /** The points it may cost. */
  points: number;
  /** What is kept for the whole army, in the system's own words: a general's rating, a colour. */
  set?: Record<string, unknown>;
  /** Its units (and generals, where they are picked or drawn). */
  unit?: ArmyUnit[];
};

/** A clock: each seat has so long in all, and gains some with each of its actions. */
export type AskedClockRule = {
  /** Seconds in all. */
  seconds: number;
  /** Seconds gained with each action. */
  increment?: number;
  /** Who plays on for a seat that is out of time: `program:LEVEL`. */
  then?: string | null;
};

/** A game of an evening. */
export type AskedPair = {
  /** The first player, who has the first side. */
  first: string;
  /** The second; none has a round off, which counts as won. */
  second?: string | null;
  /** Who won; none while it is not known, or drawn. */
  winner?: string | null;
  /** Whether it is over. */
  over?: boolean;
  /** The game on this server in which it is fought out, if it is. */
  game?: string | null;
};

/** What speaks for an answer, or against it, in an officer's judgement. */
export type Because = {
  /** In words that go on from *for it:* or *against it:*, as `the ground to be held`. */
  why: string;
  /** How much: above 0 it speaks for the answer, below against it. Only the comparison with the other reasons of the same decision matters. */
  weight: number;
  /** The clause that makes it so, where there is one. */
  clause?: string | null;
};

/** What a feature comes and goes with. */
export type Belongs = "itself" | "ground" | "other";

/** Who plays how strongly. */
export type Board = {
  /** The rule system. */
  ruleset: string;
  /** Everybody who fought a battle to its end, the strongest first; those who have not played enough last. */
  list: Place[];
};

/** A limit that an army breaks. */
export type BrokenLimit = {
  /** The unit it is about, by its place in the file from 0; none for the whole army. */
  unit: number | null;
  /** The clause. */
  clause: string;
  /** What is wrong and what would be right. */
  why: string;
};

/** A journal kept. */
export type Brought = {
  /** The id of the game it is now. */
  id: string;
  /** The path of its page. */
  link: string;
  /** How many actions it has. */
  actions: number;
};

/** Cards as one seat sees them. */
export type CardView = {
  /** Which pile: `turned`, `held by Red`, `events`. */
  pile: string;
  /** Cards face up, the last one last. */
  up: string[];
  /** How many are face down. */
  down: number;
};

/** What changed between two views; what is missing is as it was. */
export type Changes = {
  /** The sides. */
  sides?: SideView[] | null;
  /** The ground. */
  terrain?: TerrainView[] | null;
  /** Units that changed or are new. */
  units?: UnitView[];
  /** All units in order, when that changed; one that is not named is gone. */
  units_order?: UnitId[] | null;
  /** Markers that belong to no unit. */
  tokens?: Token[] | null;
  /** Where in the battle we are. */
  clock?: Clock | null;
  /** Cards in play. */
  cards?: CardView[] | null;
  /** What is being waited for. */
  pending?: Pending | null;
};

/** Something said. */
export type ChatLine = {
  /** When, in milliseconds since 1970. */
  at: number;
  /** From which seat. */
  seat: Seat;
  /** By whom. */
  name: string;
  /** What. */
  text: string;
};

/** A token whose seats shall be under one's name. */
export type ClaimGame = {
  /** The token. */
  token: string;
};

/** Seats that are under one's name now. */
export type Claimed = {
  /** Which. */
  seats: Seat[];
};

/** One clause of a rulebook. */
export type Clause = {
  /** `WBK-FIRE-06`. */
  id: string;
  /** The heading it stands under. */
  section: string;
  /** The statement, in Markdown. */
  text: string;
  /** The same without Markdown's marks and without the tag, to be shown as it is. */
  plain: string;
  /** Where it comes from. */
  tag: Tag;
  /** The option that switches it, if one does. */
  option: string | null;
};

/** Where in the battle we are. */
export type Clock = {
  /** The turn or round, from 1. */
  turn: number;
  /** Of how many, if there is a limit. */
  of: number | null;
  /** The phase, in words. */
  phase: string;
  /** The side whose turn it is, if it is one side's. */
  active: Side | null;
};

/** A clock: each seat has so long in all, and gains some with each of its actions. */
export type ClockRule = {
  /** Seconds in all. */
  seconds: number;
  /** Seconds gained with each action. */
  increment: number;
  /** Who plays on for a seat that is out of time: `program:LEVEL`. */
  then: string | null;
};

/** What the clocks show. */
export type ClockState = {
  /** Milliseconds left, by seat. */
  left: number[];
  /** Whose is running. */
  running: Seat | null;
};

/** Who comes later and who has gone home. */
export type Comings = {
  /** Those who play from the next round on. In a round robin only before the first. */
  come?: string[];
  /** Those who play no more. */
  gone?: string[];
};

/** An answer that an officer would weigh. */
export type Counselled = {
  /** The answer. */
  action: unknown;
  /** How well it looks at first sight; more is better. */
  promise: number;
  /** What speaks most for it and against it, the strongest first. */
  because?: Because[];
};

/** A kind of answer that a unit might give in this decision, and what keeps it from it. */
export type Course = {
  /** The answer's name: `fire`, `charge`, `rally`. */
  action: string;
  /** Why it is not open to the unit now; none when it is. */
  why: Illegal | null;
};

/** A name and a password. */
export type Credentials = {
  /** The name, 1 to 40 characters. */
  name: string;
  /** The password, 8 to 200 characters. */
  password: string;
};

/** An action that turned the battle. */
export type Decisive = {
  /** Its number, from 1: the moment after it. */
  n: number;
  /** The side it was bad for. */
  against: number;
  /** How much, from 0 to 1: the share of that side's figures, or of the way from won to lost. */
  swing: number;
  /** A sentence. */
  text: string;
};

/** What is on a flag. */
export type Device = "plain" | "cross" | "union" | "saltire" | "bands" | "disc" | "flames" | "quarters";

/** What dice are. */
export type DiceRead = "hits" | "saves" | "sum";

/** It was done, and there is nothing more to say. */
export type Done = Record<string, unknown>;

/** A key an editor offers. */
export type DraftField = {
  /** The way to it, with `*` for what is picked: `turns`, `table.width`, `unit.*.leadership`, `objective.*.hold.score`. */
  path: string;
  /** What to call it. */
  label: string;
  /** What goes there. */
  form: FieldForm;
  /** The clause it rests on. */
  clause: string | null;
};

/** A scenario in the editor. */
export type DraftGiven = {
  /** The rule system. */
  ruleset: string;
  /** The file's text; none begins a new one. */
  text?: string | null;
  /** The edit to make. */
  edit?: Edit | null;
};

/** A side, as scenario files name it. */
export type DraftSide = {
  /** What stands under [`Drafting::side_key`]. */
  id: string;
  /** Its name in words. */
  name: string;
  /** What the ids of its new units begin with: `R` for `R1`, `R2`. */
  prefix: string;
};

/** Where things stand in a system's scenario files, and what may be put there. */
export type Drafting = {
  /** A scenario with an empty table, two sides and nothing else: the start of a new one. The loader may still refuse it for want of units; it must say so. */
  blank: string;
  /** The array of ground pieces: `terrain`. */
  terrain_key: string;
  /** The key of a piece's corners or points: `outline`. */
  points_key: string;
  /** The key of a line's points, where it is another: `line`. */
  line_key: string | null;
  /** Pieces that can be put on the table. */
  grounds: GroundKind[];
  /** The array of units: `unit`, `units`. */
  unit_key: string;
  /** The sides of the blank. */
  sides: DraftSide[];
  /** The array that names the file's own sides by `id` and `name`, where a file may call them what it likes. */
  sides_key: string | null;
  /** The key of a unit that names its side; none where a side is told by the first letters of the id. */
  side_key: string | null;
  /** Units that can be put on the table. */
  troops: TroopKind[];
  /** Everything else that a scenario is made of: objectives, zones, exits, crests, what is scored for. */
  features: FeatureKind[];
  /** Further keys of a unit, of the scenario or of a side that an editor offers as fields. */
  fields: DraftField[];
};

/** The form of a draw, for the schema. */
export type Draw = {
  /** What the rules asked for it for. */
  purpose: string;
  /** What came. */
  came: Drawn;
};

/** What a draw brought, for the schema. */
export type Drawn = {
  dice: number[];
} | {
  card: string;
};

/** A scenario as an editor shows it. */
export type Drawn2 = {
  /** The file's text. */
  text: string;
  /** The file given was of an older format; this is it in the present one. */
  anew: boolean;
  /** What the loader says against it; none when it can be played. */
  fault: FaultFacts | null;
  /** What stands on the table, as the file has it. */
  placed: Placed[];
  /** What could stand there and has no place in the file. */
  absent: Absent[];
  /** The corners of each piece of ground; none for one written in a way of its own. */
  ground: Array<Point[] | null>;
  /** Objectives, zones, exits, crests. */
  features: Feature[];
  /** The sides, as the file names them. */
  sides: DraftSide[];
  /** Width and depth of the table. */
  table: [number, number];
  /** What the file says, for forms. */
  file: unknown;
  /** The table; none when the file can't be drawn yet. */
  view: View | null;
};

/** A colour that cloth was dyed in; who draws knows the paint, and a hatching for those who tell no colours. */
export type Dye = "white" | "grey" | "black" | "red" | "crimson" | "rose" | "orange" | "yellow" | "straw" | "green" | "light_green" | "blue" | "light_blue" | "violet" | "brown";

/** One step of an editor. */
export type Edit = {
  do: "lay";
  /** Its kind, of [`tricorne_game::drafting::Drafting::grounds`]. */
  kind: string;
  /** Its corners, or the points of its line. */
  points: Point[];
} | {
  do: "reshape";
  /** Which, from 0. */
  piece: number;
  /** Its corners, or the points of its line. */
  points: Point[];
} | {
  do: "shift";
  /** Which, from 0. */
  piece: number;
  /** By how much. */
  by: Point;
} | {
  do: "lift";
  /** Which, from 0. */
  piece: number;
} | {
  do: "reground";
  /** The entries as TOML. */
  terrain: string;
} | {
  do: "place";
  /** Its kind, of [`tricorne_game::drafting::Drafting::troops`]. */
  troop: string;
  /** Its side, of [`tricorne_game::drafting::Drafting::sides`]. */
  side: string;
  /** Where. */
  at: Point;
  /** Which way it faces, if it does. */
  facing?: number | null;
} | {
  do: "move";
  /** The array it is in: `unit`. */
  array: string;
  /** Which of it, from 0. */
  nth: number;
  /** Where to. */
  at?: Point | null;
  /** Which way it shall face. */
  facing?: number | null;
} | {
  do: "remove";
  /** The array it is in: `unit`. */
  array: string;
  /** Which of it, from 0. */
  nth: number;
} | {
  do: "mark";
  /** Its kind, of [`tricorne_game::drafting::Drafting::features`]. */
  feature: string;
  /** Its points, as many as its extent needs. */
  points: Point[];
} | {
  do: "extend";
  /** Its kind. */
  feature: string;
  /** The way to it, or to one of its parts. */
  path: string;
  /** The corners of the new part. */
  points: Point[];
} | {
  do: "redraw";
  /** Its kind. */
  feature: string;
  /** The way to it, as [`crate::Feature::path`] tells. */
  path: string;
  /** Where its handles shall be. */
  points: Point[];
} | {
  do: "erase";
  /** Its kind. */
  feature: string;
  /** The way to it. */
  path: string;
} | {
  do: "set";
  /** The way to it, numbers for the n-th of an array: `turns`, `table.width`, `unit.3.leadership`. */
  path: string;
  /** The value as TOML: `8`, `"Kettle Brook"`, `true`. None takes the key away. */
  value?: string | null;
};

/** Which sessions to end. */
export type EndSessions = {
  /** One by its id; without it, all but the one that asks. */
  id?: string | null;
};

/** How a battle ended. */
export type Ending = {
  /** The side that won; none for a draw or a mutual defeat. */
  winner: Side | null;
  /** The grade in the system's words: `victory`, `marginal victory`, `draw`. */
  grade: string;
  /** Why, in a sentence. */
  reason: string;
  /** Each side's score, in the order of the sides. */
  scores: number[];
  /** The clause that ended it. */
  clause: string;
};

/** The body of an answer that is an error. */
export type ErrorBody = {
  error: ErrorText;
};

/** What went wrong. */
export type ErrorText = {
  /** A word for programs. */
  kind: string;
  /** A sentence for people. */
  why: string;
  /** The request's id, as in the header `x-request-id` and in the server's log. */
  request: string;
};

/** An evening so far. */
export type Evening = {
  /** How it is paired. */
  way: PairingWay;
  /** Everybody who plays, the strongest first where that is known. */
  players: string[];
  /** The rounds so far. */
  rounds?: AskedPair[][];
  /** Those of the players who have gone home: they are paired no more, and keep what they have. */
  gone?: string[];
};

/** An evening. */
export type EveningFacts = {
  /** What a list says of it. */
  evening: EveningLine;
  /** How it is paired. */
  way: PairingWay;
  /** Who plays. */
  players: string[];
  /** Those of them who have gone home. */
  gone: string[];
  /** The rounds so far. */
  rounds: Pair[][];
  /** How everybody stands, the best first. */
  table: Standing[];
  /** Whether it is kept by whoever asks. */
  yours: boolean;
};

/** An evening in a list. */
export type EveningLine = {
  /** Its id. */
  id: string;
  /** What it is called. */
  title: string;
  /** Who keeps it. */
  keeper: string | null;
  /** The season it belongs to. */
  season: string | null;
  /** When it was made, in milliseconds since 1970. */
  created: number;
  /** Whether it is over. */
  over: boolean;
  /** How many play. */
  players: number;
  /** How many rounds there are. */
  rounds: number;
};

/** What came of a game. */
export type EveningResult = {
  /** The round, from 1. */
  round: number;
  /** One of the two who played. */
  player: string;
  /** Who won; none if it was drawn, or is not over. */
  winner?: string | null;
  /** Whether it was drawn. */
  drawn?: boolean;
  /** The game on this server in which it is fought out: what comes of it is entered by itself. */
  game?: string | null;
};

/** How a thing lies on the table, by the keys that say so. A key that begins with `/` is looked up from the top of the file; one like `zone.0.edge` in an entry of a list. */
export type Extent = "nowhere" | {
  point: string;
} | {
  circle: [string, string];
} | {
  area: string;
} | {
  corners: string;
} | {
  line: string;
} | {
  edge: string;
} | {
  stretch: [string, string, string];
} | {
  strip: [string, string];
} | {
  level: string;
} | {
  on: string;
};

/** How a scenario falls out between equal players. */
export type Fairness = {
  /** Battles fought. */
  battles: number;
  /** Battles nobody won. */
  draws: number;
  /** Each side's share, a draw counted as half. */
  shares: number[];
  /** Where the first side's share lies with a confidence of 95 %. */
  interval: [number, number];
};

/** A scenario to be judged. */
export type FairnessAsked = {
  /** The rule system. */
  ruleset: string;
  /** The file's text. */
  text: string;
  /** How many battles; a hundred at most. */
  battles: number;
};

/** Something in a file that must be mended. */
export type FaultFacts = {
  /** The line, from 1, where known. */
  line: number | null;
  /** The place in the file's own terms: `units[3].kind`. */
  place: string;
  /** What is wrong and what was expected. */
  problem: string;
};

/** A feature as the file has it. */
export type Feature = {
  /** Its kind, of [`tricorne_game::drafting::Drafting::features`]. */
  kind: string;
  /** The way to its table: `objective.0.hold`. */
  path: string;
  /** Its name. */
  name: string;
  /** The points by which it is moved and reshaped; none while it has no place. */
  handles: Point[];
  /** What it covers, for drawing: corners of an area or points of a line. */
  outline: Point[];
  /** Whether the outline is that of an area. */
  closed: boolean;
};

/** A kind of thing that is neither ground nor troops: an objective, a zone, an exit, the crest of a hill. */
export type FeatureKind = {
  /** Its id here. */
  id: string;
  /** Its name. */
  name: string;
  /** The way to the table that holds it, with `*` for one of an array: `objective.*.hold`, `victory.marker.*`, `home`. */
  path: string;
  /** Keys that tell it from others on the same way, as TOML: `kind = "hold"`. A new one gets them. */
  told_by: string;
  /** Further keys of a new one, as TOML: `score = 10`. */
  body: string;
  /** What its `id` begins with, if it has one. */
  id_prefix: string | null;
  /** The key of its `id`, where that is called otherwise: `name`. */
  id_key: string;
  /** How it lies on the table. */
  extent: Extent;
  /** What it comes and goes with. */
  belongs: Belongs;
  /** The clause it rests on. */
  clause: string | null;
};

/** What goes into a field. */
export type FieldForm = "text" | {
  whole: [number, number];
} | {
  number: [number, number];
} | "switch" | {
  one_of: string[];
} | {
  named: string;
};

/** One base. */
export type FigureView = {
  /** Its footprint. */
  shape: Shape;
  /** Which way the toy looks. */
  facing: number;
  /** What stands on it. */
  role: Role;
};

/** A flag in a few strokes: what is told of it from across a table. No colour is alone, each device has a form of its own. */
export type Flag = {
  /** The cloth. */
  field: Dye;
  /** What is on it. */
  charge: Dye;
  /** Its form. */
  device: Device;
  /** The regiment's own colour in it. */
  own?: Dye | null;
};

/** A wish to go on from a moment of another game. */
export type ForkGame = {
  /** After how many actions. */
  n?: number;
  /** The seed of the dice from there, where the server takes one. */
  seed?: string | null;
  /** Who sits where; without it, everybody at this screen. */
  seats?: SeatWish[];
  /** What to call it. */
  title?: string | null;
  /** Whether it is in the public list; without it, if a seat is open. */
  public?: boolean | null;
  /** Whether strangers who know its id may watch; they may if nothing is said. */
  watch?: boolean | null;
  /** A clock. */
  clock?: AskedClockRule | null;
};

/** The game that another goes on from. */
export type ForkedFrom = {
  /** Its id. */
  game: string;
  /** After how many actions. */
  n: number;
};

/** What goes on paper, and in which form. */
export type Form = "html" | "pdf";

/** What anybody who knows its id may know of a game. */
export type GameFacts = {
  /** Its id. */
  id: string;
  /** The rule system. */
  ruleset: string;
  /** The scenario's id, or its file's name. */
  scenario: string;
  /** What the players call it. */
  title: string;
  /** When it was made, in milliseconds since 1970. */
  created: number;
  /** `playing`, `finished`, `closed` or `replay`. */
  status: string;
  /** How many actions have been taken. */
  n: number;
  /** The seat that must decide. */
  waiting: Seat | null;
  /** Whether it is in the public list. */
  public: boolean;
  /** Whether strangers may watch. */
  watch: boolean;
  /** The SHA-256 of the seed. */
  commitment: string;
  /** The seed, once the battle is over. */
  seed: string | null;
  /** Whether the seed was chosen by whoever made the game, so that the dice are not fair. */
  seed_chosen: boolean;
  /** The game it goes on from. Its dice from there are its own. */
  forked_from: ForkedFrom | null;
  /** The clock, if there is one. */
  clock: ClockRule | null;
  /** House rules as they are played, by name: those of the scenario, and over them what was chosen for this game. */
  options: Record<string, string>;
  /** How it ended. */
  ending: Ending | null;
  /** Who sits where. */
  seats: SeatFacts[];
};

/** Ground by chance. */
export type Ground = {
  /** The entries of a scenario file. */
  terrain: string;
};

/** A kind of ground. */
export type GroundKind = {
  /** Its id here: its kind, unless there are several of one kind. */
  id: string;
  /** The `kind` in the file. */
  kind: string;
  /** Its name. */
  name: string;
  /** How it is drawn. */
  look: Look;
  /** An area (true) or a line (false). */
  closed: boolean;
  /** Other keys a new piece gets, as TOML: `level = 1`. */
  extra: string;
};

/** One action and what came of it, as one connection may know it. */
export type Happened = {
  /** Its number, from 1; 0 is what was rolled before the first. */
  n: number;
  /** Who decided. */
  seat: Seat | null;
  /** What happened. An event with `only` is for those of your seats that are in it. */
  events: Told[];
  /** The dice and cards, in order. */
  draws: Draw[];
  /** The seats of yours that may know the dice and cards; empty means all of them. */
  draws_only?: Seat[];
  /** The ways units went, with an action that has just been taken. */
  ways?: Way[];
};

/** How a server is. */
export type Health = {
  /** The version of the program. */
  version: string;
};

/** A game that somebody has a link of. */
export type Held = {
  /** Its id. */
  id: string;
  /** The token of one's seat. */
  token?: string | null;
};

/** Who we are. */
export type Hello = {
  /** The token of our seat or seats. */
  token?: string | null;
  /** Further tokens. */
  tokens?: string[];
  /** How much of the view each `state` has. */
  views?: Views;
  /** Up to which action the events are known to us already. */
  since?: number;
  /** Whether long messages may come packed: as binary frames, gzip of the same text. */
  packed?: boolean;
};

/** A refused action: the clause that forbids it and why. The battle is as it was. */
export type Illegal = {
  /** The clause of the rulebook. */
  clause: string;
  /** Why, in words that tell what would be allowed. */
  why: string;
};

/** A wish for an open seat. */
export type JoinGame = {
  /** Which. */
  seat: Seat;
  /** What the player is called. */
  name?: string | null;
};

/** A seat taken. */
export type Joined = {
  /** Which. */
  seat: Seat;
  /** The token that plays it, told here and never again. */
  token: string;
  /** And the link that carries it. */
  link: string;
};

/** What the lengths of a rule system are counted in. */
export type LengthUnit = "inch" | "centimetre";

/** The light a picture is drawn for. */
export type Light = "light" | "dark";

/** Games to join or to watch, and one's own. */
export type Listed = {
  /** Public games being played, those with an open seat first. */
  open: GameFacts[];
  /** Games of the person logged in, those that wait for them first. */
  mine: MyGame[];
};

/** Colours a side is drawn in; the picture knows the paint. */
export type Livery = "red" | "blue" | "black" | "white" | "khaki" | "ochre" | "green";

/** What a client says on `/api/live`. */
export type LobbyAsk = {
  watch: {
    /** Games we hold a token of. */
    games?: Held[];
  };
} | {
  ping: Record<string, never>;
};

/** What the server says on `/api/live`. */
export type LobbySay = {
  games: {
    /** The games, those that wait for us first. */
    list: News[];
  };
} | {
  news: News;
} | {
  refused: Refused;
} | {
  pong: Record<string, unknown>;
};

/** What a piece of ground looks like. */
export type Look = "wood" | "forest" | "palms" | "scrub" | "grass" | "crops" | "rocks" | "ruins" | "rough" | "donga" | "marsh" | "water" | "shallows" | "hill" | "steep_hill" | "cliff" | "building" | "town" | "road" | "crossing" | "fence" | "hedge" | "wall" | "earthwork" | "abatis" | "stream";

/** A game made. */
export type MadeGame = {
  /** Its id. */
  id: string;
  /** The token of whoever made it, if they sit anywhere. */
  token: string | null;
  /** And the link that carries it. */
  link: string | null;
  /** Each seat. */
  seats: MadeSeat[];
};

/** A seat of a game made. */
export type MadeSeat = {
  /** Its number. */
  seat: Seat;
  /** As it was wished. */
  kind: string;
  /** The token that plays it, told here and never again. */
  token: string | null;
  /** And the link that carries it, to send to a friend. */
  link: string | null;
};

/** A state a unit is in. */
export type Marker = {
  /** A short word: `pinned`, `disordered`, `red`, `orders: attack`. */
  kind: string;
  /** How many, if that matters. */
  count: number;
  /** How it is drawn. */
  tone: Tone;
  /** The clause it rests on. */
  clause: string | null;
};

/** A number that goes into a total, with its reason and its clause. */
export type Modifier = {
  /** How much. */
  value: number;
  /** Why, in a few words. */
  reason: string;
  /** The clause of the rulebook. */
  clause: string;
};

/** The moment after an action. */
export type Moment = {
  /** How many actions have been taken. */
  n: number;
  /** Who took the last of them. */
  seat: Seat | null;
  /** What it was; not told while the battle is being fought. */
  action: unknown;
  /** What came of it, as far as the asker may know. Nothing is a secret once the battle is over. */
  events: Told[];
  /** The dice and cards. */
  draws: Draw[];
  /** The ways units went. */
  ways?: Way[];
  /** Figures and units on the table, by side. */
  strength: Array<[number, number]>;
  /** Figures lost so far, by side: fallen, or gone from the table with their unit. */
  lost: number[];
  /** How the battle stands for each side, from -1 to 1, as the system judges it; empty while it is being fought. */
  standing: number[];
  /** Where in the battle it is. */
  clock: Clock;
};

/** A wish for an army by chance. */
export type Muster = {
  /** The rule system. */
  ruleset: string;
  /** The list; none picks one by chance. */
  list?: string | null;
  /** The points; none takes the list's own. */
  points?: number | null;
  /** The seed of the dice. */
  seed: string;
};

/** A game of the person logged in. */
export type MyGame = {
  /** Its id. */
  id: string;
  /** The rule system. */
  ruleset: string;
  /** The scenario's id, or its file's name. */
  scenario: string;
  /** What the players call it. */
  title: string;
  /** When it was made, in milliseconds since 1970. */
  created: number;
  /** `playing`, `finished`, `closed` or `replay`. */
  status: string;
  /** How many actions have been taken. */
  n: number;
  /** The seat that must decide. */
  waiting: Seat | null;
  /** Whether it is in the public list. */
  public: boolean;
  /** Whether strangers may watch. */
  watch: boolean;
  /** The SHA-256 of the seed. */
  commitment: string;
  /** The seed, once the battle is over. */
  seed: string | null;
  /** Whether the seed was chosen by whoever made the game, so that the dice are not fair. */
  seed_chosen: boolean;
  /** The game it goes on from. Its dice from there are its own. */
  forked_from: ForkedFrom | null;
  /** The clock, if there is one. */
  clock: ClockRule | null;
  /** House rules as they are played, by name: those of the scenario, and over them what was chosen for this game. */
  options: Record<string, string>;
  /** How it ended. */
  ending: Ending | null;
  /** Who sits where. */
  seats: SeatFacts[];
  /** The seats they play. */
  your_seats: Seat[];
  /** Whether the decision is theirs. */
  yours: boolean;
};

/** A wish for an evening. */
export type NewEvening = {
  /** What it is called, 1 to 100 characters. */
  title: string;
  /** How it is paired. */
  way: PairingWay;
  /** Who plays, the strongest first where that is known; a name each, 1 to 40 characters. */
  players: string[];
  /** The id of the season it belongs to. */
  season?: string | null;
};

/** A wish for a new game. */
export type NewGame = {
  /** The rule system. */
  ruleset?: string;
  /** A scenario of its rulebook, by id. */
  scenario?: string | null;
  /** Or the TOML of a scenario. */
  text?: string | null;
  /** House rules by name. */
  options?: Record<string, string>;
  /** Rulebook files of the player's own: text by file name. */
  data?: Record<string, string>;
  /** The seed, where the server takes one. */
  seed?: string | null;
  /** Who sits where; without it, everybody at this screen. */
  seats?: SeatWish[];
  /** What to call it. */
  title?: string | null;
  /** Whether it is in the public list; without it, if a seat is open. */
  public?: boolean | null;
  /** Whether strangers who know its id may watch; they may if nothing is said. */
  watch?: boolean | null;
  /** A clock. */
  clock?: AskedClockRule | null;
};

/** A new password in place of the old. */
export type NewPassword = {
  /** The password so far. */
  old: string;
  /** The password from now on, 8 to 200 characters. */
  new: string;
};

/** A wish for a token. */
export type NewToken = {
  /** For how many days; a year at most. */
  days: number;
};

/** Where a game stands, for a list and a badge. */
export type News = {
  /** The game's id. */
  game: string;
  /** What the players call it. */
  title: string;
  /** The rule system. */
  ruleset: string;
  /** `playing`, `finished`, `closed` or `replay`. */
  status: string;
  /** How many actions have been taken. */
  n: number;
  /** The seat that must decide. */
  waiting: Seat | null;
  /** The seats we play. */
  your_seats: Seat[];
  /** Whether the decision is ours. */
  yours: boolean;
};

/** The next round and how everybody stands. */
export type NextRound = {
  /** Who plays whom; empty when everybody has met everybody. */
  pairs: Pair[];
  /** How everybody stands, the best first. */
  table: Standing[];
};

/** A line of text with the clause it rests on. */
export type Note = {
  /** A word or two: `Leadership`. */
  label: string;
  /** The text: `7+`. */
  text: string;
  /** The clause, if there is one. */
  clause: string | null;
};

/** Nothing to say. */
export type Nothing = Record<string, never>;

/** What one sort of event can bring. */
export type OddsLine = {
  /** The event. */
  what: string;
  /** The unit it is about. */
  who: string | null;
  /** And the other unit. */
  whom: string | null;
  /** Each way it can come out. */
  ways: OddsWay[];
};

/** One way an event can come out. */
export type OddsWay = {
  /** How it came out. */
  outcome: string | null;
  /** The total or the hits. */
  made: number | null;
  /** How likely, from 0 to 1. */
  p: number;
  /** With 95 % confidence it is no further off than this; 0 where it is exact. */
  give: number;
};

/** One option of a rulebook. */
export type OptionSpec = {
  /** Its name. */
  id: string;
  /** The value when nobody says otherwise. */
  default: string;
  /** The other values. The single value `number` stands for any whole number from 0. */
  others: string[];
  /** The clause or clauses it switches. */
  clauses: string[];
  /** What it is about, in a line. */
  about: string;
};

/** A shape drawn over the table. */
export type Overlay = {
  /** What it shows: `short range`, `command radius`, `path`, `ghost`. */
  kind: string;
  /** The shape. */
  shape: OverlayShape;
  /** A word to write beside it. */
  label: string | null;
};

/** The shape of an overlay. */
export type OverlayShape = {
  outline: Point[];
} | {
  path: Point[];
} | {
  circle: {
    /** Its middle. */
    centre: Point;
    /** Its radius. */
    radius: number;
  };
} | {
  bases: Shape[];
};

/** A scenario file of somebody's own. */
export type OwnScenario = {
  /** The file's name, for what is said about it. */
  name: string;
  /** Its TOML. */
  text: string;
};

/** A game of an evening. */
export type Pair = {
  /** The first player, who has the first side. */
  first: string;
  /** The second; none has a round off, which counts as won. */
  second: string | null;
  /** Who won; none while it is not known, or drawn. */
  winner: string | null;
  /** Whether it is over. */
  over: boolean;
  /** The game on this server in which it is fought out, if it is. */
  game: string | null;
};

/** How an evening is paired. */
export type PairingWay = "swiss" | "round_robin";

/** A size of paper. */
export type Paper = "a4" | "letter";

/** What the battle waits for. */
export type Pending = {
  decision: {
    /** Whose decision it is. */
    seat: Seat;
    /** The kind of decision, a short name of the system's own: `declare`, `move`, `follow_up`. */
    kind: string;
    /** The unit it is about, if it is about one. */
    unit: UnitId | null;
    /** What is being asked, in a sentence. */
    prompt: string;
  };
} | {
  over: Ending;
};

/** Somebody logged in. */
export type Person = {
  /** The name. */
  name: string;
};

/** Two armies to be pitched against each other. */
export type Pitch = {
  /** The armies. */
  armies: [AskedArmy, AskedArmy];
  /** The seed of the ground; none is an open table. */
  terrain?: string | null;
  /** Width and depth of the table; none is the usual one. */
  table?: [number, number] | null;
};

/** Somebody on the board. */
export type Place = {
  /** The name, or `program:LEVEL`. */
  name: string;
  /** Whether it is a program. */
  program: boolean;
  /** The rating; 1500 is where everybody begins. */
  rating: number;
  /** It is within twice this of the truth, in 95 of 100 cases. */
  deviation: number;
  /** Whether enough was played for a place. */
  placed: boolean;
  /** Battles won. */
  won: number;
  /** Drawn. */
  drawn: number;
  /** Lost. */
  lost: number;
};

/** Something placed on the table, as the file has it. */
export type Placed = {
  /** The array it is in. */
  array: string;
  /** Which of it, from 0. */
  nth: number;
  /** Its id, if it has one. */
  id: string | null;
  /** Where it is. */
  at: Point;
  /** Which way it faces, if the file says. */
  facing: number | null;
};

/** A place or a displacement; written `[x, y]` in files. */
export type Point = [number, number];

/** A place and a facing. */
export type Pose = {
  /** Where it stands. */
  at: Point;
  /** Which way it looks, in degrees clockwise from north. */
  facing: number;
};

/** Who is in a seat. */
export type Present = {
  /** The seat. */
  seat: Seat;
  /** `person`, `open` or `program:LEVEL`. */
  kind: string;
  /** What the player is called. */
  name: string;
  /** Whether somebody is connected for it; programs always are. */
  here: boolean;
};

/** What an action would come to, before it is taken: nothing in it depends on a die. */
export type Preview = {
  /** Length or cost used, in the table's unit. */
  cost: number | null;
  /** Of how much. */
  allowance: number | null;
  /** Shapes where the unit would stand, the way it would go, what it would touch. */
  overlays: Overlay[];
  /** Remarks: halted by a fence, ends in cover, comes into charge range. */
  notes: Remarks;
};

/** An army to be printed. */
export type PrintArmy = {
  /** The army. */
  army: AskedArmy;
  /** Roster, counters or labels. */
  sheet?: Sheet;
  /** HTML or PDF. */
  form?: Form;
  /** The paper's size; without it, A4. */
  paper?: Paper | null;
};

/** The ground that a unit can reach in the pending decision. */
export type Reach = {
  /** By which family of answers (see [`Space::action`]). */
  action: string;
  /** Where it would come to stand, direction by direction clockwise from north; its own place where it can't go that way. */
  ends: Point[];
};

/** An army with its file and its reckoning. */
export type Reckoned = {
  /** The army. */
  army: Army;
  /** Its file. */
  text: string;
  /** What it costs and which limits it breaks. */
  report: ArmyReport;
};

/** One chart. */
export type ReferenceChart = {
  /** Its heading: `Firing`. */
  title: string;
  /** Column heads; empty for a plain list. */
  head: string[];
  /** Rows, each as long as the head where there is one. */
  rows: string[][];
  /** The clause it rests on. */
  clause: string;
};

/** A quick-reference sheet: the charts of a system as played. */
export type ReferenceSheet = {
  /** The system's title. */
  title: string;
  /** Its charts. */
  charts: ReferenceChart[];
};

/** Why a request changed nothing. */
export type Refused = {
  /** A word for programs. */
  kind: string;
  /** A sentence for people. */
  why: string;
  /** The clause that forbids it. */
  clause: string | null;
  /** The seat that must decide, if it is another's decision. */
  seat: Seat | null;
};

/** A remark, and the clause that makes it so where one does. */
export type Remark = {
  /** In a few words: `halted by a fence`. */
  text: string;
  /** The clause. */
  clause?: string | null;
};

/** Remarks in the order they were made. */
export type Remarks = Remark[];

/** A battle looked back on, moment by moment. */
export type ReplayFacts = {
  /** The game. */
  game: GameFacts;
  /** The path of its replay page; whoever has it needs no account. */
  link: string;
  /** Whether it is over: then nothing is a secret any more, and it can be played on from any moment. */
  over: boolean;
  /** What was published of the seed at the start. */
  commitment: string;
  /** The seed, once it is over. */
  seed: string | null;
  /** Whether the one is the hash of the other, once it is over. */
  seed_fits: boolean | null;
  /** The seeds of all its dice, once it is over: a battle that went on from another has the other's first. */
  seeds: SeedFacts[];
  /** The sides, in order, as a sentence calls them: `the French`, `Red`. */
  sides: string[];
  /** How it ended; an uploaded journal may stop before. */
  ending: Ending | null;
  /** The moment after each action, that before the first included. */
  moments: Moment[];
  /** Where it turned, in order. */
  decisive: Decisive[];
};

/** What a client says: one request, with a number of its own that comes back with the answer. */
export type Request = {
  /** Comes back with the answer. */
  id?: number | null;
} & ({
  hello: Hello;
} | {
  legal: Record<string, never>;
} | {
  check: {
    /** The action, in its system's form. */
    action: unknown;
  };
} | {
  preview: {
    /** The action. */
    action: unknown;
  };
} | {
  candidates: {
    /** At most so many. */
    n: number;
  };
} | {
  counsel: {
    /** At most so many. */
    n: number;
  };
} | {
  odds: {
    /** The action. */
    action: unknown;
  };
} | {
  steer: Wish;
} | {
  reach: {
    /** The unit. */
    unit: UnitId;
  };
} | {
  sight: {
    /** The unit that looks. */
    from: UnitId;
    /** The unit looked for. */
    to: UnitId;
  };
} | {
  courses: {
    /** The unit. */
    unit: UnitId;
  };
} | {
  picture: {
    /** By day or by night. */
    light?: Light;
    /** The ground alone, with the symbols of all toys for whoever draws the units on it. */
    ground?: boolean;
  };
} | {
  act: {
    /** How many actions were taken before it. */
    n: number;
    /** The action. */
    action: unknown;
    /** How many were taken back before it, to be sure. */
    take_backs?: number | null;
  };
} | {
  take_back: {
    /** How many actions were taken, the one to take back included. */
    n: number;
  };
} | {
  draw: {
    /** Whether we would leave it drawn. */
    agree: boolean;
  };
} | {
  look: {
    /** The seat; none is a spectator. */
    seat?: Seat | null;
  };
} | {
  chat: {
    /** At most 500 characters. */
    text: string;
  };
} | {
  ping: Record<string, never>;
});

/** What stands on a base. */
export type Role = "foot" | "horse" | "leader" | "mounted_leader" | "ensign" | "crew" | "gun" | "limbered_gun" | "machine_gun" | {
  foot_stand: number;
} | {
  horse_stand: number;
} | "wagon" | "general";

/** A rule system. */
export type Ruleset = {
  /** Its id. */
  id: string;
  /** Its title. */
  title: string;
  /** One line about it. */
  blurb: string;
  /** `inch` or `cm`, as the view has it. */
  unit: unknown;
  /** The revision of its rules. */
  revision: number;
  /** Ids of its scenarios. */
  scenarios: string[];
  /** Its options. */
  options: OptionSpec[];
};

/** What the server says. */
export type Saying = {
  /** The number of the request it answers. */
  id?: number | null;
} & ({
  welcome: {
    /** The game. */
    game: GameFacts;
    /** The seats you play. */
    your_seats: Seat[];
  };
} | {
  state: State;
} | {
  events: {
    /** After this action. */
    from: number;
    /** Up to this one. */
    to: number;
    /** Action by action. */
    turned: Happened[];
  };
} | {
  acted: {
    /** Its number: so many actions have been taken now. */
    n: number;
  };
} | {
  taken_back: {
    /** How many are left. */
    n: number;
    /** Whose it was. */
    seat: Seat;
  };
} | {
  legal: {
    /** At which action. */
    n: number;
    /** Every answer that can be listed. */
    listed: unknown[];
    /** Families of answers with a place or a path in them. */
    spaces: Space[];
  };
} | {
  checked: {
    /** At which action. */
    n: number;
  };
} | {
  preview: {
    /** At which action. */
    n: number;
    /** Cost, shapes, remarks. */
    preview: Preview;
  };
} | {
  candidates: {
    /** At which action. */
    n: number;
    /** The answers. */
    list: unknown[];
  };
} | {
  counsel: {
    /** At which action. */
    n: number;
    /** The answers. */
    list: Counselled[];
  };
} | {
  odds: {
    /** At which action. */
    n: number;
    /** From how many samples, where there are too many ways to walk them all; none where the odds are exact. */
    samples: number | null;
    /** Whether others are asked on the way, and the odds suppose that they answer as a subaltern would. */
    supposed: boolean;
    /** Line by line. */
    lines: OddsLine[];
  };
} | {
  steer: {
    /** At which action. */
    n: number;
    /** The answer; none when nothing of the kind is legal now. */
    action: unknown;
    /** Where the unit would stand after it. */
    end: Pose | null;
    /** Why it does not end as wished; none when it does. */
    why: Illegal | null;
    /** What the answer would come to. */
    preview: Preview | null;
  };
} | {
  reach: {
    /** At which action. */
    n: number;
    /** The unit. */
    unit: UnitId;
    /** How far it would come each way; none where nothing takes it anywhere. */
    reach: Reach | null;
  };
} | {
  sight: {
    /** At which action. */
    n: number;
    /** The line; none where the rules have nothing to say of these two, or one is not on the table. */
    sight: Sight | null;
  };
} | {
  courses: {
    /** At which action. */
    n: number;
    /** The unit. */
    unit: UnitId;
    /** Each kind of answer. */
    list: Course[];
  };
} | {
  picture: {
    /** At which action. */
    n: number;
    /** The drawing; its root says where the table lies in it (`data-table`, `data-scale`). */
    svg: string;
  };
} | {
  refused: Refused;
} | {
  chat: {
    /** Line by line. */
    lines: ChatLine[];
  };
} | {
  presence: {
    /** Each seat. */
    seats: Present[];
    /** How many watch. */
    watching: number;
  };
} | {
  draw: {
    /** The seats that would leave it drawn; none where nothing is offered (any more). */
    offered: Seat[];
    /** Who declined the offer, if that is what became of it. */
    declined: Seat | null;
  };
} | {
  over: {
    /** How it ended. */
    ending: Ending | null;
    /** The seed of all its dice and cards. */
    seed: string;
    /** The SHA-256 of the seed, as it was published at the start. */
    commitment: string;
  };
} | {
  pong: Record<string, unknown>;
});

/** A scenario. */
export type Scenario = {
  /** Its id. */
  id: string;
  /** The rule system. */
  ruleset: string;
  /** Its title. */
  title: string;
  /** Who sits at the table. */
  seats: SeatInfo[];
  /** The names of the sides. */
  sides: string[];
  /** Who comes out ahead between equal programs and how often, where it is not about even. */
  favours: string | null;
};

/** A scenario file. */
export type ScenarioFile = {
  /** The TOML. */
  text: string;
};

/** A scenario with its text and its table. */
export type ScenarioPage = {
  /** Its id. */
  id: string;
  /** The rule system. */
  ruleset: string;
  /** Its title. */
  title: string;
  /** Who sits at the table. */
  seats: SeatInfo[];
  /** The names of the sides. */
  sides: string[];
  /** Who comes out ahead between equal programs and how often, where it is not about even. */
  favours: string | null;
  /** The TOML. */
  text: string;
  /** What its file says of it, in a sentence or two; empty where it says nothing. */
  story: string;
  /** What a spectator sees before the first action. Where a scenario rolls for something, this is one way it may fall. */
  view: View;
};

/** A season. */
export type SeasonFacts = {
  /** Its id. */
  id: string;
  /** What it is called. */
  title: string;
  /** The rule system. */
  ruleset: string;
  /** When it begins, in milliseconds since 1970. */
  begins: number;
  /** When it ends. */
  ends: number;
};

/** What somebody has won in a season. */
export type SeasonLine = {
  /** Who. */
  player: string;
  /** A game won counts one, one drawn a half. */
  score: number;
  /** Games that are over. */
  games: number;
  /** Evenings played on. */
  evenings: number;
};

/** How a season stands. */
export type SeasonPage = {
  /** The season. */
  season: SeasonFacts;
  /** How strong people and programs are, by the battles fought out in its time. */
  ratings: Board;
  /** What everybody has won on its evenings, the best first. */
  table: SeasonLine[];
  /** Its evenings, the oldest first. */
  evenings: EveningLine[];
};

/** One decision maker. With two players seat and side are the same number; a team has several seats on a side. */
export type Seat = number;

/** Who sits in a seat. */
export type SeatFacts = {
  /** Its number. */
  seat: Seat;
  /** The side it plays for. */
  side: Side;
  /** What the scenario calls it. */
  seat_name: string;
  /** `person`, `open` or `program:LEVEL`. */
  kind: string;
  /** What the player is called. */
  name: string;
  /** Whether the player has a name and password here. */
  user: boolean;
};

/** A seat at the table. */
export type SeatInfo = {
  /** Its number. */
  seat: Seat;
  /** The side it plays for. */
  side: Side;
  /** `Imperial`, `Red, Commanding General`. */
  name: string;
};

/** Who shall sit in a seat. */
export type SeatWish = {
  /** `me`, `hotseat`, `link`, `open` or `program:LEVEL`. */
  kind: string;
  /** What the player is called. */
  name?: string | null;
};

/** A seed that dice came from. */
export type SeedFacts = {
  /** After how many actions the first of them came. */
  after: number;
  /** The seed, as 64 hexadecimal digits. */
  seed: string;
  /** Its SHA-256. */
  commitment: string;
};

/** A session of one's own. */
export type SessionFacts = {
  /** What it is called when it is to be ended. */
  id: string;
  /** When it began, in milliseconds since 1970, where that was kept. */
  began: number | null;
  /** When it ends by itself. */
  ends: number;
  /** Whether it is the one that asks. */
  here: boolean;
};

/** A convex outline on the table. */
export type Shape = {
  shape: "disc";
  /** Its middle. */
  centre: Point;
  /** From the middle to the rim. */
  radius: number;
} | {
  shape: "pill";
  /** One end of the segment. */
  a: Point;
  /** The other end of the segment. */
  b: Point;
  /** How far it is swollen. */
  radius: number;
} | {
  shape: "rect";
  /** Its middle. */
  centre: Point;
  /** Which way its front looks. */
  facing: number;
  /** Along the front. */
  width: number;
  /** From front to rear. */
  depth: number;
} | {
  shape: "hull";
  /** Its corners. */
  corners: Point[];
  /** How far it is swollen. */
  radius: number;
};

/** Which paper of an army is wanted. */
export type Sheet = "roster" | "counters" | "labels";

/** One of the two (or more) sides of a battle, in the order the system lists them. */
export type Side = number;

/** One side. */
export type SideView = {
  /** Its name. */
  name: string;
  /** The colours it is drawn in. */
  livery: Livery;
  /** The flag it fights under, where the rulebook's data say. */
  flag?: Flag | null;
  /** Its score in words, if the scenario keeps one as it goes. */
  score: string | null;
  /** Anything else kept for a side: command points, army morale, units lost. */
  tallies: Note[];
};

/** Whether one unit sees another. */
export type Sight = {
  /** Whether it does. */
  clear: boolean;
  /** The line that shows it: the clear one, or the one that comes nearest to being clear. */
  line: [Point, Point];
  /** What is in the way, and the clause that says so; none when it is clear. */
  why: Illegal | null;
};

/** A family of answers with a place or a path in them. */
export type Space = {
  /** The action's name: `move`, `deploy`, `wheel`. */
  action: string;
  /** The unit that goes. */
  unit: UnitId | null;
  /** How far it may go, in the table's unit, where that is one number. */
  allowance: number | null;
  /** What the answer looks like, in words. */
  shape: string;
};

/** How somebody stands. */
export type Standing = {
  /** Who. */
  player: string;
  /** A game won counts one, one drawn a half. */
  score: number;
  /** The scores of everybody they have met, together: of two with the same score, who met the stronger is before. */
  met: number;
  /** Games that are over. */
  games: number;
};

/** Where the battle stands, as one connection may know it. */
export type State = {
  /** How many actions have been taken. */
  n: number;
  /** How many were taken back. */
  take_backs: number;
  /** The seat the view is of; none is a spectator. */
  seat: Seat | null;
  /** The seats you play. */
  your_seats: Seat[];
  /** Whether the pending decision is yours. */
  yours: boolean;
  /** What is being waited for. */
  pending: Pending;
  /** Whether seats of yours know different things of the table: who shares a screen must look away. */
  hidden: boolean;
  /** Whether the last action can be taken back by you, as far as that is known before trying. */
  can_take_back: boolean;
  /** The whole view. */
  view: View | null;
  /** Or what changed since the last one. */
  changes: Changes | null;
  /** The clock, if there is one. */
  clock: ClockState | null;
};

/** The table's size. */
export type TableView = {
  /** West to east. */
  width: number;
  /** South to north. */
  height: number;
  /** Inches or centimetres. */
  unit: LengthUnit;
};

/** Where a clause comes from. */
export type Tag = "source" | "reading" | "house";

/** A piece of ground. */
export type TerrainView = {
  /** Its id in the scenario. */
  id: string;
  /** The rule system's word for it: `tall grass`. */
  kind: string;
  /** How to draw it. */
  look: Look;
  /** Corners of an area, or points of a line. */
  points: Point[];
  /** An area (true) or a line (false). */
  closed: boolean;
  /** Width of a road or stream drawn along a line; 0 otherwise. */
  width: number;
  /** Height of a hill, in levels; 0 otherwise. */
  level: number;
  /** The highest point of a hill that has one. */
  peak: Point | null;
  /** What it does, in words with clauses. */
  notes: Note[];
};

/** A marker that belongs to no unit. */
export type Token = {
  /** What it is: `objective`, `arrival point`. */
  kind: string;
  /** What to write beside it. */
  label: string;
  /** Where. */
  at: Point;
  /** A ring round it, if it has a reach. */
  radius: number | null;
  /** The side that holds it. */
  side: Side | null;
};

/** A token, told here and never again. It is one of one's sessions, and ends with them. */
export type Token2 = {
  /** The token. */
  token: string;
  /** When it ends, in milliseconds since 1970. */
  ends: number;
};

/** An event with its sentence. */
export type Told = {
  /** The sentence, with every die, modifier and clause. */
  text: string;
  /** The same for whoever shows faces, modifiers and clauses beside it: of the dice only what came of them. */
  brief: string;
  /** The same without its dice, where it has any: who did what to whom, and what came of it. */
  gist?: string | null;
  /** It only announces what comes: a turn, a phase. */
  heading?: boolean;
  /** Whoever tells of the whole battle would not leave it out. */
  notable?: boolean;
  /** What its dice are: those that hit, those that save, or a sum; none where they say something by themselves. */
  dice?: DiceRead | null;
  /** A message id of the system's own: `fire`, `pinning`, `retreat`. The story book tells it in words. */
  what: string;
  /** How it came out, if that matters for the telling: `passed`, `failed`, `draw`. */
  outcome?: string | null;
  /** To whom: the unit it is about. */
  who?: UnitId | null;
  /** And the other unit, if there is one. */
  whom?: UnitId | null;
  /** The faces rolled, in order. */
  faces?: number[];
  /** What each die needed, or the total. */
  needed?: number | null;
  /** What was added to the roll, each with its reason and clause. */
  modifiers?: Modifier[];
  /** The modified total made, or the hits. */
  made?: number | null;
  /** Anything else the telling needs. */
  data?: Record<string, unknown>;
  /** The clauses applied. */
  clauses?: string[];
  /** The seats that may know; empty means everyone. */
  only?: Seat[];
};

/** The tone of a marker: never colour alone, each has a shape of its own as well. */
export type Tone = "good" | "fair" | "bad" | "plain";

/** A kind of unit. */
export type TroopKind = {
  /** Its id here. */
  id: string;
  /** Its name. */
  name: string;
  /** How it is drawn. */
  arm: Arm;
  /** The sides it may belong to; empty for any. */
  sides: string[];
  /** The array it goes into, if not [`Drafting::unit_key`]: generals, commanders. */
  array: string | null;
  /** The keys of a new one but `id`, `at`, `facing` and the side, as TOML: `kind = "RI"`. What is placed need not be a unit: an objective or an arrival point is placed in the same way. */
  body: string;
  /** The key of its place; `at` for units. */
  place_key: string;
  /** Whether it has a `facing`. */
  faces: boolean;
};

export type UnitId = string;

/** A unit as seen. */
export type UnitView = {
  /** Its id. */
  id: UnitId;
  /** Its name: `Natal horse`. */
  name: string;
  /** The rule system's word for what it is: `Irregular Cavalry`. */
  kind: string;
  /** Whose it is. */
  side: Side;
  /** The seat that commands it. */
  seat: Seat;
  /** What sort of toy stands there. */
  arm: Arm;
  /** On the table (true), or gone or still to come. */
  on_table: boolean;
  /** Where it is measured from: anchor or front centre. */
  at: Point;
  /** Which way it faces, if it does. */
  facing: number | null;
  /** Each base. */
  figures: FigureView[];
  /** The ground it covers, for picking and labels. */
  outline: Point[];
  /** Figures or stands left, and at the start. */
  strength: [number, number];
  /** Its states: pinned, disordered, close order, orders, colour of resolve. */
  markers: Marker[];
  /** Its card: values in words. */
  notes: Note[];
  /** The group it acts with, where the rules have groups that answers name. */
  group?: UnitId | null;
  /** Arcs, ranges, command radius and reach, drawn when the unit is picked. */
  overlays: Overlay[];
  /** The facings of its coats, where the rulebook's data say. */
  facings?: Dye | null;
  /** The flag of its regiment, where it is not its side's. */
  flag?: Flag | null;
};

/** The table as one seat sees it. */
export type View = {
  /** The rule system's id. */
  ruleset: string;
  /** The scenario's title. */
  title: string;
  /** Who is looking; none is a spectator. */
  seat: Seat | null;
  /** The sides, in order. */
  sides: SideView[];
  /** The seats, in order. */
  seats: SeatInfo[];
  /** The table. */
  table: TableView;
  /** The ground. */
  terrain: TerrainView[];
  /** Units this seat knows of, those off the table last. */
  units: UnitView[];
  /** Markers on the table that belong to no unit: objectives, arrival points, generals' reach. */
  tokens: Token[];
  /** Where in the battle we are. */
  clock: Clock;
  /** Cards in play, if the system has any. */
  cards: CardView[];
  /** What is being waited for. */
  pending: Pending;
};

/** How much of the view each `state` has. */
export type Views = "full" | "changes" | "none";

/** The way a unit went. */
export type Way = {
  /** The unit. */
  unit: UnitId;
  /** From where it stood, point by point. A die may have halted it short of the last, or driven it beyond. */
  points: Point[];
};

/** Where a player would like to have a unit: the end of a drag, or of a turn by the handle. */
export type Wish = {
  /** The name of the space of answers (see [`crate::Space::action`]); none lets the system choose. */
  action?: string | null;
  /** The unit to go; none where the decision is about one unit anyway. */
  unit?: UnitId | null;
  /** Where the place it is measured from ([`crate::view::UnitView::at`]) should be. */
  place: Point;
  /** Which way it should face, in degrees clockwise from north; none leaves it to the way it goes. */
  facing?: number | null;
  /** Places to pass on the way, in order. */
  by?: Point[];
};
