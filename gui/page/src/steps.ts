// The settings, step by step: what is predicted, columns, preprocessing, kernels, regularisation, validation.

import { api, type DataAbout, type Normalise, type Settings } from "./api";
import { h } from "./dom";
import { field, fileButton, number, select, step, text, tick, type Option } from "./fields";
import { changed, columnNames, report, set, state } from "./state";

/** Sets what other fields depend on: the steps are drawn anew. */
function choose<K extends keyof Settings>(key: K, value: Settings[K]): void {
    set(key, value);
    changed("settings");
}

const recheck = (): void => changed("check");

/** More columns than a list can hold are found by typing. */
const LONG_LIST = 300;

/** The names a field that is typed into offers: once for all of them. */
export function columnNamesList(): HTMLElement | null {
    const names = columnNames();
    return names.length > LONG_LIST
        ? h(
              "datalist",
              { id: "column-names" },
              names.slice(0, 20000).map((n) => h("option", { value: n })),
          )
        : null;
}

/** A column, or "" for what `none` says. */
function columnPicker(
    value: string,
    none: string,
    names: string[],
    onchange: (name: string) => void,
): HTMLSelectElement | HTMLInputElement {
    if (columnNames().length <= LONG_LIST)
        return select(value, [["", none], ...names.map((n): Option<string> => [n, n])], onchange);
    const known = new Set(names);
    const take = (e: Event): void => {
        const input = e.target as HTMLInputElement;
        if (input.value === "" || known.has(input.value)) onchange(input.value);
        else input.value = value;
    };
    return h("input", {
        type: "text",
        list: "column-names",
        autocomplete: "off",
        placeholder: none,
        value,
        onchange: take,
    });
}
const wordOf = <T extends string>(options: Option<T>[], value: T): string =>
    options.find(([v]) => v === value)?.[1] ?? value;

// ---- what is predicted ----

const TASKS: Option<Settings["task"]>[] = [
    ["auto", "automatic"],
    ["regression", "a number"],
    ["classification", "classes"],
];

export function targetStep(s: Settings): HTMLElement {
    return h(
        "section",
        { class: "target-step", "aria-label": "What is predicted" },
        field(
            "target",
            "Predict",
            columnPicker(s.target[0] ?? "", "choose a column…", columnNames(), (v) =>
                choose("target", v ? [v, ...s.target.slice(1).filter((t) => t !== v)] : []),
            ),
        ),
        s.target.length > 1
            ? h("div", { class: "hint" }, `and ${s.target.slice(1).join(", ")}, each on its own`)
            : null,
        state.guessed
            ? h("div", { class: "hint guess" }, "A guess: is this what you want to predict?")
            : null,
    );
}

// ---- columns ----

/** As far as the page can tell without asking. */
function hasClasses(s: Settings): boolean {
    const target = state.current?.columns?.find((c) => c.name === s.target[0]);
    return (
        s.task === "classification" ||
        (s.task === "auto" &&
            target !== undefined &&
            (target.kind === "text" || target.distinct === 2))
    );
}

function manyColumns(key: "drop" | "categorical", label: string, hint: string): HTMLElement {
    const s = state.settings!;
    const left = columnNames().filter((n) => !s[key].includes(n) && !s.target.includes(n));
    const add = columnPicker("", "add a column…", left, (v) => v && choose(key, [...s[key], v]));
    const chip = (n: string): HTMLElement =>
        h(
            "button",
            {
                class: "chip",
                title: `Remove ${n}`,
                onclick: () =>
                    choose(
                        key,
                        s[key].filter((m) => m !== n),
                    ),
            },
            n,
            " ×",
        );
    return h(
        "div",
        {},
        field(key, label, add, hint),
        h("div", { class: "chips" }, s[key].map(chip)),
    );
}

function possibleWeights(s: Settings): string[] {
    return (state.current?.columns ?? [])
        .filter((c) => c.kind === "number" && !s.target.includes(c.name))
        .map((c) => c.name);
}

function columnsInWords(s: Settings): string {
    const parts = [
        s.drop.length ? `${s.drop.length} not used` : "",
        s.categorical.length ? `${s.categorical.length} as categories` : "",
        s.weights || s.class_weights ? "weighted" : "",
    ];
    return parts.filter(Boolean).join(", ") || "all others are inputs";
}

