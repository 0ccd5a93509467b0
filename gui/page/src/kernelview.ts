// The kernels of one λ: what the prediction rests on, and what one input or kernel contributes to
// it.

import {
    api,
    type Detail,
    type InputEffect,
    type KernelFunction,
    type KernelShare,
    type KernelWeight,
    type ModelInput,
    type Run,
} from "./api";
import { choice, type Choices } from "./alongpath";
import { barChart, lineChart, type Bar } from "./chart";
import { fill, h } from "./dom";
import { drawEffect } from "./effectchart";
import { Figure } from "./figure";
import { isSquare, partScale, risingName } from "./losses";
import { count, short } from "./numbers";
import { PALETTE } from "./colours";
import { splitsLegend, splitsOfInputs, splitsOfKernel } from "./stabilityview";
import { report, state } from "./state";

// ---- kernels by the inputs they look at ----

interface Group {
    name: string;
    weight: number;
    /** Of the variance of left-out rows, where some were left out; else of that of the fit. */
    share: number;
    /** The kernel of it that counts most; none where only splits select one. */
    first: KernelWeight | null;
    inputs: string[];
}

type Output = Detail["outputs"][number];

function inputName(k: KernelShare): string {
    if (k.inputs.length === 1) return k.inputs[0]!;
    const said = k.name.split("@")[1] ?? "all";
    return said === "all" ? "all columns together" : said;
}

function sameInputs(a: KernelWeight, b: KernelWeight): boolean {
    return JSON.stringify(a.inputs) === JSON.stringify(b.inputs);
}

/** By share, the largest first. */
function byInput(output: Output): Group[] {
    const groups = new Map<string, Group>();
    const groupOf = (k: KernelShare): Group => {
        const key = JSON.stringify(k.inputs);
        const fresh = { name: inputName(k), weight: 0, share: 0, first: null, inputs: k.inputs };
        const there = groups.get(key) ?? fresh;
        groups.set(key, there);
        return there;
    };
    for (const k of output.kernels) {
        const g = groupOf(k);
        if (k.weight > (g.first?.weight ?? -1)) g.first = k;
        g.weight += k.weight;
        if (!output.left_out) g.share += k.share;
    }
    for (const k of output.left_out ?? []) groupOf(k).share += k.share;
    return [...groups.values()].sort((a, b) => b.share - a.share);
}

/** Predictions of another loss than the square one do not explain a share of the target: what they
 *  are made of is told. */
const VARIANCE = {
    left: "the variance of left-out rows",
    said: "the variance of left-out predictions",
    fit: "the variance of the fit",
};

/** Contributions of kernels that look at the same columns: at the same places, so that they can be
 *  added. */
function addUp(parts: KernelFunction[]): KernelFunction {
    const first = parts[0]!;
    const missing = parts.find((p) => p.unavailable);
    if (missing) return missing;
    const sum: KernelFunction = { ...first };
    if (first.f) sum.f = first.f.map((_, i) => parts.reduce((s, p) => s + (p.f?.[i] ?? 0), 0));
    if (first.rows)
        sum.rows = first.rows.map(([x], i) => [
            x,
            parts.reduce((s, p) => s + (p.rows?.[i]?.[1] ?? 0), 0),
        ]);
    return sum;
}

/** Kernels or inputs that are shown, and inputs of which the direction is. */
const MOST_PARTS = 25;
const MOST_ARROWS = 12;

const percent = (share: number): string => `${short(100 * share, 3)} %`;

/** `what` is the prediction, or what it stands for. */
function directionInWords(direction: InputEffect["direction"], what: string): string {
    return {
        none: "",
        up: `The more of it, the higher the ${what}.`,
        down: `The more of it, the lower the ${what}.`,
        both: `More of it raises the ${what} in some places and lowers it in others.`,
    }[direction];
}

const ARROWS = { none: "", up: " ↑", down: " ↓", both: " ↕" };

