// The rows of a file as a model predicts them: a table, a score where the truth is there, and why
// each is predicted as it is.

import { confusionChart, lineChart } from "./chart";
import { choice } from "./alongpath";
import { PALETTE } from "./colours";
import { download, fill, h } from "./dom";
import { Figure } from "./figure";
import { hasLevels, levelsOf, lossOf, outputWord } from "./losses";
import type { ModelAbout, ModelSource, RowsTold } from "./modelapi";
import { count, short } from "./numbers";
import { becameOf } from "./resultfiles";
import { measureName } from "./verdict";
import { WhyFigure, type Told } from "./whyfigure";

/** "lpsa: 2.31", "class 2 (probabilities 1: 20 %, 2: 80 %)" */
export function predictedInWords(told: Told, rows: RowsTold, row: number): string {
    const value = (o: number): string => short(rows.fitted[o]?.[row]);
    if (told.task === "classification") {
        const p = rows.probabilities;
        const all = p
            ? told.classes.map((c, k) => `${c}: ${short(100 * (p[k]?.[row] ?? NaN), 3)} %`)
            : told.outputs.length > 1
              ? told.outputs.map((o, i) => `score ${o} ${value(i)}`)
              : [`score ${value(0)}`];
        return `class ${rows.labels?.[row]} (${p ? "probabilities " : ""}${all.join(", ")})`;
    }
    const levels = hasLevels(told) ? levelsOf(told) : null;
    if (levels)
        return (
            `${told.targets[0]}: ` +
            levels.map((q, i) => `quantile ${q} is ${value(i)}`).join(", ")
        );
    const rate = lossOf(told) === "poisson" ? "rate of " : "";
    const between = (o: number): string =>
        rows.lower?.[o] && rows.upper?.[o]
            ? ` (between ${short(rows.lower[o]![row])} and ${short(rows.upper[o]![row])})`
            : "";
    return told.outputs.map((o, i) => `${rate}${o}: ${value(i)}${between(i)}`).join(", ");
}

type Order = "file" | "error" | "value";

/** Cells of the table beside predictions; the others are in the file that is saved. */
const MOST_CELLS = 8;
const MOST_LINES = 200;

export class PredictedRows {
    readonly element = h("div", { class: "predicted-rows" });
    private readonly why = new WhyFigure();
    private readonly truth = new Figure("Predicted against actual");
    private readonly table = h("div", {
        class: "scroll",
        tabindex: 0,
        role: "region",
        "aria-label": "Predicted rows",
    });
    private order: Order = "file";
    private row = 0;

    constructor(
        private readonly source: ModelSource,
        private readonly about: ModelAbout,
        private readonly told: Told,
        private readonly file: File,
        private readonly rows: RowsTold,
    ) {
        fill(
            this.element,
            this.heading(),
            this.scores(),
            h(
                "div",
                { class: "grid" },
                this.why.element,
                this.rows.score ? this.truth.element : null,
            ),
            this.lines(),
        );
        this.drawTruth();
        if (rows.predicted > 0) this.pick(0);
    }

    // ---- what became of the file ----

    private heading(): HTMLElement {
        const stem = this.file.name.replace(/\.[^.]*$/, "");
        const said = h("span", { class: "hint", role: "status" });
        const save = async (): Promise<void> => {
            try {
                const { text } = await this.source.file(this.file);
                download(`${stem}-predicted.csv`, new Blob([text], { type: "text/csv" }));
                said.textContent = `${stem}-predicted.csv was saved to your downloads.`;
            } catch (error) {
                said.textContent = error instanceof Error ? error.message : String(error);
            }
        };
        return h(
            "div",
            {},
            h("h2", {}, this.file.name),
            h("p", { class: "hint" }, `${becameOf(this.rows)}.`),
            h(
                "div",
                { class: "files" },
                h("button", { onclick: () => void save() }, "Save the predictions (CSV)"),
                said,
            ),
        );
    }

