// Losses in words: what can be chosen, what its parameter is, and on what scale predictions are.

import type { Column, Result } from "./api";
import { short } from "./numbers";

// ---- a loss as it is written: "huber(1.5)" ----

export interface LossParts {
    word: string;
    /** What stands in the brackets; "" where there are none. */
    parameter: string;
}

export function lossParts(text: string): LossParts {
    const found = /^\s*([a-z-]+)\s*(?:\((.*)\))?\s*$/.exec(text);
    return { word: found?.[1] ?? text, parameter: found?.[2]?.trim() ?? "" };
}

/** "quantiles" are several of one target; the library has one word for both. */
export function lossWord(text: string): string {
    const { word, parameter } = lossParts(text);
    return word === "quantile" && parameter.includes(",") ? "quantiles" : word;
}

// ---- what can be chosen ----

export interface LossChoice {
    word: string;
    label: string;
    for: "numbers" | "classes" | "both";
    /** What its parameter is called, and what it is at first. */
    parameter?: { label: string; hint: string; first: (target: Column | undefined) => string };
}

/** A share of how much the target varies, with two digits. */
function ofSpread(share: number): (target: Column | undefined) => string {
    return (target) => (target?.sd ? short(share * target.sd, 2) : "1");
}

export const LOSS_CHOICES: LossChoice[] = [
    { word: "square", label: "square: least squares", for: "both" },
    { word: "logistic", label: "logistic: probabilities of classes", for: "classes" },
    { word: "hinge", label: "hinge: as support vector machines", for: "classes" },
    { word: "squared-hinge", label: "squared-hinge", for: "classes" },
    {
        ...{ word: "huber", label: "huber: outliers count less", for: "numbers" },
        parameter: {
            label: "Errors count less beyond",
            hint: "A distance in units of the target.",
            first: ofSpread(0.5),
        },
    },
    { word: "absolute", label: "absolute: the median", for: "numbers" },
    {
        ...{ word: "epsilon", label: "epsilon: small errors are free", for: "numbers" },
        parameter: {
            label: "Errors are free up to",
            hint: "A distance in units of the target.",
            first: ofSpread(0.1),
        },
    },
    {
        ...{ word: "quantile", label: "quantile: a level rows stay below", for: "numbers" },
        parameter: {
            label: "Level",
            hint: "Share of the rows that stay below the prediction, between 0 and 1.",
            first: () => "0.9",
        },
    },
    {
        ...{ word: "quantiles", label: "quantiles: an interval", for: "numbers" },
        parameter: {
            label: "Levels",
            hint: "Between 0 and 1, ascending: 0.05 and 0.95 enclose nine rows in ten.",
            first: () => "0.05, 0.5, 0.95",
        },
    },
    { word: "poisson", label: "poisson: counts", for: "numbers" },
];

/** Those that suit the target, and the one that is set. */
export function lossesFor(
    classes: boolean,
    target: Column | undefined,
    now: string,
): LossChoice[] {
    const suits = (l: LossChoice): boolean =>
        l.word === "poisson" && typeof target?.min === "number" && target.min < 0
            ? false
            : l.for === "both" || (l.for === "classes") === classes;
    return LOSS_CHOICES.filter((l) => l.word === now || suits(l));
}

/** The loss as it is written; levels may be typed with blanks. */
export function lossText(word: string, parameter: string): string {
    const known = LOSS_CHOICES.find((l) => l.word === word);
    const inside = parameter.split(/[\s,;]+/).filter(Boolean);
    if (!known?.parameter) return word;
    return `${word === "quantiles" ? "quantile" : word}(${inside.join(",")})`;
}

// ---- measures that only some losses have ----

const NEEDS: Record<string, string[]> = {
    "log-loss": ["logistic"],
    brier: ["logistic"],
    pinball: ["quantile", "quantiles"],
    deviance: ["poisson"],
};

export function measureFits(measure: string, loss: string): boolean {
    return NEEDS[measure]?.includes(lossWord(loss)) ?? true;
}

// ---- results, and models ----

/** What words about predictions depend on. */
export type Spoken = Pick<Result, "task" | "outputs" | "classes"> &
    Partial<Pick<Result, "loss" | "losses" | "probabilities">>;

/** Results of versions before 0.12 do not name it. */
export function lossOf(result: Spoken): string {
    return lossWord(result.loss ?? "square");
}

/** Levels of quantiles, by output; null where predictions are none. */
export function levelsOf(result: Spoken): number[] | null {
    const levels = (result.losses ?? []).map((l) =>
        lossParts(l).word === "quantile" ? Number(lossParts(l).parameter) : NaN,
    );
    return levels.length && levels.every((v) => Number.isFinite(v)) ? levels : null;
}

/** Are the outputs several quantiles of one target? */
export function hasLevels(result: Spoken): boolean {
    return new Set(levelsOf(result) ?? []).size > 1;
}

/** What outputs are, where there are several. */
export function outputWord(result: Spoken): "class" | "quantile" | "target" {
    if (result.task === "classification") return "class";
    return hasLevels(result) ? "quantile" : "target";
}

/** Explains a share of the target, or says what predictions are made of. */
export function isSquare(result: Spoken): boolean {
    return lossOf(result) === "square";
}

/** On what scale parts of a prediction add up, where it is not that of the prediction. */
export function partScale(result: Spoken): string {
    if (lossOf(result) === "poisson") return "log rate";
    if (!result.probabilities) return "";
    return result.losses?.[0] === "multinomial" ? "log probability, up to a constant" : "log odds";
}

/** What rises with a part of the prediction of an output. */
export function risingName(result: Spoken, output: number): string {
    if (lossOf(result) === "poisson") return "rate";
    if (!result.probabilities) return "prediction";
    return `probability of class ${result.classes[result.outputs.length > 1 ? output : 1] ?? "it"}`;
}

/** "logistic loss, free intercept"; "" of least squares as they were always done. */
export function lossInWords(result: Result): string {
    if (isSquare(result) && result.intercept_rule !== "free") return "";
    const rule = { free: "free intercept", none: "no intercept", mean: "fixed intercept" };
    const intercept = result.intercept_rule ? `, ${rule[result.intercept_rule]}` : "";
    const shared = result.losses?.[0] === "multinomial" ? ", shared kernel weights" : "";
    return `${(result.loss ?? "square").replaceAll(",", ", ")} loss${intercept}${shared}`;
}
