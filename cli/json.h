/* JSON, written as it comes: no tree in memory. Numbers are written so that they read back the
 * same; what is not finite is null. */
#ifndef RLS2_CLI_JSON_H
#define RLS2_CLI_JSON_H

#include <stdint.h>
#include <stdio.h>

/* jansson, which reads JSON here and in the library, has functions of these names; to the linker
 * ours are others. */
#define json_object output_json_object
#define json_array output_json_array
#define json_integer output_json_integer

typedef struct json {
    FILE *file;
    int depth;
    int first;        /* 1: no comma is due */
    int inline_depth; /* objects and arrays at this depth or below stay on one line; 0: none */
} json;

json json_start(FILE *file);
/* key is NULL within an array. */
void json_object(json *j, const char *key);
void json_array(json *j, const char *key);
void json_end_object(json *j);
void json_end_array(json *j);
void json_number(json *j, const char *key, double value);
void json_integer(json *j, const char *key, int64_t value);
void json_text(json *j, const char *key, const char *value); /* NULL is null */
void json_truth(json *j, const char *key, int value);
/* The final newline. */
void json_finish(json *j);

#endif
