name x
versions 15 33
sid 1 a
sid 1 b
