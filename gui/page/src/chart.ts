// Charts as options of the library that draws them (echarts.ts): lines with bands, points, bars,
// tables of counts. Positions on logarithmic axes are logarithms, so that ticks are ours.

import { FAINT, INK, MUTED, PALETTE, type Look } from "./colours";
import { h } from "./dom";
import type { Option } from "./echarts";
import { day, dayTicks, logTicks, short, ticks } from "./numbers";

export interface Series {
    name: string;
    x: number[];
    y: (number | null | undefined)[];
    colour?: string;
    band?: { lo: (number | null)[]; hi: (number | null)[] };
    /** The band as an upright line through each point. */
    whiskers?: boolean;
    /** A word beside each point. */
    labels?: string[];
    /** What each point is: "row 12". */
    names?: (i: number) => string;
    dots?: boolean;
    /** Of points: their diameter. */
    size?: number;
    width?: number;
    line?: boolean;
    /** Not in the legend, and told by no word. */
    quiet?: boolean;
}

export interface Axis {
    label: string;
    log?: boolean;
    reverse?: boolean;
    from?: number;
    to?: number;
    whole?: boolean;
    /** Values are days since 1970-01-01. */
    days?: boolean;
}

export interface LineChart {
    title: string;
    x: Axis;
    y: Axis;
    series: Series[];
    /** Upright lines at values of x, with a word. */
    marks?: { x: number; label: string; colour?: string; strong?: boolean }[];
    /** A line at a value of y. */
    level?: { y: number; label: string };
    diagonal?: boolean;
    rug?: number[];
    /** "always": also where there is one line only. */
    legend?: boolean | "above" | "always";
    /** Names at the ends of lines, where there are few. */
    direct?: boolean;
    height?: number;
    /** What the pointer is told at a place, beside the values of the lines. */
    told?: (x: number) => string[];
}

/** From a value to where it is drawn, and back. */
interface Scale {
    lo: number;
    hi: number;
    to: (v: number) => number;
    from: (p: number) => number;
}

export interface Chart {
    title: string;
    /** What is to be seen, for those who do not see it. */
    description: string;
    /** Least, in pixels; of bars it is the height. */
    height: number;
    option: (look: Look, width: number, paper?: boolean) => Option;
    /** Values at a place of the drawing. */
    x?: Scale;
    y?: Scale;
    /** Ticks of the part that is seen. */
    ticks?: (x: [number, number], y: [number, number], width: number) => Option;
    /** Only the upright lines, where all else is as in `before`. */
    moved?: (before: Chart, look: Look) => Option | null;
    lines?: LineChart;
    /** What was clicked, by its place. */
    keys?: (string | undefined)[];
    /** As a table, for files. */
    rows: () => (string | number)[][];
}

export const FONT =
    "Inter, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Ubuntu, Cantarell, " +
    "'Liberation Sans', 'Nimbus Sans', Arial, sans-serif";
export const TEXT = 12;

/** Lines are told apart without their colours. */
const DASHES: (string | number[])[] = [
    "solid",
    [7, 4],
    [2, 3],
    [9, 3, 2, 3],
    [12, 4],
    [4, 2],
    [1, 2],
    [9, 3, 2, 3, 2, 3],
];
const MARKERS = ["circle", "rect", "triangle", "diamond", "pin", "arrow", "roundRect", "circle"];
const NAMED = 8;

// ---- scales ----

function finite(values: (number | null | undefined)[]): number[] {
    return values.filter((v): v is number => typeof v === "number" && Number.isFinite(v));
}

function range(values: number[], axis: Axis): [number, number] {
    const usable = axis.log ? values.filter((v) => v > 0) : values;
    let lo = axis.from ?? usable.reduce((a, b) => Math.min(a, b), Infinity);
    let hi = axis.to ?? usable.reduce((a, b) => Math.max(a, b), -Infinity);
    if (!(lo <= hi)) [lo, hi] = axis.log ? [1, 10] : [0, 1];
    if (lo === hi)
        [lo, hi] = axis.log
            ? [lo / 2, hi * 2]
            : [lo - (Math.abs(lo) * 0.1 || 1), hi + (Math.abs(hi) * 0.1 || 1)];
    return [lo, hi];
}

