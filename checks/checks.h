/* The registry: every check of every program, with what --explain says of it.
 *
 * checks.txt is the source: the table here, the rules of SARIF and the section
 * of the manual are made from it when the programs are built. */
#ifndef CHECKS_CHECKS_H
#define CHECKS_CHECKS_H

#include "base/check.h"

struct check_table checks_all(void);

#endif
