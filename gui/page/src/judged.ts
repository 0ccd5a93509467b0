// Scores of one class held against what rows are: ROC and precision-recall curves, calibration,
// and what a threshold makes of them. Rows count by their weights.

/** Rows of one class against all others: how probable it is, or its score. */
export interface Judged {
    score: number[];
    is: boolean[];
    weight: number[];
}

const sum = (list: number[]): number => list.reduce((s, v) => s + v, 0);

// ---- curves over all thresholds ----

export interface Curve {
    x: number[];
    y: number[];
    /** Of the ROC curve the area, ties counting half; of precision and recall the average
     *  precision. Null where a class has no rows. */
    area: number | null;
}

/** Rows whose score is at least a threshold, by what they are: the highest threshold first. */
function* thresholds({ score, is, weight }: Judged): Generator<{ right: number; wrong: number }> {
    const order = score.map((_, i) => i).sort((a, b) => score[b]! - score[a]!);
    let [right, wrong] = [0, 0];
    for (let t = 0; t < order.length; ) {
        const at = score[order[t]!]!;
        for (; t < order.length && score[order[t]!] === at; t++) {
            if (is[order[t]!]) right += weight[order[t]!]!;
            else wrong += weight[order[t]!]!;
        }
        yield { right, wrong };
    }
}

function totals({ is, weight }: Judged): { positives: number; negatives: number } {
    const positives = sum(weight.filter((_, i) => is[i]));
    return { positives, negatives: sum(weight) - positives };
}

/** x: share of other rows whose score is at least a threshold; y: that of rows of the class. */
export function rocOf(rows: Judged): Curve {
    const { positives, negatives } = totals(rows);
    const roc: Curve = { x: [0], y: [0], area: null };
    if (!(positives > 0 && negatives > 0)) return roc;
    let [r, w, area] = [0, 0, 0];
    for (const { right, wrong } of thresholds(rows)) {
        area += ((wrong - w) * (r + right)) / 2;
        [r, w] = [right, wrong];
        roc.x.push(wrong / negatives);
        roc.y.push(right / positives);
    }
    roc.area = area / (positives * negatives);
    return roc;
}

/** x: share of rows of the class that are found (recall); y: how many of those that are taken for
 *  it are (precision). The area is the average precision, without interpolation. */
export function precisionRecallOf(rows: Judged): Curve {
    const { positives } = totals(rows);
    const curve: Curve = { x: [], y: [], area: null };
    if (!(positives > 0)) return curve;
    let [before, area] = [0, 0];
    for (const { right, wrong } of thresholds(rows)) {
        const [recall, precision] = [right / positives, right / (right + wrong)];
        area += (recall - before) * precision;
        before = recall;
        curve.x.push(recall);
        curve.y.push(precision);
    }
    curve.area = area;
    return curve;
}

/** More corners than a picture can show: every so many, and the last. */
const MOST_CORNERS = 600;

export function thin(curve: Curve): Curve {
    const every = Math.ceil(curve.x.length / MOST_CORNERS);
    const kept = (_: number, i: number): boolean => i % every === 0 || i === curve.x.length - 1;
    return { x: curve.x.filter(kept), y: curve.y.filter(kept), area: curve.area };
}

// ---- one threshold ----

export interface AtThreshold {
    /** Rows of the class that are taken for it, and not; other rows that are, and are not. */
    found: number;
    missed: number;
    wrong: number;
    right: number;
}

/** A row is taken for the class where its score is at least the threshold. */
export function atThreshold({ score, is, weight }: Judged, threshold: number): AtThreshold {
    const counts = { found: 0, missed: 0, wrong: 0, right: 0 };
    score.forEach((s, i) => {
        const taken = s >= threshold;
        const what = is[i] ? (taken ? "found" : "missed") : taken ? "wrong" : "right";
        counts[what] += weight[i]!;
    });
    return counts;
}

const ratio = (a: number, b: number): number | null => (b > 0 ? a / b : null);

export interface Quality {
    precision: number | null;
    recall: number | null;
    f1: number | null;
}

export function qualityOf(found: number, missed: number, wrong: number): Quality {
    return {
        precision: ratio(found, found + wrong),
        recall: ratio(found, found + missed),
        f1: ratio(2 * found, 2 * found + missed + wrong),
    };
}

/** Of each class of a table of counts, whose lines are what rows are. */
export function qualities(counts: number[][]): (Quality & { rows: number })[] {
    return counts.map((line, k) => {
        const [found, rows] = [line[k] ?? 0, sum(line)];
        const taken = sum(counts.map((other) => other[k] ?? 0));
        return { ...qualityOf(found, rows - found, taken - found), rows };
    });
}

// ---- calibration ----

export interface Bin {
    /** Mean probability, share of rows of the class, and where that share may lie. */
    said: number;
    seen: number;
    lo: number;
    hi: number;
    rows: number;
}

const BINS = 10;
/** Of a normal distribution: 95 % lie within so many deviations. */
const Z = 1.96;

/** Wilson's interval of a share. Rows of other weights count as so many of equal weight. */
function interval(share: number, rows: number): { lo: number; hi: number } {
    const middle = (share + (Z * Z) / (2 * rows)) / (1 + (Z * Z) / rows);
    const half =
        (Z / (1 + (Z * Z) / rows)) *
        Math.sqrt((share * (1 - share)) / rows + (Z * Z) / (4 * rows * rows));
    return { lo: Math.max(0, middle - half), hi: Math.min(1, middle + half) };
}

/** Ten bins of equal width, of those that have rows. */
export function calibrationOf({ score, is, weight }: Judged): Bin[] {
    const bins: number[][] = Array.from({ length: BINS }, () => []);
    score.forEach((p, i) => {
        if (weight[i]! > 0) bins[Math.min(BINS - 1, Math.floor(p * BINS))]?.push(i);
    });
    return bins
        .filter((rows) => rows.length > 0)
        .map((rows) => {
            const w = rows.map((i) => weight[i]!);
            const all = sum(w);
            const seen = sum(rows.map((i, t) => (is[i] ? w[t]! : 0))) / all;
            const worth = (all * all) / sum(w.map((v) => v * v));
            return {
                said: sum(rows.map((i, t) => score[i]! * w[t]!)) / all,
                seen,
                ...interval(seen, worth),
                rows: rows.length,
            };
        });
}

// ---- how scores are spread ----

/** Middles of bins between lo and hi, and the share of the rows of a kind in each. */
export function spread(
    values: number[],
    weights: number[],
    lo: number,
    hi: number,
    bins: number,
): { x: number[]; share: number[] } {
    const counts = new Array<number>(bins).fill(0);
    values.forEach((v, i) => {
        const at = Math.floor(((v - lo) / (hi - lo || 1)) * bins);
        counts[Math.max(0, Math.min(bins - 1, at))]! += weights[i]!;
    });
    const all = sum(weights);
    return {
        x: counts.map((_, i) => lo + ((i + 0.5) * (hi - lo)) / bins),
        share: counts.map((c) => (all > 0 ? c / all : 0)),
    };
}