/** What inputs do, asked for once for each λ and output. */
class Effects {
    private readonly known = new Map<string, Promise<InputEffect>>();
    readonly directions = new Map<string, InputEffect["direction"]>();

    constructor(private readonly id: string) {}

    of(at: number, input: number, output: number): Promise<InputEffect> {
        const key = `${at} ${input} ${output}`;
        const there =
            this.known.get(key) ??
            api.inputEffect(this.id, at, input, output).then((e) => {
                this.directions.set(key, e.direction);
                return e;
            });
        this.known.set(key, there);
        return there;
    }

    /** "" until it is known. */
    arrow(at: number, input: number | undefined, output: number): string {
        return ARROWS[this.directions.get(`${at} ${input} ${output}`) ?? "none"];
    }
}

export class KernelView {
    private readonly effects: Effects;
    readonly bars: Figure;
    readonly piece = new Figure("Contribution");
    /** Names to pick by keyboard, and coefficients. */
    readonly list = h("div");
    private kernel: number | null = null;
    private detail: Detail | null = null;

    constructor(
        private readonly run: Run,
        private readonly chosen: Choices,
    ) {
        this.effects = new Effects(run.id);
        this.bars = new Figure(
            "What the prediction rests on",
            { pick: (key) => this.pick(Number(key)) },
            this.choices(),
        );
    }

    /** Another λ, or another class. */
    show(detail: Detail): void {
        this.detail = detail;
        const output = detail.outputs[this.chosen.output];
        if (!output?.kernels.some((k) => k.index === this.kernel)) {
            const strongest = output && byInput(output).find((g) => g.first)?.first;
            this.kernel = strongest?.index ?? null;
        }
        this.drawBars();
        void this.drawPiece();
        void this.findDirections();
    }

    /** One after another, for the inputs that are shown; λ may move meanwhile. */
    private async findDirections(): Promise<void> {
        const [detail, at, output] = [this.detail, state.point, this.chosen.output];
        const groups = detail?.outputs[output] ? byInput(detail.outputs[output]) : [];
        const stays = (): boolean =>
            this.detail === detail && this.chosen.output === output && state.point === at;
        for (const g of groups.slice(0, MOST_ARROWS)) {
            const input = detail!.inputs.find((i) => i.name === g.name);
            if (!input || !stays()) continue;
            try {
                await this.effects.of(at, input.index, output);
            } catch {
                return; // it is said where the effect itself is drawn
            }
        }
        if (stays()) this.drawBars();
    }

    say(text: string): void {
        this.bars.say(text);
        this.piece.say(text);
    }

    private choices(): HTMLElement {
        return choice(
            "Bars for",
            this.chosen.by,
            [
                ["input", "each input"],
                ["kernel", "each kernel"],
            ],
            (v) => {
                this.chosen.by = v;
                this.drawBars();
                void this.drawPiece();
            },
        );
    }

    private pick(index: number): void {
        this.kernel = index;
        this.drawBars();
        void this.drawPiece();
    }

    private drawBars(): void {
        const output = this.detail?.outputs[this.chosen.output];
        if (!output) return;
        const byKernel = this.chosen.by === "kernel";
        const bars = byKernel ? this.kernelBars(output) : this.inputBars(output);
        const of = this.varianceOf(output);
        if (bars.length === 0)
            this.bars.say("No kernel is selected: the prediction is the intercept.");
        else
            this.bars.draw(
                byKernel
                    ? barChart("Selected kernels", "weight", bars)
                    : barChart("Inputs", `% of ${of}`, bars),
            );
        fill(this.bars.foot, h("span", { class: "hint" }, this.said(output, byKernel)));
        this.drawList(output.kernels);
    }

    /** What else there is to know of the bars. */
    private said(output: Output, byKernel: boolean): string {
        const more = output.kernels.length - MOST_PARTS;
        const splits = splitsLegend(output.left_out ?? []);
        if (byKernel)
            return (more > 0 ? `and ${count(more, "kernel")} of less weight.` : "") + splits;
        if (!output.left_out)
            return "Of the fit alone: what memorises noise counts too. Rows were not left out.";
        if (!isSquare(this.run.result!))
            return (
                "Together they make 100 %: each counts by how much it moves the predictions." +
                splits
            );
        const all = output.left_out.reduce((s, k) => s + k.share, 0);
        return `All together they explain ${percent(all)} of ${VARIANCE.left}.${splits}`;
    }