function scaleOf([lo, hi]: [number, number], axis: Axis, pad: number): Scale {
    const to = axis.log ? Math.log10 : (v: number): number => v;
    const from = axis.log ? (p: number): number => 10 ** p : (p: number): number => p;
    const margin = (to(hi) - to(lo)) * pad;
    return {
        lo: to(lo) - (axis.from === undefined ? margin : 0),
        hi: to(hi) + (axis.to === undefined ? margin : 0),
        to,
        from,
    };
}

// ---- axes ----

function tickValues(axis: Axis, lo: number, hi: number, many: number): number[] {
    if (axis.log) {
        const powers = logTicks(10 ** lo, 10 ** hi, many + 1);
        if (powers.length > 2 || hi - lo > 1) return powers.map(Math.log10);
        return ticks(10 ** lo, 10 ** hi, many).filter((v) => v > 0).map(Math.log10);
    }
    if (axis.days) return dayTicks(lo, hi, many);
    const all = ticks(lo, hi, many);
    return axis.whole ? all.filter((v) => Number.isInteger(v)) : all;
}

const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** 10⁻³ */
export function powerOfTen(exponent: number): string {
    const digits = String(Math.abs(exponent))
        .split("")
        .map((d) => SUPERSCRIPT[Number(d)]!)
        .join("");
    return `10${exponent < 0 ? "⁻" : ""}${digits}`;
}

export function tickText(at: number, axis: Axis): string {
    if (axis.days) return day(at);
    const v = axis.log ? 10 ** at : at;
    const e = Math.round(Math.log10(Math.abs(v)));
    const isPower = Math.abs(Math.abs(v) / 10 ** e - 1) < 1e-9;
    if (axis.log && isPower && (e < -1 || e > 3)) return powerOfTen(e);
    const text = short(v, axis.log ? 3 : 6);
    const parts = /^(-?)([\d.]+)e(-?\d+)$/.exec(text);
    if (!parts) return text.replace(/^-/, "−");
    const factor = parts[2] === "1" ? "" : `${parts[2]}·`;
    return `${parts[1] ? "−" : ""}${factor}${powerOfTen(Number(parts[3]))}`;
}

function ticksOption(axis: Axis, lo: number, hi: number, many: number): object {
    const customValues = tickValues(axis, lo, hi, many).filter(
        (v) => v >= lo - 1e-9 && v <= hi + 1e-9,
    );
    return {
        axisTick: { customValues },
        axisLabel: { customValues },
        splitLine: { customValues },
    };
}

function axisOption(axis: Axis, scale: Scale, look: Look, many: number, upright: boolean): object {
    const set = ticksOption(axis, scale.lo, scale.hi, many) as Record<string, object>;
    return {
        type: "value",
        inverse: Boolean(axis.reverse),
        min: scale.lo,
        max: scale.hi,
        name: axis.label,
        nameLocation: "middle",
        nameGap: upright ? 44 : 30,
        nameTextStyle: { color: look(INK), fontSize: TEXT },
        nameTruncate: { maxWidth: 420 },
        axisLine: { show: !upright, onZero: false, lineStyle: { color: look(MUTED) } },
        axisTick: { ...set["axisTick"], show: !upright, lineStyle: { color: look(MUTED) } },
        splitLine: {
            ...set["splitLine"],
            show: upright,
            lineStyle: { color: look("line"), width: 1 },
        },
        axisLabel: {
            ...set["axisLabel"],
            color: look(MUTED),
            fontSize: TEXT,
            hideOverlap: true,
            margin: upright ? 8 : 11,
            formatter: (v: number) => tickText(v, axis),
        },
        axisPointer: {
            label: {
                formatter: ({ value }: { value: number }) => valueText(axis, scale, value),
            },
        },
    };
}

function valueText(axis: Axis, scale: Scale, at: number): string {
    return axis.days ? day(at) : short(scale.from(at));
}

// ---- lines ----

type Pair = [number, number | null];

function pairsOf(s: Series, sx: Scale, sy: Scale): Pair[] {
    return s.x.map((x, i): Pair => {
        const y = s.y[i];
        const at = typeof y === "number" ? sy.to(y) : NaN;
        return [sx.to(x), Number.isFinite(at) ? at : null];
    });
}

/** What the library hands to a series that draws by itself. */
export interface Api {
    coord: (at: [number, number]) => [number, number];
    style: (extra: object) => object;
}

/** A number at the end of a whisker: the upper one, or the lower where there is no room. */
function whiskerLabel(text: string, x: number, ends: [number, number], top: number, look: Look) {
    const above = Math.min(...ends) - 8;
    const fits = above > top + 4;
    return {
        type: "text",
        silent: true,
        style: {
            text,
            x,
            y: fits ? above : Math.max(...ends) + 8,
            align: "center",
            verticalAlign: "middle",
            font: `${TEXT}px ${FONT}`,
            fill: look(MUTED),
        },
    };
}

