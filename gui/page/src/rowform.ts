// One row typed into a form, what a model predicts for it, and what that is made of.

import { ServerError, type Column, type ModelInput } from "./api";
import type { Choices } from "./alongpath";
import { fill, h } from "./dom";
import { field, select, text, type Option } from "./fields";
import { WhyFigure, type Told } from "./whyfigure";
import { predictedInWords } from "./predicted";
import type { ModelSource } from "./modelapi";
import { count, short } from "./numbers";
import { state } from "./state";

/** More fields than a person fills in; the others count as empty. */
const MOST_FIELDS = 40;
/** More levels than a list can show are typed. */
const MOST_LEVELS = 60;

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

export class RowForm {
    readonly element = h("div");
    private readonly answer = h("p", { class: "verdict", role: "status" });
    private readonly why = new WhyFigure();
    private inputs: ModelInput[] = [];
    private timer = 0;
    private asked = 0;

    /** `source` is the model to ask: that of the λ on screen. */
    constructor(
        private readonly source: () => ModelSource,
        private readonly told: Told,
        private readonly row: Choices["row"],
    ) {}

    toggle(inputs: ModelInput[] | null): void {
        this.row.open = !this.row.open;
        if (!this.row.open || !inputs) return fill(this.element);
        this.show(inputs);
        this.element.scrollIntoView({ block: "nearest" });
    }

    /** Another λ may look at other inputs; what was typed stays. */
    show(inputs: ModelInput[]): void {
        if (!this.row.open) return;
        const same = JSON.stringify(this.inputs) === JSON.stringify(inputs);
        this.inputs = inputs;
        if (!same || this.element.childElementCount === 0) this.draw();
        void this.predict();
    }

    private draw(): void {
        const shown = this.inputs.slice(0, MOST_FIELDS);
        const more = this.inputs.length - shown.length;
        const left =
            more > 0 ? ` ${count(more, "further input")} of the model count as empty.` : "";
        fill(
            this.element,
            h(
                "section",
                { class: "row-form", "aria-label": "Predict one row" },
                h("h2", {}, "Predict one row"),
                h(
                    "p",
                    { class: "hint" },
                    "An empty field is a missing value: it is filled in as the model learned to. " +
                        `Inputs that the model does not use are not asked for.${left}`,
                ),
                h(
                    "div",
                    { class: "row-and-why" },
                    h(
                        "div",
                        {},
                        h("div", { class: "row-fields" }, shown.map((i) => this.fieldOf(i))),
                        this.answer,
                    ),
                    this.why.element,
                ),
            ),
        );
    }

    private fieldOf(input: ModelInput): HTMLElement {
        const now = this.row.typed.get(input.name) ?? "";
        const take = (value: string): void => {
            this.row.typed.set(input.name, value);
            clearTimeout(this.timer);
            this.timer = window.setTimeout(() => void this.predict(), 150);
        };
        const levels = (input.levels ?? []).filter((l) => l !== "missing");
        const control =
            levels.length && levels.length <= MOST_LEVELS
                ? select(
                      now,
                      [["", "missing"], ...levels.map((l): Option<string> => [l, l])],
                      take,
                  )
                : text(now, this.example(input), take);
        return field(`input ${input.name}`, input.name, control);
    }

    /** What is in the table, where it is still there. */
    private example(input: ModelInput): string {
        const column: Column | undefined = state.current?.columns?.find(
            (c) => c.name === input.name,
        );
        if (input.kind === "date") return column?.example ?? "2024-12-31";
        if (input.levels) return `such as ${input.levels.slice(0, 2).join(" or ")}`;
        if (typeof column?.min !== "number" || typeof column.max !== "number") return "a number";
        return `${short(column.min)} to ${short(column.max)}`;
    }

    private async predict(): Promise<void> {
        if (!this.row.open) return;
        const mine = ++this.asked;
        const names = this.inputs.map((i) => quoted(i.name));
        const cells = this.inputs.map((i) => quoted((this.row.typed.get(i.name) ?? "").trim()));
        try {
            const table = `${names.join(",")}\n${cells.join(",")}\n`;
            const told = await this.source().rows(table, "row.csv", true);
            if (mine !== this.asked) return;
            if (told.predicted === 0) return this.say("Not predicted: a value is missing.", true);
            const filled = told.imputed
                ? ` (${count(told.imputed, "empty field")} filled in)`
                : "";
            this.say(`Predicted ${predictedInWords(this.told, told, 0)}${filled}.`, false);
            this.why.show(this.told, told, 0);
        } catch (error) {
            if (!(error instanceof ServerError)) throw error;
            if (mine === this.asked) this.say(error.message, true);
        }
    }

    private say(what: string, wrong: boolean): void {
        this.answer.classList.toggle("wrong", wrong);
        this.answer.textContent = what;
        if (wrong) this.why.say("");
    }
}
