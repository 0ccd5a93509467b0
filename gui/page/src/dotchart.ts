// Scores as dots with their intervals, one below the other: a result beside what it is compared
// with.

import { FONT, TEXT, shorten, tickText, tip, tooltip, type Api, type Chart } from "./chart";
import { FAINT, INK, MUTED, PALETTE, type Look } from "./colours";
import type { Option } from "./echarts";
import { short, ticks } from "./numbers";

export interface Dot {
    name: string;
    value: number;
    /** Of the standard error; null where it is not known. */
    error: number | null;
    /** The one that the others are held against. */
    ours?: boolean;
}

const ROW = 27;

function ends(d: Dot): [number, number] {
    const e = d.error ?? 0;
    return [d.value - e, d.value + e];
}

/** Dots and whiskers are one series, so that a whisker is never drawn over another's dot. */
function draw(dots: Dot[], look: Look): (params: { dataIndex: number }, api: Api) => object {
    return (params, api) => {
        const d = dots[params.dataIndex]!;
        const colour = look(d.ours ? PALETTE[0]! : FAINT);
        const [x, y] = api.coord([d.value, params.dataIndex]);
        const across = (v: number): number => api.coord([v, params.dataIndex])[0];
        const [from, to] = ends(d);
        const [x1, x2] = [across(from), across(to)];
        const line = (shape: object): object => ({
            type: "line",
            shape,
            style: { stroke: colour, lineWidth: d.ours ? 2.5 : 1.8 },
        });
        const whiskers =
            d.error === null
                ? []
                : [
                      line({ x1, y1: y, x2, y2: y }),
                      line({ x1, y1: y - 4, x2: x1, y2: y + 4 }),
                      line({ x1: x2, y1: y - 4, x2, y2: y + 4 }),
                  ];
        return {
            type: "group",
            children: [
                ...whiskers,
                {
                    type: "circle",
                    shape: { cx: x, cy: y, r: d.ours ? 6 : 4.5 },
                    style: {
                        fill: look(d.ours ? PALETTE[0]! : MUTED),
                        stroke: look("panel"),
                        lineWidth: 1.5,
                    },
                },
            ],
        };
    };
}

export function dotChart(title: string, label: string, dots: Dot[]): Chart {
    const all = dots.flatMap(ends);
    const [least, most] = [Math.min(...all), Math.max(...all)];
    const room = (most - least || Math.abs(most) || 1) * 0.06;
    const [lo, hi] = [least - room, most + room];
    const ours = dots.find((d) => d.ours);
    const option = (look: Look, width: number, paper = false): Option => {
        const letters = Math.floor(Math.min(width * 0.42, 300) / 6.4);
        const longest = dots.reduce((n, d) => Math.max(n, d.name.length), 0);
        const customValues = ticks(lo, hi, width > 520 ? 5 : 3).filter((v) => v >= lo && v <= hi);
        return {
            animation: false,
            textStyle: { fontFamily: FONT, fontSize: TEXT },
            ...(paper ? { backgroundColor: "#ffffff" } : {}),
            grid: {
                left: Math.min(letters, longest) * 6.4 + 18,
                right: 62,
                top: 4,
                bottom: 42,
                outerBoundsMode: "none",
            },
            tooltip: {
                ...tooltip(look),
                trigger: "item",
                formatter: ({ dataIndex }: { dataIndex: number }) => {
                    const d = dots[dataIndex]!;
                    const error: [string, string][] =
                        d.error === null ? [] : [["standard error", short(d.error, 2)]];
                    return tip(d.name, [[label, short(d.value)], ...error]);
                },
            },
            xAxis: {
                type: "value",
                min: lo,
                max: hi,
                name: label,
                nameLocation: "middle",
                nameGap: 26,
                nameTextStyle: { color: look(INK), fontSize: TEXT },
                axisLine: { show: false },
                axisTick: { show: false, customValues },
                splitLine: { customValues, lineStyle: { color: look("line") } },
                axisLabel: {
                    customValues,
                    color: look(MUTED),
                    fontSize: TEXT,
                    hideOverlap: true,
                    formatter: (v: number) => tickText(v, { label: "" }),
                },
            },
            yAxis: [
                {
                    type: "category",
                    inverse: true,
                    data: dots.map((d) => d.name),
                    axisLine: { show: false },
                    axisTick: { show: false },
                    axisLabel: {
                        fontSize: TEXT,
                        interval: 0,
                        margin: 10,
                        formatter: (name: string, i: number) =>
                            `{${dots[i]?.ours ? "ours" : "other"}|${shorten(name, letters)}}`,
                        rich: {
                            ours: { color: look(INK), fontWeight: 600, fontSize: TEXT },
                            other: { color: look(MUTED), fontSize: TEXT },
                        },
                    },
                },
                {
                    type: "category",
                    inverse: true,
                    position: "right",
                    data: dots.map((d) => d.name),
                    axisLine: { show: false },
                    axisTick: { show: false },
                    axisLabel: {
                        color: look(INK),
                        fontSize: TEXT,
                        interval: 0,
                        formatter: (_: string, i: number) => short(dots[i]?.value),
                    },
                },
            ],
            series: [
                {
                    type: "custom",
                    id: "dots",
                    renderItem: draw(dots, look),
                    data: dots.map((d, i) => [d.value, i]),
                    encode: { x: 0, y: 1 },
                    ...(ours
                        ? {
                              markLine: {
                                  silent: true,
                                  symbol: "none",
                                  animation: false,
                                  label: { show: false },
                                  lineStyle: { color: look(PALETTE[0]!), width: 1, type: [3, 3] },
                                  data: [{ xAxis: ours.value }],
                              },
                          }
                        : {}),
                },
            ],
        };
    };
    const said = (d: Dot): string =>
        `${d.name} ${short(d.value)}${d.error === null ? "" : ` ± ${short(d.error, 2)}`}`;
    return {
        title,
        description: `${dots.map(said).join(", ")}.`,
        height: dots.length * ROW + 48,
        option,
        rows: () => [
            ["name", label, "standard error"],
            ...dots.map((d) => [d.name, d.value, d.error ?? ""]),
        ],
    };
}