function bandSeries(s: Series, colour: string, sx: Scale, sy: Scale, look: Look): object[] {
    if (!s.band) return [];
    const { lo, hi } = s.band;
    const there = s.x
        .map((_, i) => i)
        .filter((i) => Number.isFinite(lo[i] ?? NaN) && Number.isFinite(hi[i] ?? NaN));
    const at = (api: Api, i: number, y: number): [number, number] =>
        api.coord([sx.to(s.x[i]!), Math.max(sy.to(y), sy.lo - (sy.hi - sy.lo))]);
    const area = (_: unknown, api: Api): object => ({
        type: "polygon",
        shape: {
            points: [
                ...there.map((i) => at(api, i, hi[i]!)),
                ...[...there].reverse().map((i) => at(api, i, lo[i]!)),
            ],
        },
        style: { fill: colour, opacity: 0.16 },
        silent: true,
    });
    const whiskers = (params: { coordSys: { y: number } }, api: Api): object => ({
        type: "group",
        children: there.flatMap((i): object[] => {
            const [[x1, y1], [x2, y2]] = [at(api, i, lo[i]!), at(api, i, hi[i]!)];
            const line = {
                type: "line",
                shape: { x1, y1, x2, y2 },
                style: { stroke: colour, lineWidth: 1.5, opacity: 0.6 },
                silent: true,
            };
            const text = s.labels?.[i];
            return text
                ? [line, whiskerLabel(text, x1, [y1, y2], params.coordSys.y, look)]
                : [line];
        }),
    });
    if (there.length < (s.whiskers ? 1 : 2)) return [];
    return [
        {
            type: "custom",
            // of one name with its line, so that the legend hides both
            name: s.name,
            id: `band of ${s.name}`,
            data: [[sx.to(s.x[there[0]!]!), 0]],
            renderItem: s.whiskers ? whiskers : area,
            clip: true,
            silent: true,
            tooltip: { show: false },
            z: 1,
        },
    ];
}

export function shorten(name: string, most: number): string {
    if (name.length <= most) return name;
    const end = Math.floor((most - 1) / 2);
    return `${name.slice(0, most - 1 - end)}…${name.slice(-end)}`;
}

function lineSeries(
    s: Series,
    i: number,
    many: number,
    scales: [Scale, Scale],
    look: Look,
    direct: number,
    reverse: boolean,
): object[] {
    const [sx, sy] = scales;
    const named = i < NAMED;
    const colour = look(s.colour ?? (named ? PALETTE[i % PALETTE.length]! : FAINT));
    const data = pairsOf(s, sx, sy);
    if (s.line === false)
        return [
            {
                type: "scatter",
                name: s.name,
                id: s.name,
                data,
                symbol: MARKERS[i % MARKERS.length],
                symbolSize: s.size ?? 7,
                itemStyle: { color: colour, opacity: 0.65 },
                emphasis: { itemStyle: { opacity: 1, borderColor: look(INK), borderWidth: 1.5 } },
                z: 2,
            },
        ];
    const labels = s.whiskers ? undefined : s.labels;
    return [
        // first: the legend takes its sign from the first of a name
        {
            type: "line",
            name: s.name,
            id: s.name,
            data,
            symbol: MARKERS[i % MARKERS.length],
            symbolSize: 6,
            showSymbol: Boolean(s.dots) || data.filter(([, y]) => y !== null).length === 1,
            showAllSymbol: true,
            lineStyle: {
                color: colour,
                width: s.width ?? 2,
                type: many > 1 && named ? DASHES[i % DASHES.length] : "solid",
            },
            itemStyle: { color: colour },
            emphasis: { focus: many > 3 ? "series" : "none", lineStyle: { width: 3 } },
            z: named ? 3 : 2,
            ...(labels
                ? {
                      label: {
                          show: true,
                          color: look(MUTED),
                          fontSize: TEXT,
                          position: "top",
                          formatter: ({ dataIndex }: { dataIndex: number }) =>
                              labels[dataIndex] ?? "",
                      },
                  }
                : {}),
            ...(direct && named
                ? {
                      endLabel: {
                          show: true,
                          color: colour,
                          fontSize: TEXT,
                          // on a reversed axis the library would write into the picture
                          align: "left",
                          distance: reverse ? -7 : 7,
                          formatter: () => shorten(directName(s.name), direct),
                      },
                      labelLayout: { moveOverlap: "shiftY" },
                  }
                : { endLabel: { show: false } }),
        },
        ...bandSeries(s, colour, sx, sy, look),
    ];
}

