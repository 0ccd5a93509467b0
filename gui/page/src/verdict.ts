// What a result says, in a sentence: its score beside that of the constant-prediction baseline.

import type { Detail, Point, Result } from "./api";
import { levelsOf, lossOf } from "./losses";
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
    "log-loss": "log loss",
    brier: "Brier score",
    pinball: "pinball loss",
    deviance: "deviance",
};

export function measureName(measure: string): string {
    return NAMES[measure] ?? measure;
}

/** At the beginning of a title. */
export function measureTitle(measure: string): string {
    const name = measureName(measure);
    return name[0]!.toUpperCase() + name.slice(1);
}

/** "RMSE (lower is better)" */
export function measureAxis(result: Result): string {
    return `${measureName(result.measure)} (${result.rises ? "higher" : "lower"} is better)`;
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

/** A constant prediction, and its score. */
interface Constant {
    value: number;
    how: string;
}

const average = (list: number[], of: (v: number) => number): number =>
    list.reduce((s, v) => s + of(v), 0) / list.length;

/** The constant-prediction baseline: the best constant of the training rows, scored on the rows of
 *  a score. */
export function withoutLearning(
    result: Result,
    detail: Detail,
    on: Score["on"],
): Constant | null {
    const scored = result.task === "classification" ? constantClass : constantNumber;
    const constant = scored(result, detail, on);
    return constant && Number.isFinite(constant.value) ? constant : null;
}

function rowsOf(detail: Detail, on: Score["on"]): number[] | undefined {
    const learned = detail.train.actual[0];
    if (on === "test rows") return detail.test?.actual[0];
    return on === "validation rows" ? (detail.left_out?.actual[0] ?? learned) : learned;
}

/** The value that a share of the rows stays below, as the library has it: one of them. */
function quantileOf(list: number[], level: number): number {
    const sorted = [...list].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.ceil(level * sorted.length) - 1)] ?? NaN;
}

function constantNumber(result: Result, detail: Detail, on: Score["on"]): Constant | null {
    const learned = detail.train.actual[0];
    const left = rowsOf(detail, on);
    if (!learned?.length || !left?.length) return null;
    if (result.measure === "pinball") return constantQuantiles(result, learned, left);
    if (detail.train.actual.length > 1) return null;
    const median = result.measure === "mae" && lossOf(result) !== "square";
    const best = median ? quantileOf(learned, 0.5) : average(learned, (v) => v);
    const mse = average(left, (v) => (v - best) ** 2);
    const own = average(left, (v) => v);
    const value = {
        rmse: Math.sqrt(mse),
        mse,
        mae: average(left, (v) => Math.abs(v - best)),
        r2: 1 - mse / average(left, (v) => (v - own) ** 2),
        deviance: average(left, (v) => 2 * ((v > 0 ? v * Math.log(v / best) : 0) - v + best)),
    }[result.measure];
    return value === undefined
        ? null
        : { value, how: `${median ? "median" : "mean"} ${short(best)}` };
}

/** Of several levels the mean; of several targets only those of the first are known here. */
function constantQuantiles(result: Result, learned: number[], left: number[]): Constant | null {
    const levels = levelsOf(result) ?? [];
    const several = levels.length > 1;
    if (levels.length === 0 || (several && new Set(levels).size === 1)) return null;
    const loss = (level: number): number => {
        const at = quantileOf(learned, level);
        return average(left, (v) => Math.max(level * (v - at), (level - 1) * (v - at)));
    };
    const how = several
        ? "quantiles of the training rows"
        : `quantile ${short(quantileOf(learned, levels[0]!))}`;
    return { value: average(levels, loss), how };
}

/** The largest class, of equals the last, as the command has it; of probabilities the shares of
 *  the classes. */
function constantClass(result: Result, detail: Detail, on: Score["on"]): Constant | null {
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
    const shares = learned.map((n) => n / learned.reduce((s, v) => s + v, 0));
    const over = (of: (k: number) => number): number =>
        sizes.reduce((s, n, k) => s + (n ? n * of(k) : 0), 0) / all;
    const ofShares = { value: NaN, how: "shares of the classes" };
    if (result.measure === "log-loss")
        return { ...ofShares, value: over((k) => -Math.log(shares[k]!)) };
    if (result.measure === "brier") return { ...ofShares, value: over((k) => missOf(shares, k)) };
    const value = {
        accuracy: sizes[most]! / all,
        "balanced-accuracy": 1 / sizes.filter((n) => n > 0).length,
        auc: 0.5,
    }[result.measure];
    return value === undefined ? null : { value, how: `class '${confusion.classes[most]}'` };
}

/** Squared errors of the shares where the class is k: of two classes those of the second. */
function missOf(shares: number[], k: number): number {
    const misses = shares.map((p, j) => (p - (j === k ? 1 : 0)) ** 2);
    return shares.length === 2 ? misses[1]! : misses.reduce((s, v) => s + v, 0);
}

/** Shares in percent. */
export function amount(value: number, measure: string, digits = 4): string {
    return measure === "accuracy" || measure === "balanced-accuracy"
        ? `${(100 * value).toFixed(1)} %`
        : short(value, digits);
}

function comparison(
    result: Result,
    score: Score,
    naive: Constant | null,
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
