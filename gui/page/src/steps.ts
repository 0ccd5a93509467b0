// The settings, step by step: target, columns, preprocessing, kernels, regularisation, validation.
//
// Where a field stands is decided here; what it says comes from the library's table. A setting that
// no step places stands under "More settings" of the step of its section. The table's sentences
// name choices, so the words of a choice contain its name.

import { api, type Asked, type Column, type DataAbout, type Settings } from "./api";
import { h } from "./dom";
import { field, fileButton, number, select, step, text, type Option } from "./fields";
import {
    about,
    howOf,
    isSet,
    listOf,
    partsOf,
    runSettings,
    testKind,
    textOf,
    type How,
    type TestKind,
} from "./settings";
import { chosenDictionary, kernelBuilder } from "./kernelbuilder";
import { forgetLoss, lossAsked, lossFields } from "./lossfields";
import { measureFits } from "./losses";
import { columnPicker, recheck, settingField, wordOf } from "./settingfields";
import { changed, choose, columnNames, report, set, state } from "./state";

/** The settings on screen; those that were drawn where there are none any more. */
const now = (a: Asked): Asked => state.asked ?? a;

// ---- what no step places ----

/** Settings whose place is known below, though they may not be shown at the moment. `standardize`
 *  is another way to say `features`. */
const PLACED = new Set([
    ...["target", "task", "drop", "columns", "categorical", "missing"],
    ...["row_weights", "class_weights"],
    ...["standardize", "features", "examples", "shuffle", "transductive", "transductive_features"],
    ...["loss", "probability", "outputs"],
    ...["kernels", "scaling", "center", "intercept", "lambdas", "solver", "gap_tol", "max_iter"],
    ...["select", "folds", "repeats", "splits", "share", "fold_column", "validation_rows", "rule"],
    ...["measure", "baselines", "test_rows", "test_share", "seed"],
]);

const unplaced = (section: string): string[] =>
    runSettings()
        .filter((s) => s.section === section && !PLACED.has(s.name))
        .map((s) => s.name);

function moreSettings(s: Settings, section: string): HTMLElement | null {
    const names = unplaced(section);
    if (names.length === 0) return null;
    return h(
        "details",
        { class: "more", "data-step": `more ${section}` },
        h("summary", {}, "More settings"),
        names.map((n) => settingField(s, n)),
    );
}

const SECTIONS = ["Data", "Preprocessing", "Kernels", "Fitting", "Choosing lambda"];

/** Sections of the table that the page does not know. */
export function otherSteps(a: Asked): HTMLElement[] {
    const others = new Set(
        runSettings()
            .map((s) => s.section)
            .filter((s) => !SECTIONS.includes(s)),
    );
    const setOf = (section: string): string =>
        unplaced(section).filter((n) => isSet(now(a).settings, n)).length ? "changed" : "as usual";
    return [...others].map((section) =>
        step(
            section,
            false,
            () => setOf(section),
            ...unplaced(section).map((n) => settingField(a.settings, n)),
        ),
    );
}

// ---- what is predicted ----

export function targetStep(a: Asked): HTMLElement {
    const target = listOf(a.settings, "target");
    const pick = (v: string): void => {
        const next = { target: v ? [v, ...target.slice(1).filter((t) => t !== v)] : [] };
        const settings = { ...a.settings, ...next };
        const column = targetColumn({ ...a, settings });
        choose({ ...next, ...(v ? forgetLoss(settings, hasClasses(settings), column) : {}) });
    };
    return h(
        "section",
        { class: "target-step", "aria-label": "What is predicted" },
        field(
            "target",
            about("target").label,
            columnPicker(target[0] ?? "", "choose a column…", columnNames(), pick),
            about("target").sentence,
        ),
        target.length > 1
            ? h("div", { class: "hint" }, `and ${target.slice(1).join(", ")}, predicted separately`)
            : null,
        state.guessed
            ? h("div", { class: "hint guess" }, "A guess: is this what you want to predict?")
            : null,
        ...(target.length ? lossFields(a.settings, hasClasses(a.settings), targetColumn(a)) : []),
    );
}

function targetColumn(a: Asked): Column | undefined {
    return state.current?.columns?.find((c) => c.name === listOf(a.settings, "target")[0]);
}

