// How good predictions of numbers are, of rows that were left out: against what they were, their
// errors, and how far off to expect them. Rows that are picked in a figure are named below.

import { api, type Detail, type LeftOutRows, type Rows, type Run } from "./api";
import { choice, type Choices } from "./alongpath";
import { lineChart, type Series } from "./chart";
import { INK, MUTED, PALETTE } from "./colours";
import { fill, h } from "./dom";
import { Figure } from "./figure";
import { spread } from "./judged";
import { hasLevels, levelsOf, lossOf } from "./losses";
import { count, short } from "./numbers";
import { listOf } from "./settings";
import { state } from "./state";

interface Part {
    name: string;
    colour: string;
    actual: number[];
    predicted: number[];
    /** Of all outputs: several quantiles are. */
    outputs: number[][];
    /** Rows of the table they are in, from 1. */
    numbers: number[];
    /** The id of that table. */
    table: string;
}

interface Place {
    part: Part;
    i: number;
}

const MOST_NAMED = 12;
const MOST_CELLS = 6;
const MOST_FAN = 300;
const LEVELS = [0.95, 0.8, 0.5];
const BINS = 24;

/** Of the normal distribution, by a rational approximation (Acklam), to nine digits. */
export function normalQuantile(p: number): number {
    const a = [-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269,
        -30.66479806614716, 2.506628277459239];
    const b = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972,
        -13.28068155288572, 1];
    const c = [-0.007784894002430293, -0.3223964580411365, -2.400758277161838,
        -2.549732539343734, 4.374664141464968, 2.938163982698783];
    const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1];
    const at = (list: number[], x: number): number => list.reduce((s, v) => s * x + v, 0);
    if (p > 0.5) return -normalQuantile(1 - p);
    const q = Math.sqrt(-2 * Math.log(p));
    if (p < 0.02425) return at(c, q) / at(d, q);
    const r = (p - 0.5) ** 2;
    return ((p - 0.5) * at(a, r)) / at(b, r);
}

type ErrorsBy = "predicted" | "spread" | "normal";

export class NumberView {
    private readonly pointer = {
        box: (x: [number, number], y: [number, number]): void => this.pick(x, y),
    };
    readonly outcome = new Figure("Predicted against actual", this.pointer);
    private readonly errors: Figure;
    private readonly fan = new Figure("How far off to expect");
    private readonly named = h("div", { class: "more wide named-rows" });
    private by: ErrorsBy = "predicted";
    private parts: Part[] = [];
    private picked: Place[] = [];
    private asked = 0;

    constructor(
        private readonly run: Run,
        private readonly chosen: Choices,
    ) {
        this.errors = new Figure(
            "Errors",
            { box: (x, y) => this.pickErrors(x, y) },
            choice(
                "How errors are shown",
                this.by,
                [
                    ["predicted", "against the prediction"],
                    ["spread", "how they are spread"],
                    ["normal", "against normal quantiles"],
                ],
                (v) => {
                    this.by = v;
                    this.drawErrors();
                },
            ),
        );
    }

    get elements(): HTMLElement[] {
        return [this.errors.element, this.fan.element, this.named];
    }

    get figures(): Figure[] {
        return [this.outcome, this.errors, this.fan];
    }

    private get result(): NonNullable<Run["result"]> {
        return this.run.result!;
    }

    private get output(): number {
        return this.chosen.output;
    }

    say(text: string): void {
        this.outcome.say(text);
        for (const element of this.elements) element.hidden = true;
    }

    loading(on: boolean): void {
        this.outcome.loading(on);
    }

    show(detail: Detail): void {
        for (const element of this.elements) element.hidden = false;
        this.parts = this.partsOf(detail);
        this.picked = this.picked
            .map(({ part, i }) => ({ part: this.parts.find((p) => p.name === part.name), i }))
            .filter((p): p is Place => p.part !== undefined && p.i < p.part.actual.length);
        this.draw();
    }

    /** Rows that were not learned from, where there are some. */
    private partsOf(d: Detail): Part[] {
        const { data, test_data, validation_data } = this.run.asked;
        const o = Math.min(this.output, d.train.actual.length - 1);
        const part = (
            name: string,
            colour: string,
            table: string,
            rows: Rows | LeftOutRows | undefined,
        ): Part[] => {
            const actual = rows?.actual[o] ?? [];
            if (!rows || actual.length === 0) return [];
            const outputs = "predicted" in rows ? rows.predicted : rows.fitted;
            const predicted = outputs[o] ?? [];
            return [{ name, colour, table, actual, predicted, outputs, numbers: rows.rows ?? [] }];
        };
        const left = [
            ...part("validation", PALETTE[0]!, validation_data ?? data, d.left_out),
            ...part("test", PALETTE[1]!, test_data ?? data, d.test),
        ];
        return left.length ? left : part("training", MUTED, data, d.train);
    }

