# For these cases.
name Linux older
versions 15 33
bounds 3
capability open_perms
sid 1 kernel
sid 3 unlabeled
class process { transition dyntransition }
class c1 { p1 p2 }