    private varianceOf(output: Output): string {
        if (!output.left_out) return VARIANCE.fit;
        return isSquare(this.run.result!) ? VARIANCE.left : VARIANCE.said;
    }

    /** An axis of what is added up, with its scale where it is not that of predictions. */
    private scaled(label: string): string {
        const scale = partScale(this.run.result!);
        return scale ? `${label} (${scale})` : label;
    }

    private kernelBars(output: Output): Bar[] {
        const left = new Map((output.left_out ?? []).map((k) => [k.index, k.share]));
        const explains = (k: KernelWeight): string =>
            `${percent(output.left_out ? (left.get(k.index) ?? 0) : k.share)} of ` +
            this.varianceOf(output);
        return [...output.kernels]
            .sort((a, b) => b.weight - a.weight)
            .slice(0, MOST_PARTS)
            .map((k) => ({
                name: k.name + splitsOfKernel(k.index, output.left_out ?? []),
                value: k.weight,
                pick: String(k.index),
                title: `${k.name}: weight ${short(k.weight)}, ${explains(k)}`,
                colour: k.index === this.kernel ? PALETTE[1]! : PALETTE[0]!,
            }));
    }

    private inputBars(output: Output): Bar[] {
        const chosen = output.kernels.find((k) => k.index === this.kernel);
        return byInput(output)
            .slice(0, MOST_PARTS)
            .map((g) => {
                const how = g.first ? `weight ${short(g.weight)}` : "in splits only";
                const input = this.detail?.inputs.find((i) => i.name === g.name)?.index;
                const bar: Bar = {
                    name:
                        g.name +
                        this.effects.arrow(state.point, input, this.chosen.output) +
                        splitsOfInputs(
                            g.inputs,
                            output.left_out ?? [],
                            this.detail?.input_count ?? 0,
                        ),
                    value: Number((100 * g.share).toPrecision(3)),
                    title: `${g.name}: ${percent(g.share)}, ${how}`,
                    colour: chosen && inputName(chosen) === g.name ? PALETTE[1]! : PALETTE[0]!,
                };
                return g.first ? { ...bar, pick: String(g.first.index) } : bar;
            });
    }

