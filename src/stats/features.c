/* Evaluates kernels at landmarks, and rotates and rounds them. */
#include "stats/features.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/invariant.h"
#include "la/la.h"

/* Of a landmark's own value, below which it depends on others: C^-1 then magnifies rounding by 1e5
 * at most, far below the unit of features. */
static const double DEPENDENT = 1e-10;

/* Values of a kernel, and entries of C^-1, that are smaller than this share of the largest are
 * zero: their products would be too small for normal numbers, which takes a hundred times as long,
 * and are nothing beside the unit of features. */
static const double NOTHING = 0x1p-120;

/* A tile is TALL features by all landmarks up to them; it is applied to WIDE rows at a time. */
enum { TALL = 4, WIDE = 16, LANES = 8, MOST = 1 << RLS2__FEATURE_BITS };

/* ---- kernels and axes ---- */

int64_t rls2__kernel_axis(const rls2__axes *axes, const rls2__kernel *kernel)
{
    if (kernel->kind == RLS2__KERNEL_GIVEN || kernel->column_count == 0) return -1;
    int64_t axis = axes->of[kernel->columns[0]];
    for (int64_t t = 1; t < kernel->column_count; t++)
        if (axes->of[kernel->columns[t]] != axis) return -1;
    return axis;
}

int rls2__kernel_has_axes(const rls2__axes *axes, const rls2__kernel *kernel)
{
    return kernel->kind == RLS2__KERNEL_LINEAR || rls2__kernel_axis(axes, kernel) >= 0;
}

/* ---- blocks ---- */

void rls2__features_free(rls2__features *features)
{
    if (!features) return;
    rls2__arena_free(features->arena);
    rls2__free(features);
}

const rls2__feature_block *rls2__features_of(const rls2__features *features, int64_t index)
{
    for (int64_t b = 0; features && b < features->count; b++)
        if (features->all[b].index == index) return &features->all[b];
    return NULL;
}

static double *reserve_doubles(rls2__arena *arena, int64_t count)
{
    return rls2__arena_alloc(arena, rls2__mul(count, (int64_t)sizeof(double)));
}

/* The longest feature vector of rows within the ends of the axes: K(x, x) grows with each |x|. */
static rls2_status find_unit(const rls2__axes *axes, rls2__feature_block *block)
{
    double *far = rls2__alloc_zero(axes->columns, sizeof *far), longest;
    const rls2_rows row = {.n = 1, .p = axes->columns, .x = far, .ldx = 1};
    if (!far) return RLS2_ERR_MEMORY;
    for (int64_t t = 0; t < block->kernel.column_count; t++) {
        int64_t column = block->kernel.columns[t], v = 0;
        const rls2__axis *axis = &axes->all[axes->of[column]];
        while (axis->columns[v] != column) v++;
        for (int64_t g = 0; g < axis->count; g++)
            far[column] = fmax(far[column], fabs(axis->points[g * axis->width + v]));
    }
    rls2__kernel_diagonal(&block->kernel, &row, &longest);
    block->unit = longest > 0.0 && isfinite(longest) ? sqrt(longest) / MOST : 1.0 / MOST;
    rls2__free(far);
    return RLS2_OK;
}

static int64_t tiles_of(int64_t count)
{
    return (count + TALL - 1) / TALL;
}

/* Where tile t begins: tile s has TALL (s + 1) columns of TALL values. */
static int64_t tile_at(int64_t t)
{
    return TALL * TALL * (t * (t + 1) / 2);
}

static void fill_tiles(rls2__feature_block *block)
{
    int64_t L = block->count;
    for (int64_t t = 0; t < tiles_of(L); t++) {
        double *tile = block->tiles + tile_at(t);
        for (int64_t j = 0; j < TALL * (t + 1); j++)
            for (int64_t f = 0; f < TALL; f++) {
                int64_t i = TALL * t + f;
                double value = i < L && j <= i ? block->inverse[j * L + i] : 0.0;
                int counts = i < L && fabs(value) > NOTHING * block->inverse[i * L + i];
                tile[j * TALL + f] = counts ? value : 0.0;
            }
    }
}

