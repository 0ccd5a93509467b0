// What the figures along the path share: their axis, the place nearest to the pointer, the marks of
// λ.

import type { Result } from "./api";
import { h } from "./dom";
import { INK } from "./colours";
import { state } from "./state";

export const LAMBDA = { label: "λ (less regularised to the right)", log: true, reverse: true };

export function nearest(values: number[], x: number): number {
    let best = 0;
    values.forEach((v, i) => {
        if (Math.abs(Math.log(v / x)) < Math.abs(Math.log(values[best]! / x))) best = i;
    });
    return best;
}

/** λ min, λ 1se, and the λ on screen. */
export function lambdaMarks(
    result: Result,
): { x: number; label: string; strong?: boolean; colour?: string }[] {
    const { min, one_se } = result.best;
    const at = (i: number): number => result.points[i]?.lambda ?? NaN;
    return [
        ...(min !== null && min >= 0 ? [{ x: at(min), label: "min" }] : []),
        ...(one_se !== null && one_se >= 0 && one_se !== min
            ? [{ x: at(one_se), label: "1se" }]
            : []),
        { x: at(state.point), label: "", strong: true, colour: INK },
    ];
}

/** What was chosen in the captions: stays when the results are renewed. */
export interface Choices {
    output: number;
    along: string;
    by: "kernel" | "input";
    of: "weights" | "coefficients";
    against: "lambda" | "df";
    /** Of a class, once it was moved. */
    threshold?: number;
    /** The form for one row: what was typed, by input. */
    row: { open: boolean; typed: Map<string, string> };
}

export function firstChoices(): Choices {
    return {
        ...{ output: 0, along: "selected", by: "input", of: "weights", against: "lambda" },
        row: { open: false, typed: new Map() },
    };
}

/** A choice in the caption of a figure. */
export function choice<T extends string>(
    label: string,
    value: T,
    options: [T, string][],
    onchange: (v: T) => void,
): HTMLSelectElement {
    return h(
        "select",
        {
            value,
            "aria-label": label,
            onchange: (e: Event) => onchange((e.target as HTMLSelectElement).value as T),
        },
        options.map(([v, t]) => h("option", { value: v }, t)),
    );
}