/** Upright lines, the diagonal, a level: a series without points, so that they can move alone. */
function marksSeries(chart: LineChart, [sx, sy]: [Scale, Scale], look: Look): object {
    const named = (chart.marks ?? []).filter((m) => m.label).sort((a, b) => b.x - a.x);
    const upright = (chart.marks ?? [])
        .filter((m) => Number.isFinite(sx.to(m.x)))
        .map((m) => ({
            xAxis: sx.to(m.x),
            lineStyle: {
                color: look(m.colour ?? INK),
                width: m.strong ? 1.5 : 1,
                type: m.strong ? "solid" : [4, 3],
            },
            label: {
                show: Boolean(m.label),
                formatter: m.label,
                color: look(INK),
                fontSize: TEXT,
                // each word on the side away from the other's line
                position: "end",
                distance: 3,
                align: named.length < 2 ? "center" : named[0] === m ? "right" : "left",
            },
        }));
    const [a, b] = [Math.max(sx.lo, sy.lo), Math.min(sx.hi, sy.hi)];
    const diagonal = chart.diagonal
        ? [
              [
                  { coord: [a, a], lineStyle: { color: look(MUTED), width: 1, type: [4, 3] } },
                  { coord: [b, b] },
              ],
          ]
        : [];
    const level = chart.level
        ? [
              {
                  yAxis: sy.to(chart.level.y),
                  lineStyle: { color: look(MUTED), width: 1, type: [4, 3] },
                  label: {
                      show: Boolean(chart.level.label),
                      formatter: chart.level.label,
                      position: "insideEndTop",
                      color: look(MUTED),
                      fontSize: TEXT,
                  },
              },
          ]
        : [];
    return {
        type: "line",
        id: "marks",
        data: [],
        silent: true,
        markLine: {
            silent: true,
            symbol: "none",
            animation: false,
            label: { show: false },
            data: [...upright, ...diagonal, ...level],
        },
    };
}

function rugSeries(rug: number[], sx: Scale, look: Look): object[] {
    if (rug.length === 0) return [];
    const draw = (params: { coordSys: { y: number; height: number } }, api: Api): object => ({
        type: "group",
        children: rug.slice(0, 2000).map((v) => {
            const [x] = api.coord([sx.to(v), 0]);
            const y2 = params.coordSys.y + params.coordSys.height;
            return {
                type: "line",
                shape: { x1: x, x2: x, y1: y2 - 7, y2 },
                style: { stroke: look(INK), lineWidth: 0.6, opacity: 0.35 },
                silent: true,
            };
        }),
    });
    return [
        {
            ...{ type: "custom", id: "rug", renderItem: draw, clip: true, silent: true },
            data: [[sx.lo, 0]],
        },
    ];
}

/** The lines in words: where they begin and end, their least and their largest value. */
function describe(chart: LineChart): string {
    const told = chart.series
        .filter((s) => !s.quiet)
        .slice(0, NAMED)
        .map((s) => {
            const there = s.x
                .map((x, i): [number, number | null | undefined] => [x, s.y[i]])
                .filter(
                    (p): p is [number, number] => typeof p[1] === "number" && Number.isFinite(p[1]),
                );
            if (there.length === 0) return `${s.name}: nothing`;
            if (s.line === false) return `${s.name}: ${there.length} points`;
            const least = there.reduce((a, b) => (b[1] < a[1] ? b : a));
            const most = there.reduce((a, b) => (b[1] > a[1] ? b : a));
            const at = ([x, y]: [number, number]) => `${short(y)} at ${short(x)}`;
            const ends = `${at(there[0]!)}, ${at(there.at(-1)!)}`;
            return `${s.name}: ${ends}; least ${at(least)}, largest ${at(most)}`;
        });
    const more = chart.series.filter((s) => !s.quiet).length - told.length;
    return `${told.join(". ")}${more > 0 ? `. And ${more} more lines` : ""}.`;
}

// ---- what the pointer is told ----