export function columnStep(s: Settings): HTMLElement {
    return step(
        "Columns",
        false,
        () => columnsInWords(state.settings ?? s),
        field(
            "task",
            "Type of what is predicted",
            select(s.task, TASKS, (v) => choose("task", v)),
        ),
        manyColumns(
            "drop",
            "Do not use",
            "Names, sample numbers, what would not be known when predicting.",
        ),
        manyColumns(
            "categorical",
            "Treat as categories",
            "Numbers that are names, such as a batch or a region.",
        ),
        field(
            "weights",
            "Weights of rows",
            columnPicker(s.weights ?? "", "each counts once", possibleWeights(s), (v) =>
                set("weights", v || null),
            ),
        ),
        hasClasses(s) || s.class_weights
            ? field(
                  "class_weights",
                  "Weights of classes",
                  text(s.class_weights, "none, balanced, or a=2,b=1", (v) =>
                      set("class_weights", v.trim()),
                  ),
              )
            : null,
    );
}

// ---- preprocessing ----

const NORMALISE: Option<Normalise>[] = [
    ["none", "as it is"],
    ["center", "centre"],
    ["standardize", "standardise"],
    ["unit", "unit length"],
];

function preprocessingInWords(s: Settings): string {
    const features = s.features === "none" ? "" : `${wordOf(NORMALISE, s.features)} columns`;
    const examples = s.examples === "none" ? "" : `${wordOf(NORMALISE, s.examples)} rows`;
    return [examples, features, s.shuffle ? "shuffle" : ""].filter(Boolean).join(", ") || "none";
}

export function preprocessingStep(s: Settings): HTMLElement {
    const hasTest = s.test.kind !== "none";
    return step(
        "Preprocessing",
        false,
        () => preprocessingInWords(state.settings ?? s),
        field(
            "features",
            "Each column",
            select(s.features, NORMALISE, (v) => set("features", v)),
            "Measured over the training rows. Standardise where columns have different units.",
        ),
        field(
            "examples",
            "Each row",
            select(s.examples, NORMALISE, (v) => set("examples", v)),
            "Over its columns, before the columns themselves: for spectra and expression profiles.",
        ),
        tick(
            "shuffle",
            "Shuffle the rows first",
            s.shuffle,
            (v) => set("shuffle", v),
            "Where the order of the rows means something and validation should not know it.",
        ),
        hasTest
            ? tick(
                  "transductive_features",
                  "Measure columns over the test rows too",
                  s.transductive_features,
                  (v) => set("transductive_features", v),
                  "Their target is never used.",
              )
            : null,
        hasTest
            ? tick(
                  "transductive",
                  "Scale kernels by the test rows too (transductive)",
                  s.transductive,
                  (v) => set("transductive", v),
              )
            : null,
    );
}

// ---- kernels ----

type KernelChoice = "default" | "linear" | "paper" | "custom";
const EXAMPLE = "rbf(0.01:10:4)@all,each; linear";
const CHOICES: Option<KernelChoice>[] = [
    ["default", "what suits the data"],
    ["paper", "curves: polynomials and Gaussians (RLS2)"],
    ["linear", "straight lines: each column (linear RLS2)"],
    ["custom", "a dictionary of my own…"],
];
const SCALINGS: Option<Settings["scaling"]>[] = [
    ["trace", "trace"],
    ["fisher", "Fisher (classes)"],
    ["fisher-sqrt", "root of Fisher (classes)"],
    ["none", "none"],
];
const INTERCEPTS: Option<Settings["intercept"]>[] = [
    ["auto", "automatic"],
    ["mean", "mean of the target"],
    ["none", "none"],
];

function kernelChoice(s: Settings): KernelChoice {
    if (s.kernels === null) return "default";
    return s.kernels === "linear" || s.kernels === "paper" ? s.kernels : "custom";
}

const HELP: [string, string][] = [
    ["linear", "a straight line in each column"],
    ["poly(2)@age+weight", "squares and products of two columns"],
    ["rbf(0.01:10:4)@each", "smooth curves of four widths in each column"],
    ["rbf(1|10)@all", "two widths, all the columns together"],
    ["laplace(1), matern(1.5)", "rougher curves"],
    ["spline@age", "a cubic spline"],
    ["delta@batch", "equal or not, for categories"],
    ["paper", "poly(1..3)@all,each; rbf(1e-3:1e3:10)@all,each"],
];

function dictionaryHelp(): HTMLElement {
    return h(
        "details",
        { class: "help", "data-step": "dictionary help" },
        h("summary", {}, "How to write it"),
        h(
            "dl",
            {},
            HELP.flatMap(([text, says]) => [h("dt", {}, text), h("dd", {}, says)]),
        ),
    );
}

