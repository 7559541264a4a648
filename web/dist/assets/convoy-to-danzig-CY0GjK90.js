var e=`# The convoy to Danzig, 27 May 1734

*Mit von Futsch zum Rheinland-Pfalz · \`tricorne play convoy-to-danzig\` · 10 turns, 60 by 48 inches*

King Stanislaus was shut up in Danzig by Münnich's Russians. Count Plélo, the French envoy at Copenhagen, landed at the mouth of the Vistula with three small
battalions that had been sent home once already, and led them himself at the Russian lines.

## For Plélo
It is folly, and you have said so to nobody. One wagon must get through: what it carries matters less than that it comes. Three battalions in column go
for the gap at the road. The militia and the light banners are there to be looked at. Your skirmishers know the woods. Once the wagon is off by the north
road it is done.

**What you have.** Three battalions of regulars who have marched with you this far. Two of townsmen, poor; two squadrons of light horse; the Kurpie foresters, who are the best shots
on the field; one old gun. You lead in person, which helps whoever you are with and may kill you.

**How you win.** The wagon must leave by the north edge where the road does, between the two lengths of the entrenchment, by the tenth turn. It moves slowly and nobody can carry it
for you. Clear the gun in the gap first. Army morale comes before everything: when your army has had enough, the wagon does not count.

## For Lacy
They are few and they are coming straight at you. Stay behind your entrenchment; you have the better guns and dragoons in hand. Do not be drawn out after the banners.
Kill the columns at the gap and the wagon stays where it is.

**What you have.** Astrakhan and Narva, two battalions each, behind the bank, with the guns between them in the gap. Two squadrons of dragoons behind the centre and one of Cossacks
on the left, neither much good against men in order. Hard cover halves what the enemy's fire does to you.

**How you win.** Keep the wagon on the table for ten turns, see it lost, or break him. Hold your fire for the columns: a column is a vulnerable target. If the centre goes, the dragoons have
one good charge in them, and that is the moment for it.

## The ground and the forces
An inch is about fifteen paces. The river bounds the west, dunes and woods break the middle, the entrenchment lies across the road. The set-up is that of
clause VF-SCEN-13.

## What is simplified
There was no convoy in so many words: the aim was to break in. The wagon is there so that a breaking-in can be seen to succeed. The sortie from the town that was hoped
for, and came too late, is left out.
`;export{e as default};