/** Several targets, or more than two classes, each of which has an output. */
function hasOutputs(a: Asked): boolean {
    const several = listOf(a.settings, "target").length > 1;
    return several || (hasClasses(a.settings) && (targetColumn(a)?.distinct ?? 2) > 2);
}

// ---- columns ----

/** As far as the page can tell without asking. */
function hasClasses(s: Settings): boolean {
    const task = textOf(s, "task");
    const target = state.current?.columns?.find((c) => c.name === listOf(s, "target")[0]);
    if (task !== "auto" || !target) return task === "classification";
    return target.kind === "text" || target.distinct === 2;
}

const COLUMNS = { auto: "auto: what cannot help", all: "all are learned from" };
const MISSING = {
    auto: "auto: what loses few rows",
    impute: "impute: fill them in",
    drop: "drop: leave such rows out",
    error: "error: stop",
};

function columnsInWords(s: Settings): string {
    const count = (name: string, words: string): string =>
        listOf(s, name).length ? `${listOf(s, name).length} ${words}` : "";
    const weighted = isSet(s, "row_weights") || isSet(s, "class_weights") ? "weighted" : "";
    return (
        [count("drop", "left out"), count("categorical", "categorical"), weighted]
            .filter(Boolean)
            .join(", ") || "all others are inputs"
    );
}

export function columnStep(a: Asked): HTMLElement {
    const s = a.settings;
    const inputs = columnNames().filter((n) => !listOf(s, "target").includes(n));
    const numbers = (state.current?.columns ?? [])
        .filter((c) => c.kind === "number")
        .map((c) => c.name);
    return step(
        "Columns",
        false,
        () => columnsInWords(now(a).settings),
        settingField(s, "task", {
            words: {
                regression: "regression: a number",
                classification: "classification: classes",
            },
            redraw: true,
        }),
        settingField(s, "drop", { names: inputs }),
        settingField(s, "columns", { words: COLUMNS }),
        settingField(s, "missing", { words: MISSING }),
        settingField(s, "categorical", { names: inputs }),
        settingField(s, "row_weights", {
            names: numbers.filter((n) => inputs.includes(n)),
            none: "none: each row counts once",
        }),
        hasClasses(s) || isSet(s, "class_weights") ? settingField(s, "class_weights") : null,
        moreSettings(s, "Data"),
    );
}

// ---- preprocessing ----

const NORMALISE = {
    auto: "auto: standardize where it matters",
    none: "none: as they are",
    unit: "unit length",
};

function preprocessingInWords(s: Settings): string {
    const of = (name: string, what: string): string =>
        isSet(s, name) ? `${wordOf(s, name, NORMALISE)} ${what}` : "";
    return (
        [of("examples", "rows"), of("features", "columns"), isSet(s, "shuffle") ? "shuffle" : ""]
            .filter(Boolean)
            .join(", ") || "automatic"
    );
}

export function preprocessingStep(a: Asked): HTMLElement {
    const s = a.settings;
    const hasTest = testKind(a, state.current?.marker) !== "none";
    return step(
        "Preprocessing",
        false,
        () => preprocessingInWords(now(a).settings),
        settingField(s, "features", { words: NORMALISE }),
        settingField(s, "examples", { words: NORMALISE }),
        settingField(s, "shuffle"),
        hasTest ? settingField(s, "transductive_features") : null,
        hasTest ? settingField(s, "transductive") : null,
        moreSettings(s, "Preprocessing"),
    );
}

// ---- kernels ----

type KernelChoice = "default" | "linear" | "paper" | "custom";
const EXAMPLE = "rbf(0.01:10:4)@all,each; linear";
const CHOICES: Option<KernelChoice>[] = [
    ["default", "what suits the data"],
    ["paper", "curves: polynomials and Gaussians (RLS2)"],
    ["linear", "straight lines: each column (linear RLS2)"],
    ["custom", "a dictionary of my own (kernel builder)…"],
];
const SCALINGS = { fisher: "fisher (classes)", "fisher-sqrt": "fisher-sqrt (classes)" };
const INTERCEPTS = { mean: "mean of the target", free: "free: found with the rest" };
const OUTPUTS = { separate: "separate: each its own", shared: "shared: one set for all" };

