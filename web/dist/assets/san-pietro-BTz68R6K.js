var e=`# San Pietro near Parma, 29 June 1734

*Mit von Futsch zum Rheinland-Pfalz · \`tricorne play san-pietro\` · 9 turns, 72 by 48 inches*

Mercy's Imperial army came out of Parma at the French and Sardinians behind a sunken road and the farms along it. The old field-marshal was shot early in the
day; the fight for the cassina and the ditch went on for ten hours without much art.

## For Coigny
You have a ditch, a bank and a stone farm. The enemy must come to you over it. Hold fire until he is near; a volley at short range into a column decides
more than a charge. The cassina is the key: lose it and he will say he won. Watch your left, where the ditch ends and hussars may ride round it.

**What you have.** Picardie's two battalions hold the western ditch, Champagne the farm and the road, the Sardinian Guard the eastern ditch; a battery at the eastern end, Waldensians on the far right,
and the horse of Piemonte Reale behind to mend what breaks.

**How you win.** Nine turns. The enemy wins if he has ordered foot in the cassina at the end or three ordered units south of the line of the ditch. Anything else, short of your army breaking,
is yours. Do not leave the ditch to chase; send the horse at whoever has just got over it, before he has reformed.

## For Mercy
You have more battalions than he has and no time. Take the cassina, or put three units in good order behind his line. The grenadiers are for the farm; the guns
stand ready: let them work on the bank before anybody goes near it. The Croats in the orchard and the hussars wide on the west may find the end of his
line before your foot finds the middle.

**What you have.** Six battalions in three regiments, the converged grenadiers in front of the farm, cuirassiers on the left, hussars on the right, Croats in the orchard, two batteries. More
than he has, and all of it must cross open ground.

**How you win.** Ordered infantry in the cassina when the ninth turn ends, or three ordered units beyond the ditch. Choose one and threaten the other. March in column and form before you are in
musket range; a column under fire is what he hopes for. Spend the grenadiers last, and on the farm.

## The ground and the forces
An inch is about twenty paces; a battalion on the table stands for two or three. The set-up is that of clause VF-SCEN-12.

## What is simplified
The real line was longer and the hedges more; the ditch is one hard bank in two lengths. Nobody on either side could see much for smoke: only the card for it brings
that back. Field-Marshal Mercy may live here.
`;export{e as default};