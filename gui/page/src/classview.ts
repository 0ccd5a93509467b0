// How good the scores of classes are, of rows that were left out: the ROC curve, precision and
// recall, whether probabilities are what they say, and what a threshold makes of them.

import type { Choices } from "./alongpath";
import type { Detail, LeftOutRows, Result, Rows } from "./api";
import { lineChart, type Series } from "./chart";
import { fill, h } from "./dom";
import { Figure } from "./figure";
import { calibrationOf, precisionRecallOf, qualities, rocOf, thin, type Judged } from "./judged";
import { count, short } from "./numbers";
import { MUTED, PALETTE } from "./colours";
import { ThresholdView } from "./thresholdview";

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
    readonly recall = new Figure("Precision and recall");
    readonly calibration = new Figure("Calibration");
    readonly perClass = h("figure");
    private readonly threshold: ThresholdView;

    constructor(
        private readonly result: Result,
        private readonly chosen: Choices,
    ) {
        this.threshold = new ThresholdView(chosen, () => this.drawCurves());
    }

    /** In the order in which they stand on the page. */
    get elements(): HTMLElement[] {
        return [
            this.perClass,
            this.threshold.element,
            this.roc.element,
            this.recall.element,
            this.calibration.element,
        ];
    }

    get figures(): Figure[] {
        return [this.threshold.figure, this.roc, this.recall, this.calibration];
    }

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

    private parts: { name: string; colour: string; judged: Judged }[] = [];
    private probable = false;

    show(detail: Detail): void {
        for (const element of this.elements) element.hidden = false;
        this.parts = partsOf(detail).map((p) => ({ ...p, judged: this.judge(p) }));
        this.probable = Boolean(detail.train.probabilities);
        this.drawPerClass(detail);
        const [first] = this.parts;
        this.threshold.show(first!.judged, {
            label: this.label,
            rows: `${first!.name} rows`,
            probable: this.probable,
            two: this.result.outputs.length < 2,
        });
        this.drawCurves();
        this.calibration.element.hidden = !this.probable;
        if (this.probable) this.drawCalibration();
    }

    say(text: string): void {
        this.roc.say(text);
        for (const element of this.elements) element.hidden = element !== this.roc.element;
    }

    /** They show where the threshold lies, and so move with it. */
    private drawCurves(): void {
        this.drawRoc();
        this.drawRecall();
    }

    private taken(): string {
        const [first] = this.parts;
        if (first?.name === "training")
            return "Of training rows, as none were left out: new rows fare worse.";
        return this.parts.some((p) => p.name === "validation")
            ? "The validation rows of all splits are taken together."
            : "";
    }

    private here(x: number | null, y: number | null): Series[] {
        return x === null || y === null
            ? []
            : [{ name: "the threshold", x: [x], y: [y], dots: true, colour: "ink" }];
    }

    private drawRoc(): void {
        const all = this.parts.map((p) => ({ ...p, roc: thin(rocOf(p.judged)) }));
        const known = all.filter((p) => p.roc.area !== null);
        const series = known.map((p): Series => ({
            name: `${p.name}, AUC ${short(p.roc.area, 3)}`,
            x: p.roc.x,
            y: p.roc.y,
            colour: p.colour,
        }));
        this.roc.caption(`ROC curve of ${this.label}`);
        if (series.length === 0) return this.roc.say("There are no rows of both kinds.");
        const t = this.threshold.counts;
        const others = t.wrong + t.right;
        const taken = others > 0 ? t.wrong / others : null;
        this.roc.draw(
            lineChart({
                title: `ROC curve of ${this.label}`,
                x: { label: `other rows taken for ${this.label} (share)`, ...ZERO_TO_ONE },
                y: { label: `rows of ${this.label} found (share)`, ...ZERO_TO_ONE },
                series: [
                    ...series,
                    ...this.here(taken, this.threshold.quality.recall),
                ],
                diagonal: true,
                direct: false,
                legend: "always",
            }),
        );
        fill(this.roc.foot, h("span", { class: "hint" }, this.taken()));
    }

    private drawRecall(): void {
        const all = this.parts.map((p) => ({ ...p, curve: thin(precisionRecallOf(p.judged)) }));
        const known = all.filter((p) => p.curve.area !== null);
        this.recall.caption(`Precision and recall of ${this.label}`);
        if (known.length === 0) return this.recall.say("There are no rows of it.");
        const { is, weight } = known[0]!.judged;
        const rows = weight.reduce((s, w) => s + w, 0);
        const share = weight.reduce((s, w, i) => s + (is[i] ? w : 0), 0) / rows;
        const { precision, recall } = this.threshold.quality;
        this.recall.draw(
            lineChart({
                title: `Precision and recall of ${this.label}`,
                x: { label: `recall: rows of ${this.label} found (share)`, ...ZERO_TO_ONE },
                y: { label: "precision: share of those taken for it", ...ZERO_TO_ONE },
                series: [
                    ...known.map((p): Series => ({
                        name: `${p.name}, average precision ${short(p.curve.area, 3)}`,
                        x: p.curve.x,
                        y: p.curve.y,
                        colour: p.colour,
                    })),
                    ...this.here(recall, precision),
                ],
                level: { y: share, label: `without a model ${short(share, 2)}` },
                direct: false,
                legend: "always",
            }),
        );
        fill(this.recall.foot, h("span", { class: "hint" }, this.taken()));
    }

    private drawCalibration(): void {
        const all = this.parts.map((p) => ({ ...p, bins: calibrationOf(p.judged) }));
        const rows = (bins: { rows: number }[]): number => bins.reduce((s, b) => s + b.rows, 0);
        const series = all.map(({ name, bins, colour }, i): Series => ({
            name: `${name}, ${count(rows(bins), "row")}`,
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

    // ---- each class ----

    private drawPerClass(detail: Detail): void {
        const confusion = detail.confusion;
        if (!confusion) return;
        const part = confusion.test ? "test" : confusion.left_out ? "left_out" : "train";
        const name = { test: "test", left_out: "validation", train: "training" }[part];
        const lines = qualities(confusion[part]!);
        const cell = (v: number | null): HTMLElement =>
            h("td", { class: "num" }, v === null ? "–" : v.toFixed(3));
        const mean = (of: (q: (typeof lines)[number]) => number | null): number | null => {
            const known = lines.map(of).filter((v): v is number => v !== null);
            return known.length ? known.reduce((s, v) => s + v, 0) / known.length : null;
        };
        const row = (title: string, q: (typeof lines)[number], style = ""): HTMLElement =>
            h(
                "tr",
                { class: style },
                h("th", { scope: "row" }, title),
                cell(q.precision),
                cell(q.recall),
                cell(q.f1),
                h("td", { class: "num" }, String(q.rows)),
            );
        const average = {
            precision: mean((q) => q.precision),
            recall: mean((q) => q.recall),
            f1: mean((q) => q.f1),
            rows: lines.reduce((s, q) => s + q.rows, 0),
        };
        const heads = ["precision", "recall", "F1", "rows"].map((t) =>
            h("th", { scope: "col", class: "num" }, t),
        );
        fill(
            this.perClass,
            h("figcaption", {}, h("span", { class: "caption" }, `Each class, ${name} rows`)),
            h(
                "div",
                { class: "scroll bare", tabindex: 0, role: "region", "aria-label": "Each class" },
                h(
                    "table",
                    { class: "per-class" },
                    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "class"), heads)),
                    h(
                        "tbody",
                        {},
                        lines.map((q, k) => row(confusion.classes[k] ?? "", q)),
                        row("mean of the classes", average, "target"),
                    ),
                ),
            ),
            h(
                "p",
                { class: "hint foot" },
                "Precision: how many of those taken for a class are of it. Recall: how many of a " +
                    "class are found. F1: their harmonic mean." +
                    (name === "training" ? " Of training rows: new ones fare worse." : ""),
            ),
        );
    }
}
