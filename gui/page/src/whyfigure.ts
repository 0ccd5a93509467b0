// Why one row is predicted as it is: a waterfall of what its inputs add.

import { choice } from "./alongpath";
import { fill, h } from "./dom";
import { Figure } from "./figure";
import { outputWord, partScale, type Spoken } from "./losses";
import type { RowsTold } from "./modelapi";
import { short } from "./numbers";
import { stepsOf, waterfallChart } from "./waterfall";

/** What words about the predictions of a model depend on. */
export type Told = Spoken & { targets: string[] };

export class WhyFigure {
    private readonly pick = h("span");
    private readonly figure = new Figure("Why", {}, this.pick);
    readonly element = this.figure.element;
    private about: { told: Told; rows: RowsTold; row: number } | null = null;
    /** Null: that of the class that is predicted. */
    private output: number | null = null;

    show(told: Told, rows: RowsTold, row: number): void {
        this.about = { told, rows, row };
        this.output = null;
        this.draw();
    }

    say(text: string): void {
        this.about = null;
        fill(this.pick);
        this.figure.say(text);
    }

    private get shown(): number {
        const { told, rows, row } = this.about!;
        const label = rows.labels?.[row];
        const predicted = label ? told.classes.indexOf(label) : 0;
        return this.output ?? (told.outputs.length > 1 ? Math.max(0, predicted) : 0);
    }

    private draw(): void {
        const { rows, row } = this.about!;
        const o = this.shown;
        const output = rows.parts[o];
        if (!output) return this.figure.say("");
        const steps = stepsOf(output, row, rows.inputs);
        const number = rows.rows > 1 ? `row ${rows.numbers[row]}` : "this row";
        this.figure.caption(`Why ${number} is predicted so`);
        this.figure.draw(waterfallChart(`Why ${number} is predicted so`, this.scale(o), steps));
        this.drawChoice(o);
        fill(this.figure.foot, h("span", { class: "hint" }, this.words(o)));
    }

    private drawChoice(o: number): void {
        const { told, rows } = this.about!;
        const many = rows.parts.length > 1;
        const options = rows.parts.map((p, i): [string, string] => [String(i), p.name]);
        fill(
            this.pick,
            many
                ? choice(`Which ${outputWord(told)} is explained`, String(o), options, (v) => {
                      this.output = Number(v);
                      this.draw();
                  })
                : null,
        );
    }

    /** On what scale parts add up. */
    private scale(o: number): string {
        const { told } = this.about!;
        const scale = partScale(told);
        if (told.task === "classification") {
            const label = told.classes[told.outputs.length > 1 ? o : 1] ?? "";
            return `${scale || "score"} of class ${label}`;
        }
        const of = outputWord(told) === "quantile" ? told.targets[0] : told.outputs[o];
        return scale ? `${scale} of ${of}` : (of ?? "");
    }

    private words(o: number): string {
        const { told, rows, row } = this.about!;
        const start =
            "The base is what is predicted where no input adds anything; inputs are ordered by " +
            "how much they add or take away.";
        const p = rows.probabilities?.[told.outputs.length > 1 ? o : 1]?.[row];
        const said = rows.said[o]?.[row];
        const fitted = rows.fitted[o]?.[row];
        if (typeof p === "number")
            return `${start} Log odds of ${short(said, 3)} are a probability of ${percent(p)}.`;
        if (typeof fitted === "number" && said !== fitted && partScale(told))
            return `${start} A log rate of ${short(said, 3)} is a rate of ${short(fitted)}.`;
        return start;
    }
}

const percent = (p: number): string => `${short(100 * p, 3)} %`;
