// One row typed into a form, and what the model at the λ on screen predicts for it.

import { api, ServerError, type Column, type Detail, type ModelInput, type Run } from "./api";
import type { Choices } from "./alongpath";
import { fill, h } from "./dom";
import { field, select, text, type Option } from "./fields";
import { hasLevels, levelsOf, lossOf } from "./losses";
import { count, short } from "./numbers";
import { listOf } from "./settings";
import { state } from "./state";

/** More fields than a person fills in; the others count as empty. */
const MOST_FIELDS = 40;
/** More levels than a list can show are typed. */
const MOST_LEVELS = 60;

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** The cells of a line of CSV that the server wrote. */
function cellsOf(line: string): string[] {
    const found = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
    return [...found].map((m) => m[1]?.replaceAll('""', '"') ?? m[2] ?? "");
}

export class RowForm {
    readonly element = h("div");
    private readonly answer = h("p", { class: "verdict", role: "status" });
    private inputs: ModelInput[] = [];
    private timer = 0;
    private asked = 0;

    constructor(
        private readonly run: Run,
        private readonly row: Choices["row"],
    ) {}

    toggle(detail: Detail | null): void {
        this.row.open = !this.row.open;
        if (!this.row.open || !detail) return fill(this.element);
        this.show(detail);
        this.element.scrollIntoView({ block: "nearest" });
    }

    /** Another λ may look at other inputs; what was typed stays. */
    show(detail: Detail): void {
        if (!this.row.open) return;
        const same = JSON.stringify(this.inputs) === JSON.stringify(detail.inputs);
        this.inputs = detail.inputs;
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
                        `Inputs that the model does not use at this λ are not asked for.${left}`,
                ),
                h("div", { class: "row-fields" }, shown.map((i) => this.fieldOf(i))),
                this.answer,
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
            const told = await api.predictRow(
                this.run.id,
                state.point,
                `${names.join(",")}\n${cells.join(",")}\n`,
            );
            if (mine === this.asked) this.tell(told.text, told.summary.imputed ?? 0);
        } catch (error) {
            if (!(error instanceof ServerError)) throw error;
            if (mine === this.asked) this.say(error.message, true);
        }
    }

    private tell(csv: string, imputed: number): void {
        const [head, row] = csv.trimEnd().split("\n").map(cellsOf);
        const value = (i: number): string => {
            const cell = row?.[i] ?? "";
            return cell !== "" && Number.isFinite(Number(cell)) ? short(Number(cell)) : cell;
        };
        if (!head || !row || row.includes("NA"))
            return this.say("Not predicted: a value is missing.", true);
        const result = this.run.result!;
        const said =
            result.task === "classification"
                ? this.classInWords(head, row, value)
                : this.targetsInWords(value);
        const filled = imputed ? ` (${count(imputed, "empty field")} filled in)` : "";
        this.say(`Predicted ${said}${filled}.`, false);
    }

    /** Probabilities where they are known, else scores. */
    private classInWords(head: string[], row: string[], value: (i: number) => string): string {
        const probable = head.findIndex((n) => n.startsWith("probability_"));
        const percent = (i: number): string => `${short(100 * Number(row[i]), 3)} %`;
        const all =
            probable > 0
                ? this.run.result!.classes.map((c, k) => `${c}: ${percent(probable + k)}`)
                : head.slice(1).map((n, i) => `${n.replace("_", " ")} ${value(i + 1)}`);
        return `class ${row[0]} (${probable > 0 ? "probabilities " : ""}${all.join(", ")})`;
    }

    private targetsInWords(value: (i: number) => string): string {
        const result = this.run.result!;
        const levels = hasLevels(result) ? levelsOf(result) : null;
        const [target] = listOf(this.run.asked.settings, "target");
        if (levels)
            return `${target}: ${levels.map((q, i) => `quantile ${q} is ${value(i)}`).join(", ")}`;
        const rate = lossOf(result) === "poisson" ? "rate of " : "";
        return result.outputs.map((o, i) => `${rate}${o}: ${value(i)}`).join(", ");
    }

    private say(what: string, wrong: boolean): void {
        this.answer.classList.toggle("wrong", wrong);
        this.answer.textContent = what;
    }
}
