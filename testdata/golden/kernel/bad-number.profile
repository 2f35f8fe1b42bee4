name x
versions 15 thirty