    private draw(): void {
        this.drawOutcome();
        this.drawErrors();
        this.drawFan();
        void this.drawNamed();
    }

    // ---- words ----

    private get rowsWord(): string {
        return `${this.parts.map((p) => p.name).join(" and ")} rows`;
    }

    private get caution(): string {
        return this.parts[0]?.name === "training"
            ? "Of rows it was learned from, as none were left out: new rows fare worse. "
            : "";
    }

    private get target(): string {
        return hasLevels(this.result)
            ? (listOf(this.run.asked.settings, "target")[0] ?? "")
            : (this.result.outputs[this.output] ?? "");
    }

    /** What is held against what: a rate against counts, a quantile against values. */
    private get words(): { title: string; predicted: string } {
        const level = levelsOf(this.result)?.[this.output];
        if (level !== undefined)
            return {
                title: `Quantile ${level} against actual`,
                predicted: `quantile ${level} of ${this.target}`,
            };
        return lossOf(this.result) === "poisson"
            ? {
                  title: "Predicted rate against actual count",
                  predicted: `predicted rate of ${this.target}`,
              }
            : { title: "Predicted against actual", predicted: `predicted ${this.target}` };
    }

    // ---- predicted against actual ----

    private points(
        x: (p: Part, i: number) => number,
        y: (p: Part, i: number) => number,
    ): Series[] {
        const all = this.parts.map((p): Series => ({
            name: p.name,
            x: p.actual.map((_, i) => x(p, i)),
            y: p.actual.map((_, i) => y(p, i)),
            names: (i) => `row ${p.numbers[i] ?? i + 1}, ${p.name}`,
            line: false,
            colour: p.colour,
        }));
        if (this.picked.length)
            all.push({
                name: "picked",
                x: this.picked.map(({ part, i }) => x(part, i)),
                y: this.picked.map(({ part, i }) => y(part, i)),
                names: (k) => `row ${this.picked[k]?.part.numbers[this.picked[k]!.i]}`,
                line: false,
                size: 12,
                colour: INK,
            });
        return all;
    }

    private drawOutcome(): void {
        const words = this.words;
        this.outcome.caption(`${words.title}, ${this.rowsWord}`);
        this.outcome.draw(
            lineChart({
                title: words.title,
                x: { label: `actual ${this.target}` },
                y: { label: words.predicted },
                series: this.points(
                    (p, i) => p.actual[i]!,
                    (p, i) => p.predicted[i]!,
                ),
                diagonal: true,
                legend: "always",
            }),
        );
        fill(
            this.outcome.foot,
            h(
                "span",
                { class: "hint" },
                `${this.caution}Draw a box around points to name their rows. ${this.coverage()}`,
            ),
        );
    }

    /** How many rows stay below quantiles: about as many as they say. */
    private coverage(): string {
        const level = levelsOf(this.result)?.[this.output];
        const part = this.parts.at(-1);
        if (level === undefined || !part) return "";
        const below = part.actual.filter((v, i) => v <= part.predicted[i]!).length;
        const share = ((100 * below) / part.actual.length).toFixed(1);
        return `${share} % of the ${part.name} rows are below it.`;
    }

    // ---- errors ----

    private error(p: Part, i: number): number {
        return p.actual[i]! - p.predicted[i]!;
    }

    private drawErrors(): void {
        const label = `actual less ${this.words.predicted}`;
        this.errors.caption(`Errors, ${this.rowsWord}`);
        const title = `Errors of ${this.rowsWord}`;
        if (this.by === "spread") return this.drawSpread(title, label);
        if (this.by === "normal") return this.drawNormal(title);
        this.errors.draw(
            lineChart({
                title,
                x: { label: this.words.predicted },
                y: { label },
                series: this.points(
                    (p, i) => p.predicted[i]!,
                    (p, i) => this.error(p, i),
                ),
                level: { y: 0, label: "" },
                legend: "always",
            }),
        );
        this.sayErrors("Where they fan out or bend, the model misses something.");
    }

    private sayErrors(more: string): void {
        const worst = h(
            "button",
            { class: "link", id: "largest-errors", onclick: () => this.pickLargest() },
            "Name the largest errors",
        );
        fill(this.errors.foot, h("span", { class: "hint" }, `${this.caution}${more} `), worst);
    }