/** Built of elements: names are words of the data, not markup. */
export function tip(head: string, rows: [string, string, string?][]): HTMLElement {
    return h(
        "div",
        { class: "tip" },
        head ? h("strong", {}, head) : null,
        rows.map(([name, value, colour]) => {
            const key = h("i", { class: "dot" });
            if (colour) key.style.background = colour;
            return h(
                "div",
                { class: "tip-row" },
                colour ? key : null,
                h("span", {}, name),
                h("b", {}, value),
            );
        }),
    );
}

interface Pointed {
    seriesName: string;
    seriesType: string;
    dataIndex: number;
    color: string;
    value: Pair;
}

const MOST_TOLD = 10;

function linesTip(chart: LineChart, [sx, sy]: [Scale, Scale]): (p: Pointed[]) => HTMLElement {
    return (all) => {
        const lines = all.filter((p) => p.seriesType !== "custom" && p.value[1] !== null);
        const x = all[0] ? sx.from(all[0].value[0]) : NaN;
        const value = (p: Pointed): number => sy.from(p.value[1]!);
        const shown =
            lines.length > MOST_TOLD
                ? [...lines].sort((a, b) => Math.abs(value(b)) - Math.abs(value(a)))
                : lines;
        const rows = shown.slice(0, MOST_TOLD).map((p): [string, string, string] => {
            const s = chart.series.find((c) => c.name === p.seriesName);
            const band = s?.band
                ? ` (${short(s.band.lo[p.dataIndex], 3)} – ${short(s.band.hi[p.dataIndex], 3)})`
                : "";
            return [shorten(p.seriesName, 40), short(value(p)) + band, p.color];
        });
        if (shown.length > MOST_TOLD)
            rows.push([`and ${shown.length - MOST_TOLD} smaller`, "", ""]);
        const label = chart.x.label.replace(/ \(.*/, "");
        const said = chart.told?.(x) ?? [];
        return tip(`${label} ${valueText(chart.x, sx, all[0]?.value[0] ?? NaN)}`, [
            ...rows,
            ...said.map((s): [string, string] => [s, ""]),
        ]);
    };
}

function pointTip(chart: LineChart, [sx, sy]: [Scale, Scale]): (p: Pointed) => HTMLElement {
    return (p) => {
        const s = chart.series.find((c) => c.name === p.seriesName);
        return tip(s?.names?.(p.dataIndex) ?? `${p.seriesName} ${p.dataIndex + 1}`, [
            [shorten(chart.x.label, 40), valueText(chart.x, sx, p.value[0])],
            [shorten(chart.y.label, 40), valueText(chart.y, sy, p.value[1] ?? NaN)],
        ]);
    };
}

export function tooltip(look: Look): object {
    return {
        confine: true,
        backgroundColor: look("panel"),
        borderColor: look("line"),
        padding: 8,
        textStyle: { color: look(INK), fontSize: TEXT, fontFamily: FONT },
        transitionDuration: 0,
    };
}

// ---- a chart of lines ----

function scalesOf(chart: LineChart): [Scale, Scale] {
    const ys = finite([
        ...chart.series.flatMap((s) => [...s.y, ...(s.band ? [...s.band.lo, ...s.band.hi] : [])]),
        chart.level?.y,
    ]);
    const xs = finite(chart.series.flatMap((s) => s.x));
    const both = chart.diagonal ? range([...xs, ...ys], chart.x) : null;
    return [
        scaleOf(both ?? range(xs, chart.x), chart.x, chart.x.log ? 0.01 : 0.02),
        scaleOf(both ?? range(ys, chart.y), chart.y, both ? 0.02 : 0.06),
    ];
}

/** One tick for so many pixels, five or six at most. */
const manyTicks = (width: number): number => Math.max(2, Math.min(5, Math.floor(width / 80)));

/** What stands in brackets stays in the legend. */
const directName = (name: string): string => name.replace(/ \(.*\)$/, "");

/** How many letters a name beside a line may have; 0 where there are none beside lines. */
function directLetters(chart: LineChart, width: number): number {
    const lines = chart.series.filter((s) => s.line !== false && !s.quiet);
    if (chart.direct === false || lines.length < 2 || width < 420) return 0;
    const longest = lines
        .slice(0, NAMED)
        .reduce((n, s) => Math.max(n, directName(s.name).length), 0);
    return Math.min(longest, width > 560 ? 20 : 14);
}

/** Lines of a legend whose names are all written out. */
function legendLines(names: string[], width: number): number {
    const [SIGN, GAP, LETTER] = [33, 12, 6.4];
    let [lines, used] = [1, 0];
    for (const name of names) {
        const wide = SIGN + GAP + name.length * LETTER;
        if (used > 0 && used + wide > width) [lines, used] = [lines + 1, 0];
        used += wide;
    }
    return lines;
}

const LEGEND_LINE = 17;

export function lineChart(chart: LineChart): Chart {
    const scales = scalesOf(chart);
    const [sx, sy] = scales;
    const spoken = chart.series.filter((s) => !s.quiet);
    const named = chart.legend === "always" || (chart.legend !== false && spoken.length > 1);
    const names = spoken.slice(0, NAMED).map((s) => s.name);
    const points = chart.series.every((s) => s.line === false);
    const option = (look: Look, width: number, paper = false): Option => {
        const direct = points ? 0 : directLetters(chart, width);
        const letters = Math.floor((width - 50) / 6.4);
        const lines = legendLines(names.map((n) => shorten(n, letters)), width - 8);
        return {
            animation: false,
            textStyle: { fontFamily: FONT, fontSize: TEXT },
            ...(paper ? { backgroundColor: "#ffffff" } : {}),
            grid: {
                left: 58,
                right: direct ? Math.round(direct * 6.6) + 18 : 16,
                top:
                    (named ? 17 + LEGEND_LINE * lines : 14) +
                    (chart.marks?.some((m) => m.label) ? 12 : 0),
                bottom: 44,
                containLabel: false,
                outerBoundsMode: "none",
            },
            legend: {
                show: named,
                top: 0,
                left: 0,
                right: 8,
                itemWidth: points ? 10 : 26,
                itemHeight: 9,
                itemGap: 8,
                inactiveColor: look("line"),
                textStyle: { color: look(INK), fontSize: TEXT },
                formatter: (name: string) => shorten(name, letters),
                data: names,
            },
            tooltip: {
                ...tooltip(look),
                trigger: points ? "item" : "axis",
                formatter: points ? pointTip(chart, scales) : linesTip(chart, scales),
                axisPointer: {
                    type: points ? "none" : "cross",
                    snap: true,
                    lineStyle: { color: look(MUTED) },
                    crossStyle: { color: look(MUTED) },
                    label: {
                        backgroundColor: look(MUTED),
                        color: look("panel"),
                        fontSize: TEXT,
                    },
                },
            },
            xAxis: axisOption(chart.x, sx, look, manyTicks(width - 80), false),
            yAxis: axisOption(chart.y, sy, look, 5, true),
            dataZoom: paper
                ? []
                : ["x", "y"].map((axis) => ({
                      type: "inside",
                      id: `zoom ${axis}`,
                      [`${axis}AxisIndex`]: 0,
                      filterMode: "none",
                      zoomOnMouseWheel: "ctrl",
                      moveOnMouseWheel: false,
                      moveOnMouseMove: "shift",
                  })),
            series: [
                ...chart.series.flatMap((s, i) =>
                    lineSeries(
                        s,
                        i,
                        chart.series.length,
                        scales,
                        look,
                        direct,
                        Boolean(chart.x.reverse),
                    ),
                ),
                ...rugSeries(chart.rug ?? [], sx, look),
                marksSeries(chart, scales, look),
            ],
        };
    };
    return {
        title: chart.title,
        description: describe(chart),
        height: (chart.height ?? 300) + (named ? LEGEND_LINE * legendLines(names, 480) : 0),
        option,
        x: sx,
        y: sy,
        lines: chart,
        ticks: (x, y, width) => ({
            xAxis: ticksOption(chart.x, ...x, manyTicks(width - 80)),
            yAxis: ticksOption(chart.y, ...y, 5),
        }),
        moved: (before, look) =>
            before.lines && sameLines(before.lines, chart)
                ? { series: [marksSeries(chart, scales, look)] }
                : null,
        rows: () => [
            ["series", chart.x.label, chart.y.label, "lower", "upper"],
            ...chart.series.flatMap((s) =>
                s.x.map((x, i) => [
                    s.names ? `${s.name}: ${s.names(i)}` : s.name,
                    x,
                    s.y[i] ?? "",
                    s.band?.lo[i] ?? "",
                    s.band?.hi[i] ?? "",
                ]),
            ),
        ],
    };
}

/** Nothing but the upright lines differs. */
function sameLines(a: LineChart, b: LineChart): boolean {
    return (
        a.title === b.title &&
        a.x.label === b.x.label &&
        a.y.label === b.y.label &&
        a.series.length === b.series.length &&
        a.series.every((s, i) => {
            const t = b.series[i]!;
            return s.name === t.name && s.x === t.x && s.y === t.y && s.colour === t.colour;
        })
    );
}

// ---- bars ----

export interface Bar {
    /** Told when the bar is clicked. */
    pick?: string;
    name: string;
    value: number;
    colour?: string;
    title?: string;
    /** Where it may lie. */
    band?: [number, number];
}

const ROW = 24;

function barWhiskers(bars: Bar[], look: Look): object[] {
    if (!bars.some((b) => b.band)) return [];
    const draw = (_: unknown, api: Api): object => ({
        type: "group",
        children: bars.flatMap((b, i) => {
            if (!b.band) return [];
            const [x1, y] = api.coord([b.band[0], i]);
            const [x2] = api.coord([b.band[1], i]);
            return [
                {
                    type: "line",
                    shape: { x1, y1: y, x2, y2: y },
                    style: { stroke: look(INK), lineWidth: 1.5, opacity: 0.7 },
                    silent: true,
                },
            ];
        }),
    });
    return [{ type: "custom", id: "whiskers", renderItem: draw, data: [[0, 0]], silent: true }];
}

/** Bars that lie, each with its name; values may be negative. */
export function barChart(title: string, label: string, bars: Bar[]): Chart {
    const ends = bars.flatMap((b) => [b.value, ...(b.band ?? [])]);
    const [lo, hi] = [Math.min(0, ...ends), Math.max(0, ...ends)];
    const option = (look: Look, width: number, paper = false): Option => {
        const most = Math.floor(Math.min(width * 0.45, 300) / 6.8);
        const longest = bars.reduce((n, b) => Math.max(n, b.name.length), 0);
        const left = Math.min(most, longest) * 6.8 + 18;
        // for the numbers beside bars
        const NUMBER = 48;
        const sides = lo < 0 && hi > 0 ? 2 : 1;
        const room = ((hi - lo || 1) * NUMBER) / Math.max(60, width - left - 12 - sides * NUMBER);
        return {
            animation: false,
            textStyle: { fontFamily: FONT, fontSize: TEXT },
            ...(paper ? { backgroundColor: "#ffffff" } : {}),
            grid: { left, right: 12, top: 4, bottom: 24, outerBoundsMode: "none" },
            tooltip: {
                ...tooltip(look),
                trigger: "item",
                formatter: ({ dataIndex }: { dataIndex: number }) => {
                    const b = bars[dataIndex]!;
                    return tip(b.title ?? `${b.name}: ${short(b.value)}`, []);
                },
            },
            xAxis: {
                type: "value",
                min: lo < 0 ? lo - room : 0,
                max: hi + (hi > 0 ? room : 0) || 1,
                name: label,
                nameLocation: "middle",
                nameGap: 8,
                nameTextStyle: { color: look(INK), fontSize: TEXT },
                axisLabel: { show: false },
                axisTick: { show: false },
                splitLine: { show: false },
                axisLine: { show: false },
            },
            yAxis: {
                type: "category",
                inverse: true,
                data: bars.map((b) => b.name),
                triggerEvent: true,
                axisTick: { show: false },
                axisLine: { onZero: true, lineStyle: { color: look(MUTED) } },
                axisLabel: {
                    color: look(INK),
                    fontSize: TEXT,
                    interval: 0,
                    margin: 8,
                    formatter: (name: string) => shorten(name, most),
                },
            },
            series: [
                {
                    type: "bar",
                    id: "bars",
                    barWidth: 15,
                    data: bars.map((b) => ({
                        value: b.value,
                        itemStyle: {
                            color: look(b.colour ?? PALETTE[0]!),
                            borderRadius: b.value < 0 ? [3, 0, 0, 3] : [0, 3, 3, 0],
                        },
                        label: {
                            show: true,
                            position: b.value < 0 ? "left" : "right",
                            color: look(MUTED),
                            fontSize: TEXT,
                            formatter: () => tickText(Number(short(b.value)), { label: "" }),
                        },
                    })),
                    cursor: bars.some((b) => b.pick) ? "pointer" : "default",
                },
                ...barWhiskers(bars, look),
            ],
        };
    };
    return {
        title,
        description: `${bars
            .slice(0, 25)
            .map((b) => `${b.name} ${short(b.value)}`)
            .join(", ")}.`,
        height: bars.length * ROW + 34,
        option,
        keys: bars.map((b) => b.pick),
        rows: () => [["name", label], ...bars.map((b) => [b.name, b.value])],
    };
}

// ---- counts ----

/** Rows: what it is; columns: what it is predicted to be; at the end of a row, how many of it are
 *  right. */
export function confusionChart(title: string, classes: string[], counts: number[][]): Chart {
    const cell = Math.max(30, Math.min(58, 380 / classes.length));
    const sums = counts.map((line) => line.reduce((s, v) => s + v, 0));
    const right = (a: number): string =>
        sums[a] ? `${Math.round((100 * (counts[a]?.[a] ?? 0)) / sums[a])} %` : "–";
    const told = counts.flatMap((line, a) =>
        line.map((v, b) => `${v} ${classes[a]} predicted to be ${classes[b]}`),
    );
    const cells = counts.flatMap((line, a) => line.map((v, b) => [b, a, v]));
    const option = (look: Look, width: number, paper = false): Option => {
        const letters = Math.max(3, Math.floor((width - 190) / classes.length / 7.2));
        const draw = (
            _: unknown,
            api: Api & { value: (i: number) => number; size: (d: number[]) => [number, number] },
        ): object => {
            const [b, a, v] = [api.value(0), api.value(1), api.value(2)];
            const [x, y] = api.coord([b, a]);
            const [w, t] = api.size([1, 1]);
            return {
                type: "rect",
                shape: { x: x - w / 2 + 1, y: y - t / 2 + 1, width: w - 2, height: t - 2, r: 4 },
                style: {
                    fill: look(a === b ? PALETTE[2]! : PALETTE[1]!),
                    opacity: 0.1 + (0.5 * v) / (sums[a] || 1),
                },
                textContent: {
                    style: {
                        text: String(v),
                        fill: look(INK),
                        font: `${a === b ? 600 : 400} 13px ${FONT}`,
                    },
                },
                textConfig: { position: "inside" },
            };
        };
        const axis = (inverse: boolean): object => ({
            type: "category",
            inverse,
            data: classes,
            position: inverse ? "left" : "top",
            name: inverse ? "true class" : "predicted class",
            nameLocation: "middle",
            nameGap: inverse ? 104 : 24,
            nameTextStyle: { color: look(INK), fontSize: TEXT },
            axisLine: { show: false },
            axisTick: { show: false },
            axisLabel: {
                color: look(INK),
                fontSize: TEXT,
                interval: 0,
                formatter: (name: string) => shorten(name, inverse ? 13 : letters),
            },
        });
        return {
            animation: false,
            textStyle: { fontFamily: FONT, fontSize: TEXT },
            ...(paper ? { backgroundColor: "#ffffff" } : {}),
            grid: { left: 122, right: 52, top: 46, bottom: 8, outerBoundsMode: "none" },
            tooltip: {
                ...tooltip(look),
                trigger: "item",
                formatter: ({ dataIndex }: { dataIndex: number }) =>
                    tip(told[dataIndex] ?? "", []),
            },
            xAxis: axis(false),
            yAxis: [
                axis(true),
                {
                    type: "category",
                    inverse: true,
                    position: "right",
                    data: classes,
                    name: "right",
                    nameLocation: "start",
                    nameGap: 10,
                    nameTextStyle: { color: look(MUTED), fontSize: TEXT },
                    axisLine: { show: false },
                    axisTick: { show: false },
                    axisLabel: {
                        color: look(MUTED),
                        fontSize: TEXT,
                        interval: 0,
                        formatter: (_: string, i: number) => right(i),
                    },
                },
            ],
            series: [{ type: "custom", id: "cells", renderItem: draw, data: cells }],
        };
    };
    return {
        title,
        description: `${told.slice(0, 100).join(", ")}.`,
        height: 54 + cell * classes.length,
        option,
        rows: () => [
            ["true class", ...classes],
            ...counts.map((line, a) => [classes[a] ?? "", ...line]),
        ],
    };
}

/** A distribution beside a word: too small for axes. */
export function sparkBars(counts: number[], label: string, width = 96, height = 24): Element {
    const most = Math.max(1, ...counts);
    const w = width / counts.length;
    return h(
        "svg",
        {
            class: "spark",
            viewBox: `0 0 ${width} ${height}`,
            width,
            height,
            role: "img",
            "aria-label": label,
        },
        counts.map((c, i) =>
            h("rect", {
                x: i * w,
                y: height - (c / most) * height,
                width: w - 1,
                height: (c / most) * height,
            }),
        ),
    );
}
