var e=`# The guided first battle of the page; what is said in it stands in guided.json.
format = 2
ruleset = "would-be-kings"
title = "The Picket at Ali Masjid"
turns = 6
first = "imperial"
draw_margin = 0

[limits]
enforce = false

[[side]]
id = "imperial"

[[side]]
id = "native"

[table]
width = 48
height = 36

[[terrain]]
id = "R1"
kind = "rocks"
outline = [[38, 18], [43, 17], [44, 22], [39, 23]]

[[terrain]]
id = "C1"
kind = "scrub"
outline = [[5, 20], [11, 19], [12, 25], [6, 26]]

[[unit]]
id = "I1"
side = "imperial"
kind = "RI"
name = "Buffs"
leadership = 5
at = [17, 8]

[[unit]]
id = "I2"
side = "imperial"
kind = "RI"
name = "Sikhs"
upgrades = ["Elite"]
leadership = 4
at = [29, 8]

[[unit]]
id = "N1"
side = "native"
kind = "TI"
name = "Afridi swordsmen"
leadership = 5
at = [19, 18]

[[unit]]
id = "N2"
side = "native"
kind = "TI"
name = "Levy of the pass"
upgrades = ["Unenthusiastic"]
leadership = 7
at = [33, 19]

[[objective]]
kind = "lost"
side = "imperial"
share = "full"

[[objective]]
kind = "lost"
side = "native"
share = "full"
`;export{e as default};