function kernelsInWords(s: Settings): string {
    return {
        default: "what suits the data",
        paper: "curves",
        linear: "straight lines",
        custom: s.kernels ?? "",
    }[kernelChoice(s)];
}

export function kernelStep(s: Settings): HTMLElement {
    const choice = kernelChoice(s);
    const dictionary = h("textarea", {
        rows: 3,
        spellcheck: "false",
        value: s.kernels ?? "",
        placeholder: EXAMPLE,
        oninput: (e: Event) => set("kernels", (e.target as HTMLTextAreaElement).value),
    });
    const pick = (v: KernelChoice): void =>
        choose(
            "kernels",
            v === "default"
                ? null
                : v === "custom"
                  ? choice === "custom"
                      ? s.kernels
                      : EXAMPLE
                  : v,
        );
    return step(
        "Kernels",
        false,
        () => kernelsInWords(state.settings ?? s),
        field(
            choice === "custom" ? "method" : "kernels",
            "Learn from",
            select(choice, CHOICES, pick),
        ),
        choice === "custom"
            ? field("kernels", "Dictionary", dictionary, "kernel(numbers)@columns, separated by ;")
            : null,
        choice === "custom" ? dictionaryHelp() : null,
        field(
            "scaling",
            "Scaling",
            select(s.scaling, SCALINGS, (v) => choose("scaling", v)),
        ),
        s.scaling === "trace"
            ? tick(
                  "center",
                  "Scale by the centred kernel",
                  s.center,
                  (v) => set("center", v),
                  "So that a constant part of a kernel does not count.",
              )
            : null,
        field(
            "intercept",
            "Intercept",
            select(s.intercept, INTERCEPTS, (v) => set("intercept", v)),
        ),
    );
}

// ---- lambda ----

const RANGE = { lo: 1e-6, hi: 1, count: 30 };
type LambdaChoice = "auto" | "range" | "values";

function lambdaChoice(s: Settings): LambdaChoice {
    return !s.lambdas ? "auto" : "values" in s.lambdas ? "values" : "range";
}

function lambdaFields(s: Settings): HTMLElement | null {
    const now = s.lambdas;
    if (!now) return null;
    if ("values" in now) {
        const read = (v: string): void =>
            set("lambdas", {
                values: v
                    .split(/[\s,;]+/)
                    .filter(Boolean)
                    .map((x) =>
                        Number.isFinite(Number(x)) ? Number(x) : (x as unknown as number),
                    ),
            });
        return field("lambdas", "Values", text(now.values.join(", "), "1, 0.1, 0.01", read));
    }
    const change = (part: Partial<typeof RANGE>): void => {
        const old = state.settings?.lambdas;
        set("lambdas", { ...RANGE, ...(old && "lo" in old ? old : {}), ...part });
    };
    return h(
        "div",
        { class: "row" },
        field(
            "lambdas.lo",
            "From",
            number(now.lo, {}, (lo) => change({ lo }), recheck),
        ),
        field(
            "lambdas.hi",
            "to",
            number(now.hi, {}, (hi) => change({ hi }), recheck),
        ),
        field(
            "lambdas.count",
            "how many",
            number(now.count, {}, (n) => change({ count: n }), recheck),
        ),
    );
}

function lambdasInWords(s: Settings): string {
    return s.lambdas
        ? `${"values" in s.lambdas ? s.lambdas.values.length : s.lambdas.count} values of λ`
        : "30 values of λ";
}

export function lambdaStep(s: Settings): HTMLElement {
    const pick = (v: LambdaChoice): void =>
        choose(
            "lambdas",
            v === "range" ? { ...RANGE } : v === "values" ? { values: [1, 0.1, 0.01] } : null,
        );
    return step(
        "Regularisation",
        false,
        () => lambdasInWords(state.settings ?? s),
        field(
            "lambdas",
            "Values of λ",
            select(
                lambdaChoice(s),
                [
                    ["auto", "30, from the data"],
                    ["range", "a range of my own…"],
                    ["values", "values of my own…"],
                ],
                pick,
            ),
            "λ holds the model back: the larger, the simpler. Validation finds the best.",
        ),
        lambdaFields(s),
        field(
            "solver",
            "Solver",
            select(
                s.solver,
                [
                    ["newton", "Newton, to a certified gap"],
                    ["alternate", "the paper's Algorithm 1"],
                ],
                (v) => set("solver", v),
            ),
        ),
        h(
            "div",
            { class: "row" },
            field(
                "gap_tol",
                "Precision (gap)",
                number(s.gap_tol, {}, (v) => set("gap_tol", v), recheck),
            ),
            field(
                "max_iter",
                "Iterations at most",
                number(s.max_iter, {}, (v) => set("max_iter", v), recheck),
            ),
        ),
    );
}

