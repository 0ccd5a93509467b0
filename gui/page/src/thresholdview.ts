// Where a class begins: a threshold on its probability or score, and the rows on either side of it.

import type { Choices } from "./alongpath";
import { lineChart } from "./chart";
import { MUTED, PALETTE } from "./colours";
import { fill, h } from "./dom";
import { Figure } from "./figure";
import {
    atThreshold,
    qualityOf,
    spread,
    type AtThreshold,
    type Judged,
    type Quality,
} from "./judged";
import { short } from "./numbers";

const BINS = 20;
const STEPS = 400;

export interface ThresholdWords {
    label: string;
    /** "validation rows" */
    rows: string;
    /** Scores are probabilities. */
    probable: boolean;
    /** Of two classes predictions themselves go by a threshold. */
    two: boolean;
}

export class ThresholdView {
    private readonly slider: HTMLInputElement;
    private readonly output = h("output");
    private readonly table = h("div", { class: "threshold-table" });
    readonly figure: Figure;
    private readonly back = h(
        "button",
        { class: "link", onclick: () => this.set(this.usual) },
        "as predicted",
    );
    readonly element: HTMLElement;
    private rows: Judged = { score: [], is: [], weight: [] };
    private words: ThresholdWords = { label: "", rows: "", probable: false, two: true };
    private range: [number, number] = [0, 1];
    counts: AtThreshold = { found: 0, missed: 0, wrong: 0, right: 0 };
    quality: Quality = { precision: null, recall: null, f1: null };

    /** `moved` is told when the threshold has moved. */
    constructor(
        private readonly chosen: Choices,
        private readonly moved: () => void,
    ) {
        this.slider = h("input", {
            type: "range",
            id: "threshold",
            min: 0,
            max: STEPS,
            step: 1,
            "aria-label": "Threshold",
            oninput: () => this.set(this.valueAt(Number(this.slider.value))),
        });
        this.figure = new Figure("Threshold", { drag: (x) => this.set(x) });
        this.element = this.figure.element;
        this.figure.foot.classList.add("threshold");
        fill(
            this.figure.foot,
            h(
                "div",
                { class: "slider-row" },
                h("label", { for: "threshold" }, "Threshold"),
                this.slider,
                this.output,
                this.back,
                h(
                    "button",
                    { class: "link", onclick: () => this.set(this.bestF1()) },
                    "largest F1",
                ),
            ),
            this.table,
        );
    }

    /** Where predictions change, of two classes. */
    private get usual(): number {
        return this.words.probable ? 0.5 : 0;
    }

    private get threshold(): number {
        return this.chosen.threshold ?? this.usual;
    }

    private valueAt(step: number): number {
        const [lo, hi] = this.range;
        return lo + (step / STEPS) * (hi - lo);
    }

    private bestF1(): number {
        let best = this.usual;
        let most = -1;
        for (let i = 0; i <= STEPS; i++) {
            const at = this.valueAt(i);
            const c = atThreshold(this.rows, at);
            const f1 = qualityOf(c.found, c.missed, c.wrong).f1 ?? 0;
            if (f1 > most) [best, most] = [at, f1];
        }
        return best;
    }

    show(rows: Judged, words: ThresholdWords): void {
        this.rows = rows;
        this.words = words;
        const scores = rows.score.filter(Number.isFinite);
        const [lo, hi] = scores.reduce(
            ([a, b], v): [number, number] => [Math.min(a, v), Math.max(b, v)],
            [-0.1, 0.1],
        );
        this.back.hidden = !words.two;
        this.range = words.probable ? [0, 1] : [lo, hi];
        this.draw();
    }

    private set(to: number): void {
        const [lo, hi] = this.range;
        this.chosen.threshold = Math.max(lo, Math.min(hi, to));
        this.draw();
        this.moved();
    }

    private draw(): void {
        const [lo, hi] = this.range;
        const t = this.threshold;
        this.counts = atThreshold(this.rows, t);
        this.quality = qualityOf(this.counts.found, this.counts.missed, this.counts.wrong);
        this.slider.value = String(Math.round(((t - lo) / (hi - lo || 1)) * STEPS));
        this.slider.setAttribute("aria-valuetext", `${this.scoreWord} ${short(t, 3)}`);
        this.output.textContent = short(t, 3);
        this.figure.caption(`Threshold of ${this.words.label}, ${this.words.rows}`);
        this.drawSpread(t);
        this.drawTable();
    }

    private get scoreWord(): string {
        return this.words.probable ? "probability" : "score";
    }

    private drawSpread(t: number): void {
        const { score, is, weight } = this.rows;
        const [lo, hi] = this.range;
        const of = (kind: boolean): { x: number[]; share: number[] } => {
            const kept = score.map((_, i) => i).filter((i) => is[i] === kind);
            return spread(
                kept.map((i) => score[i]!),
                kept.map((i) => weight[i]!),
                lo,
                hi,
                BINS,
            );
        };
        const [its, others] = [of(true), of(false)];
        this.figure.draw(
            lineChart({
                title: `${this.scoreWord} of ${this.words.label}`,
                x: { label: `${this.scoreWord} of ${this.words.label}`, from: lo, to: hi },
                y: { label: "share of the rows", from: 0 },
                series: [
                    {
                        name: `rows of ${this.words.label}`,
                        x: its.x,
                        y: its.share,
                        colour: PALETTE[0]!,
                    },
                    { name: "other rows", x: others.x, y: others.share, colour: MUTED },
                ],
                marks: [{ x: t, label: "", strong: true }],
                direct: false,
                height: 220,
            }),
        );
    }

    private drawTable(): void {
        const { found, missed, wrong, right } = this.counts;
        const all = found + missed + wrong + right;
        const { precision, recall, f1 } = this.quality;
        const label = this.words.label;
        const cell = (v: number, good: boolean): HTMLElement =>
            h("td", { class: `num ${good ? "good" : "bad"}` }, short(v));
        const told: [string, number | null][] = [
            ["precision", precision],
            ["recall", recall],
            ["F1", f1],
            ["accuracy", all > 0 ? (found + right) / all : null],
        ];
        fill(
            this.table,
            h(
                "table",
                { id: "threshold-counts" },
                h(
                    "thead",
                    {},
                    h(
                        "tr",
                        {},
                        h("td"),
                        h("th", { scope: "col", class: "num" }, `taken for ${label}`),
                        h("th", { scope: "col", class: "num" }, "not"),
                    ),
                ),
                h(
                    "tbody",
                    {},
                    h(
                        "tr",
                        {},
                        h("th", { scope: "row" }, `rows of ${label}`),
                        cell(found, true),
                        cell(missed, false),
                    ),
                    h(
                        "tr",
                        {},
                        h("th", { scope: "row" }, "other rows"),
                        cell(wrong, false),
                        cell(right, true),
                    ),
                ),
            ),
            h(
                "dl",
                { class: "measures" },
                told.map(([name, value]) =>
                    h(
                        "div",
                        {},
                        h("dt", {}, name),
                        h("dd", {}, value === null ? "–" : value.toFixed(3)),
                    ),
                ),
            ),
        );
    }
}