function kernelsOf(s: Settings): string {
    return listOf(s, "kernels").join("; ");
}

function kernelChoice(s: Settings): KernelChoice {
    const kernels = kernelsOf(s);
    if (!isSet(s, "kernels")) return "default";
    return kernels === "linear" || kernels === "paper" ? kernels : "custom";
}

const HELP: [string, string][] = [
    ["linear", "a straight line in each column"],
    ["poly(2)@age+weight", "squares and products of two columns"],
    ["rbf(0.01:10:4)@each", "smooth curves of four widths in each column"],
    ["rbf(1|10)@all", "two widths, all the columns together"],
    ["rbf(learn)@all", "a width for each column, learned from the rows"],
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
        custom: kernelsOf(s),
    }[kernelChoice(s)];
}

function kernelFields(s: Settings): HTMLElement[] {
    const choice = kernelChoice(s);
    const custom = choice === "custom";
    const pick = (v: KernelChoice): void =>
        choose({
            kernels:
                v === "default" ? null : v === "custom" ? (custom ? kernelsOf(s) : EXAMPLE) : v,
        });
    const method = field(
        custom ? "kernels by" : "kernels",
        "Learn from",
        select(choice, CHOICES, pick),
    );
    if (!custom) return [method, chosenDictionary((text) => choose({ kernels: text }))];
    return [method, ...kernelBuilder(), dictionaryHelp()];
}

export function kernelStep(a: Asked): HTMLElement {
    const s = a.settings;
    return step(
        "Kernels",
        false,
        () => kernelsInWords(now(a).settings),
        ...kernelFields(s),
        settingField(s, "scaling", { words: SCALINGS, redraw: true }),
        textOf(s, "scaling") === "trace" ? settingField(s, "center") : null,
        settingField(s, "intercept", { words: INTERCEPTS }),
        hasOutputs(a) || isSet(s, "outputs")
            ? settingField(s, "outputs", { words: OUTPUTS })
            : null,
        moreSettings(s, "Kernels"),
    );
}

// ---- lambda ----

type LambdaChoice = "auto" | "range" | "values";

function lambdaChoice(s: Settings): LambdaChoice {
    if (!isSet(s, "lambdas")) return "auto";
    return textOf(s, "lambdas").includes(":") ? "range" : "values";
}

/** LO:HI:N */
function rangeFields(s: Settings): HTMLElement {
    const part = (i: number, label: string): HTMLElement => {
        const change = (v: number): void => {
            const parts = textOf(state.asked?.settings ?? s, "lambdas").split(":");
            parts[i] = String(v);
            set("lambdas", parts.join(":"));
        };
        const value = textOf(s, "lambdas").split(":")[i] ?? "";
        return field(`lambdas ${label}`, label, number(value, {}, change, recheck));
    };
    return h("div", { class: "row" }, part(0, "From"), part(1, "to"), part(2, "how many"));
}

function lambdaFields(s: Settings): (HTMLElement | null)[] {
    const choice = lambdaChoice(s);
    const { label, sentence, help } = about("lambdas");
    const count = textOf(s, "lambda_count");
    const auto = count ? `${count}, from the data` : "from the data";
    const options: Option<LambdaChoice>[] = [
        ["auto", auto],
        ["range", "a range of my own…"],
        ["values", "values of my own…"],
    ];
    const pick = (v: LambdaChoice): void =>
        choose({ lambdas: v === "range" ? "1e-6:1:30" : v === "values" ? "1,0.1,0.01" : null });
    const read = (v: string): void =>
        set(
            "lambdas",
            v
                .split(/[\s,;]+/)
                .filter(Boolean)
                .join(","),
        );
    return [
        field(
            choice === "values" ? "lambdas by" : "lambdas",
            label,
            select(choice, options, pick),
            sentence,
            help,
        ),
        choice === "range" ? rangeFields(s) : null,
        choice === "values"
            ? field(
                  "lambdas",
                  "Values",
                  text(textOf(s, "lambdas").split(",").join(", "), "1, 0.1, 0.01", read),
              )
            : null,
    ];
}

