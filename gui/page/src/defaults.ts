// What a table is asked for before anybody has said anything.

import type { Column, DataAbout, Settings } from "./api";

/** Columns of texts such as "0,0663": numbers, in many languages. */
export function hasDecimalCommas(data: DataAbout): string[] {
    const looks = (c: Column): boolean =>
        c.kind === "text" &&
        Boolean(c.values?.length) &&
        c.values!.every((v) => /^\s*[-+]?\d+,\d+\s*$/.test(v.text));
    return (data.columns ?? []).filter(looks).map((c) => c.name);
}

/** Columns that only tell rows apart, such as names and sample numbers: learning from them is learning by heart. */
export function namesRows(data: DataAbout): string[] {
    const commas = hasDecimalCommas(data);
    const few = data.rows < 10;
    const numbered = /^(id|index|nr|no|row|key|sample_?(id|nr|no)|.*_id|unnamed.*)$/i;
    return (data.columns ?? [])
        .filter(
            (c) =>
                !few &&
                !commas.includes(c.name) &&
                (c.kind === "text"
                    ? c.distinct > 0.8 * (data.rows - c.missing)
                    : c.distinct === data.rows && numbered.test(c.name)),
        )
        .map((c) => c.name);
}

/** A CSV file says nothing of what is to be predicted. */
export function isGuess(data: DataAbout): boolean {
    return data.format === "CSV" && !data.sample;
}

/** What the file says; else the server's guess, if it can be right; else the last column that can. */
function firstTarget(data: DataAbout, names: string[]): string[] {
    if (data.targets?.length && !isGuess(data)) return data.targets;
    if (data.target && !names.includes(data.target)) return [data.target];
    const other = (data.columns ?? [])
        .filter((c) => !names.includes(c.name) && c.distinct > 1)
        .at(-1);
    return other ? [other.name] : [];
}

/** What the server takes where nothing is said: not every run was started by this page. */
const UNSAID: Omit<Settings, "data" | "target"> = {
    test: { kind: "none" },
    task: "auto",
    drop: [],
    categorical: [],
    weights: null,
    class_weights: "",
    features: "none",
    examples: "none",
    shuffle: false,
    transductive: false,
    transductive_features: false,
    kernels: null,
    groups: {},
    scaling: "trace",
    center: false,
    lambdas: null,
    max_iter: 200,
    gap_tol: 1e-6,
    solver: "newton",
    intercept: "auto",
    splits: { kind: "folds" },
    measure: "auto",
    rule: "min",
    select: "cv",
    baselines: true,
    seed: 0,
};

/** Settings as this page has them: nothing unsaid, names in lists. */
export function whole(said: Settings): Settings {
    const list = (names: unknown): string[] =>
        Array.isArray(names) ? (names as string[]) : typeof names === "string" ? [names] : [];
    return {
        ...UNSAID,
        ...structuredClone(said),
        target: list(said.target),
        drop: list(said.drop),
        categorical: list(said.categorical),
    };
}

export function defaults(data: DataAbout): Settings {
    const names = namesRows(data);
    const target = firstTarget(data, names);
    return {
        ...UNSAID,
        data: data.id,
        target,
        test: data.marker ? { kind: "marker" } : { kind: "none" },
        drop: names.filter((n) => !target.includes(n)),
        features: "standardize",
        splits: { kind: "folds", folds: 10, repeats: 1, count: 20, share: 0.7 },
        baselines: data.rows <= 1000,
        seed: 1,
    };
}
