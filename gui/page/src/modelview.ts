// A model by itself: what it learned and about which data, and what it predicts.

import { barChart, type Bar } from "./chart";
import { PALETTE } from "./colours";
import { fill, h } from "./dom";
import { ExplainView } from "./explainview";
import { fileButton } from "./fields";
import { Figure } from "./figure";
import { choice } from "./alongpath";
import { outputWord, partScale } from "./losses";
import type { ModelAbout, ModelSource } from "./modelapi";
import { bytes, count, power, short } from "./numbers";
import { PredictedRows } from "./predicted";
import { RowForm } from "./rowform";
import { openRun } from "./state";
import { measureName, measureTitle } from "./verdict";
import type { Told } from "./whyfigure";

const MOST_BARS = 20;

function card(title: string, value: string, note = ""): HTMLElement {
    return h(
        "div",
        { class: "card" },
        h("div", { class: "hint" }, title),
        h("div", { class: "big" }, value),
        h("div", { class: "hint" }, note),
    );
}

export class ModelView {
    readonly element = h("section", { class: "model-view", "aria-label": "Model" });
    name = "";
    private about: ModelAbout | null = null;
    private output = 0;
    private explained: ExplainView | null = null;
    private readonly bars = new Figure("What the prediction rests on");
    private readonly file = h("div");
    private readonly status = h("span", { class: "hint", role: "status" });

    constructor(private readonly source: ModelSource) {
        fill(this.element, h("p", { class: "hint" }, "…"));
        void this.load();
    }

    get key(): string {
        return this.source.key;
    }

    private async load(): Promise<void> {
        try {
            this.about = await this.source.about();
            this.name = this.about.name;
            this.draw(this.about);
        } catch (error) {
            const why = error instanceof Error ? error.message : String(error);
            fill(this.element, h("h1", {}, "Model"), h("p", { class: "wrong" }, why));
        }
    }

    private get told(): Told {
        return this.about!;
    }

    private draw(a: ModelAbout): void {
        const form = new RowForm(() => this.source, this.told, { open: true, typed: new Map() });
        this.explained = new ExplainView(
            () => this.source,
            () => this.output,
            partScale(a),
        );
        fill(
            this.element,
            this.heading(a),
            h("p", { class: "verdict" }, this.fared(a)),
            this.cards(a),
            this.choices(a),
            h("div", { class: "grid" }, this.bars.element, this.facts(a), this.explained.element),
            form.element,
            this.files(),
            this.file,
        );
        form.show(a.inputs);
        this.drawBars();
    }

    // ---- what it is ----

    private heading(a: ModelAbout): HTMLElement {
        const run = a.run;
        const origin = run
            ? h(
                  "p",
                  { class: "hint" },
                  "The model of a run at ",
                  h("b", {}, `λ = ${short(a.lambda)}`),
                  ` on ${a.data?.name ?? "its data"}. `,
                  h(
                      "button",
                      { class: "link", onclick: () => void openRun(run) },
                      "Back to the run",
                  ),
              )
            : h(
                  "p",
                  { class: "hint" },
                  `Model file, ${bytes(a.bytes ?? 0)}, opened ` +
                      `${(a.created ?? "").replace("T", " ").slice(0, 16)}`,
              );
        const used = a.inputs.length;
        const task =
            a.task === "classification"
                ? `class ${a.targets.join(", ")} (${a.classes.join(", ")})`
                : a.targets.join(", ");
        return h(
            "div",
            {},
            h("h1", {}, a.name),
            origin,
            h(
                "p",
                {},
                `It predicts ${task} from ${used === a.input_count ? "" : `${used} of `}` +
                    `${count(a.input_count, "column")}, and was learned from ` +
                    `${count(a.n, "row")} with ${a.loss.replaceAll(",", ", ")} loss.`,
            ),
        );
    }

    /** How well it predicts rows that it has not seen, as far as it knows. */
    private fared(a: ModelAbout): string {
        const left = a.left_out;
        if (!left || left.score === null)
            return (
                "How well it predicts new rows is not known: its λ was not chosen on left-out " +
                "rows. Predict a file whose target is known to find out."
            );
        const percent = left.measure.includes("accuracy");
        const value = (v: number): string => (percent ? `${(100 * v).toFixed(1)} %` : short(v));
        const error =
            left.error === null
                ? ""
                : ` ± ${percent ? `${(100 * left.error).toFixed(1)} %` : short(left.error, 2)}`;
        return (
            `On rows that were left out (${count(left.splits, "split")}) its ` +
            `${measureName(left.measure)} was ${value(left.score)}${error}.`
        );
    }

