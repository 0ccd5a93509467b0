/* A few things that were made from files and may be wanted again: tables, models. Shared between
 * threads; what is in use is never thrown away. */
#ifndef RLS2_GUI_CACHE_H
#define RLS2_GUI_CACHE_H

typedef struct cache cache;
typedef struct cached {
    void *value;
} cached;

/* Keeps `most` things that nobody uses at the moment. NULL when out of memory. */
cache *cache_create(int most, void (*destroy)(void *value));
/* Nothing may be in use any more. */
void cache_free(cache *c);
/* The thing of that name, to be returned by cache_return; NULL where there is none. */
cached *cache_borrow(cache *c, const char *name);
/* Hands over a value and borrows it. Where another thread was faster its value is what comes back.
 * NULL when out of memory: the value is destroyed then. */
cached *cache_add(cache *c, const char *name, void *value);
void cache_return(cache *c, cached *item);
/* Everything whose name begins so: thrown away as soon as nobody uses it. */
void cache_forget(cache *c, const char *start);

#endif
