var e=`# Cowpens, 17 January 1781

*All the King's Men · \`tricorne play cowpens\` · 6 turns, 72 by 48 inches*

Banastre Tarleton had chased Daniel Morgan across the Carolina back country for days. At dawn, his men without breakfast or sleep, he found
him waiting on a pasture in open woodland and attacked without a pause.

## For Tarleton
Morgan has the Broad river behind him and nowhere to go. Drive in the riflemen, break the militia and ride over the rest before the day is hot. You have good
horse and, in the Highlanders, the best foot on the field. Beware: you have one line and hardly a reserve, and he has more men than you. The rise at the middle of the
field, held at the end, will count for you.

**What you have.** The Legion's foot and the light companies make your line with the 7th, who are recruits and rated as militia. The 71st stands back on the right:
spend it once, where it will decide. Dragoons on both flanks, and a three-pounder that can go where a horse can.

**How you win.** Six turns. You score by the share of Morgan's army that you destroy; fifteen more if at the end you alone have formed troops on the forward rise. Ten
points ahead is a small victory, twenty-five a clear one. Your general sees two dice for his orders and Morgan three, so do not plan for much at once.

## For Morgan
You know your militia will not stand, so do not ask it. Two or three good volleys, then back behind the hill; your Continentals and Virginians stand there,
fresh, where Tarleton can't see them. Washington's dragoons and McCall's men are out of sight in the hollow. Let the enemy tire himself going uphill and hit him when he runs.

**What you have.** Riflemen in front, worth a great deal at long range and nothing in the open against horse. Pickens' militia on the forward rise. Maryland, Delaware and
the Virginians behind it. Washington's dragoons at your left rear, McCall's mounted militia at your right. You are the better general and have the dice to show it.

**How you win.** Fire, and fall back before he is on you: a mob costs you twice. The forward rise counts fifteen for whoever alone holds it when the sixth turn ends, and
you need not hold it before. Let the riflemen take colour off his line, meet what is left with men still green, and send the dragoons at whatever is a mob.

## The ground and the forces
An inch is about eight yards, a figure ten to fifteen men. The field was a grazing ground with few trees, closed on both flanks by woods and wet ground;
two low swells cross it. The Green River road runs through the middle. Militia are rated so; the Highlanders and the Maryland and Delaware
line are elite (\`adv_quality\`).

## What is simplified
The real battle took an hour and ended with both British flanks enveloped: nothing here forces that. The two small guns are one battery. The riflemen could fall
back through the militia; here they pass only as the rules for skirmishers allow.
`;export{e as default};