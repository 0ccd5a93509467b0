// How good the scores of classes are: the ROC curve, and whether probabilities are what they say.

import type { Choices } from "./alongpath";
import type { Detail, LeftOutRows, Result, Rows } from "./api";
import { lineChart, type Series } from "./chart";
import { fill, h } from "./dom";
import { Figure } from "./figure";
import { count, short } from "./numbers";
import { MUTED, PALETTE } from "./colours";

/** Rows of one class against all others: how probable it is, or its score. */
export interface Judged {
    score: number[];
    is: boolean[];
    weight: number[];
}

const sum = (list: number[]): number => list.reduce((s, v) => s + v, 0);

// ---- the ROC curve ----

export interface Roc {
    /** Shares of other rows, and of rows of the class, whose score is at least a threshold. */
    x: number[];
    y: number[];
    /** The area; ties count half. Null where a class has no rows. */
    area: number | null;
}

export function rocOf({ score, is, weight }: Judged): Roc {
    const order = score.map((_, i) => i).sort((a, b) => score[b]! - score[a]!);
    const positives = sum(weight.filter((_, i) => is[i]));
    const negatives = sum(weight.filter((_, i) => !is[i]));
    const roc: Roc = { x: [0], y: [0], area: null };
    if (!(positives > 0 && negatives > 0)) return roc;
    let [right, wrong, area] = [0, 0, 0];
    for (let t = 0; t < order.length; ) {
        const [r, w, at] = [right, wrong, score[order[t]!]!];
        for (; t < order.length && score[order[t]!] === at; t++) {
            if (is[order[t]!]) right += weight[order[t]!]!;
            else wrong += weight[order[t]!]!;
        }
        area += ((wrong - w) * (r + right)) / 2;
        roc.x.push(wrong / negatives);
        roc.y.push(right / positives);
    }
    roc.area = area / (positives * negatives);
    return roc;
}

/** More corners than a picture can show: every so many, and the last. */
const MOST_CORNERS = 600;

function thin(roc: Roc): Roc {
    const every = Math.ceil(roc.x.length / MOST_CORNERS);
    const kept = (_: number, i: number): boolean => i % every === 0 || i === roc.x.length - 1;
    return { x: roc.x.filter(kept), y: roc.y.filter(kept), area: roc.area };
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

// ---- on the page ----

type Part = { name: string; rows: Rows | LeftOutRows | undefined; colour: string };

/** Rows that were not learned from, where there are some. */
function partsOf(d: Detail): Part[] {
    const parts: Part[] = [
        { name: "validation", rows: d.left_out, colour: PALETTE[0]! },
        { name: "test", rows: d.test, colour: PALETTE[1]! },
    ];
    const there = parts.filter((p) => p.rows?.actual[0]?.length);
    return there.length ? there : [{ name: "training", rows: d.train, colour: MUTED }];
}

const ZERO_TO_ONE = { from: -0.03, to: 1.03 };

export class ClassView {
    readonly roc = new Figure("ROC curve");
    readonly calibration = new Figure("Calibration");

    constructor(
        private readonly result: Result,
        private readonly chosen: Choices,
    ) {}

    /** Of two classes the second; of more the one that is chosen. */
    private get place(): number {
        return this.result.outputs.length > 1 ? this.chosen.output : 1;
    }

    private get label(): string {
        return `class ${this.result.classes[this.place] ?? ""}`;
    }

    private judge(part: Part): Judged {
        const rows = part.rows!;
        const output = this.result.outputs.length > 1 ? this.chosen.output : 0;
        const said = "predicted" in rows ? rows.predicted : rows.fitted;
        const actual = rows.actual[output] ?? [];
        return {
            score: rows.probabilities?.[this.place] ?? said[output] ?? [],
            is: actual.map((y) => y > 0),
            weight: rows.weights ?? actual.map(() => 1),
        };
    }

    show(detail: Detail): void {
        this.drawRoc(detail);
        this.calibration.element.hidden = !detail.train.probabilities;
        if (detail.train.probabilities) this.drawCalibration(detail);
    }

    say(text: string): void {
        this.roc.say(text);
        this.calibration.element.hidden = true;
    }

    private drawRoc(detail: Detail): void {
        const all = partsOf(detail).map((p) => ({ ...p, roc: thin(rocOf(this.judge(p))) }));
        const known = all.filter((p) => p.roc.area !== null);
        const series = known.map((p): Series => ({
            name: `${p.name}, AUC ${short(p.roc.area, 3)}`,
            x: p.roc.x,
            y: p.roc.y,
            colour: p.colour,
        }));
        this.roc.caption(`ROC curve of ${this.label}`);
        if (series.length === 0) return this.roc.say("There are no rows of both kinds.");
        this.roc.draw(
            lineChart({
                title: `ROC curve of ${this.label}`,
                x: { label: `other rows taken for ${this.label} (share)`, ...ZERO_TO_ONE },
                y: { label: `rows of ${this.label} found (share)`, ...ZERO_TO_ONE },
                series,
                diagonal: true,
                legend: "always",
            }),
        );
        const many = known.some((p) => p.name === "validation");
        fill(
            this.roc.foot,
            h(
                "span",
                { class: "hint" },
                many ? "The validation rows of all splits are taken together." : "",
            ),
        );
    }

    private drawCalibration(detail: Detail): void {
        const all = partsOf(detail).map((p) => ({ ...p, bins: calibrationOf(this.judge(p)) }));
        const series = all.map(({ name, bins, colour }, i): Series => ({
            name: `${name}, ${count(sum(bins.map((b) => b.rows)), "row")}`,
            x: bins.map((b) => b.said),
            y: bins.map((b) => b.seen),
            band: { lo: bins.map((b) => b.lo), hi: bins.map((b) => b.hi) },
            whiskers: true,
            dots: true,
            ...(i === 0 ? { labels: bins.map((b) => String(b.rows)) } : {}),
            colour,
        }));
        this.calibration.caption(`Calibration of ${this.label}`);
        this.calibration.draw(
            lineChart({
                title: `Calibration of ${this.label}`,
                x: { label: `probability of ${this.label}`, ...ZERO_TO_ONE },
                y: { label: `share of ${this.label}`, ...ZERO_TO_ONE },
                series,
                diagonal: true,
                legend: "always",
            }),
        );
        fill(
            this.calibration.foot,
            h(
                "span",
                { class: "hint" },
                "On the dashed line probabilities are what they say. Numbers are " +
                    `${all[0]!.name} rows in each tenth, bars 95 % intervals.`,
            ),
        );
    }
}
