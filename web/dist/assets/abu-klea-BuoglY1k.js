var e=`# Abu Klea, 17 January 1885

*The Men Who Would Be Kings · \`tricorne play abu-klea\` · 16 rounds, 72 by 48 inches*

The Desert Column under Sir Herbert Stewart, crossing the bend of the Nile to reach Gordon in Khartoum, found the wells at Abu Klea held against it.
In the morning it left its camels in a zariba and went on foot, in square, across broken ground of grass and shallow khors.

## For Stewart
There is no water behind you. The wells lie beyond the grove in the north-east: get your men off the table there, whole if you can. The ansar hide
in the khor and the grass until you are close. Keep together; a gap in the square, and there will be one when the naval gun halts to clear a jam, is what
they wait for. Do not let the skirmish line run out so far that it masks your fire when they rise.

**What you have.** The Guards Camel Regiment is your best and should have the exposed corner. The Mounted Infantry march beside it, the Heavies close the rear:
they are cavalrymen on foot, slower to obey and a little under strength. The Gardner is worth a company while it works. The 19th Hussars are few; keep them to look behind
the grass, or to ride down men who already run.

**How you win.** Every unit that leaves by the north edge, from the grove to the corner, scores what it cost; half of that if it has lost half its men.
Every band you break scores half its cost. A lead of one is nobody's day. You have sixteen rounds and a long way to walk: count on eight or nine
for the march and do not stand to shoot longer than you must.

## For Musa wad Helu
Let them come on. Your riflemen on the west ridge will sting them into hurrying. When the column is strung out, rise from the khor and go for the
nearest corner with everything. Each broken company is worth more than any ground. Your horse on the east ridge must be in at the death, not before.

**What you have.** The three bands of the Duguaim and the two of the Kenana lie nearest and are the fiercest. The men of Metemmeh are steady rather than eager. Your riflemen
shoot badly but every man they pin is one who does not march. The Baggara ride through what has already been shaken and die against what has not.

**How you win.** You score the cost of every unit you destroy or drive off the table, they score half the cost of yours and the cost of each unit that gets away. Ten minutes of
rifle fire in the open will cost you a band: lie in the khor and the grass until one rush will reach them, and let two bands rush together at the same company.

## The ground and the forces
An inch is about five yards, a figure some twenty men. The Heavies, the Guards and the Mounted Infantry are a unit each, the Gardner and its sailors
another. The ansar are eight bands of the ten or so that charged.

## What is simplified
The square itself is not a formation of these rules: closed ranks and mutual support stand in for it. Camels, baggage and the zariba are off the
table. The British had about fourteen hundred men; the scale favours the smaller side a little so that both have a game.
`;export{e as default};