// What a prediction is made of: from the base, step by step, to what is predicted.

import { FONT, type Chart } from "./chart";
import { FAINT, INK, MUTED, PALETTE, type Look } from "./colours";
import type { Option } from "./echarts";
import type { RowParts } from "./modelapi";
import { short } from "./numbers";

/** More steps than these are one, "others". */
const MOST_STEPS = 12;
const ROW = 26;
const TEXT = 12;

export interface Step {
    name: string;
    from: number;
    to: number;
    /** Where it stands still: the base, and the prediction. */
    total?: boolean;
}

/** "all 13 inputs together", "a and b" */
export function partName(part: RowParts["parts"][number], inputs: number): string {
    const names = part.inputs;
    if (!names) return part.member ?? "";
    if (names.length === 0) return "kernels of no input";
    if (names.length === 1) return names[0]!;
    if (names.length === 2) return `${names[0]} and ${names[1]}`;
    return names.length === inputs
        ? `all ${inputs} inputs together`
        : `${names[0]}, ${names[1]} and ${names.length - 2} more`;
}

/** The largest steps first. */
export function stepsOf(output: RowParts, row: number, inputs: number): Step[] {
    const base = output.base ?? 0;
    const parts = output.parts
        .map((p) => ({ name: partName(p, inputs), value: p.values[row] ?? 0 }))
        .filter((p) => p.value !== 0)
        .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
    const shown = parts.slice(0, parts.length > MOST_STEPS ? MOST_STEPS - 1 : MOST_STEPS);
    const rest = parts.slice(shown.length);
    if (rest.length)
        shown.push({
            name: `${rest.length} smaller parts`,
            value: rest.reduce((s, p) => s + p.value, 0),
        });
    let at = base;
    const steps: Step[] = [{ name: "base", from: 0, to: base, total: true }];
    for (const p of shown) {
        steps.push({ name: p.name, from: at, to: at + p.value });
        at += p.value;
    }
    return [...steps, { name: "prediction", from: 0, to: at, total: true }];
}

interface Drawing {
    coord: (at: [number, number]) => [number, number];
}

const signed = (v: number): string => `${v < 0 ? "−" : "+"}${short(Math.abs(v), 3)}`;
const plain = (v: number): string => short(v).replace(/^-/, "−");
const wordOf = (s: Step): string => (s.total ? plain(s.to) : signed(s.to - s.from));

/** Totals are dots: their bars would begin at a zero that may be far away. */
export function waterfallChart(title: string, label: string, steps: Step[]): Chart {
    const ends = steps.flatMap((s) => (s.total ? [s.to] : [s.from, s.to]));
    const [lo, hi] = [Math.min(...ends), Math.max(...ends)];
    const pad = (hi - lo || Math.abs(hi) || 1) * 0.16;
    const colour = (s: Step): string =>
        s.total ? INK : s.to >= s.from ? PALETTE[0]! : PALETTE[1]!;
    const draw = (look: Look) => (_: unknown, api: Drawing): object => ({
        type: "group",
        children: steps.flatMap((s, i) => {
            const [x1, y] = api.coord([s.total ? s.to : s.from, i]);
            const [x2] = api.coord([s.to, i]);
            const right = s.total || s.to >= s.from;
            const text = {
                type: "text",
                x: right ? Math.max(x1, x2) + 7 : Math.min(x1, x2) - 7,
                y,
                style: {
                    text: wordOf(s),
                    fill: look(s.total ? INK : MUTED),
                    font: `${s.total ? 600 : 400} ${TEXT}px ${FONT}`,
                    align: right ? "left" : "right",
                    verticalAlign: "middle",
                },
                silent: true,
            };
            const mark = s.total
                ? { type: "circle", shape: { cx: x2, cy: y, r: 5 } }
                : {
                      type: "rect",
                      shape: {
                          x: Math.min(x1, x2),
                          y: y - 8,
                          width: Math.max(1, Math.abs(x2 - x1)),
                          height: 16,
                          r: 3,
                      },
                  };
            const next = steps[i + 1];
            const line = next
                ? [
                      {
                          type: "line",
                          shape: { x1: x2, y1: y, x2, y2: y + ROW },
                          style: { stroke: look(FAINT), lineWidth: 1, lineDash: [3, 3] },
                          silent: true,
                          z2: -1,
                      },
                  ]
                : [];
            return [...line, { ...mark, style: { fill: look(colour(s)) } }, text];
        }),
    });
    const option = (look: Look, width: number, paper = false): Option => {
        const most = Math.floor(Math.min(width * 0.42, 260) / 6.8);
        const cut = (name: string): string =>
            name.length <= most ? name : `${name.slice(0, most - 1)}…`;
        const longest = steps.reduce((n, s) => Math.max(n, Math.min(most, s.name.length)), 0);
        return {
            animation: false,
            textStyle: { fontFamily: FONT, fontSize: TEXT },
            ...(paper ? { backgroundColor: "#ffffff" } : {}),
            grid: {
                left: longest * 6.8 + 18,
                right: 52, // for numbers beside bars
                top: 4,
                bottom: 26,
                outerBoundsMode: "none",
            },
            tooltip: { show: false },
            xAxis: {
                type: "value",
                min: lo - pad,
                max: hi + pad,
                name: label,
                nameLocation: "middle",
                nameGap: 9,
                nameTextStyle: { color: look(INK), fontSize: TEXT },
                axisLabel: { show: false },
                axisTick: { show: false },
                splitLine: { show: false },
                axisLine: { show: false },
            },
            yAxis: {
                type: "category",
                inverse: true,
                data: steps.map((s) => s.name),
                axisTick: { show: false },
                axisLine: { show: false },
                axisLabel: {
                    color: look(INK),
                    fontSize: TEXT,
                    interval: 0,
                    margin: 8,
                    formatter: cut,
                },
            },
            series: [
                {
                    ...{ type: "custom", id: "steps", renderItem: draw(look), clip: false },
                    data: [[lo, 0]],
                },
            ],
        };
    };
    return {
        title,
        description: `${steps.map((s) => `${s.name} ${wordOf(s)}`).join(", ")}.`,
        height: steps.length * ROW + 34,
        option,
        rows: () => [
            ["part", label],
            ...steps.map((s) => [s.name, s.total ? s.to : s.to - s.from]),
        ],
    };
}
