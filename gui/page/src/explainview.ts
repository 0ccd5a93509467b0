// What inputs do to the whole prediction, alone and together. Asked for when it is opened.

import type { Explanation } from "./api";
import { barChart, type Bar } from "./chart";
import { fill, h } from "./dom";
import { drawEffect } from "./effectchart";
import { Figure } from "./figure";
import type { ModelSource } from "./modelapi";
import { count, short } from "./numbers";
import { PALETTE } from "./colours";
import { report } from "./state";

const MOST_INPUTS = 25;
const MOST_PAIRS = 6;
/** λ may be on the move: milliseconds it has to stay. */
const STAYS = 250;
/** A share that is 0.0 % as it is shown. */
const NOTHING = 5e-4;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

export class ExplainView {
    private readonly bars = new Figure("Inputs of the whole prediction", {
        pick: (key) => this.pick(Number(key)),
    });
    private readonly piece = new Figure("Partial dependence");
    private readonly pairs = h("div");
    readonly element: HTMLDetailsElement;
    private told: Explanation | null = null;
    private input: number | null = null;
    private asked = "";
    private timer = 0;

    /** `source` is the model on screen, `output` that of its outputs, `scale` that on which effects
     *  are, where it is not that of the prediction. */
    constructor(
        private readonly source: () => ModelSource,
        private readonly output: () => number,
        private readonly scale: string,
    ) {
        this.element = h(
            "details",
            { class: "more wide", id: "explanation", ontoggle: () => this.ask() },
            h("summary", {}, "What inputs do alone and together"),
            h(
                "div",
                { class: "grid" },
                h("div", {}, this.bars.element, this.pairs),
                this.piece.element,
            ),
        ) as HTMLDetailsElement;
    }

    get figures(): Figure[] {
        return this.element.open ? [this.bars, this.piece] : [];
    }

    /** Also of another λ, or of another class. */
    ask(): void {
        clearTimeout(this.timer);
        if (this.element.open) this.timer = window.setTimeout(() => void this.load(), STAYS);
    }

    private async load(): Promise<void> {
        const [source, output] = [this.source(), this.output()];
        const asked = `${source.key} ${output}`;
        if (asked === this.asked) return;
        this.asked = asked;
        if (!this.told) this.bars.say("…");
        try {
            const told = await source.explanation(output);
            if (asked !== this.asked) return;
            this.told = told;
            if (!told.inputs.some((i) => i.index === this.input))
                this.input = told.inputs[0]?.index ?? null;
            this.draw();
            await this.drawPiece();
        } catch (error) {
            if (asked === this.asked) this.asked = "";
            this.told = null;
            fill(this.pairs);
            this.bars.say(error instanceof Error ? error.message : String(error));
            this.piece.say("");
        }
    }

    private pick(input: number): void {
        this.input = input;
        this.draw();
        void this.drawPiece();
    }

    private draw(): void {
        const told = this.told!;
        const bars: Bar[] = told.inputs.slice(0, MOST_INPUTS).map((i) => ({
            name: i.name,
            value: Number((100 * i.share).toPrecision(3)),
            pick: String(i.index),
            title: `${i.name}: ${percent(i.share)}, with others ${percent(i.interaction)}`,
            colour: i.index === this.input ? PALETTE[1]! : PALETTE[0]!,
        }));
        if (bars.length === 0) this.bars.say("No kernel is selected.");
        else this.bars.draw(barChart("Inputs", "% of the variance of predictions", bars));
        const rest = 1 - told.inputs.reduce((s, i) => s + i.share, 0);
        const said =
            `Over ${count(told.rows, "training row")}` +
            (Math.abs(rest) >= NOTHING
                ? `; ${percent(rest)} is what inputs do only together.`
                : "; each input acts by itself.");
        fill(this.bars.foot, h("span", { class: "hint" }, said));
        this.drawPairs(told);
    }

    private drawPairs(told: Explanation): void {
        const shown = told.pairs.filter((p) => p.share >= NOTHING).slice(0, MOST_PAIRS);
        const rows = shown.map((p) =>
            h(
                "tr",
                {},
                h("th", { scope: "row" }, `${p.first} and ${p.second}`),
                h("td", { class: "num" }, percent(p.share)),
                h("td", { class: "num" }, short(Math.sqrt(p.h2), 3)),
            ),
        );
        const head = ["Together", "Of the variance", "Friedman’s H"].map((t) =>
            h("th", { scope: "col" }, t),
        );
        fill(
            this.pairs,
            shown.length
                ? h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows))
                : h("p", { class: "hint" }, "No two inputs do together what neither does alone."),
            told.compared < told.interacting
                ? h(
                      "p",
                      { class: "hint" },
                      `Compared are the ${told.compared} inputs that do most with others.`,
                  )
                : null,
        );
    }

    private async drawPiece(): Promise<void> {
        const [source, output, input] = [this.source(), this.output(), this.input];
        if (input === null) return this.piece.say("");
        try {
            const e = await source.effect(input, output);
            if (input !== this.input || source.key !== this.source().key) return;
            this.piece.caption(`Partial dependence on ${e.name}`);
            const words = drawEffect(
                this.piece,
                e.name,
                e,
                this.scale ? `effect (${this.scale})` : "effect",
            );
            fill(this.piece.foot, h("span", { class: "hint" }, words));
        } catch (error) {
            report(error);
        }
    }
}
