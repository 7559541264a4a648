var e=`{
  "title": "The Rear Guard at Kettle Brook",
  "line": "A brigade of foot and some cuirassiers against a rear guard, four turns.",
  "story": "The Austrians are going home, and their rear guard has turned about in the open. You have two battalions and the cuirassiers, at the bottom of the table, with a general to each and one over them all.",
  "seed": "2",
  "foe": "ensign",
  "whole": "kettle-brook",
  "over": {
    "won": "The rear guard is broken. You have sent orders, moved groups, shot, charged and seen morale tested: the whole battle has more of each, and a hill.",
    "lost": "They got away, and took some of yours with them. You have sent orders, moved groups, shot, charged and seen morale tested: the whole battle has more of each, and a hill.",
    "drawn": "They got away in good order. You have sent orders, moved groups, shot, charged and seen morale tested: the whole battle has more of each, and a hill."
  },
  "tips": [
    { "id": "counter", "when": { "kind": "cinc_counter" }, "times": 0, "say": "Every general has a character. You may choose your commander's from the counters drawn." , "why": "Brave ones steady charges, careful ones see to order." },
    { "id": "order", "teaches": "command", "when": { "kind": "command", "turn": 1 }, "times": 2, "do": [{ "change": { "group": "PG1", "order": "advance" } }, { "change": { "group": "PG2", "order": "advance" } }],
      "say": "Troops do what their order says. They are on Stand: send them the order to Advance.",
      "why": "A general throws to see how far his word carries; the nearer he is, the surer it arrives. Orders are few, so the important ones first." },
    { "id": "orders-done", "when": { "kind": "command" }, "do": ["done"], "say": "That will do. Close the command phase; movement comes next." },
    { "id": "cure", "when": { "kind": "command" }, "do": [{ "cure": "*" }], "times": 2, "say": "A battalion is in disorder: have a general put it right.", "why": "Disordered men shoot and fight worse and lose heart sooner." },
    { "id": "order-again", "when": { "kind": "command" }, "do": [{ "change": { "order": "advance" } }], "times": 4, "say": "Somebody has halted. Send him on again." },
    { "id": "command", "when": { "kind": "command" }, "times": 0, "do": ["done"], "say": "Nothing more to order. Go on to movement." },
    { "id": "charge", "teaches": "charge", "when": { "kind": "movement" }, "times": 3, "do": [{ "charge": { "group": "PG2" } }],
      "say": "The cuirassiers can reach them: charge.",
      "why": "First your men test whether they dare, then theirs whether they stand. Those who stand may shoot; then it is swords." },
    { "id": "move", "teaches": "move", "when": { "kind": "movement" }, "times": 0, "do": [{ "move": { "group": "PG1" } }, { "move": "*" }],
      "say": "Move a group: all its battalions go together. Drag one of them to the ring.",
      "why": "About twenty centimetres is musket range. Going straight ahead is quickest; wheels and changes of formation cost time." },
    { "id": "moved", "when": { "kind": "movement" }, "times": 0, "do": ["done"], "say": "Everybody has gone where he should. End the movement." },
    { "id": "shoot", "teaches": "fire", "when": { "kind": ["shooting", "reply"] }, "times": 0, "do": [{ "shoot": "*" }],
      "say": "You are in range: shoot.", "why": "One die, and a list of reasons to add or take away: range, order, how many stands. The sum says how many stands fall and whether they are disordered." },
    { "id": "shot", "when": { "kind": ["shooting", "reply"] }, "times": 0, "do": ["done"], "say": "All have shot who can. Go on." },
    { "id": "casualties", "when": { "kind": "casualties" }, "times": 0, "do": ["done", { "remove": "*" }], "say": "A stand is lost. Let the umpire take it from where it matters least." },
    { "id": "morale", "teaches": "morale", "when": { "kind": "morale" }, "times": 0, "say": "Your men are in good heart and may press on of their own accord. Keep the order, or let them.", "why": "Morale is two dice and reasons, thrown by a group when it loses men, charges or is charged." },
    { "id": "combat", "when": { "kind": ["combat", "carry"] }, "times": 0, "say": "Say which fight is settled first." },
    { "id": "after", "when": { "kind": ["after", "pursuit"] }, "times": 0, "say": "You have won the fight. Go after them, or stay." },
    { "id": "halt", "when": { "kind": "halt" }, "times": 0, "say": "They did not come as far as they meant to. Let them do the next best thing." },
    { "id": "else", "when": {}, "times": 0, "say": "A small decision. This is what a careful officer would answer." }
  ],
  "remarks": [
    { "id": "charged", "teaches": "charge", "told": [{ "what": "charge_declared" }], "say": "A charge is declared while moving and goes home after the shooting. Both sides test their morale first: many charges are won before anybody is touched." },
    { "id": "test", "teaches": "morale", "told": [{ "what": "morale" }], "say": "Morale: a group that loses men, charges or is charged throws two dice, with reasons for and against. High, it goes on; low, it halts, falls back or runs." },
    { "id": "disordered", "told": [{ "what": "disordered" }], "say": "Disordered: they shoot and fight worse until a general near by puts them right." },
    { "id": "nobody", "told": [{ "what": "order", "outcome": "failure" }], "say": "An order went astray: the throw did not reach as far as the group is away." }
  ]
}
`;export{e as default};