var e=`# The guided first battle of the page; what is said in it stands in guided.json.
format = 2
ruleset = "all-the-kings-men"
title = "The Outposts at Kessel"
period = "Seven Years War"
story = "Two battalions and a regiment of horse meet an Austrian outpost on open ground."
table = { width = 48, height = 36 }
turns = 4

[[side]]
id = "red"
name = "Prussia"

[[side]]
id = "black"
name = "Austria"

[[seat]]
side = "red"
name = "Lestwitz"
rating = 3
general = [22, 3]

[[seat]]
side = "black"
name = "Kolowrat"
rating = 1
general = [26, 33]

[[terrain]]
id = "woods-1"
kind = "woods"
outline = [[3, 14], [9, 14], [9, 22], [3, 22]]

[[unit]]
id = "RI1"
name = "Regiment Kalkstein"
kind = "I"
side = "red"
shape = "L2"
at = [17, 9]
facing = 0

[[unit]]
id = "RI2"
name = "Regiment Forcade"
kind = "I"
side = "red"
shape = "L2"
at = [28, 9]
facing = 0

[[unit]]
id = "RK1"
name = "Regiment Seydlitz"
kind = "K"
side = "red"
shape = "L1"
at = [40, 9]
facing = 0

[[unit]]
id = "BI1"
name = "Regiment Botta"
kind = "I"
side = "black"
shape = "L2"
at = [23, 21]
facing = 180

[[unit]]
id = "BS1"
name = "Croat battalion Banal"
kind = "S"
side = "black"
shape = "Lo"
at = [39, 20]
facing = 180
`;export{e as default};