// The library's table of settings, and the values that were set: what is not set has its default.

import type { Asked, SettingAbout, Settings, Value } from "./api";

let table: SettingAbout[] = [];

/** Where the table says how an option is written: what a form says instead, and an example. */
const IN_FORM: Record<string, { sentence?: string; help?: string; example?: string }> = {
    class_weights: {
        sentence: "How much the rows of each class count.",
        example: "balanced, or yes=3,no=1",
    },
    group: {
        sentence: "Names for sets of columns, to use in a dictionary.",
        example: "blood=hdl,ldl",
    },
    kernels: { sentence: "What is learned from, such as linear or rbf(0.01:10:4)@all,each." },
    loss: {
        sentence: "What an error costs, and so what is predicted.",
        help:
            "square predicts the mean, or a score of the class. logistic gives probabilities of " +
            "classes. quantile predicts a value that a share of the rows stay below, quantiles " +
            "an interval. poisson predicts the rate of counts. huber, absolute and epsilon " +
            "forgive outliers. Every one has a duality gap.",
    },
    lambdas: {
        sentence: "How much regularisation is tried: values found from the data, or your own.",
    },
    memory: { example: "2G" },
    missing: {
        help:
            "impute fills in the median of numbers, or the most frequent category, and tells the " +
            "model where it did; what is filled in is learned from the training rows of each " +
            "split. auto does so where more than 5 % of the rows would be lost, and leaves rows " +
            "out otherwise. Rows without a target are never learned from.",
    },
    rare: {
        sentence:
            "Fewest rows of a category that counts by itself; rarer ones are one together, " +
            "'other'. 0: what suits the column.",
        help: "1 keeps all of them apart.",
    },
    repeats: { sentence: "How often the cross-validation is repeated, with other folds." },
    splits: { sentence: "How many random splits are made." },
    test_rows: { sentence: "Held out: scored at the end, never learned from." },
    validation_rows: { sentence: "Lambda is chosen on these rows; they are not learned from." },
};

export function useTable(settings: SettingAbout[]): void {
    table = settings.map((s) => ({
        ...s,
        sentence: IN_FORM[s.name]?.sentence ?? s.sentence,
        help: IN_FORM[s.name]?.help ?? s.help,
    }));
}

/** What may be typed into its field; "" where nothing needs to be said. */
export function exampleOf(name: string): string {
    return IN_FORM[name]?.example ?? "";
}

/** Those that a run can be asked for. */
export function runSettings(): SettingAbout[] {
    return table.filter((s) => s.scope === "run");
}

/** A setting that the table does not have is that of a run of another version. */
const UNKNOWN: Omit<SettingAbout, "name" | "label"> = {
    ...{ kind: "text", scope: "run", choices: [], default: "", value: "", section: "" },
    ...{ sentence: "", help: "", least: null, most: null },
};

export function about(name: string): SettingAbout {
    return table.find((s) => s.name === name) ?? { ...UNKNOWN, name, label: name };
}

export function isSet(s: Settings, name: string): boolean {
    const value = s[name];
    return value !== undefined && value !== null;
}

/** The value as a text: the one that was set, or the default. */
export function textOf(s: Settings, name: string): string {
    const value = s[name] ?? about(name).default;
    return Array.isArray(value) ? value.join(", ") : String(value);
}

export function listOf(s: Settings, name: string): string[] {
    const value = s[name];
    if (!isSet(s, name)) return [];
    return Array.isArray(value) ? value : [String(value)];
}

export function isOn(s: Settings, name: string): boolean {
    return textOf(s, name) === "true";
}

/** Sets a value, or forgets it where it is the default. "" is still to be chosen. */
export function put(s: Settings, name: string, value: Value): void {
    const empty = value === null || (Array.isArray(value) && value.length === 0);
    if (empty || (value !== "" && String(value) === about(name).default)) delete s[name];
    else s[name] = value;
}

/** "COLUMN=VALUE" taken apart; either may hold a '=' itself, so the column is one of `names`. */
export function partsOf(rule: string, names: string[]): { column: string; value: string } {
    for (let at = rule.indexOf("="); at >= 0; at = rule.indexOf("=", at + 1))
        if (names.includes(rule.slice(0, at)))
            return { column: rule.slice(0, at), value: rule.slice(at + 1) };
    return { column: "", value: "" };
}

// ---- how lambda is chosen, and which rows test ----

export type How = "folds" | "random" | "column" | "validation" | "validation-data" | string;

/** A kind of splits, or, where no rows are left out, the word of `select`. */
export function howOf(a: Asked): How {
    const s = a.settings;
    if (textOf(s, "select") !== "cv") return textOf(s, "select");
    if (a.validation_data !== null) return "validation-data";
    if (isSet(s, "validation_rows")) return "validation";
    if (isSet(s, "fold_column")) return "column";
    return textOf(s, "splits") === "0" ? "folds" : "random";
}

export type TestKind = "none" | "marker" | "column" | "share" | "data";

/** `marker`: the column by which the file itself marks test rows. */
export function testKind(a: Asked, marker: string | null | undefined): TestKind {
    const rows = a.settings["test_rows"];
    if (a.test_data !== null) return "data";
    if (isSet(a.settings, "test_share")) return "share";
    if (isSet(a.settings, "test_rows")) return rows === "none" ? "none" : "column";
    return marker ? "marker" : "none";
}
