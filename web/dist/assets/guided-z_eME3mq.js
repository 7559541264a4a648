var e=`# The guided first battle of the page; what is said in it stands in guided.json.
format = 2
ruleset = "seven-years-war"
title = "The Rear Guard at Kettle Brook"
story = "A Prussian brigade and its cuirassiers fall on an Austrian rear guard in the open."
table = { width = 120, height = 90 }
turns = 4
break_percent = 40
first = "prussian"

[[side]]
id = "prussian"
name = "Prussian"
nation = "prussian"
home = "south"

[[side]]
id = "austrian"
name = "Austrian"
nation = "austrian"
home = "north"

[[terrain]]
id = "W1"
kind = "wood"
level = 2
outline = [[6, 40], [20, 42], [21, 56], [8, 58]]

[[general]]
id = "P1"
side = "prussian"
at = [54, 23]
facing = 0

[[general]]
id = "P2"
side = "prussian"
at = [86, 22]
facing = 0

[[general]]
id = "PC"
side = "prussian"
cinc = true
at = [60, 12]
facing = 0

[[unit]]
id = "p1"
side = "prussian"
kind = "P-GREN"
group = "PG1"
command = "P1"
at = [50, 30]
facing = 0

[[unit]]
id = "p2"
side = "prussian"
kind = "P-MUS"
group = "PG1"
command = "P1"
at = [58.5, 30]
facing = 0

[[unit]]
id = "p3"
side = "prussian"
kind = "P-KUR"
group = "PG2"
command = "P2"
at = [86, 30]
facing = 0

[[general]]
id = "A1"
side = "austrian"
at = [54, 65]
facing = 180

[[general]]
id = "AC"
side = "austrian"
cinc = true
at = [60, 78]
facing = 180

[[unit]]
id = "a1"
side = "austrian"
kind = "A-MUS"
group = "AG1"
command = "A1"
at = [50, 54]
facing = 180

[[unit]]
id = "a2"
side = "austrian"
kind = "A-HUS"
group = "AG2"
command = "A1"
at = [86, 56]
facing = 180
`;export{e as default};