static rls2_status keep_inverse(const double *inverse, rls2__arena *arena,
                                rls2__feature_block *block)
{
    int64_t L = block->count, square = rls2__mul(L, L);
    block->inverse = reserve_doubles(arena, square);
    block->tiles = reserve_doubles(arena, tile_at(tiles_of(L)));
    if (!block->inverse || !block->tiles) return RLS2_ERR_MEMORY;
    memcpy(block->inverse, inverse, (size_t)square * sizeof *inverse);
    fill_tiles(block);
    return RLS2_OK;
}

/* ---- the factor of a block ---- */

/* Row t of C, of the next landmark: from the kernel's values with those before it. C is most x
 * most, by columns; k[t] is its value with itself. 0 where it depends on those. */
static int add_landmark(int64_t t, int64_t most, const double *k, double *row, double *C)
{
    memcpy(row, k, (size_t)t * sizeof *row);
    if (t > 0) rls2__la_lower_solve_vector(t, C, most, row);
    double left = k[t] - rls2__la_dot(t, row, row);
    if (!(left > DEPENDENT * k[t])) return 0;
    for (int64_t s = 0; s < t; s++) C[s * most + t] = row[s];
    C[t * most + t] = sqrt(left);
    return 1;
}

/* C of those landmarks that do not depend on others, which are moved to the front of kept. */
static int64_t factorize(const rls2__kernel *kernel, const rls2_rows *sample, int64_t most,
                         int64_t *kept, double *work, double *C)
{
    int64_t t = 0;
    double *k = work, *row = work + most, *values = work + 2 * most;
    for (int64_t i = 0; i < most; i++) {
        rls2__kernel_column(kernel, sample, sample, kept[i], values);
        for (int64_t s = 0; s < t; s++) k[s] = values[kept[s]];
        k[t] = values[kept[i]];
        kept[t] = kept[i];
        t += add_landmark(t, most, k, row, C);
    }
    return t;
}

static rls2_status invert(const rls2_rows *sample, int64_t most, int64_t *kept, rls2__arena *arena,
                          rls2__feature_block *block)
{
    rls2_status status = RLS2_ERR_MEMORY;
    double *C = rls2__alloc_zero(rls2__mul(most, most), sizeof *C);
    double *work = rls2__alloc(rls2__add(rls2__mul(2, most), sample->n), sizeof *work);
    if (C && work) {
        int64_t L = factorize(&block->kernel, sample, most, kept, work, C);
        for (int64_t j = 1; j < L; j++) memmove(C + j * L, C + j * most, (size_t)L * sizeof *C);
        block->count = L;
        status = L == 0 || rls2__la_lower_inverse(L, C, L) == 0 ? RLS2_OK : RLS2_ERR_MEMORY;
        if (status == RLS2_OK && L > 0) status = keep_inverse(C, arena, block);
    }
    rls2__free(C);
    rls2__free(work);
    return status;
}

static rls2_status copy_kernel(const rls2__kernel *from, rls2__arena *arena, rls2__kernel *kernel)
{
    int64_t width = from->column_count;
    int64_t *columns = rls2__arena_alloc(arena, rls2__mul(width, sizeof *columns));
    char *name = rls2__arena_copy(arena, from->name);
    if (!columns || !name) return RLS2_ERR_MEMORY;
    memcpy(columns, from->columns, (size_t)width * sizeof *columns);
    *kernel = *from;
    kernel->columns = columns;
    kernel->name = name;
    return RLS2_OK;
}

static rls2_status make_block(const rls2__axes *axes, const rls2_rows *sample,
                              const rls2__feature_wish *wish, int64_t *kept, rls2__arena *arena,
                              rls2__feature_block *block)
{
    *block = (rls2__feature_block){.index = wish->index, .count = wish->count};
    if (copy_kernel(wish->kernel, arena, &block->kernel) != RLS2_OK) return RLS2_ERR_MEMORY;
    memcpy(kept, wish->rows, (size_t)wish->count * sizeof *kept);
    rls2_status status = wish->inverse ? keep_inverse(wish->inverse, arena, block)
                                       : invert(sample, wish->count, kept, arena, block);
    return status == RLS2_OK ? find_unit(axes, block) : status;
}

static void copy_landmarks(const rls2_rows *sample, const int64_t *rows, rls2__features *it)
{
    int64_t ldx = sample->ldx ? sample->ldx : sample->n;
    for (int64_t v = 0; v < it->columns; v++)
        for (int64_t l = 0; l < it->total; l++)
            it->x[v * it->total + l] = sample->x[v * ldx + rows[l]];
}