// ---- validation ----

/** Rows kept in another table: one that is loaded, or a file that is opened for it. */
function otherTable(
    name: string,
    label: string,
    value: string | undefined,
    take: (id: string) => void,
): HTMLElement {
    const others = state.data
        .filter((d) => d.id !== state.settings?.data)
        .map((d): Option<string> => [d.id, d.name]);
    const choice = select(
        value ?? "",
        [["", others.length ? "choose…" : "no other file is open"], ...others],
        take,
    );
    const open = fileButton(
        `open-${name.replace(".", "-")}`,
        "Open…",
        `${label}: open a file`,
        (file) => void openBeside(file, take),
        { class: "button narrow" },
    );
    return h("div", { class: "row" }, field(name, label, choice), open);
}

async function openBeside(file: File, take: (id: string) => void): Promise<void> {
    const learnedFrom = state.settings?.data;
    try {
        const data: DataAbout = await api.upload(file, () => undefined);
        state.data.unshift(data);
        if (state.settings?.data === learnedFrom) take(data.id); // else another table was opened meanwhile
        changed("data", "settings");
    } catch (error) {
        report(error);
    }
}

/** "rows where COLUMN is VALUE"; values are offered where there are few. */
function rowsWhere(
    name: string,
    column: string | undefined,
    value: string | undefined,
    change: (part: { column?: string; value?: string }) => void,
): HTMLElement {
    const about = state.current?.columns?.find((c) => c.name === column);
    const values =
        about && about.values && about.distinct <= about.values.length
            ? about.values.map((v) => v.text)
            : null;
    const is = values
        ? select(
              value ?? "",
              [["", "choose…"], ...values.map((v): Option<string> => [v, v])],
              (v) => change({ value: v }),
          )
        : text(value ?? "", "", (v) => change({ value: v }));
    return h(
        "div",
        { class: "row" },
        field(
            `${name}.column`,
            "Rows where",
            columnPicker(column ?? "", "choose…", columnNames(), (v) =>
                change({ column: v, value: "" }),
            ),
        ),
        field(`${name}.value`, "is", is),
    );
}

type How = Settings["splits"]["kind"] | "validation-data" | Exclude<Settings["select"], "cv">;

const HOW: Option<How>[] = [
    ["folds", "cross-validation"],
    ["random", "random splits"],
    ["column", "folds given by a column"],
    ["validation", "validation rows marked in a column"],
    ["validation-data", "validation rows in another file"],
    ["loo", "leave one out (kernels kept)"],
    ["gcv", "generalised cross-validation"],
    ["aic", "AIC"],
    ["bic", "BIC"],
    ["cp", "Cp"],
    ["none", "nothing: just fit the path"],
];

function howOf(s: Settings): How {
    if (s.select !== "cv") return s.select;
    return s.splits.kind === "validation" && s.splits.data !== undefined
        ? "validation-data"
        : s.splits.kind;
}

function setHow(s: Settings, how: How): void {
    const { data, ...splits } = s.splits;
    void data;
    const criterion =
        how === "loo" || how === "gcv" || how === "aic" || how === "bic" || how === "cp";
    set("select", criterion ? how : "cv");
    if (criterion) choose("splits", { ...splits, kind: "none" });
    else if (how === "validation-data")
        choose("splits", { ...splits, kind: "validation", data: "" });
    else choose("splits", { ...splits, kind: how });
}