    private drawSpread(title: string, label: string): void {
        const all = this.parts.flatMap((p) => p.actual.map((_, i) => this.error(p, i)));
        const most = all.reduce((m, e) => Math.max(m, Math.abs(e)), 0) || 1;
        const series = this.parts.map((p): Series => {
            const errors = p.actual.map((_, i) => this.error(p, i));
            const s = spread(errors, errors.map(() => 1), -most, most, BINS);
            return { name: p.name, x: s.x, y: s.share.map((v) => 100 * v), colour: p.colour };
        });
        this.errors.draw(
            lineChart({
                title,
                x: { label },
                y: { label: "% of the rows", from: 0 },
                series,
                marks: [{ x: 0, label: "" }],
                legend: "always",
                direct: false,
            }),
        );
        const mean = all.reduce((s, e) => s + e, 0) / (all.length || 1);
        this.sayErrors(`Their mean is ${short(mean, 3)}.`);
    }

    private drawNormal(title: string): void {
        const series = this.parts.map((p): Series => {
            const errors = p.actual.map((_, i) => this.error(p, i)).sort((a, b) => a - b);
            return {
                name: p.name,
                x: errors.map((_, i) => normalQuantile((i + 0.5) / errors.length)),
                y: errors,
                names: (i) => `${p.name}, number ${i + 1} by size`,
                line: false,
                colour: p.colour,
            };
        });
        this.errors.draw(
            lineChart({
                title,
                x: { label: "quantile of a normal distribution" },
                y: { label: "error" },
                series,
                legend: "always",
            }),
        );
        this.sayErrors("On a straight line they are normal; ends that bend away are heavy tails.");
    }

    // ---- how far off to expect ----

    /** Rows by prediction: what they are, and between what they were said to be. */
    private drawFan(): void {
        const part = this.parts[0];
        if (!part) return this.fan.say("");
        const levels = hasLevels(this.result) ? levelsOf(this.result)! : null;
        const middle = levels ? part.outputs[Math.floor((levels.length - 1) / 2)]! : part.predicted;
        const order = part.actual.map((_, i) => i).sort((a, b) => middle[a]! - middle[b]!);
        const every = Math.ceil(order.length / MOST_FAN);
        const shown = order.filter((_, k) => k % every === 0);
        const x = shown.map((_, k) => k * every + 1);
        const few = every > 1 ? ` One row in ${every} is drawn.` : "";
        const series = levels
            ? this.quantileBands(part, levels, shown, x)
            : this.errorBands(part, shown, x);
        this.fan.caption(`How far off to expect, ${part.name} rows`);
        this.fan.draw(
            lineChart({
                title: `How far off to expect, ${part.name} rows`,
                x: { label: "rows, by prediction" },
                y: { label: this.target },
                series: [
                    ...series,
                    {
                        name: "actual",
                        x,
                        y: shown.map((i) => part.actual[i]!),
                        line: false,
                        size: 5,
                        colour: INK,
                    },
                ],
                direct: false,
                legend: "always",
            }),
        );
        const said = levels
            ? this.coverageOf(part, levels)
            : `Bands of one width, from the sizes of errors of ` +
              `${count(part.actual.length, `${part.name} row`)}; new rows like these lie within ` +
              "as often.";
        fill(this.fan.foot, h("span", { class: "hint" }, `${this.caution}${said}${few}`));
    }

    /** As wide as as many errors are large, with the correction for finite samples. */
    private errorBands(part: Part, shown: number[], x: number[]): Series[] {
        const sizes = part.actual.map((_, i) => Math.abs(this.error(part, i)));
        sizes.sort((a, b) => a - b);
        const y = shown.map((i) => part.predicted[i]!);
        return LEVELS.map((level) => ({
            level,
            half: sizes[Math.ceil((sizes.length + 1) * level) - 1],
        }))
            .filter((b): b is { level: number; half: number } => b.half !== undefined)
            .map(({ level, half }) => ({
                name: `${100 * level} % lie within ± ${short(half, 3)}`,
                x,
                y,
                colour: PALETTE[0]!,
                width: 1,
                band: { lo: y.map((v) => v - half), hi: y.map((v) => v + half) },
            }));
    }

    /** From the outermost quantiles inwards. */
    private quantileBands(part: Part, levels: number[], shown: number[], x: number[]): Series[] {
        const at = (o: number): number[] => shown.map((i) => part.outputs[o]![i]!);
        const middle = at(Math.floor((levels.length - 1) / 2));
        const last = levels.length - 1;
        return Array.from({ length: Math.floor(levels.length / 2) }, (_, k) => ({
            name: `quantiles ${levels[k]} to ${levels[last - k]}`,
            x,
            y: middle,
            colour: PALETTE[0]!,
            width: 1,
            band: { lo: at(k), hi: at(last - k) },
        }));
    }

    private coverageOf(part: Part, levels: number[]): string {
        const share = (is: (y: number, i: number) => boolean): string =>
            `${((100 * part.actual.filter(is).length) / (part.actual.length || 1)).toFixed(1)} %`;
        const below = (o: number): string => share((y, i) => y <= part.outputs[o]![i]!);
        const told = levels.map((level, o) => `${below(o)} are below quantile ${level}`);
        const [low, high] = [part.outputs[0]!, part.outputs[levels.length - 1]!];
        const between = share((y, i) => y >= low[i]! && y <= high[i]!);
        const word = part.name[0]!.toUpperCase() + part.name.slice(1);
        return `${word} rows: ${told.join(", ")}, ${between} between the outermost.`;
    }

