/* A list of slots with counted users; the one unused for longest goes first. */
#include "gui/server/cache.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct slot {
    cached item; /* first: a borrowed item is its slot */
    char name[64];
    int users;
    int forgotten;
    uint64_t used; /* when, in borrowings */
    struct slot *next;
} slot;

struct cache {
    pthread_mutex_t lock;
    slot *first;
    int most;
    uint64_t clock;
    void (*destroy)(void *value);
};

cache *cache_create(int most, void (*destroy)(void *value))
{
    cache *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    pthread_mutex_init(&c->lock, NULL);
    c->most = most;
    c->destroy = destroy;
    return c;
}

static void destroy_slot(cache *c, slot *s)
{
    c->destroy(s->item.value);
    free(s);
}

/* Without the lock: a large table takes a while. */
static void destroy_all(cache *c, slot *first)
{
    while (first) {
        slot *next = first->next;
        destroy_slot(c, first);
        first = next;
    }
}

void cache_free(cache *c)
{
    if (!c) return;
    destroy_all(c, c->first);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

static slot *find(cache *c, const char *name)
{
    slot *s = c->first;
    while (s && (s->forgotten || strcmp(s->name, name) != 0)) s = s->next;
    return s;
}

static cached *lend(cache *c, slot *s)
{
    s->users++;
    s->used = ++c->clock;
    return &s->item;
}

/* The idle slot that is forgotten, else the one unused for longest. NULL if no more are idle than
 * may be. */
static slot *superfluous(const cache *c)
{
    int idle = 0;
    slot *oldest = NULL;
    for (slot *s = c->first; s; s = s->next) {
        if (s->users > 0) continue;
        if (s->forgotten) return s;
        idle++;
        if (!oldest || s->used < oldest->used) oldest = s;
    }
    return idle > c->most ? oldest : NULL;
}

/* Takes out what is superfluous: a list for destroy_all. */
static slot *tidy(cache *c)
{
    slot *out = NULL;
    for (slot *s; (s = superfluous(c));) {
        slot **link = &c->first;
        while (*link != s) link = &(*link)->next;
        *link = s->next;
        s->next = out;
        out = s;
    }
    return out;
}

cached *cache_borrow(cache *c, const char *name)
{
    pthread_mutex_lock(&c->lock);
    slot *s = find(c, name);
    cached *item = s ? lend(c, s) : NULL;
    pthread_mutex_unlock(&c->lock);
    return item;
}

cached *cache_add(cache *c, const char *name, void *value)
{
    slot *made = calloc(1, sizeof *made);
    if (!made) {
        c->destroy(value);
        return NULL;
    }
    made->item.value = value;
    snprintf(made->name, sizeof made->name, "%s", name);
    pthread_mutex_lock(&c->lock);
    slot *there = find(c, name);
    if (!there) {
        made->next = c->first;
        c->first = made;
    }
    cached *item = lend(c, there ? there : made);
    pthread_mutex_unlock(&c->lock);
    if (there) destroy_slot(c, made);
    return item;
}

void cache_return(cache *c, cached *item)
{
    if (!item) return;
    pthread_mutex_lock(&c->lock);
    ((slot *)(void *)item)->users--;
    slot *out = tidy(c);
    pthread_mutex_unlock(&c->lock);
    destroy_all(c, out);
}

void cache_forget(cache *c, const char *start)
{
    pthread_mutex_lock(&c->lock);
    for (slot *s = c->first; s; s = s->next)
        if (strncmp(s->name, start, strlen(start)) == 0) s->forgotten = 1;
    slot *out = tidy(c);
    pthread_mutex_unlock(&c->lock);
    destroy_all(c, out);
}
