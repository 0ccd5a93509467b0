// The same as consumer.c, in C++.
#include <rls2/rls2.h>

#include <cstdio>

int main()
{
    const double x[] = {-1.5, -0.5, 0.5, 1.5, 1.0, -1.0, 1.0, -1.0}; // two columns
    const double y[] = {1.0, 2.0, 3.0, 4.0}, lambda = 1e-3;
    rls2_columns columns = {};
    rls2_rows rows = {};
    rls2_dictionary *dictionary = nullptr;
    rls2_basis *basis = nullptr;
    rls2_path *path = nullptr;
    rls2_model *model = nullptr;
    rls2_path_options options;
    rls2_control control;
    rls2_error err;
    double f[4];
    columns.count = rows.p = 2;
    rows.n = 4;
    rows.x = x;
    rls2_path_options_init(&options, sizeof options);
    rls2_control_init(&control, sizeof control);
    control.threads = 1;

    const bool failed = rls2_dictionary_create("linear", &columns, &dictionary, &err) ||
                        rls2_basis_create(dictionary, &rows, nullptr, &control, &basis, &err) ||
                        rls2_path_fit(1, &basis, y, 1, &lambda, &options, &control, &path, &err) ||
                        rls2_model_create(1, &path, 0, &model, &err) ||
                        rls2_model_predict(model, &rows, &control, f, &err);
    if (failed)
        std::fprintf(stderr, "%s: %s\n", rls2_status_text(err.status), err.message);
    else
        std::printf("rls2 %s: f = %.3f %.3f %.3f %.3f\n", rls2_version(), f[0], f[1], f[2], f[3]);

    rls2_model_free(model);
    rls2_path_free(path);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
    return failed;
}
