// What a result says, in a sentence: its score beside that of the constant-prediction baseline.

import type { Detail, Point, Result } from "./api";
import { short } from "./numbers";

const NAMES: Record<string, string> = {
    rmse: "RMSE",
    mse: "MSE",
    mae: "MAE",
    r2: "R²",
    auc: "AUC",
    accuracy: "accuracy",
    "balanced-accuracy": "balanced accuracy",
    errors: "errors",
};

export function measureName(measure: string): string {
    return NAMES[measure] ?? measure;
}

/** The best estimate of how well rows that were not learned from are predicted, and on what it
 *  rests. */
export interface Score {
    value: number;
    error: number | null;
    on: "test rows" | "validation rows" | "training rows";
}

export function scores(result: Result, p: Point): Score[] {
    const out: Score[] = [];
    const m = result.measure;
    if (typeof p.test?.[m] === "number")
        out.push({ value: p.test[m], error: null, on: "test rows" });
    if (typeof p.cvm === "number")
        out.push({ value: p.cvm, error: p.cvsd ?? null, on: "validation rows" });
    if (typeof p.train[m] === "number")
        out.push({ value: p.train[m], error: null, on: "training rows" });
    return out;
}

/** The constant-prediction baseline: the mean or the largest class of the training rows, scored on
 *  the rows of a score. */
export function withoutLearning(
    result: Result,
    detail: Detail,
    on: Score["on"],
): { value: number; how: string } | null {
    if (result.task === "classification") return constantClass(result, detail, on);
    const learned = detail.train.actual[0];
    const left =
        on === "test rows"
            ? detail.test?.actual[0]
            : on === "validation rows"
              ? (detail.left_out?.actual[0] ?? learned)
              : learned;
    if (!learned?.length || !left?.length || detail.train.actual.length > 1) return null;
    const average = (list: number[], of: (v: number) => number): number =>
        list.reduce((s, v) => s + of(v), 0) / list.length;
    const mean = average(learned, (v) => v);
    const mse = average(left, (v) => (v - mean) ** 2);
    const own = average(left, (v) => v);
    const value = {
        rmse: Math.sqrt(mse),
        mse,
        mae: average(left, (v) => Math.abs(v - mean)),
        r2: 1 - mse / average(left, (v) => (v - own) ** 2),
    }[result.measure];
    return value === undefined || !Number.isFinite(value)
        ? null
        : { value, how: `mean ${short(mean)}` };
}

/** The largest class, of equals the last, as the command has it. */
function constantClass(
    result: Result,
    detail: Detail,
    on: Score["on"],
): { value: number; how: string } | null {
    const confusion = detail.confusion;
    if (!confusion) return null;
    const sizesOf = (table: number[][]): number[] =>
        table.map((row) => row.reduce((s, v) => s + v, 0));
    const learned = sizesOf(confusion.train);
    const sizes = sizesOf(
        (on === "test rows"
            ? confusion.test
            : on === "validation rows"
              ? confusion.left_out
              : null) ?? confusion.train,
    );
    const all = sizes.reduce((s, v) => s + v, 0);
    const most = learned.lastIndexOf(Math.max(...learned));
    const value = {
        accuracy: sizes[most]! / all,
        "balanced-accuracy": 1 / sizes.filter((n) => n > 0).length,
        auc: 0.5,
    }[result.measure];
    return value === undefined || !Number.isFinite(value)
        ? null
        : { value, how: `class '${confusion.classes[most]}'` };
}

function amount(value: number, measure: string): string {
    return measure === "accuracy" || measure === "balanced-accuracy"
        ? `${(100 * value).toFixed(1)} %`
        : short(value);
}

function comparison(
    result: Result,
    score: Score,
    naive: { value: number; how: string } | null,
): string {
    if (!naive) return "";
    const better = result.rises ? score.value > naive.value : score.value < naive.value;
    const within = score.error !== null && Math.abs(score.value - naive.value) < 2 * score.error;
    const baseline = `constant-prediction baseline (${naive.how})`;
    const value = amount(naive.value, result.measure);
    if (!better) return `, no better than the ${baseline}, which has ${value}`;
    const said = `; the ${baseline} has ${value}`;
    return within ? `${said}, within the uncertainty` : said;
}

/** `unvalidated` is said where the score is that of the training rows. Where rows have weights,
 *  which are not known here, the score is not compared with anything. */
export function verdict(
    result: Result,
    p: Point,
    detail: Detail | null,
    unvalidated: string,
    weighted = false,
): string {
    const [best] = scores(result, p);
    if (!best) return "";
    const error =
        best.error === null
            ? ""
            : result.measure.includes("accuracy")
              ? ` ± ${(100 * best.error).toFixed(1)} %`
              : ` ± ${short(best.error, 2)}`;
    const caution = best.on === "training rows" ? ` ${unvalidated}` : "";
    const none = result.best.chosen === null ? " No λ was chosen: move the slider." : "";
    const other = detail && !weighted ? withoutLearning(result, detail, best.on) : null;
    return (
        `On ${best.on} the ${measureName(result.measure)} is ` +
        `${amount(best.value, result.measure)}${error}${comparison(result, best, other)}.` +
        `${caution}${none}`
    );
}