function lambdasInWords(s: Settings): string {
    const lambdas = textOf(s, "lambdas");
    const choice = lambdaChoice(s);
    const count =
        choice === "auto"
            ? textOf(s, "lambda_count")
            : choice === "range"
              ? lambdas.split(":")[2]
              : lambdas.split(",").length;
    return count ? `${count} values of λ` : "values of λ from the data";
}

export function lambdaStep(a: Asked): HTMLElement {
    const s = a.settings;
    return step(
        "Regularisation",
        false,
        () => lambdasInWords(now(a).settings),
        ...lambdaFields(s),
        settingField(s, "solver", {
            words: {
                newton: "newton (to a certified gap)",
                alternate: "alternate (the paper's Algorithm 1)",
            },
        }),
        settingField(s, "gap_tol"),
        settingField(s, "max_iter"),
        moreSettings(s, "Fitting"),
    );
}

// ---- validation ----

/** Rows kept in another table: one that is loaded, or a file that is opened for it. */
function otherTable(
    name: "test_data" | "validation_data",
    label: string,
    value: string | null,
): HTMLElement {
    const take = (id: string): void => choose({}, { [name]: id });
    const others = state.data
        .filter((d) => d.id !== state.asked?.data)
        .map((d): Option<string> => [d.id, d.name]);
    const choice = select(
        value ?? "",
        [["", others.length ? "choose…" : "no other file is open"], ...others],
        take,
    );
    const open = fileButton(
        `open-${name}`,
        "Open…",
        `${label}: open a file`,
        (file) => void openBeside(file, take),
        { class: "button narrow" },
    );
    return h("div", { class: "row" }, field(name, label, choice), open);
}

async function openBeside(file: File, take: (id: string) => void): Promise<void> {
    const learnedFrom = state.asked?.data;
    try {
        const data: DataAbout = await api.upload(file, () => undefined);
        state.data.unshift(data);
        // else another table was opened meanwhile
        if (state.asked?.data === learnedFrom) take(data.id);
        changed("data", "settings");
    } catch (error) {
        report(error);
    }
}

/** "rows where COLUMN is VALUE"; values are offered where there are few. */
function rowsWhere(s: Settings, name: "test_rows" | "validation_rows"): HTMLElement {
    const { column, value } = partsOf(textOf(s, name), columnNames());
    const column_ = state.current?.columns?.find((c) => c.name === column);
    const values =
        column_?.values && column_.distinct <= column_.values.length
            ? column_.values.map((v) => v.text)
            : null;
    const take = (v: string): void => choose({ [name]: `${column}=${v}` });
    const is = values
        ? select(value, [["", "choose…"], ...values.map((v): Option<string> => [v, v])], take)
        : text(value, "", (v) => set(name, `${column}=${v}`));
    const pick = (v: string): void => choose({ [name]: v ? `${v}=` : "" });
    return h(
        "div",
        { class: "row" },
        field(name, "Rows where", columnPicker(column, "choose…", columnNames(), pick)),
        field(`${name} value`, "is", is),
    );
}

const HOW: Option<How>[] = [
    ["folds", "cross-validation"],
    ["random", "random splits"],
    ["column", "folds given by a column"],
    ["validation", "validation rows marked in a column"],
    ["validation-data", "validation rows in another file"],
];

const CRITERIA: Record<string, string> = {
    loo: "loo: leave one out (kernels kept)",
    gcv: "gcv: generalised cross-validation",
    aic: "AIC",
    bic: "BIC",
    cp: "Mallows' Cp",
    none: "none: just fit the path",
};

function howOptions(): Option<How>[] {
    const criteria = about("select").choices.filter((c) => c !== "cv");
    return [
        ...HOW,
        ...criteria.map((c): Option<How> => [c, CRITERIA[c] ?? c]),
    ];
}

const isBySplits = (how: How): boolean => HOW.some(([h]) => h === how);

/** How many random splits there are at first. */
const SOME_SPLITS = 20;

/** One way to choose lambda takes the place of another. */
function setHow(how: How): void {
    const splits = isBySplits(how);
    choose(
        {
            ...{ repeats: null, share: null },
            folds: null,
            select: splits ? null : how,
            splits: how === "random" ? SOME_SPLITS : null,
            fold_column: how === "column" ? "" : null,
            validation_rows: how === "validation" ? "" : null,
        },
        { validation_data: how === "validation-data" ? "" : null },
    );
}

