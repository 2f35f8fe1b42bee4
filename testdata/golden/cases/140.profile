# The classes of a kernel, made up for this case.
name Linux 140
versions 15 33
bounds 4
sid 1 kernel
class file { read write open ioctl watch_mountns }
class process { fork transition setcap }
class io_uring { cmd allowed }
