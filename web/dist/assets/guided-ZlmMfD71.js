var e=`{
  "title": "The Picket at Ali Masjid",
  "line": "Two companies, two bands of tribesmen, six rounds.",
  "story": "Evening on the frontier. Your two companies hold the mouth of a pass; two bands of tribesmen have come down to see whether you are awake. You command the companies at the bottom of the table.",
  "seed": "6",
  "foe": "ensign",
  "whole": "the-bordj",
  "over": {
    "won": "The picket stands, and the pass is quiet. You have given orders, fired, seen men pinned and rally: that is most of the game. The whole battle has a fort in it.",
    "lost": "The pass is theirs tonight; it happens to everybody once. You have given orders, fired, seen men pinned and rally: that is most of the game. The whole battle has a fort in it, and you start inside.",
    "drawn": "Nobody's day. You have given orders, fired, seen men pinned and rally: that is most of the game. The whole battle has a fort in it."
  },
  "tips": [
    { "id": "pick", "teaches": "command", "when": { "kind": "pick_unit" }, "do": [{ "activate": "I2" }],
      "say": "In your turn each of your units acts once, in the order you like. Begin with the Sikhs: press their name, or tap them on the table.",
      "why": "Some things a unit does without being told; for anything else it throws two dice and must reach its leader's number. If it fails, it does nothing this turn, so the important things come first." },
    { "id": "march", "teaches": "move", "when": { "kind": "declare", "unit": "I2" }, "do": [{ "declare": { "action": "move" } }],
      "say": "Have the Sikhs move: order it first, and say where to afterwards.",
      "why": "Modern rifles reach far, but from half their range on it takes two hits instead of one to bring a man down. Near is better, as long as you are not so near that they can rush you." },
    { "id": "where", "when": { "kind": "move" }, "times": 0, "do": [{ "go": "*" }],
      "say": "They obey. Drag them to the ring, or to a place of your own choosing.",
      "why": "The ghost shows where they would end, and the panel says what the ground costs. Nothing is done before you say so." },
    { "id": "pick-buffs", "when": { "kind": "pick_unit" }, "do": [{ "activate": "I1" }],
      "say": "Now the Buffs.", "why": "A unit that has acted is not asked again until your next turn." },
    { "id": "fire", "teaches": "fire", "when": { "kind": "declare" }, "do": [{ "declare": { "action": "fire", "target": "N1" } }, { "declare": { "action": "fire" } }],
      "say": "Fire at the nearest band.",
      "why": "Every man throws a die. Regulars hit on 5 or 6; what it needs, the cover and the range stand with the dice. The small print on the button is what to expect." },
    { "id": "charge", "teaches": "charge", "when": { "kind": "declare", "from": 2 }, "do": [{ "declare": { "action": "attack" } }],
      "say": "They are shaken and in reach: go in with the bayonet.",
      "why": "An attack goes straight at the enemy and is settled at once: both sides throw, and whoever loses more men falls back. Best against men who are pinned or few." },
    { "id": "close", "when": { "kind": "declare", "from": 3 }, "times": 4, "do": [{ "declare": { "action": "double" } }, { "declare": { "action": "move" } }],
      "say": "They have lost heart. Close with them, so that you can charge next turn.",
      "why": "What you have shot at you can drive off with the bayonet, but only from near by." },
    { "id": "shoot-again", "when": { "kind": "declare" }, "times": 0, "do": [{ "declare": { "action": "volley" } }, { "declare": { "action": "fire" } }],
      "say": "Fire again while you can.", "why": "A band that loses half its men is worth half a band; one that keeps failing to rally goes home." },
    { "id": "stand", "when": { "kind": "declare" }, "times": 0,
      "say": "Nobody is in your sights. This is what a careful officer would order.", "why": "Units in close order fight and fire better; units at the double get nearer." },
    { "id": "next", "when": { "kind": "pick_unit" }, "times": 0,
      "say": "Choose who acts next.", "why": "When all have acted the turn passes by itself; you can end it sooner." },
    { "id": "form", "when": { "kind": "form" }, "times": 0, "say": "They close up. Face them to where the enemy will come from.", "why": "Close order is strong to the front and slow to turn." },
    { "id": "going", "when": { "kind": ["double", "skirmish"] }, "times": 0, "do": [{ "go": "*" }, { "skirmish": "fire" }, "no_move"], "say": "They go. Choose the ground, or take what is offered." },
    { "id": "won", "when": { "kind": ["follow_up", "occupy", "strike"] }, "times": 0, "say": "You have won the melee. Go after them, or stay where you are.", "why": "Going after them may break them; it may also bring you within reach of their friends." },
    { "id": "else", "when": {}, "times": 0, "say": "A small decision. This is what a careful officer would answer." }
  ],
  "remarks": [
    { "id": "pinned", "teaches": "morale", "told": [{ "what": "pinning", "outcome": "failed" }], "say": "Morale: whoever loses men tests his nerve. A Pinned unit keeps its head down. In its own turn it can only try to rally, and every failure sends it back a little." },
    { "id": "orders", "told": [{ "what": "activation", "outcome": "failed" }], "say": "An order was not obeyed: two dice against the leader's number. That unit is done for this turn." },
    { "id": "melee", "teaches": "charge", "told": [{ "what": "melee" }], "say": "A melee: both sides throw at once. Whoever takes more hits loses, falls back and tests his nerve." }
  ]
}
`;export{e as default};