function splitFields(a: Asked): HTMLElement | null {
    const s = a.settings;
    switch (howOf(a)) {
        case "folds":
            return h("div", {}, settingField(s, "folds"), settingField(s, "repeats"));
        case "random":
            return h("div", {}, settingField(s, "splits"), settingField(s, "share"));
        case "column":
            return settingField(s, "fold_column", { none: "choose…", redraw: true });
        case "validation":
            return rowsWhere(s, "validation_rows");
        case "validation-data":
            return otherTable("validation_data", "File", a.validation_data);
        default:
            return null;
    }
}

const SOME_SHARE = 0.3;

function setTest(kind: TestKind): void {
    const none = kind === "none" && state.current?.marker ? "none" : null;
    choose(
        {
            test_rows: kind === "column" ? "" : none,
            test_share: kind === "share" ? SOME_SHARE : null,
        },
        { test_data: kind === "data" ? "" : null },
    );
}

function testFields(a: Asked): HTMLElement | null {
    const kind = testKind(a, state.current?.marker);
    if (kind === "column") return rowsWhere(a.settings, "test_rows");
    if (kind === "share") return settingField(a.settings, "test_share");
    return kind === "data" ? otherTable("test_data", "File", a.test_data) : null;
}

function testOptions(): Option<TestKind>[] {
    const marker = state.current?.marker;
    const marked: Option<TestKind>[] = marker ? [["marker", `marked in the file (${marker})`]] : [];
    return [
        ["none", "none"],
        ...marked,
        ["column", "those with a value in a column"],
        ["share", "a random share"],
        ["data", "another file"],
    ];
}

const MEASURES: Record<string, string> = {
    rmse: "rmse: root mean squared error",
    mse: "mse: mean squared error",
    mae: "mae: mean absolute error",
    r2: "r2 (R²)",
    auc: "auc: area under the ROC curve",
    errors: "number of errors",
    "log-loss": "log-loss: of probabilities",
    brier: "brier: squared errors of probabilities",
    pinball: "pinball: of quantiles",
    deviance: "deviance of counts",
};
const FOR_NUMBERS = ["rmse", "mse", "mae", "r2", "pinball", "deviance"];
const FOR_CLASSES = ["accuracy", "balanced-accuracy", "auc", "errors", "log-loss", "brier"];

/** Those of the other task, as far as it is known, and of other losses. */
function isOfOther(s: Settings, measure: string): boolean {
    if (measure === textOf(s, "measure")) return false;
    const others = hasClasses(s) ? FOR_NUMBERS : FOR_CLASSES;
    return others.includes(measure) || !measureFits(measure, lossAsked(s));
}

export function validationInWords(a: Asked): string {
    const s = a.settings;
    const how = howOf(a);
    const repeats = isSet(s, "repeats") ? ` × ${textOf(s, "repeats")}` : "";
    const counted: Record<string, string> = {
        folds: `${textOf(s, "folds")} folds${repeats}`,
        random: `${textOf(s, "splits")} splits`,
        none: "none",
    };
    const said =
        counted[how] ??
        howOptions()
            .find(([h]) => h === how)?.[1]
            .split(" (")[0] ??
        how;
    return testKind(a, null) === "none" ? said : `${said}, and a test`;
}

export function validationStep(a: Asked): HTMLElement {
    const s = a.settings;
    const bySplits = isBySplits(howOf(a));
    const { label, sentence, help } = about("select");
    const test = about("test_rows");
    return step(
        "Validation",
        false,
        () => validationInWords(now(a)),
        field("select", label, select(howOf(a), howOptions(), setHow), sentence, help),
        splitFields(a),
        bySplits
            ? settingField(s, "rule", {
                  words: {
                      min: "min: the best λ",
                      "1se": "1se: the largest within one standard error",
                  },
              })
            : null,
        settingField(s, "measure", { words: MEASURES, without: (m) => isOfOther(s, m) }),
        bySplits ? settingField(s, "baselines") : null,
        field(
            "test",
            test.label,
            select(testKind(a, state.current?.marker), testOptions(), setTest),
            test.sentence,
        ),
        testFields(a),
        settingField(s, "seed"),
        moreSettings(s, "Choosing lambda"),
    );
}
