// What a table is asked for before anybody has said anything.

import type { Asked, Column, DataAbout, Settings } from "./api";

/** Columns of texts such as "0,0663": numbers, in many languages. */
export function hasDecimalCommas(data: DataAbout): string[] {
    const looks = (c: Column): boolean =>
        c.kind === "text" &&
        Boolean(c.values?.length) &&
        c.values!.every((v) => /^\s*[-+]?\d+,\d+\s*$/.test(v.text));
    return (data.columns ?? []).filter(looks).map((c) => c.name);
}

/** Columns that only tell rows apart, such as names and sample numbers: learning from them is
 *  learning by heart. */
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

/** What the file says; else the server's guess, if it can be right; else the last column that can.
 */
function firstTarget(data: DataAbout, names: string[]): string[] {
    if (data.targets?.length && !isGuess(data)) return data.targets;
    if (data.target && !names.includes(data.target)) return [data.target];
    const other = (data.columns ?? [])
        .filter((c) => !names.includes(c.name) && c.distinct > 1)
        .at(-1);
    return other ? [other.name] : [];
}

/** Columns are standardised: most tables have columns of different units. */
export function defaults(data: DataAbout, wants: Settings = {}): Asked {
    const names = namesRows(data);
    const target = firstTarget(data, names);
    const drop = names.filter((n) => !target.includes(n));
    const settings: Settings = { target, features: "standardize" };
    if (drop.length) settings["drop"] = drop;
    return {
        data: data.id,
        test_data: null,
        validation_data: null,
        settings: { ...settings, ...wants },
    };
}
