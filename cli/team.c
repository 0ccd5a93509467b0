/* Objects travel as their bytes: a length, then pieces that MPI's counts can tell. MPI_Reduce wants
 * operands of one length everywhere, which profiles have not and files of statistics need not have:
 * its tree is made here. What MPI itself finds wrong ends all processes, as its default is. */
#include "cli/team.h"

#include <stdlib.h>

int team_is_started(void)
{
    static const char *const NAMES[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        const char *size = getenv(NAMES[i]);
        if (size && atoi(size) > 1) return 1;
    }
    return 0;
}

#ifdef RLS2_MPI

#include <mpi.h>

enum { PIECE = 1 << 30, TAG = 1 };

int team_join(team *t)
{
    *t = (team){0, 1};
    if (!team_is_started()) return EXIT_OK;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &t->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &t->size);
    if (t->size > 1) return EXIT_OK;
    /* each would do all of the work, and write the same file */
    say_error(NULL, "several processes were started, and do not know of each other: this rls2 was "
                    "built with another MPI than that of mpirun");
    MPI_Finalize();
    return EXIT_USAGE;
}

void team_leave(const team *t)
{
    if (t->size > 1) MPI_Finalize();
}

int team_agree(const team *t, int code)
{
    int worst = code;
    if (t->size > 1) MPI_Allreduce(&code, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return worst;
}

/* ---- bytes ---- */

typedef struct bytes {
    void *data; /* NULL: there is no object */
    int64_t length;
} bytes;

static int piece_of(int64_t left)
{
    return left < PIECE ? (int)left : PIECE;
}

static void send(const bytes *b, int to)
{
    int64_t length = b->data ? b->length : -1;
    MPI_Send(&length, 1, MPI_INT64_T, to, TAG, MPI_COMM_WORLD);
    for (int64_t at = 0; at < length; at += PIECE)
        MPI_Send((char *)b->data + at, piece_of(length - at), MPI_BYTE, to, TAG, MPI_COMM_WORLD);
}

/* Room for the bytes. Without it the others would wait for ever: all are ended. */
static void reserve(const settings *s, int64_t length, bytes *b)
{
    *b = (bytes){NULL, length};
    if (length < 0) return;
    b->data = malloc((size_t)(length > 0 ? length : 1));
    if (b->data) return;
    say_error(s, "out of memory for what another process has counted");
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILED);
}

static void receive(const settings *s, int from, bytes *b)
{
    int64_t length;
    MPI_Recv(&length, 1, MPI_INT64_T, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    reserve(s, length, b);
    for (int64_t at = 0; at < length; at += PIECE)
        MPI_Recv((char *)b->data + at, piece_of(length - at), MPI_BYTE, from, TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

/* ---- objects ---- */

static int pack(const settings *s, const team_sum *sum, const void *object, bytes *b)
{
    rls2_error err;
    *b = (bytes){NULL, -1};
    if (!object || sum->pack(object, &b->data, &b->length, &err) == RLS2_OK) return EXIT_OK;
    return fail(s, &err);
}

/* Adds an object to the one there is, or takes its place. */
static int add(const settings *s, const team_sum *sum, const bytes *b, void **object)
{
    rls2_error err;
    void *other = NULL;
    if (!b->data) return EXIT_OK;
    rls2_status status = sum->unpack(b->data, b->length, &other, &err);
    if (status == RLS2_OK && *object) {
        status = sum->merge(*object, other, &err);
        sum->release(other);
    } else if (status == RLS2_OK) {
        *object = other;
    }
    return status == RLS2_OK ? EXIT_OK : fail(s, &err);
}

static int send_object(const settings *s, const team_sum *sum, const void *object, int to)
{
    bytes b;
    int code = pack(s, sum, object, &b);
    send(&b, to);
    rls2_bytes_free(b.data);
    return code;
}

static int receive_object(const settings *s, const team_sum *sum, int from, void **object)
{
    bytes b;
    receive(s, from, &b);
    int code = add(s, sum, &b, object);
    free(b.data);
    return code;
}

int team_add_up(const team *t, const settings *s, const team_sum *sum, void **object)
{
    int code = EXIT_OK;
    for (int step = 1; step < t->size; step *= 2) {
        if (t->rank & step) {
            int worse = send_object(s, sum, code == EXIT_OK ? *object : NULL, t->rank - step);
            if (worse != EXIT_OK) code = worse;
            break;
        }
        if (t->rank + step >= t->size) continue;
        int worse = receive_object(s, sum, t->rank + step, object);
        if (worse != EXIT_OK) code = worse;
    }
    return team_agree(t, code);
}

int team_share(const team *t, const settings *s, const team_sum *sum, void **object)
{
    bytes b = {NULL, -1};
    int code = t->rank == 0 ? pack(s, sum, *object, &b) : EXIT_OK;
    int64_t length = b.data ? b.length : -1;
    MPI_Bcast(&length, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    if (t->rank > 0) reserve(s, length, &b);
    for (int64_t at = 0; at < length; at += PIECE)
        MPI_Bcast((char *)b.data + at, piece_of(length - at), MPI_BYTE, 0, MPI_COMM_WORLD);
    if (t->rank > 0) {
        code = add(s, sum, &b, object);
        free(b.data);
    } else {
        rls2_bytes_free(b.data);
    }
    return team_agree(t, code);
}

#else

int team_join(team *t)
{
    *t = (team){0, 1};
    if (!team_is_started()) return EXIT_OK;
    say_error(NULL, "several processes were started, and this rls2 was built without MPI: build it "
                    "with cmake -DRLS2_MPI=ON");
    return EXIT_USAGE;
}

void team_leave(const team *t)
{
    (void)t;
}

int team_agree(const team *t, int code)
{
    (void)t;
    return code;
}

int team_add_up(const team *t, const settings *s, const team_sum *sum, void **object)
{
    (void)t, (void)s, (void)sum, (void)object;
    return EXIT_OK;
}

int team_share(const team *t, const settings *s, const team_sum *sum, void **object)
{
    (void)t, (void)s, (void)sum, (void)object;
    return EXIT_OK;
}

#endif
