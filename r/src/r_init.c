/* The routines that R calls, registered. */
#include <R_ext/Rdynload.h>

#include "rls2_calls.h"

#define CALL(name, count)                                                                          \
    {                                                                                              \
#name, (DL_FUNC)&name, count                                                               \
    }

static const R_CallMethodDef calls[] = {CALL(r_settings, 0),
                                        CALL(r_fit, 8),
                                        CALL(r_fit_about, 1),
                                        CALL(r_fit_curve, 1),
                                        CALL(r_fit_model, 2),
                                        CALL(r_model_pack, 1),
                                        CALL(r_model_unpack, 1),
                                        CALL(r_model_save, 2),
                                        CALL(r_model_load, 1),
                                        CALL(r_model_about, 1),
                                        CALL(r_model_coefficients, 1),
                                        CALL(r_model_predict, 5),
                                        CALL(r_model_terms, 4),
                                        CALL(r_model_effect, 3),
                                        {NULL, NULL, 0}};

__attribute__((visibility("default"))) void R_init_rls2(DllInfo *dll);

void R_init_rls2(DllInfo *dll)
{
    rls2_blas_tune(); /* as the command does: speed, and the same bits */
    R_registerRoutines(dll, NULL, calls, NULL, NULL);
    R_useDynamicSymbols(dll, FALSE);
    R_forceSymbols(dll, TRUE);
}
