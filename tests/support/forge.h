/* Model files with something changed and a checksum that is right again. */
#ifndef RLS2_TESTS_SUPPORT_FORGE_H
#define RLS2_TESTS_SUPPORT_FORGE_H

typedef struct forgery {
    char *bytes; /* a zero stands behind them */
    long size;
} forgery;

/* The file, which is $T/NAME, to be changed. */
forgery forge_start(const char *name);
/* The first place of the text in the header; the test fails where there is none. */
char *forge_find(const forgery *file, const char *text);
/* The numbers of an array: "outputs.0.c". */
double *forge_numbers(const forgery *file, const char *array);
/* Writes it to $T/NAME, and frees it. */
void forge_finish(forgery *file, const char *name);

#endif
