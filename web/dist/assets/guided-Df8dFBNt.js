var e=`# The guided first battle of the page; what is said in it stands in guided.json.
format = 2
ruleset = "von-futsch"
title = "The Vanguard at the Mill"
story = "A French vanguard runs into an Imperial one on open ground before a mill."
turns = 4
table = { width = 40, height = 32 }

[[terrain]]
id = "mill"
kind = "town"
outline = { rect = [3, 13, 8, 18] }

[[side]]
id = "red"
name = "French"

[[side]]
id = "black"
name = "Imperials"

[[unit]]
id = "R1"
side = "red"
kind = "infantry"
name = "Champagne I"
regiment = "Champagne"
at = [16, 10]
facing = 0

[[unit]]
id = "R2"
side = "red"
kind = "infantry"
name = "Champagne II"
regiment = "Champagne"
at = [22, 10]
facing = 0

[[unit]]
id = "R3"
side = "red"
kind = "heavy"
name = "Dragons de Condé"
at = [32, 10]
facing = 0

[[unit]]
id = "B1"
side = "black"
kind = "infantry"
name = "Alt-Daun I"
regiment = "Alt-Daun"
at = [16, 21]
facing = 180

[[unit]]
id = "B2"
side = "black"
kind = "infantry"
name = "Alt-Daun II"
regiment = "Alt-Daun"
at = [22, 21]
facing = 180

[[unit]]
id = "B3"
side = "black"
kind = "heavy"
name = "Hohenzollern-Kürassiere"
at = [32, 23]
facing = 180

[[commander]]
id = "RC1"
side = "red"
level = "regimental"
regiment = "Champagne"
at = [19, 6]

[[commander]]
id = "RG"
side = "red"
level = "army"
name = "French general"
at = [25, 5]

[[commander]]
id = "BC1"
side = "black"
level = "regimental"
regiment = "Alt-Daun"
at = [19, 25]

[[commander]]
id = "BG"
side = "black"
level = "army"
name = "Imperial general"
at = [25, 28]
`;export{e as default};