    private scores(): HTMLElement {
        const score = this.rows.score;
        const target = this.about.targets.join(", ");
        if (!score)
            return h(
                "p",
                { class: "hint" },
                `There is no column ${target} with known values in it, so there is nothing to ` +
                    "score the predictions by.",
            );
        const value = (m: string): string => {
            const v = score.scores[m];
            return m.includes("accuracy") && typeof v === "number"
                ? `${(100 * v).toFixed(1)} %`
                : short(v);
        };
        const before = this.about.left_out;
        const same = before && before.measure === score.measure && before.score !== null;
        const compared = same
            ? ` When it was learned, rows that were left out had ${short(before.score)}` +
              `${before.error === null ? "" : ` ± ${short(before.error, 2)}`}.`
            : "";
        const others = Object.keys(score.scores).filter((m) => m !== score.measure);
        const strangers = score.strangers
            ? ` ${count(score.strangers, "row")} with a label that is none of its classes count ` +
              "as wrong by accuracy, and not at all by other measures."
            : "";
        const weights = this.about.row_weights ? " Each row counts once." : "";
        return h(
            "div",
            {},
            h(
                "p",
                { class: "verdict" },
                `On the ${count(score.rows, "row")} whose ${target} is known the ` +
                    `${measureName(score.measure)} is ${value(score.measure)}.` +
                    compared,
            ),
            h(
                "p",
                { class: "hint" },
                others
                    .filter((m) => typeof score.scores[m] === "number")
                    .map((m) => `${measureName(m)} ${value(m)}`)
                    .join(", ") +
                    "." +
                    strangers +
                    weights +
                    " If these rows were among those it was learned from, this says little.",
            ),
        );
    }

    // ---- the truth ----

    private drawTruth(): void {
        const { confusion, actual } = this.rows;
        if (confusion) {
            this.truth.caption("Confusion matrix of this file");
            return this.truth.draw(
                confusionChart("Confusion, this file", confusion.classes, confusion.counts),
            );
        }
        if (!actual?.[0]) return;
        const x = actual[0].map((v) => v ?? NaN);
        const known = x.map((_, i) => i).filter((i) => Number.isFinite(x[i]));
        const target = this.about.targets[0] ?? "";
        this.truth.draw(
            lineChart({
                title: "Predicted against actual, this file",
                x: { label: `actual ${target}` },
                y: { label: `predicted ${this.about.outputs[0]}` },
                series: [
                    {
                        name: "rows",
                        x: known.map((i) => x[i]!),
                        y: known.map((i) => this.rows.fitted[0]?.[i] ?? null),
                        names: (k) => `row ${this.rows.numbers[known[k]!]}`,
                        line: false,
                        colour: PALETTE[0]!,
                    },
                ],
                diagonal: true,
            }),
        );
        const few = this.rows.numbers.length < this.rows.predicted;
        fill(
            this.truth.foot,
            h(
                "span",
                { class: "hint" },
                few ? `Of the first ${count(this.rows.numbers.length, "row")}.` : "",
            ),
        );
    }

    // ---- the rows ----

    private error(i: number): number | null {
        const y = this.rows.actual?.[0]?.[i];
        if (y === null || y === undefined) return null;
        if (this.told.task === "classification") return this.isWrong(i) ? 1 : 0;
        return (this.rows.fitted[0]?.[i] ?? NaN) - y;
    }

    private actualClass(i: number): string | null {
        const { actual } = this.rows;
        if (!actual || actual[0]?.[i] === null || actual[0]?.[i] === undefined) return null;
        const place =
            this.told.outputs.length > 1
                ? actual.findIndex((list) => (list[i] ?? -1) > 0)
                : actual[0]![i]! > 0
                  ? 1
                  : 0;
        return this.told.classes[place] ?? null;
    }

    private isWrong(i: number): boolean {
        return this.actualClass(i) !== (this.rows.labels?.[i] ?? null);
    }

    private ordered(): number[] {
        const all = this.rows.numbers.map((_, i) => i);
        const size = (i: number): number => Math.abs(this.error(i) ?? -1);
        const value = (i: number): number => this.rows.said[0]?.[i] ?? -Infinity;
        if (this.order === "error") all.sort((a, b) => size(b) - size(a));
        if (this.order === "value") all.sort((a, b) => value(b) - value(a));
        return all;
    }

