/* The table of routes. tools/gui-routes.py makes of it the list of gui/README.md and the types of
 * gui/page/src/routes.ts. */
#include "gui/server/routes.h"

const route ROUTES[] = {
    /* The page and the state */
    {"GET", "/", BODY_NONE, page_get, "page",
     "the page; it contains no secrets. With `?token=` it moves the token from the address to the "
     "tab's storage; with `?ticket=` it is given the token."},
    {"GET", PROOF_PATH, BODY_NONE, proof_get, "{ proof: string }",
     "HMAC-SHA-256 under the token of the port, a blank and the 64 hexadecimal digits of `?of=`. "
     "It needs no token: the page asks for it before it sends the token, also after a break, as "
     "another program may listen at the port by then."},
    {"GET", "/api/events", BODY_NONE, state_events, "stream",
     "`event: changed`, `{\"edition\"}`, at once and whenever tables, models or runs are added, "
     "deleted or renamed, or a run has another status or summary."},
    {"GET", "/api/state", BODY_NONE, state_get, "State",
     "version, threads, all tables, model files and runs (newest first), built-in tables."},
    {"GET", "/api/settings", BODY_NONE, settings_get, "{ settings: SettingAbout[] }",
     "the library's table of settings: name, kind, choices, default and texts of each. Texts call "
     "other settings by their labels."},
    /* Tables */
    {"POST", "/api/data", BODY_UPLOAD, data_upload, "DataAbout",
     "keeps the bytes as a table of the name `?name=`. `&delimiter=`, `&decimal=`, `&header=` and "
     "`&na=` override how it is read, in the words of the settings."},
    {"POST", "/api/data/builtin", BODY_JSON, data_builtin, "DataAbout",
     "the built-in table of that `name`."},
    {"GET", "/api/data/builtin", BODY_NONE, data_sample_picture, "SamplePicture",
     "some rows of the built-in table `?name=` for a small picture: `x`, `y` and their names, and "
     "`group`, 0 or 1, where the target is classes."},
    {"GET", "/api/data/:id", BODY_NONE, data_get, "DataAbout",
     "for each column the `kind` (number, text, date; dates are days since 1970-01-01), missing "
     "cells, and numbers or values; for the table `notes`, what was found when it was read, "
     "`undo`, for each of these the setting that reads it otherwise (`{\"na\": \"none\"}`) or "
     "null, `header` and `delimiter` of a CSV file, and `row_names`, the column that names rows."},
    {"DELETE", "/api/data/:id", BODY_NONE, data_delete, "ok",
     "deletes it, unless a run that is not finished needs it."},
    {"GET", "/api/data/:id/rows", BODY_NONE, data_rows, "{ rows: string[][] }",
     "its cells, `?from=` a row, `&count=` of them."},
    {"POST", "/api/data/:id/reread", BODY_JSON, data_reread, "DataAbout",
     "reads the same bytes with other such parameters; the new table is another, the old one "
     "stays."},
    /* Models: files that were opened */
    {"POST", "/api/models", BODY_MODEL, model_upload, "ModelBrief",
     "keeps the bytes as a model of the name `?name=`. The library checks them (docs/FORMAT.md) "
     "before they are kept, and whenever they are loaded; what is refused has 400 and the field "
     "`model`."},
    {"GET", "/api/models/:id", BODY_NONE, model_get, "ModelAbout",
     "what it learned and about which data: task, targets, loss, λ, inputs, kernels, certificate, "
     "score on left-out rows, intervals, how columns were prepared, the fingerprint of its data."},
    {"DELETE", "/api/models/:id", BODY_NONE, model_delete, "ok", "deletes it."},
    {"POST", "/api/models/:id/rows", BODY_UPLOAD, model_rows, "RowsTold",
     "what the model says of the rows of the table, of the first 1,000 at most: their `numbers` "
     "and `cells`, `fitted`, `labels`, `probabilities`, `lower` and `upper`; in `parts`, for each "
     "output, what a prediction is made of: `base` and the values of a row sum to `said`, which is "
     "on the scale of the loss. Kernels that look at the same inputs are one part, and so is each "
     "member of a stack. Where the target is in the table, `actual`, `score` of all rows, and the "
     "`confusion` of classes."},
    {"POST", "/api/models/:id/predict", BODY_UPLOAD, run_predict, "csv", "as of runs, below."},
    {"GET", "/api/models/:id/effect/:n", BODY_NONE, run_effect, "InputEffect",
     "as of runs, below."},
    {"GET", "/api/models/:id/explanation", BODY_NONE, run_explanation, "Explanation",
     "as of runs, below."},
    /* Runs */
    {"POST", "/api/check", BODY_JSON, settings_check, "Checked",
     "what `{\"data\", \"test_data\", \"validation_data\", \"settings\"}` mean (rows, kernels, "
     "memory; `inputs`, what each column is taken for; `left_out`, columns left out by themselves, "
     "and why; `suspects`, columns that may give the target away; `missing`, what becomes of rows "
     "with an empty cell, and what each column costs; `dictionary`, the kernels as text; "
     "`too_much`, whether memory is short), or the error and its field. All but `data` may be left "
     "out. `settings` holds values by name: texts, numbers, booleans, lists of these, or null for "
     "the default. Runs of folders of version 0.6 are shown in this form."},
    {"POST", "/api/savings", BODY_JSON, settings_savings, "{ savings: Saving[] }",
     "of the same: settings with which a run takes less, each with its `setting`, `value`, "
     "`rows`, `kernels` and `forecast`."},
    {"POST", "/api/runs", BODY_JSON, run_add, "{ id: string }",
     "the same, queued. Runs are processed one at a time, in order."},
    {"GET", "/api/runs/:id", BODY_NONE, run_get, "Run",
     "description, `asked`, and `result` if there is one, whatever the status. With the setting "
     "`stability` the result has `stability`: halves, limit, bounds, and in `selected` how many "
     "halves selected each input."},
    {"DELETE", "/api/runs/:id", BODY_NONE, run_delete, "ok", "deletes it, also while it runs."},
    {"GET", "/api/runs/:id/events", BODY_NONE, run_events, "stream", "how far it is; see below."},
    {"POST", "/api/runs/:id/stop", BODY_JSON, run_stop, "ok",
     "keeps what is finished; the status becomes `stopped` once that is saved."},
    {"POST", "/api/runs/:id/name", BODY_JSON, run_rename, "ok", "`{\"name\"}` renames it."},
    {"POST", "/api/runs/:id/notes", BODY_JSON, run_note, "ok",
     "`{\"tags\", \"note\"}`, a list of texts and a text, either of which may be left out; they "
     "are told with the run."},
    /* Results: of λ number N */
    {"GET", "/api/runs/:id/point/:n", BODY_NONE, run_point, "Detail",
     "kernels, coefficients, predictions, confusion matrix, `losses` (of each output), "
     "`intercept_free`, and `inputs`, the columns of the table that its kernels look at. "
     "`left_out` of an output has the share of each kernel in the variance of left-out rows; with "
     "another loss than the square one it is of the variance of their predictions, and the shares "
     "sum to 1; and in `splits` a sign for each split, 1 where it selects the kernel. `train`, "
     "`test` and `left_out` have `actual` and `fitted` (`predicted` of `left_out`), a list for "
     "each output: rates of counts, quantiles in order, of classes the score; with a loss that "
     "knows them `probabilities`, a list for each class; `weights` where rows have some; and "
     "`rows`, their numbers in their own table, from 1."},
    {"GET", "/api/runs/:id/profile", BODY_NONE, run_profile, "Profile",
     "weights and coefficients along the path."},
    {"GET", "/api/runs/:id/model/:n", BODY_NONE, run_model, "file", "the model."},
    {"GET", "/api/runs/:id/about/:n", BODY_NONE, model_get, "ModelAbout",
     "the model as that of a file."},
    {"POST", "/api/runs/:id/rows/:n", BODY_UPLOAD, model_rows, "RowsTold",
     "what it says of the rows of a table, as of model files."},
    {"GET", "/api/runs/:id/function/:n/:n", BODY_NONE, run_function, "KernelFunction",
     "what the kernel of the second number adds to output `?output=`, as a function of its "
     "column."},
    {"GET", "/api/runs/:id/effect/:n/:n", BODY_NONE, run_effect, "InputEffect",
     "what the input of the second number does to predictions of output `?output=`, along its "
     "values or for each of its levels, and its direction: up, down, both, none."},
    {"GET", "/api/runs/:id/explanation/:n", BODY_NONE, run_explanation, "Explanation",
     "how much each input counts in the whole prediction of output `?output=`, and what two do "
     "together, as `rls2 show` tells; of a model without its rows 400, and 409 where it would take "
     "many seconds."},
    {"GET", "/api/runs/:id/predictions/:n", BODY_NONE, run_predictions, "csv",
     "the run's own rows."},
    {"POST", "/api/runs/:id/predict/:n", BODY_UPLOAD, run_predict, "csv",
     "what `rls2 predict` writes, with `--probability` where the loss knows probabilities; "
     "`?cells=1` adds the table's own cells. The header `X-RLS2-Summary` counts, in JSON, the "
     "rows, those predicted, the cells imputed and those of unseen categories."},
    {"GET", "/api/runs/:id/statistics.csv", BODY_NONE, run_statistics_csv, "csv",
     "all numbers along the path."},
    {"GET", "/api/runs/:id/statistics.json", BODY_NONE, run_statistics_json, "file", "the result."},
    {"GET", "/api/runs/:id/table.csv", BODY_NONE, run_table, "csv", "the training rows."},
    {"GET", "/api/runs/:id/commands", BODY_NONE, run_commands, "Commands",
     "the equivalent shell command, which makes the same model of λ number `?point=` byte for "
     "byte, and Python code that gives the same numbers. Without `point` they choose λ as the run "
     "was asked to."},
    {NULL, NULL, BODY_NONE, NULL, NULL, NULL},
};