static rls2_status fill_features(const rls2__axes *axes, const rls2_rows *sample, int64_t count,
                                 const rls2__feature_wish *wishes, int64_t *rows,
                                 rls2__features *it)
{
    it->arena = rls2__arena_create();
    if (!it->arena) return RLS2_ERR_MEMORY;
    it->columns = axes->columns;
    it->all = rls2__arena_alloc(it->arena, rls2__mul(count, sizeof *it->all));
    if (!it->all) return RLS2_ERR_MEMORY;
    for (int64_t w = 0; w < count; w++) {
        rls2__feature_block *block = &it->all[it->count];
        rls2_status status =
            make_block(axes, sample, &wishes[w], rows + it->total, it->arena, block);
        if (status != RLS2_OK) return status;
        block->first = it->total;
        it->total += block->count;
        it->count += block->count > 0;
    }
    it->x = reserve_doubles(it->arena, rls2__mul(it->total, it->columns));
    if (!it->x) return RLS2_ERR_MEMORY;
    copy_landmarks(sample, rows, it);
    return RLS2_OK;
}

rls2_status rls2__features_create(const rls2__axes *axes, const rls2_rows *sample, int64_t count,
                                  const rls2__feature_wish *wishes, rls2__features **features)
{
    int64_t all = 0;
    for (int64_t w = 0; w < count; w++) all = rls2__add(all, wishes[w].count);
    int64_t *rows = rls2__alloc(all, sizeof *rows);
    rls2__features *made = rls2__alloc_zero(1, sizeof *made);
    rls2_status status =
        rows && made ? fill_features(axes, sample, count, wishes, rows, made) : RLS2_ERR_MEMORY;
    rls2__free(rows);
    if (status == RLS2_OK)
        *features = made;
    else
        rls2__features_free(made);
    return status;
}

static rls2_status restore(int64_t columns, int64_t count, const rls2__feature_parts *parts,
                           const double *x, rls2__features *it)
{
    it->columns = columns;
    it->all = rls2__arena_alloc(it->arena, rls2__mul(count, sizeof *it->all));
    if (!it->all) return RLS2_ERR_MEMORY;
    for (int64_t b = 0; b < count; b++) {
        rls2__feature_block *block = &it->all[it->count++];
        *block = (rls2__feature_block){.index = parts[b].index,
                                       .first = it->total,
                                       .count = parts[b].count,
                                       .unit = parts[b].unit};
        it->total += block->count;
        if (copy_kernel(&parts[b].kernel, it->arena, &block->kernel) != RLS2_OK ||
            keep_inverse(parts[b].inverse, it->arena, block) != RLS2_OK)
            return RLS2_ERR_MEMORY;
    }
    it->x = reserve_doubles(it->arena, rls2__mul(it->total, columns));
    if (!it->x) return RLS2_ERR_MEMORY;
    memcpy(it->x, x, (size_t)(it->total * columns) * sizeof *x);
    return RLS2_OK;
}

rls2_status rls2__features_restore(int64_t columns, int64_t count, const rls2__feature_parts *parts,
                                   const double *x, rls2__features **features)
{
    rls2__features *made = rls2__alloc_zero(1, sizeof *made);
    if (!made) return RLS2_ERR_MEMORY;
    made->arena = rls2__arena_create();
    rls2_status status = made->arena ? restore(columns, count, parts, x, made) : RLS2_ERR_MEMORY;
    if (status == RLS2_OK)
        *features = made;
    else
        rls2__features_free(made);
    return status;
}

/* ---- features of rows ---- */

static void lay_out_room(rls2__layout *layout, void *owner)
{
    rls2__feature_room *room = owner;
    int64_t rows = RLS2__FEATURE_ROWS, most = 0;
    for (int64_t b = 0; b < room->features->count; b++)
        if (room->features->all[b].count > most) most = room->features->all[b].count;
    most = TALL * tiles_of(most);
    room->x = rls2__layout_take(layout, rls2__mul(rows, room->features->columns), sizeof *room->x);
    room->K = rls2__layout_take(layout, rls2__mul(rows, most), sizeof *room->K);
    room->diagonal = rls2__layout_take(layout, rows, sizeof *room->diagonal);
}

rls2_status rls2__feature_room_create(const rls2__features *features, rls2__feature_room *room)
{
    *room = (rls2__feature_room){.features = features};
    room->block = rls2__layout_alloc(lay_out_room, room);
    return room->block ? RLS2_OK : RLS2_ERR_MEMORY;
}

