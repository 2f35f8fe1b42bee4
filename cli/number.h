/* Numbers in arguments and in files of questions: no sign, no blank, nothing
 * behind them.  The result is untouched on failure. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Decimal, up to INT32_MAX. */
bool parse_number(const char *text, uint32_t *ret_number);
/* As C writes them: 0x is hexadecimal, 0 octal. */
bool parse_c_number(const char *text, uint64_t most, uint64_t *ret_number);

#endif
