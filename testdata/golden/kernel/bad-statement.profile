name x
versions 15 33
clas a { b }