    private lines(): HTMLElement {
        const orders: [Order, string][] = [
            ["file", "as in the file"],
            ["value", "largest prediction first"],
        ];
        if (this.rows.score) orders.push(["error", "largest error first"]);
        const pick = choice("Order of the rows", this.order, orders, (v) => {
            this.order = v;
            this.drawLines();
        });
        this.drawLines();
        return h(
            "div",
            {},
            h("label", { class: "choices hint" }, "Rows ", pick),
            this.table,
            this.rows.numbers.length > MOST_LINES || this.rows.numbers.length < this.rows.predicted
                ? h(
                      "p",
                      { class: "hint" },
                      `${Math.min(MOST_LINES, this.rows.numbers.length)} rows are shown; the ` +
                          "file that is saved has all.",
                  )
                : null,
        );
    }

    private columns(): { title: string; num: boolean; cell: (i: number) => string }[] {
        const r = this.rows;
        const classes = this.told.task === "classification";
        const list = [{ title: "row", num: true, cell: (i: number) => String(r.numbers[i]) }];
        const add = (title: string, num: boolean, cell: (i: number) => string): void =>
            void list.push({ title, num, cell });
        if (classes) {
            add("predicted", false, (i) => r.labels?.[i] ?? "–");
            r.probabilities?.forEach((p, k) =>
                add(`P(${this.told.classes[k]})`, true, (i) => `${short(100 * p[i]!, 3)} %`),
            );
            if (!r.probabilities)
                this.told.outputs.forEach((o, k) =>
                    add(this.told.outputs.length > 1 ? `score ${o}` : "score", true, (i) =>
                        short(r.fitted[k]?.[i]),
                    ),
                );
            if (r.actual) add("actual", false, (i) => this.actualClass(i) ?? "–");
        } else {
            const word = outputWord(this.told);
            this.told.outputs.forEach((o, k) =>
                add(word === "quantile" ? o : `predicted ${o}`, true, (i) =>
                    short(r.fitted[k]?.[i]),
                ),
            );
            if (r.lower?.[0] && r.upper?.[0])
                add(
                    "between",
                    true,
                    (i) => `${short(r.lower![0]![i])} – ${short(r.upper![0]![i])}`,
                );
            if (r.actual) add("actual", true, (i) => short(r.actual?.[0]?.[i]));
            if (r.score) add("error", true, (i) => short(this.error(i)));
        }
        return list;
    }

    /** Those of the file that the model looks at. */
    private cells(): { title: string; at: number }[] {
        const used = new Set(this.about.inputs.map((i) => i.name));
        return this.rows.columns
            .map((title, at) => ({ title, at }))
            .filter((c) => used.has(c.title))
            .slice(0, MOST_CELLS);
    }

    private drawLines(): void {
        const columns = this.columns();
        const cells = this.cells();
        const open = (i: number): HTMLElement =>
            h(
                "button",
                {
                    class: "link",
                    "aria-label": `Why row ${this.rows.numbers[i]} is predicted so`,
                    "aria-pressed": String(i === this.row),
                    onclick: () => this.pick(i),
                },
                "why",
            );
        fill(
            this.table,
            h(
                "table",
                {},
                h(
                    "thead",
                    {},
                    h(
                        "tr",
                        {},
                        columns.map((c) =>
                            h("th", { scope: "col", class: c.num ? "num" : "" }, c.title),
                        ),
                        h("th", { scope: "col" }, h("span", { class: "hidden-text" }, "Why")),
                        cells.map((c) => h("th", { scope: "col" }, c.title)),
                    ),
                ),
                h(
                    "tbody",
                    {},
                    this.ordered()
                        .slice(0, MOST_LINES)
                        .map((i) =>
                            h(
                                "tr",
                                { class: i === this.row ? "target" : "" },
                                columns.map((c) =>
                                    h("td", { class: c.num ? "num" : "" }, c.cell(i)),
                                ),
                                h("td", {}, open(i)),
                                cells.map((c) =>
                                    h("td", { class: "values" }, this.rows.cells[i]?.[c.at] ?? ""),
                                ),
                            ),
                        ),
                ),
            ),
        );
    }

    private pick(i: number): void {
        this.row = i;
        this.why.show(this.told, this.rows, i);
        this.drawLines();
    }
}
