/* What a user of the installed library writes: fits a path on four rows and predicts them. */
#include <rls2/rls2.h>

#include <stdio.h>

int main(void)
{
    const double x[] = {-1.5, -0.5, 0.5, 1.5, 1.0, -1.0, 1.0, -1.0}; /* two columns */
    const double y[] = {1.0, 2.0, 3.0, 4.0};
    const double lambdas[] = {1e-3};
    const rls2_columns columns = {.count = 2};
    const rls2_rows rows = {.n = 4, .p = 2, .x = x};
    rls2_dictionary *dictionary = NULL;
    rls2_basis *basis = NULL;
    rls2_path *path = NULL;
    rls2_model *model = NULL;
    rls2_error err = {.status = RLS2_OK};
    double f[4];

    int failed = rls2_dictionary_create("linear", &columns, &dictionary, &err) ||
                 rls2_basis_create(dictionary, &rows, NULL, NULL, &basis, &err) ||
                 rls2_path_fit(1, (const rls2_basis *const *)&basis, y, 1, lambdas, NULL, NULL,
                               &path, &err) ||
                 rls2_model_create(1, (const rls2_path *const *)&path, 0, &model, &err) ||
                 rls2_model_predict(model, &rows, NULL, f, &err);
    if (failed)
        fprintf(stderr, "%s: %s\n", rls2_status_text(err.status), err.message);
    else
        printf("rls2 %s: f = %.3f %.3f %.3f %.3f\n", rls2_version(), f[0], f[1], f[2], f[3]);

    rls2_model_free(model);
    rls2_path_free(path);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
    return failed;
}