void rls2__feature_room_release(rls2__feature_room *room)
{
    rls2__free(room->block);
    *room = (rls2__feature_room){0};
}

/* Columns of the block; where there are fewer rows the last is repeated. */
static void gather(const rls2__kernel *kernel, const double *x, int64_t ldx, int64_t count,
                   const int64_t *order, double *to)
{
    for (int64_t t = 0; t < kernel->column_count; t++) {
        const double *from = x + kernel->columns[t] * ldx;
        double *column = to + kernel->columns[t] * RLS2__FEATURE_ROWS;
        for (int64_t i = 0; i < RLS2__FEATURE_ROWS; i++)
            column[i] = from[order[i < count ? i : count - 1]];
    }
}

typedef double lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(8), may_alias));

/* sum[f][i] = sum over j of tile[j][f] K[j][i], in the order of j: a row has the same bits wherever
 * it stands, which a product by BLAS does not promise. */
RLS2__CLONES
static void apply_tile(int64_t depth, const double *tile, const double *K, double *sum)
{
    lanes a0 = {0.0}, a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0, d0 = a0, d1 = a0;
    for (int64_t j = 0; j < depth; j++, tile += TALL, K += RLS2__FEATURE_ROWS) {
        lanes k0 = *(const lanes *)K, k1 = *(const lanes *)(K + LANES);
        a0 += tile[0] * k0;
        a1 += tile[0] * k1;
        b0 += tile[1] * k0;
        b1 += tile[1] * k1;
        c0 += tile[2] * k0;
        c1 += tile[2] * k1;
        d0 += tile[3] * k0;
        d1 += tile[3] * k1;
    }
    lanes *out = (lanes *)sum;
    out[0] = a0;
    out[1] = a1;
    out[2] = b0;
    out[3] = b1;
    out[4] = c0;
    out[5] = c1;
    out[6] = d0;
    out[7] = d1;
}

/* To the nearest integer, even where two are as near. */
static int32_t round_feature(double x)
{
    static const double shift = 0x1.8p52;
    double nearest = (x + shift) - shift;
    nearest = nearest < MOST ? nearest : MOST;
    return (int32_t)(nearest > -MOST ? nearest : -MOST);
}

static void round_tile(const double *sum, double scale, int64_t features, int64_t rows,
                       int64_t total, int32_t *q)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t f = 0; f < features; f++)
            q[i * total + f] = round_feature(scale * sum[f * WIDE + i]);
}

static void round_block(const rls2__features *features, const rls2__feature_block *block,
                        int64_t count, const rls2__feature_room *room, int32_t *q)
{
    double sum[TALL * WIDE], scale = 1.0 / block->unit;
    for (int64_t t = 0; t < tiles_of(block->count); t++) {
        int64_t left = block->count - TALL * t;
        for (int64_t i = 0; i < count; i += WIDE) {
            apply_tile(TALL * (t + 1), block->tiles + tile_at(t), room->K + i, sum);
            round_tile(sum, scale, left < TALL ? left : TALL, count - i < WIDE ? count - i : WIDE,
                       features->total, q + i * features->total + block->first + TALL * t);
        }
    }
}

static void drop_nothings(int64_t count, double least, double *K)
{
    for (int64_t i = 0; i < count; i++) K[i] = fabs(K[i]) > least ? K[i] : 0.0;
}

/* K(x, Z), with zeros for landmarks that fill up the last tile. */
static void evaluate(const rls2__features *features, const rls2__feature_block *block,
                     rls2__feature_room *room)
{
    const rls2_rows rows = {.n = RLS2__FEATURE_ROWS, .p = features->columns, .x = room->x};
    const rls2_rows landmarks = {
        .n = features->total, .p = features->columns, .x = features->x, .ldx = features->total};
    int64_t n = RLS2__FEATURE_ROWS, L = block->count;
    rls2__kernel_sums(&block->kernel, &rows, 0, n, &landmarks, block->first, L, room->K);
    rls2__kernel_map_part(&block->kernel, n * L, room->K);
    drop_nothings(n * L, NOTHING * (MOST * block->unit) * (MOST * block->unit), room->K);
    memset(room->K + n * L, 0, (size_t)(n * (TALL * tiles_of(L) - L)) * sizeof(double));
    rls2__kernel_diagonal(&block->kernel, &rows, room->diagonal);
}

