/* Where rows are many. */
#ifndef RLS2_BASE_MANY_ROWS_H
#define RLS2_BASE_MANY_ROWS_H

/* From so many rows on work is arranged for speed: what is gained grows with the square or the cube
 * of the rows. Below, it is done in milliseconds, and results keep the bits of the plain order. */
enum { RLS2__MANY_ROWS = 1000 };

#endif
