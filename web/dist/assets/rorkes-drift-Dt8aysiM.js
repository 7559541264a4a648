var e=`# Rorke's Drift, 22 January 1879

*The Men Who Would Be Kings · \`tricorne play rorkes-drift\` · 12 rounds, 60 by 48 inches*

On the afternoon of the disaster at Isandlwana some four thousand Zulus of the reserve crossed the Buffalo river. Before them, under the
Oskarberg, lay a mission station used as a store and a hospital, held by one company of the 24th, a few score others and the sick. They had an
hour or so to join the two buildings with walls of mealie bags and biscuit boxes.

## For Chard and Bromhead
You cannot leave: thirty men cannot walk. Hold the storehouse to the last round and you have won; the hospital is worth having but not worth the
company. The wall on the north is your strength, the corner by the hospital your weakness. When the line grows too long for the men you have, fall
back behind the biscuit boxes; they were laid for that. Marksmen on the terrace will gall you all day: let them, and keep your fire for the spears.

**What you have.** Two half companies of old soldiers on the walls, one by the storehouse and one by the hospital; a small guard with worn rifles in the store; and in the
hospital the sick, who will fire from a loophole and not much more. Nobody will be sent to help you.

**How you win.** A garrison in the storehouse scores a point each round and eight more if it is there at the end; the hospital is worth four at the end. Each
regiment broken is worth a point. Two points are too few to be called a victory. Lose the storehouse and the fight is over that moment.

## For Prince Dabulamanzi
The king forbade crossing the river, so come home with something to show. Your regiments were kept out of the great fight in the morning and
want blood on their spears. You can be seen from the moment you come round the hill; do not come in one place. Draw the red soldiers to one wall and
break over the other. If the storehouse falls the day is yours at once.

**What you have.** The iNdluyengwe, young and fierce, come from the west in two lines; the married men of the uThulwana are steadier and stand beside them. The
iNdlondlo and the uDloko have the longer way, round by the east. Nobody can reach the storehouse with his first rush. On the terrace of the hill are men with old muskets who can reach over the south wall.

**How you win.** Fourteen points, and the end, for taking the storehouse; ten if no defender is left; four for each unit of theirs that is destroyed or gone. They
score a point for each regiment that breaks, so a rush that fails is dear. You move first. A wall is climbed best where the men behind it are pinned already.

## The ground and the forces
An inch is about three yards. The Oskarberg stands on the south edge with its caves and terrace; the garden and bush on the north gave the attackers
cover to within a few yards. A figure is some six defenders and thirty Zulus: the attackers are drawn thinner than they were, because the rules give
them men who return (set \`theoretical_strength = "native"\` for a sterner day).

## What is simplified
The fight lasted ten hours, much of it in the dark by the light of the burning hospital; there is no night here and no fire in the thatch. The Native
Contingent, which left before the first shot, is left out. The patients and their guards are one small, reluctant unit.
`;export{e as default};