function splitFields(s: Settings): HTMLElement | null {
    const change = (part: Partial<Settings["splits"]>): void =>
        set("splits", { ...state.settings!.splits, ...part });
    switch (howOf(s)) {
        case "folds":
            return h(
                "div",
                { class: "row" },
                field(
                    "folds",
                    "Folds",
                    number(s.splits.folds ?? 10, {}, (v) => change({ folds: v }), recheck),
                ),
                field(
                    "repeats",
                    "Repeats",
                    number(s.splits.repeats ?? 1, {}, (v) => change({ repeats: v }), recheck),
                ),
            );
        case "random":
            return h(
                "div",
                { class: "row" },
                field(
                    "count",
                    "Splits",
                    number(s.splits.count ?? 20, {}, (v) => change({ count: v }), recheck),
                ),
                field(
                    "splits.share",
                    "Share for training",
                    number(s.splits.share ?? 0.7, {}, (v) => change({ share: v }), recheck),
                ),
            );
        case "column":
            return field(
                "splits.column",
                "Column of folds",
                columnPicker(s.splits.column ?? "", "choose…", columnNames(), (v) =>
                    change({ column: v }),
                ),
            );
        case "validation":
            return rowsWhere("splits", s.splits.column, s.splits.value, (part) =>
                choose("splits", { ...state.settings!.splits, ...part }),
            );
        case "validation-data":
            return otherTable("splits.data", "File", s.splits.data, (data) =>
                choose("splits", { ...state.settings!.splits, data }),
            );
        default:
            return null;
    }
}

function testFields(s: Settings): HTMLElement | null {
    const change = (part: Partial<Settings["test"]>): void =>
        choose("test", { ...state.settings!.test, ...part });
    if (s.test.kind === "column") return rowsWhere("test", s.test.column, s.test.value, change);
    if (s.test.kind === "share")
        return field(
            "test.share",
            "Share kept for testing",
            number(
                s.test.share ?? 0.3,
                {},
                (v) => set("test", { ...state.settings!.test, share: v }),
                recheck,
            ),
        );
    if (s.test.kind === "data")
        return otherTable("test.data", "File", s.test.data, (data) => change({ data }));
    return null;
}

function testOptions(): Option<Settings["test"]["kind"]>[] {
    const marker = state.current?.marker;
    return [
        ["none", "none"],
        ...(marker
            ? [["marker", `marked in the file (${marker})`] as Option<Settings["test"]["kind"]>]
            : []),
        ["column", "those with a value in a column"],
        ["share", "a random share"],
        ["data", "another file"],
    ];
}

const MEASURES: Option<string>[] = [
    ["auto", "automatic"],
    ["rmse", "root mean squared error"],
    ["mse", "mean squared error"],
    ["mae", "mean absolute error"],
    ["r2", "R²"],
    ["accuracy", "accuracy"],
    ["balanced-accuracy", "balanced accuracy"],
    ["auc", "area under the ROC curve"],
];

const FOR_CLASSES = new Set(["accuracy", "balanced-accuracy", "auc"]);

/** Those that fit the task, as far as it is known. */
function measuresFor(s: Settings): Option<string>[] {
    return MEASURES.filter(
        ([m]) => m === "auto" || m === s.measure || FOR_CLASSES.has(m) === hasClasses(s),
    );
}

export function validationInWords(s: Settings): string {
    const how = howOf(s);
    const said =
        how === "folds"
            ? `${s.splits.folds ?? 10} folds${(s.splits.repeats ?? 1) > 1 ? ` × ${s.splits.repeats}` : ""}`
            : how === "random"
              ? `${s.splits.count ?? 20} splits`
              : how === "none"
                ? "none"
                : wordOf(HOW, how).split(" (")[0]!;
    return s.test.kind === "none" ? said : `${said}, and a test`;
}

export function validationStep(s: Settings): HTMLElement {
    const select1se = s.select === "cv" && s.splits.kind !== "none";
    return step(
        "Validation",
        false,
        () => validationInWords(state.settings ?? s),
        field(
            "splits",
            "Choose λ by",
            select(howOf(s), HOW, (v) => setHow(s, v)),
        ),
        splitFields(s),
        select1se
            ? field(
                  "rule",
                  "Take",
                  select(
                      s.rule,
                      [
                          ["min", "the best λ"],
                          ["1se", "the simplest within one standard error"],
                      ],
                      (v) => set("rule", v),
                  ),
              )
            : null,
        field(
            "measure",
            "Measure",
            select(s.measure, measuresFor(s), (v) => set("measure", v)),
        ),
        select1se
            ? tick("baselines", "Compare with simpler models", s.baselines, (v) =>
                  set("baselines", v),
              )
            : null,
        field(
            "test",
            "Test rows",
            select(s.test.kind, testOptions(), (v) => choose("test", { kind: v, share: 0.3 })),
            "Scored at the end, never learned from.",
        ),
        testFields(s),
        field(
            "seed",
            "Seed",
            number(s.seed, {}, (v) => set("seed", v), recheck),
            "The same seed gives the same splits.",
        ),
    );
}
