/* The folders of tables and runs, and the marks by which half-made ones are known. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gui/server/store_folder.h"

void store_new_path(char path[STORE_PATH], const char *kind, const char *id, const char *name)
{
    snprintf(path, STORE_PATH, "%s/" STORE_NEW "%s%s%s", kind, id, name[0] ? "/" : "", name);
}

int store_begin(store *s, const char *kind, const char *id, fault *f)
{
    char path[STORE_PATH];
    const char *name;
    store_new_path(path, kind, id, "");
    int folder = folder_of(s, path, &name, f);
    if (folder < 0) return f->code;
    int code = mkdirat(folder, name, 0700) == 0 ? 0 : store_say_errno(path, errno, NULL, f);
    close(folder);
    return code;
}

/* Both are in the folder of the kind. */
static int rename_part(const store *s, const char *kind, const char *from, const char *to)
{
    char path[STORE_PATH];
    const char *name;
    fault ignored;
    snprintf(path, sizeof path, "%s/%s", kind, from);
    int folder = folder_of(s, path, &name, &ignored);
    if (folder < 0) return 0;
    int renamed = renameat(folder, name, folder, to) == 0, why = errno;
    close(folder);
    errno = why;
    return renamed;
}

int store_complete(store *s, const char *kind, const char *id, fault *f)
{
    char name[sizeof STORE_NEW + ID_LENGTH];
    snprintf(name, sizeof name, STORE_NEW "%s", id);
    return rename_part(s, kind, name, id) ? 0 : store_say_errno(id, errno, NULL, f);
}

void store_retire(store *s, const char *kind, const char *id)
{
    char name[sizeof STORE_OLD + ID_LENGTH];
    snprintf(name, sizeof name, STORE_OLD "%s", id);
    rename_part(s, kind, id, name);
}

/* ---- deleting ---- */

static void drop_entry(void *user, int folder, const char *name)
{
    folder_unlink(user, folder, name);
}

/* The files of a marked folder and then itself; where somebody put a folder into it, both stay. */
static void remove_marked(store *s, int kind, const char *name)
{
    fault ignored;
    int folder = folder_open(kind, name, name, &ignored);
    if (folder < 0) return;
    folder_each(folder, drop_entry, s);
    close(folder);
    unlinkat(kind, name, AT_REMOVEDIR);
}

void store_remove(store *s, const char *kind, const char *id)
{
    static const char *const MARKS[] = {STORE_NEW, STORE_OLD};
    char path[STORE_PATH];
    const char *name;
    fault ignored;
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s%s", kind, MARKS[i], id);
        int folder = folder_of(s, path, &name, &ignored);
        if (folder < 0) continue;
        remove_marked(s, folder, name);
        close(folder);
    }
}

/* ---- at the start ---- */

typedef struct walk {
    store *store;
    const char *kind;
    void (*found)(void *user, const char *id);
    void *user;
    fault *fault;
    int code;
} walk;

static int is_marked(const char *name)
{
    return (starts_with(name, STORE_NEW) && store_is_id(name + strlen(STORE_NEW))) ||
           (starts_with(name, STORE_OLD) && store_is_id(name + strlen(STORE_OLD)));
}

static void visit(void *user, int kind, const char *name)
{
    walk *w = user;
    char shown[STORE_PATH];
    fault refused;
    int id = store_is_id(name);
    if (w->code || (!id && !is_marked(name))) return;
    snprintf(shown, sizeof shown, "%s/%s/%s", w->store->path, w->kind, name);
    int folder = folder_open(kind, name, shown, &refused);
    if (folder < 0 && id) {
        *w->fault = refused;
        w->code = refused.code;
    }
    if (folder < 0) return;
    atomic_fetch_add(&w->store->used, folder_bytes(folder)); /* before any of them is deleted */
    if (id) folder_sweep(w->store, folder);
    close(folder);
    if (id)
        w->found(w->user, name);
    else
        remove_marked(w->store, kind, name);
}

int store_each(store *s, const char *kind, void (*found)(void *user, const char *id), void *user,
               fault *f)
{
    char path[64];
    const char *name;
    walk w = {.store = s, .kind = kind, .found = found, .user = user, .fault = f};
    snprintf(path, sizeof path, "%s/", kind);
    int folder = folder_of(s, path, &name, f);
    if (folder < 0) return f->code;
    folder_each(folder, visit, &w);
    close(folder);
    return w.code;
}
