/* Columns of R as a table of the library, and texts and lists back. */
#include "rls2_r.h"

#include <string.h>

const char *utf8(SEXP strings, R_xlen_t i)
{
    return Rf_translateCharUTF8(STRING_ELT(strings, i));
}

SEXP text(const char *utf8_text)
{
    return utf8_text ? Rf_mkCharCE(utf8_text, CE_UTF8) : NA_STRING;
}

SEXP named_list(int count, const char *const *names)
{
    SEXP list = PROTECT(Rf_allocVector(VECSXP, count));
    SEXP labels = PROTECT(Rf_allocVector(STRSXP, count));
    for (int i = 0; i < count; i++) SET_STRING_ELT(labels, i, text(names[i]));
    Rf_setAttrib(list, R_NamesSymbol, labels);
    UNPROTECT(2);
    return list;
}

SEXP numbers(int64_t count, const double *values)
{
    SEXP vector = Rf_allocVector(REALSXP, (R_xlen_t)count);
    if (count > 0) memcpy(REAL(vector), values, (size_t)count * sizeof *values);
    return vector;
}

static void release_table(SEXP pointer)
{
    rls2_table_free(R_ExternalPtrAddr(pointer));
    R_ClearExternalPtr(pointer);
}

rls2_table *table_of(SEXP pointer)
{
    return R_ExternalPtrAddr(pointer);
}

/* Texts live as long as the call. */
static const char *const *texts_of(SEXP strings)
{
    R_xlen_t n = XLENGTH(strings);
    const char **made = (const char **)R_alloc((size_t)n + 1, sizeof *made);
    for (R_xlen_t i = 0; i < n; i++)
        made[i] = STRING_ELT(strings, i) == NA_STRING ? NULL : utf8(strings, i);
    return made;
}

static rls2_column column_of(SEXP names, SEXP columns, R_xlen_t j, R_xlen_t rows)
{
    SEXP values = VECTOR_ELT(columns, j);
    rls2_column made = {.name = utf8(names, j), .stride = 1};
    if (XLENGTH(values) != rows)
        Rf_error("column '%s' has %lld values; the others have %lld", made.name,
                 (long long)XLENGTH(values), (long long)rows);
    if (TYPEOF(values) == REALSXP)
        made.numbers = REAL(values);
    else if (TYPEOF(values) == STRSXP)
        made.texts = texts_of(values);
    else
        Rf_error("column '%s' is neither numbers nor texts", made.name);
    return made;
}

SEXP columns_table(SEXP columns)
{
    rls2_error err;
    rls2_table *table = NULL;
    R_xlen_t count = XLENGTH(columns), rows = count > 0 ? XLENGTH(VECTOR_ELT(columns, 0)) : 0;
    SEXP names = PROTECT(Rf_getAttrib(columns, R_NamesSymbol));
    SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
    R_RegisterCFinalizerEx(pointer, release_table, TRUE);
    rls2_column *made = (rls2_column *)R_alloc((size_t)count + 1, sizeof *made);
    for (R_xlen_t j = 0; j < count; j++) made[j] = column_of(names, columns, j, rows);
    if (rls2_table_create("data", rows, count, made, &table, &err) != RLS2_OK) refuse(NULL, &err);
    R_SetExternalPtrAddr(pointer, table);
    UNPROTECT(2);
    return pointer;
}
