/* What time it is. */
#ifndef RLS2_GUI_CLOCK_H
#define RLS2_GUI_CLOCK_H

/* Seconds since some moment, always growing. */
double clock_seconds(void);
/* "2026-01-31T12:34:56.123456Z": sorts as it was made. */
typedef struct date {
    char text[64];
} date;
date clock_date(void);

#endif