void rls2__features_round(const rls2__features *features, const double *x, int64_t ldx,
                          int64_t count, const int64_t *order, rls2__feature_room *room, int32_t *q,
                          int64_t *traces, int64_t ldt)
{
    rls2__invariant(count >= 1 && count <= RLS2__FEATURE_ROWS);
    for (int64_t b = 0; b < features->count; b++) {
        const rls2__feature_block *block = &features->all[b];
        double per_square = 1.0 / (block->unit * block->unit), most = (double)MOST * MOST;
        gather(&block->kernel, x, ldx, count, order, room->x);
        evaluate(features, block, room);
        round_block(features, block, count, room, q);
        for (int64_t i = 0; i < count; i++)
            traces[b * ldt + i] = llrint(fmin(room->diagonal[i] * per_square, most));
    }
}

rls2_status rls2__features_values(const rls2__features *features, const double *x, int64_t ldx,
                                  int64_t count, const int64_t *order, double *out)
{
    rls2__feature_room room;
    int64_t total = features->total, rows = RLS2__FEATURE_ROWS;
    int32_t *q = rls2__alloc(rls2__mul(rows, total), sizeof *q);
    int64_t *traces = rls2__alloc(rls2__mul(rows, features->count), sizeof *traces);
    rls2_status status = rls2__feature_room_create(features, &room);
    if (!q || !traces) status = RLS2_ERR_MEMORY;
    for (int64_t first = 0; first < count && status == RLS2_OK; first += rows) {
        int64_t n = count - first < rows ? count - first : rows;
        rls2__features_round(features, x, ldx, n, order + first, &room, q, traces, rows);
        for (int64_t i = 0; i < n; i++)
            for (int64_t b = 0; b < features->count; b++) {
                const rls2__feature_block *block = &features->all[b];
                for (int64_t l = block->first; l < block->first + block->count; l++)
                    out[(first + i) * total + l] = block->unit * q[i * total + l];
            }
    }
    rls2__feature_room_release(&room);
    rls2__free(q);
    rls2__free(traces);
    return status;
}

void rls2__feature_coefficients(const rls2__feature_block *block, const double *alpha, double *a)
{
    int64_t L = block->count;
    for (int64_t j = 0; j < L; j++)
        a[j] = rls2__la_dot(L - j, block->inverse + j * L + j, alpha + j);
}

/* sum += a'K, of the rows at hand. */
RLS2__CLONES
static void add_expansion(int64_t count, const double *a, const double *K, double *restrict sum)
{
    for (int64_t l = 0; l < count; l++, K += RLS2__FEATURE_ROWS)
        for (int64_t i = 0; i < RLS2__FEATURE_ROWS; i++) sum[i] += a[l] * K[i];
}

static int is_zero(int64_t count, const double *x)
{
    for (int64_t i = 0; i < count; i++)
        if (x[i] < 0.0 || x[i] > 0.0) return 0;
    return 1;
}

rls2_status rls2__features_expand(const rls2__features *features, const double *x, int64_t ldx,
                                  int64_t count, const int64_t *order, const double *alpha,
                                  double *out)
{
    rls2__feature_room room;
    double *a = rls2__alloc(features->total, sizeof *a), sum[RLS2__FEATURE_ROWS];
    rls2_status status = rls2__feature_room_create(features, &room);
    if (!a) status = RLS2_ERR_MEMORY;
    for (int64_t b = 0; b < features->count && status == RLS2_OK; b++) {
        const rls2__feature_block *block = &features->all[b];
        if (is_zero(block->count, alpha + block->first)) continue;
        rls2__feature_coefficients(block, alpha + block->first, a);
        for (int64_t first = 0; first < count; first += RLS2__FEATURE_ROWS) {
            int64_t left = count - first, n = left < RLS2__FEATURE_ROWS ? left : RLS2__FEATURE_ROWS;
            gather(&block->kernel, x, ldx, n, order + first, room.x);
            evaluate(features, block, &room);
            memset(sum, 0, sizeof sum);
            add_expansion(block->count, a, room.K, sum);
            for (int64_t i = 0; i < n; i++) out[first + i] += sum[i];
        }
    }
    rls2__feature_room_release(&room);
    rls2__free(a);
    return status;
}
