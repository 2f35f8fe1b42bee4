/* JSON values out of texts of any bytes.
 *
 * What jansson cannot allocate ends the process, as everywhere. */
#ifndef BASE_JSON_OUT_H
#define BASE_JSON_OUT_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

json_t *json_new_object(void);
json_t *json_new_array(void);
/* Text as messages show it: what is not printable UTF-8 is escaped. */
json_t *json_new_text(const char *text, size_t n);
/* The same for lines of source, or for texts of several lines: tabs and
 * newlines stay. */
json_t *json_new_lines(const char *text, size_t n);

/* They take the value over. */
void json_put(json_t *object, const char *key, json_t *value);
void json_put_string(json_t *object, const char *key, const char *text);
void json_put_number(json_t *object, const char *key, uint32_t number);
void json_add(json_t *array, json_t *value);

/* Takes the value over; one line for the whole value. */
void json_print(json_t *value, FILE *out);

#endif