    // ---- rows by name ----

    private within(
        x: [number, number],
        y: [number, number],
        of: (p: Part, i: number) => [number, number],
    ): void {
        this.picked = this.parts.flatMap((part) =>
            part.actual
                .map((_, i) => ({ part, i }))
                .filter(({ i }) => {
                    const [a, b] = of(part, i);
                    return a >= x[0] && a <= x[1] && b >= y[0] && b <= y[1];
                }),
        );
        this.draw();
    }

    private pick(x: [number, number], y: [number, number]): void {
        this.within(x, y, (p, i) => [p.actual[i]!, p.predicted[i]!]);
    }

    private pickErrors(x: [number, number], y: [number, number]): void {
        if (this.by === "predicted")
            this.within(x, y, (p, i) => [p.predicted[i]!, this.error(p, i)]);
    }

    private pickLargest(): void {
        const all = this.parts.flatMap((part) => part.actual.map((_, i) => ({ part, i })));
        const size = ({ part, i }: Place): number => Math.abs(this.error(part, i));
        this.picked = all.sort((a, b) => size(b) - size(a)).slice(0, MOST_NAMED);
        this.draw();
        this.named.scrollIntoView({ block: "nearest" });
    }

    private columns(table: string): string[] {
        const about = state.data.find((d) => d.id === table);
        const names = about?.columns?.map((c) => c.name) ?? [];
        return names.slice(0, 200);
    }

    /** Which cells tell rows apart: names first, then what the model looks at first. */
    private cellPlaces(table: string): number[] {
        const about = state.data.find((d) => d.id === table);
        const columns = about?.columns ?? [];
        const all = columns.map((_, k) => k).filter((k) => columns[k]!.name !== this.target);
        const names = all.filter((k) => columns[k]!.name === about?.row_names);
        const texts = all.filter((k) => columns[k]!.kind === "text" && !names.includes(k));
        const rest = all.filter((k) => !names.includes(k) && !texts.includes(k));
        return [...names, ...texts, ...rest].slice(0, MOST_CELLS);
    }

    private async drawNamed(): Promise<void> {
        const mine = ++this.asked;
        if (this.picked.length === 0) return fill(this.named);
        const shown = this.picked.slice(0, MOST_NAMED);
        const cells = await Promise.all(
            shown.map(async ({ part, i }) => {
                const number = part.numbers[i];
                if (number === undefined || !state.data.some((d) => d.id === part.table)) return [];
                return (await api.rows(part.table, number - 1, 1)).rows[0] ?? [];
            }),
        ).catch(() => shown.map(() => []));
        if (mine !== this.asked) return;
        const table = shown[0]!.part.table;
        const places = this.cellPlaces(table);
        const names = this.columns(table);
        const num = (v: number | undefined): HTMLElement => h("td", { class: "num" }, short(v));
        const more = this.picked.length - shown.length;
        const head = ["row", "part", "actual", "predicted", "error"];
        fill(
            this.named,
            h(
                "div",
                { class: "title-row" },
                h("h2", {}, `${count(this.picked.length, "row")} picked`),
                h("button", { class: "link", onclick: () => this.clear() }, "Pick none"),
            ),
            h(
                "div",
                { class: "scroll", tabindex: 0, role: "region", "aria-label": "Rows picked" },
                h(
                    "table",
                    {},
                    h(
                        "thead",
                        {},
                        h(
                            "tr",
                            {},
                            head.map((t) =>
                                h("th", { scope: "col", class: t === "part" ? "" : "num" }, t),
                            ),
                            places.map((k) => h("th", { scope: "col" }, names[k] ?? "")),
                        ),
                    ),
                    h(
                        "tbody",
                        {},
                        shown.map(({ part, i }, k) =>
                            h(
                                "tr",
                                {},
                                h(
                                    "th",
                                    { scope: "row", class: "num" },
                                    String(part.numbers[i] ?? "–"),
                                ),
                                h("td", {}, part.name),
                                num(part.actual[i]),
                                num(part.predicted[i]),
                                num(this.error(part, i)),
                                places.map((c) =>
                                    h("td", { class: "values" }, cells[k]?.[c] ?? ""),
                                ),
                            ),
                        ),
                    ),
                ),
            ),
            more > 0 ? h("p", { class: "hint" }, `And ${count(more, "more row")}.`) : null,
        );
    }

    private clear(): void {
        this.picked = [];
        this.draw();
    }
}