    private cards(a: ModelAbout): HTMLElement {
        const left = a.left_out;
        return h(
            "div",
            { class: "cards" },
            left && left.score !== null
                ? card(`${measureTitle(left.measure)}, left out`, short(left.score))
                : null,
            card("Kernels selected", String(a.certificate.selected), `of ${a.m}`),
            card("Inputs used", String(a.inputs.length), `of ${a.input_count}`),
            typeof a.certificate.df === "number"
                ? card("Degrees of freedom", short(a.certificate.df, 3), `of ${a.n} rows`)
                : null,
            a.interval
                ? card(
                      `${short(100 * a.interval.level, 3)} % interval`,
                      `± ${short(a.interval.correction, 3)}`,
                      `${a.interval.within} of ${a.interval.rows} left-out rows lie within`,
                  )
                : null,
            card(
                "Certificate",
                power(a.certificate.gap),
                "the objective is proved to be this close to the optimum",
            ),
        );
    }

    private facts(a: ModelAbout): HTMLElement {
        const rows: [string, string][] = [
            ["target", a.targets.join(", ")],
            ["classes", a.classes.join(", ")],
            ["training rows", `${a.n}${a.compact ? ", which it does not keep" : ""}`],
            ["row weights", a.row_weights ?? ""],
            ["columns", `${a.features}; missing cells ${a.missing}`],
            ["rows", a.examples === "as they are" ? "" : a.examples],
            ["loss", a.loss.replaceAll(",", ", ")],
            ["intercept", a.intercept_free ? "free" : ""],
            ["λ", short(a.lambda)],
            ["dictionary", a.dictionary],
            ["fingerprint of its data", a.fingerprint ?? ""],
        ];
        const stack = a.stack?.outputs.length === 1 ? a.stack.outputs[0]! : [];
        if (stack.length)
            rows.push([
                "stack",
                stack
                    .filter((m) => m.weight > 0)
                    .map((m) => `${short(m.weight)} × ${m.name ?? "the sparse part"}`)
                    .join(" + "),
            ]);
        return h(
            "figure",
            {},
            h("figcaption", {}, h("span", { class: "caption" }, "How it was made")),
            h(
                "table",
                { class: "facts" },
                h(
                    "tbody",
                    {},
                    rows
                        .filter(([, value]) => value !== "")
                        .map(([name, value]) =>
                            h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value)),
                        ),
                ),
            ),
        );
    }

    private choices(a: ModelAbout): HTMLElement | null {
        if (a.outputs.length < 2) return null;
        const word = outputWord(a);
        return h(
            "label",
            { class: "choices hint" },
            `${word[0]!.toUpperCase()}${word.slice(1)} shown `,
            choice(
                `The ${word} that is shown`,
                String(this.output),
                a.outputs.map((o, i): [string, string] => [String(i), o]),
                (v) => {
                    this.output = Number(v);
                    this.drawBars();
                    this.explained?.ask();
                },
            ),
        );
    }

    /** Kernels that look at the same inputs are one bar. */
    private drawBars(): void {
        const kernels = this.about!.learned[this.output]?.kernels ?? [];
        const groups = new Map<string, { name: string; share: number }>();
        for (const k of kernels) {
            const key = JSON.stringify(k.inputs);
            const name = k.inputs.length === 1 ? k.inputs[0]! : (k.name.split("@")[1] ?? k.name);
            const group = groups.get(key) ?? {
                name: name === "all" ? "all columns together" : name,
                share: 0,
            };
            group.share += k.share ?? 0;
            groups.set(key, group);
        }
        const bars = [...groups.values()]
            .sort((x, y) => y.share - x.share)
            .slice(0, MOST_BARS)
            .map((g): Bar => ({
                name: g.name,
                value: Number((100 * g.share).toPrecision(3)),
                colour: PALETTE[0]!,
            }));
        if (bars.length === 0) return this.bars.say("No kernel: it predicts a constant.");
        this.bars.draw(
            barChart("What the prediction rests on", "% of the variance of the fit", bars),
        );
        const left = this.about!.stack
            ? "Of the sparse part of the stack, over the training rows."
            : "Over the rows it was learned from.";
        fill(this.bars.foot, h("span", { class: "hint" }, left));
    }

    // ---- files ----

    private files(): HTMLElement {
        return h(
            "section",
            { class: "drop-zone", "aria-label": "Predict a file" },
            h("h2", {}, "Predict a file"),
            h(
                "p",
                { class: "hint" },
                "A table with the same columns, in any order; others are ignored. Where the " +
                    "target is among them the predictions are scored. Drop it anywhere on this " +
                    "page, or",
            ),
            fileButton(
                "rows-file",
                "Choose a file…",
                "Choose a file to predict",
                (file) => void this.predict(file),
            ),
            this.status,
        );
    }

    async predict(file: File): Promise<void> {
        const about = this.about;
        if (!about) return;
        this.tell(`Predicting ${file.name}…`, false);
        try {
            const rows = await this.source.rows(file, file.name);
            this.tell("", false);
            fill(
                this.file,
                new PredictedRows(this.source, about, this.told, file, rows).element,
            );
            this.file.scrollIntoView({ block: "start" });
        } catch (error) {
            fill(this.file);
            this.tell(error instanceof Error ? error.message : String(error), true);
        }
    }

    private tell(what: string, wrong: boolean): void {
        this.status.textContent = what;
        this.status.classList.toggle("wrong", wrong);
    }
}
