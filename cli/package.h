/* module-compile --package: a module and its label files to a package, in
 * semodule_package's place. */
#ifndef CLI_PACKAGE_H
#define CLI_PACKAGE_H

/* argv[0] is `--package`; the exit status. */
int package_main(int argc, char **argv);

#endif
