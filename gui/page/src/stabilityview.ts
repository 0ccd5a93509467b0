// How often inputs and kernels are selected: over the splits of cross-validation, and over halves
// of the rows.

import type { KernelShare, Result } from "./api";
import { barChart } from "./chart";
import { h } from "./dom";
import { Figure } from "./figure";
import { count, short } from "./numbers";
import { MUTED, PALETTE } from "./colours";

/** More inputs than a kernel may look at and still select one, as the library has it. */
const FEW_INPUTS = 3;
const MOST_BARS = 25;

/** Splits that select any of these kernels; null where that is not known, or there was but one. */
function splitsWith(kernels: KernelShare[], all: KernelShare[]): [number, number] | null {
    const splits = all[0]?.splits?.length ?? 0;
    if (splits < 2) return null;
    const has = (s: number): boolean => kernels.some((k) => k.splits?.[s] === "1");
    return [Array.from({ length: splits }, (_, s) => has(s)).filter(Boolean).length, splits];
}

function inWords(found: [number, number] | null): string {
    return found ? ` (${found[0]}/${found[1]})` : "";
}

/** " (9/10)": splits that selected the kernel. */
export function splitsOfKernel(index: number, all: KernelShare[]): string {
    return inWords(
        splitsWith(
            all.filter((k) => k.index === index),
            all,
        ),
    );
}

/** The same of kernels that look at these inputs: of one input also with one or two others. */
export function splitsOfInputs(inputs: string[], all: KernelShare[], inAll: number): string {
    const key = JSON.stringify(inputs);
    const isFew = (k: KernelShare): boolean =>
        k.inputs.length === 1 || (k.inputs.length <= FEW_INPUTS && k.inputs.length < inAll);
    const looks = (k: KernelShare): boolean =>
        inputs.length === 1
            ? isFew(k) && k.inputs.includes(inputs[0]!)
            : JSON.stringify(k.inputs) === key;
    return inWords(splitsWith(all.filter(looks), all));
}

/** What the numbers in brackets are; "" where there are none. */
export function splitsLegend(all: KernelShare[]): string {
    const found = splitsWith([], all);
    return found ? ` In brackets: how many of the ${found[1]} splits selected it.` : "";
}

/** Stability selection, where it was asked for. */
export function stabilityFigure(result: Result): HTMLElement | null {
    const about = result.stability;
    if (!about) return null;
    const stable = about.selected.filter((i) => i.selected >= about.least);
    const figure = new Figure("Stability selection");
    const percent = (n: number): number => Math.round((1000 * n) / about.halves) / 10;
    if (about.selected.length === 0) figure.say("No half of the rows selected an input.");
    else
        figure.draw(
            barChart(
                "Inputs",
                `% of ${about.halves} halves of ${count(about.rows, "row")}`,
                about.selected.slice(0, MOST_BARS).map((i) => ({
                    name: i.name,
                    value: percent(i.selected),
                    title: `${i.name}: selected by ${i.selected} of ${about.halves} halves`,
                    colour: i.selected >= about.least ? PALETTE[0]! : MUTED,
                })),
            ),
        );
    figure.foot.append(
        h(
            "span",
            { class: "hint", id: "stability" },
            `${count(stable.length, "input")} stable: selected by at least ` +
                `${percent(about.least)} % of the halves, each of which selects at most ` +
                `${about.limit} of ${about.inputs}. Expected among them by mistake: at most ` +
                `${short(about.errors, 2)} whatever the data are, ` +
                `${short(about.likely_errors, 2)} under the usual assumption (r-concave).`,
        ),
    );
    return figure.element;
}
