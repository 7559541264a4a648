var e=`# Minden, 1 August 1759

*Seven Years War, 15mm · \`tricorne play minden\` · 14 turns, 180 by 120 cm*

Contades came out of Minden by night to drive Ferdinand of Brunswick off. An order to advance "to the beat of the drum" was taken for an order to advance
at once, and six British battalions with two of Hanover walked, unsupported, at the whole cavalry of France, and broke it.

## For Prince Ferdinand
Spörcken's foot has gone ahead without you. Support it: bring the Hanoverians up beside it, get the heavy guns forward. Foot that stands and fires
need not fear horse in front; see to its flanks. Lord George has the cavalry on the right and will want asking more than once. Hahlen covers your flank.

**What you have.** Three battalions of the British line lead, the Guards and Hanoverians close behind, more Hanoverians, Hessians and the heavy guns on their right, two
regiments of horse on the far right. You move first, and so do your mistakes.

**How you win.** Break 27 stands in a hundred of theirs, or be far enough ahead on points after fourteen turns. More troops than the enemy in Hahlen, and in Malbergen, are worth ten each.
Put the line on Stand before the horse is within reach: a battalion that has fired is worth less than one that still has its first volley.

## For Contades
Your centre is horse, because there was no room for it elsewhere. Their foot is coming at it across a mile of open plain with its flanks bare. Ride it
down before its guns are up, in turn, fresh squadrons each time. Malbergen on your left must not fall, and Hahlen would turn their flank.

**What you have.** Two brigades of line cavalry in front of the Gendarmes and the Cuirassiers; foot, Swiss and grenadiers on the left by Malbergen; a brigade of foot, chasseurs and
the medium guns on the right.

**How you win.** Horse that charges steady foot in front will be shot away; horse that comes in from the flank a moment after will not. Fix the three leading battalions with one
brigade and ride round them with the next. Twenty points lie in the two villages. If 27 in a hundred of your stands are gone, the army is.

## The ground and the forces
A centimetre is about twenty metres; a unit is one or two battalions or a brigade of horse. The plain is open but for the villages of Hahlen and Malbergen and
the marsh of the Bastau behind the French.

## What is simplified
Only the middle and right of the allied line is on the table; Wangenheim's fight before Todtenhausen is not. Sackville's horse obeys the rules for orders like
anybody else's, which is to say, sometimes.
`;export{e as default};