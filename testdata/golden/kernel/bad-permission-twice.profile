name x
versions 15 33
class a { b b }
