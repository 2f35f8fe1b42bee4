name x
versions 15 33 34
