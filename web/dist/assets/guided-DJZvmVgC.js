var e=`{
  "title": "The Outposts at Kessel",
  "line": "Two regiments of foot, one of horse, four turns of cards.",
  "story": "A grey morning in Bohemia. Your two regiments and a regiment of horse have come upon an Austrian outpost. You are Lestwitz, at the bottom of the table; Kolowrat has the men in white.",
  "seed": "4",
  "foe": "ensign",
  "whole": "kessel-crossroads",
  "over": {
    "won": "The outpost is driven in. You have waited for cards, moved, fired and charged, and seen regiments go from green to red: there is little more to it. The whole battle is two brigades and a crossroads.",
    "lost": "They held, or threw you back; the cards were theirs. You have moved, fired and charged, and seen regiments go from green to red: there is little more to it. The whole battle is two brigades and a crossroads.",
    "drawn": "Both sides go home. You have moved, fired and charged, and seen regiments go from green to red: there is little more to it. The whole battle is two brigades and a crossroads."
  },
  "tips": [
    { "id": "card", "teaches": "command", "when": { "kind": "choose" }, "do": [{ "activate": { "unit": "RI1" } }],
      "say": "A card of your colour was turned: one of your units may act. Take Regiment Kalkstein, on the left.",
      "why": "Nobody knows whose card comes next. A unit may act again and again in a turn, but each time it grows more tired: green, then yellow, then red." },
    { "id": "march", "teaches": "move", "when": { "kind": "act", "unit": "RI1" }, "do": [{ "move": "*" }],
      "say": "March them up to musket range, straight ahead.",
      "why": "A line goes forward well and sideways badly. The ring is a good place; the ghost shows what your own choice would come to." },
    { "id": "fire", "teaches": "fire", "when": { "kind": "act" }, "do": [{ "fire": "*" }], "times": 0,
      "say": "The enemy is in range and in front of you: fire.",
      "why": "A green unit hits with 4 or more, a yellow one with 5, a red one with 6. Then the target throws to see how it takes it; where it fails, men fall." },
    { "id": "horse", "when": { "kind": "choose" }, "do": [{ "activate": { "unit": "RK1" } }],
      "say": "Your card again. Now the horse: Regiment Seydlitz, on the right.", "why": "Horse moves far. It is best kept for whoever is already in trouble." },
    { "id": "second", "when": { "kind": "choose" }, "do": [{ "activate": { "unit": "RI2" } }],
      "say": "Now Regiment Forcade, so that the line comes up together.",
      "why": "A fresh unit acts better than a tired one." },
    { "id": "march-second", "when": { "kind": "act", "unit": "RI2" }, "do": [{ "move": "*" }], "say": "Bring them up beside the others." },
    { "id": "charge", "teaches": "charge", "when": { "kind": "act" }, "do": [{ "charge": "*" }], "times": 2,
      "say": "They can be reached: charge.",
      "why": "A charge is decided hand to hand at once. Impetus counts, and so do fresh men: charge green, and charge what is red." },
    { "id": "march-horse", "when": { "kind": "act", "unit": "RK1" }, "do": [{ "move": "*" }], "say": "Bring the horse up on the flank, out of musketry." },
    { "id": "enough", "when": { "kind": "act" }, "times": 0,
      "say": "This is what a careful officer would do with them now.", "why": "A unit that does nothing more keeps its ground; ending the activation passes on to the next card." },
    { "id": "horse-again", "when": { "kind": "choose" }, "do": [{ "activate": { "unit": "RK1" } }], "times": 4,
      "say": "The horse again: near enough now to go in.", "why": "A charge needs fresh men and a near enemy. Whoever has just been shot at is the one to charge." },
    { "id": "more", "when": { "kind": "choose" }, "times": 0, "do": [{ "activate": "*" }, "pass"],
      "say": "Your card. Let somebody act, or let it go.", "why": "Letting a card go keeps everybody fresh." },
    { "id": "ride", "when": { "kind": "ride" }, "times": 0, "say": "The general may ride. Near the fighting his command points reach it.", "why": "A general steadies who is near him, and can be hit there." },
    { "id": "disorder", "when": { "kind": "disorder" }, "times": 0, "say": "Somebody must lose his turn. Choose whom you can spare." },
    { "id": "pursue", "when": { "kind": ["pursue", "pursuit"] }, "times": 0, "say": "They run. Ride after them, or let them go.", "why": "Riding after them makes sure of them and leaves you far from your friends." },
    { "id": "else", "when": {}, "times": 0, "say": "A small decision. This is what a careful officer would answer." }
  ],
  "remarks": [
    { "id": "charged", "teaches": "charge", "told": [{ "what": "charge" }], "say": "A charge: both throw at once, by the colour they have. Whoever comes off worse breaks, or falls back as a mob." },
    { "id": "tired", "teaches": "morale", "told": [{ "what": "worsened" }], "say": "Resolve: whoever acts or is shot at goes from green to yellow to red. Red men hit little and run soon; left alone they get their breath back between turns." },
    { "id": "marker", "told": [{ "what": "disordered" }], "say": "A disorder marker: before that unit does anything else it must fall in again." },
    { "id": "routs", "told": [{ "what": "rout" }, { "what": "fall_back" }], "say": "A unit has had enough. An army that loses half its units has lost the battle." }
  ]
}
`;export{e as default};