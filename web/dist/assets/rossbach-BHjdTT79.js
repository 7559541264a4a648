var e=`# Rossbach, 5 November 1757

*Seven Years War, 15mm · \`tricorne play rossbach\` · 10 turns, 180 by 120 cm*

Soubise and Hildburghausen, with twice Frederick's numbers, marched round his left flank in broad daylight, sure that he was retiring. He was marching
parallel to them behind the Janus ridge. It was over in an hour and a half.

## For the King of Prussia
They are in column and believe you are running away. Seydlitz has the horse on your left: send him at their cavalry before it can form. The foot follows down
the Janus with the heavy guns; a handful of battalions is enough against men who have not deployed. You are few: win early.

**What you have.** One brigade of three battalions, one battery of heavy guns, and Seydlitz: two regiments of cuirassiers, the dragoons behind them, hussars on the outer
flank. You have the first move and the better drill.

**How you win.** Thirty stands in a hundred break an army, and theirs has more to lose in one place: the cavalry at its head. Fifteen points go to whoever has the more massed
troops on the Janus at the end. Do not let Seydlitz be drawn into the foot before the foot has been shaken.

## For the Prince of Soubise
You are on the march, your allies do not love you, and there are horsemen on the hill where there should be none. Get the cavalry into line at once and
buy the foot the time to deploy. If you can hold the Prussians off the low ground until evening, numbers are with you. The Janus would be worth taking.

**What you have.** Six battalions of French, Swiss and Germans in two lines on the left, the milice behind; two brigades of horse and the Gendarmes to the right, hussars
beyond. One battery of middling guns. Two generals to lead it all, and you.

**How you win.** His numbers are small: every stand is dear to him. Get the front line of horse onto Stand or Advance at once; cavalry caught standing is beaten before it is touched.
The marsh and the wood on your left are no use to anyone. The Janus is fifteen points for the larger number of massed stands upon it when ten turns are over.

## The ground and the forces
A centimetre is some fifteen metres; a unit stands for about a brigade of the real order of battle. The Janus and the Polzen hill are the low swells over which
the armies could not see each other. The Reichsarmee's contingents are shown by the milice.

## What is simplified
The allied horse begins already turned towards the enemy, which is more than most of it managed, and the foot still on the march; the rest of the surprise is in their drill and their generals' counters. The
long flank march is over when the battle opens.
`;export{e as default};