    private drawList(kernels: KernelWeight[]): void {
        const output = this.detail!.outputs[this.chosen.output]!;
        const chosen = output.kernels.find((k) => k.index === this.kernel);
        const isChosen = (k: KernelWeight): boolean =>
            this.chosen.by === "kernel" || !chosen
                ? k.index === this.kernel
                : sameInputs(k, chosen);
        const chip = (k: KernelWeight): HTMLElement =>
            h(
                "button",
                {
                    class: "chip",
                    id: `kernel-${k.index}`,
                    "aria-pressed": isChosen(k) ? "true" : "false",
                    onclick: () => this.pick(k.index),
                },
                this.chosen.by === "kernel" ? k.name : inputName(k),
            );
        const listed =
            this.chosen.by === "kernel"
                ? [...kernels].sort((a, b) => b.weight - a.weight).slice(0, MOST_PARTS)
                : byInput(output)
                      .map((g) => g.first)
                      .filter((k) => k !== null)
                      .slice(0, MOST_PARTS);
        const focused = document.activeElement?.id;
        const list =
            output.coefficients
                ?.filter((c) => c.value !== 0)
                .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
                .slice(0, 50) ?? [];
        const open = this.list.querySelector("details")?.open ?? false;
        const head = ["Column", "As learned", "In units of the column"].map((t) =>
            h("th", { scope: "col" }, t),
        );
        const rows = list.map((c) =>
            h(
                "tr",
                {},
                h("th", { scope: "row" }, c.name),
                h("td", { class: "num" }, short(c.value)),
                h("td", { class: "num" }, short(c.original)),
            ),
        );
        fill(
            this.list,
            h(
                "div",
                { class: "chips", role: "group", "aria-label": "Show what it contributes" },
                listed.map(chip),
            ),
            list.length
                ? h(
                      "details",
                      { class: "more", open },
                      h("summary", {}, "Coefficients"),
                      h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)),
                  )
                : null,
        );
        if (focused?.startsWith("kernel-")) document.getElementById(focused)?.focus();
    }

    /** The kernels whose contributions are added up: the one picked, or all that look at its
     *  columns. */
    private picked(): KernelWeight[] {
        const all = this.detail?.outputs[this.chosen.output]?.kernels ?? [];
        const one = all.find((k) => k.index === this.kernel);
        if (!one) return [];
        return this.chosen.by === "kernel" ? [one] : all.filter((k) => sameInputs(k, one));
    }

    /** The input that is picked, where it is one. */
    private pickedInput(): ModelInput | null {
        const [one] = this.picked();
        if (this.chosen.by === "kernel" || one?.inputs.length !== 1) return null;
        return this.detail?.inputs.find((i) => i.name === one.inputs[0]) ?? null;
    }

    private async drawPiece(): Promise<void> {
        const kernels = this.picked();
        if (kernels.length === 0) return this.piece.say("");
        const wanted = (): string =>
            `${state.point} ${this.chosen.output} ${this.picked()
                .map((k) => k.index)
                .join()}`;
        const asked = wanted();
        const [at, output] = [state.point, this.chosen.output];
        const input = this.pickedInput();
        const name = this.chosen.by === "kernel" ? kernels[0]!.name : inputName(kernels[0]!);
        try {
            const draw = input
                ? await this.effectOf(name, at, input.index, output)
                : await this.contributionOf(name, at, kernels, output);
            if (asked !== wanted()) return;
            this.piece.caption(
                input
                    ? `Effect of ${name}`
                    : `Contribution of ${name}` +
                          (kernels.length > 1 ? ` (${kernels.length} kernels)` : ""),
            );
            fill(this.piece.foot);
            draw();
        } catch (error) {
            report(error);
        }
    }

    private async effectOf(
        name: string,
        at: number,
        input: number,
        output: number,
    ): Promise<() => void> {
        const effect = await this.effects.of(at, input, output);
        return () => this.drawEffect(name, effect);
    }

    private async contributionOf(
        name: string,
        at: number,
        kernels: KernelWeight[],
        output: number,
    ): Promise<() => void> {
        const parts = await Promise.all(
            kernels.map((k) => api.kernelFunction(this.run.id, at, k.index, output)),
        );
        return () => this.drawContribution(name, addUp(parts));
    }

    private drawEffect(name: string, e: InputEffect): void {
        const words = drawEffect(this.piece, name, e, this.scaled("effect"));
        const rising = risingName(this.run.result!, this.chosen.output);
        const said = [words, directionInWords(e.direction, rising)].filter(Boolean).join(" ");
        fill(this.piece.foot, h("span", { class: "hint" }, said));
    }

    private drawContribution(name: string, f: KernelFunction): void {
        const y = { label: this.scaled("contribution") };
        if (f.rows)
            this.piece.draw(
                lineChart({
                    title: `${name} against the prediction`,
                    x: { label: this.scaled("prediction") },
                    y,
                    series: [
                        {
                            name,
                            x: f.rows.map((r) => r[0]),
                            y: f.rows.map((r) => r[1]),
                            line: false,
                        },
                    ],
                }),
            );
        else if (!f.x || !f.f) this.piece.say(f.unavailable ?? "It looks at several columns.");
        else
            this.piece.draw(
                lineChart({
                    title: `${name} along ${f.column}`,
                    x: { label: f.column ?? "" },
                    y,
                    series: [{ name, x: f.x, y: f.f }],
                    rug: f.rug ?? [],
                }),
            );
    }
}
