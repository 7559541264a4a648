var e=`# Lobositz, 1 October 1756

*All the King's Men · \`tricorne play lobositz\` · 7 turns, 72 by 48 inches*

The first battle of the Seven Years War. Frederick, marching into Bohemia to stop the relief of the Saxons, believed he had caught a rearguard.
When the mist rose it was Marshal Browne's whole army, with Croats thick in the walled vineyards of the Lobosch hill.

## For the Duke of Bevern
The King has gone to the rear and left you the left wing. Clear the Lobosch: wall by wall, with the bayonet when the cartridges give out. Your horse on
the left has already charged twice and wants leading, not driving. If you hold the hill at the end you have opened the road to Lobositz; the
village itself is worth having if it falls to you.

**What you have.** Alt-Bevern, Kleist and the grenadiers before the Lobosch; Itzenplitz and Hülsen between the hill and the road; the Garde du Corps and the Bayreuth
Dragoons beyond it with the great battery. All your foot is good; none of it can stay in the vineyards for ever.

**How you win.** Seven turns. The crest of the vineyards counts twelve at the end, the south end of Lobositz eight, for the army that alone has formed troops there; the rest is
what each has destroyed. Walls stop bullets, not bayonets: tire the Croats with fire from two sides, then go in. Guns can't see over the hill.

## For Browne
You are not here to win a battle but to slip a corps past him to the Saxons. Keep him busy. The Croats can hold the vineyards a long time if you feed
them from Lacy's brigade; come off the hill in order when you must, and keep your line behind the stream. He has more foot, you have the ground.

**What you have.** Two swarms of Croats on the hill, three brigades of foot on the flat, two regiments of heavy horse and a battery by the village. Your skirmishers
never cost you a command point; use the points you save on the line.

**How you win.** You only have to be on the crest at the end, not all day. Give up a wall a turn, make him pay for each, and have Lacy fresh to go back up in the last two. If his
horse comes over the stream, it comes slowly: that is where the Stampach cuirassiers should find it. The village is eight points that nobody need die for.

## The ground and the forces
An inch is some twenty-five yards, a unit a brigade or so. The Lobosch is the great hill in the east with its terraces drawn as walls and crops; the Morellen
stream crosses the west; Lobositz lies at the north end. The battery of the Homolka stands by the road, in the west.

## What is simplified
The field is drawn in a mirror: the Lobosch and Bevern stood on the Prussian left, and stand here on the right. The mist, which ruled the morning, is not in the rules. The Elbe bounds the table on the east. The two great cavalry charges at the beginning are taken to have
happened: both sides' horse is fewer than it was.
`;export{e as default};