// Charts as scenes: axes, lines, bands, bars, points, and what lies under the pointer.

import { INK, MUTED, PALETTE, type Mark, type Scene } from "./scene";
import { day, dayTicks, logTicks, short, ticks } from "./numbers";

export interface Series {
    name: string;
    x: number[];
    y: (number | null | undefined)[];
    colour?: string;
    band?: { lo: (number | null)[]; hi: (number | null)[] };
    /** The band as an upright line through each point. */
    whiskers?: boolean;
    /** A word above each point. */
    labels?: string[];
    dots?: boolean;
    dash?: number[];
    width?: number;
    line?: boolean;
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
    diagonal?: boolean;
    rug?: number[];
    /** "above": the picture grows by the lines the names need; at most eight are named. "always":
     *  also where there is one line only. */
    legend?: boolean | "above" | "always";
    width?: number;
    height?: number;
}

export interface Placed {
    scene: Scene;
    toX: (value: number) => number;
    toY: (value: number) => number;
    fromX: (pixel: number) => number;
    fromY: (pixel: number) => number;
    left: number;
    right: number;
    top: number;
    bottom: number;
}

interface Scale {
    to: (v: number) => number;
    from: (p: number) => number;
    lo: number;
    hi: number;
}

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

function scale([lo, hi]: [number, number], axis: Axis, a: number, b: number, pad: number): Scale {
    const f = axis.log ? Math.log10 : (v: number): number => v;
    const g = axis.log ? (v: number): number => 10 ** v : (v: number): number => v;
    const margin = (f(hi) - f(lo)) * pad;
    let [from, to] = [
        f(lo) - (axis.from === undefined ? margin : 0),
        f(hi) + (axis.to === undefined ? margin : 0),
    ];
    if (axis.reverse) [from, to] = [to, from];
    return {
        to: (v) => a + ((f(v) - from) / (to - from)) * (b - a),
        from: (p) => g(from + ((p - a) / (b - a)) * (to - from)),
        lo: Math.min(g(from), g(to)),
        hi: Math.max(g(from), g(to)),
    };
}

function axisTicks(axis: Axis, s: Scale): number[] {
    if (axis.log) return logTicks(s.lo, s.hi);
    if (axis.days) return dayTicks(s.lo, s.hi);
    const all = ticks(s.lo, s.hi);
    return axis.whole ? all.filter((v) => Number.isInteger(v)) : all;
}

function tickText(v: number, axis: Axis): string {
    if (axis.days) return day(v);
    if (!axis.log) return short(v, 6);
    const e = Math.log10(v);
    return Number.isInteger(e) && (e < -2 || e > 3) ? `1e${e}` : short(v, 3);
}

function drawAxes(chart: LineChart, p: Placed, sx: Scale, sy: Scale, marks: Mark[]): void {
    for (const v of axisTicks(chart.y, sy)) {
        const y = sy.to(v);
        marks.push({
            kind: "line",
            points: [
                [p.left, y],
                [p.right, y],
            ],
            stroke: MUTED,
            width: 0.5,
            opacity: 0.35,
        });
        marks.push({
            kind: "text",
            x: p.left - 6,
            y: y + 4,
            text: tickText(v, chart.y),
            anchor: "end",
            size: 11,
            fill: MUTED,
        });
    }
    for (const v of axisTicks(chart.x, sx)) {
        const x = sx.to(v);
        marks.push({
            kind: "line",
            points: [
                [x, p.bottom],
                [x, p.bottom + 4],
            ],
            stroke: MUTED,
            width: 1,
        });
        marks.push({
            kind: "text",
            x,
            y: p.bottom + 16,
            text: tickText(v, chart.x),
            anchor: "middle",
            size: 11,
            fill: MUTED,
        });
    }
    marks.push({
        kind: "line",
        points: [
            [p.left, p.bottom],
            [p.right, p.bottom],
        ],
        stroke: MUTED,
        width: 1,
    });
    marks.push({
        kind: "text",
        x: (p.left + p.right) / 2,
        y: p.bottom + 33,
        text: chart.x.label,
        anchor: "middle",
        size: 12,
    });
    marks.push({
        kind: "text",
        x: 13,
        y: (p.top + p.bottom) / 2,
        text: chart.y.label,
        anchor: "middle",
        size: 12,
        turn: -90,
    });
}

/** The runs of defined points of a series. */
function pieces(s: Series, sx: Scale, sy: Scale): [number, number][][] {
    const out: [number, number][][] = [];
    let piece: [number, number][] = [];
    s.x.forEach((x, i) => {
        const y = s.y[i];
        const at: [number, number] = [sx.to(x), typeof y === "number" ? sy.to(y) : NaN];
        if (Number.isFinite(at[0]) && Number.isFinite(at[1])) piece.push(at);
        else if (piece.length) {
            out.push(piece);
            piece = [];
        }
    });
    if (piece.length) out.push(piece);
    return out;
}

function drawWhiskers(s: Series, colour: string, sx: Scale, sy: Scale, marks: Mark[]): void {
    s.x.forEach((x, i) => {
        const [lo, hi] = [s.band?.lo[i], s.band?.hi[i]];
        if (typeof lo !== "number" || typeof hi !== "number") return;
        marks.push({
            kind: "line",
            points: [
                [sx.to(x), sy.to(lo)],
                [sx.to(x), sy.to(hi)],
            ],
            stroke: colour,
            width: 1.5,
            opacity: 0.5,
        });
    });
}

/** Beside the point, on the side where the diagonal is not. */
function drawLabels(s: Series, sx: Scale, sy: Scale, marks: Mark[]): void {
    s.x.forEach((x, i) => {
        const [y, text] = [s.y[i], s.labels?.[i]];
        if (typeof y !== "number" || !text) return;
        const below = y < x;
        marks.push({
            kind: "text",
            x: sx.to(x) + (below ? 5 : -5),
            y: sy.to(y) + (below ? 13 : -6),
            text,
            anchor: below ? "start" : "end",
            size: 11,
            fill: MUTED,
        });
    });
}

function drawBand(s: Series, colour: string, sx: Scale, sy: Scale, marks: Mark[]): void {
    if (!s.band) return;
    const { lo, hi } = s.band;
    if (s.whiskers) return drawWhiskers(s, colour, sx, sy, marks);
    const there = s.x
        .map((_, i) => i)
        .filter((i) => Number.isFinite(lo[i] ?? NaN) && Number.isFinite(hi[i] ?? NaN));
    if (there.length < 2) return;
    const upper = there.map((i): [number, number] => [sx.to(s.x[i]!), sy.to(hi[i]!)]);
    const lower = there.map((i): [number, number] => [sx.to(s.x[i]!), sy.to(lo[i]!)]);
    marks.push({
        kind: "line",
        points: [...upper, ...lower.reverse()],
        closed: true,
        fill: colour,
        opacity: 0.18,
    });
}

function drawSeries(s: Series, colour: string, sx: Scale, sy: Scale, marks: Mark[]): void {
    drawBand(s, colour, sx, sy, marks);
    for (const piece of pieces(s, sx, sy)) {
        if (s.line !== false && piece.length > 1) {
            const line: Mark = {
                kind: "line",
                points: piece,
                stroke: colour,
                width: s.width ?? 2,
                title: s.name,
            };
            if (s.dash) line.dash = s.dash;
            marks.push(line);
        }
        if (s.dots || s.line === false || piece.length === 1)
            for (const [x, y] of piece)
                marks.push({
                    kind: "dot",
                    x,
                    y,
                    r: s.line === false ? 3 : 2.5,
                    fill: colour,
                    opacity: s.line === false ? 0.8 : 1,
                });
    }
    if (s.labels) drawLabels(s, sx, sy, marks);
}

interface Key {
    x: number;
    row: number;
    series: Series;
    colour: string;
}

/** Names beside each other, and below where the width ends. */
function legendKeys(chart: LineChart, left: number, right: number): Key[] {
    let [x, row] = [left, 0];
    return chart.series.slice(0, 8).map((series, i) => {
        const width = 26 + series.name.length * 7.2 + 12;
        if (x > left && x + width > right + 12) [x, row] = [left, row + 1];
        const key = { x, row, series, colour: series.colour ?? PALETTE[i % PALETTE.length]! };
        x += width;
        return key;
    });
}

function drawLegend(keys: Key[], marks: Mark[]): void {
    for (const { x, row, series, colour } of keys) {
        const y = 12 + 17 * row;
        const line: Mark = {
            kind: "line",
            points: [
                [x, y],
                [x + 18, y],
            ],
            stroke: colour,
            width: 3,
        };
        if (series.dash) line.dash = series.dash;
        marks.push(
            series.line === false ? { kind: "dot", x: x + 9, y, r: 3.5, fill: colour } : line,
        );
        marks.push({ kind: "text", x: x + 23, y: y + 4, text: series.name, size: 12 });
    }
}

/** The lines in words: where they begin and end, their least and their largest value. */
function describe(chart: LineChart): string {
    const told = chart.series.slice(0, 8).map((s) => {
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
    const more = chart.series.length - told.length;
    return `${told.join(". ")}${more > 0 ? `. And ${more} more lines` : ""}.`;
}

/** Each mark's word stands on the side away from the other's line. */
function drawMarks(chart: LineChart, p: Placed, sx: Scale, marks: Mark[]): void {
    const placed = (chart.marks ?? [])
        .map((m) => ({ ...m, at: sx.to(m.x) }))
        .filter((m) => Number.isFinite(m.at));
    const named = placed.filter((m) => m.label).sort((a, b) => a.at - b.at);
    for (const m of placed) {
        marks.push({
            kind: "line",
            points: [
                [m.at, p.top],
                [m.at, p.bottom],
            ],
            stroke: m.colour ?? INK,
            width: m.strong ? 1.5 : 1,
            ...(m.strong ? {} : { dash: [4, 3] }),
        });
        if (!m.label) continue;
        const first = named.length > 1 && named[0] === m;
        const left = m.at - p.left > 34 && (first || p.right - m.at < 34);
        marks.push({
            kind: "text",
            x: left ? m.at - 4 : m.at + 4,
            y: p.top + 11,
            text: m.label,
            size: 11,
            anchor: left ? "end" : "start",
            fill: m.colour ?? INK,
        });
    }
}

export function lineChart(chart: LineChart): Placed {
    const width = chart.width ?? 560;
    const named = chart.legend === "always" || (chart.legend !== false && chart.series.length > 1);
    const keys = named ? legendKeys(chart, 62, width - 14) : [];
    const top = keys.length ? 28 + 17 * keys.at(-1)!.row : 12;
    const height = (chart.height ?? 300) + (chart.legend === "above" ? top - 12 : 0);
    const p = { left: 62, right: width - 14, top, bottom: height - 44 };
    const ys = finite(
        chart.series.flatMap((s) => [...s.y, ...(s.band ? [...s.band.lo, ...s.band.hi] : [])]),
    );
    const xs = finite(chart.series.flatMap((s) => s.x));
    const both = chart.diagonal ? range([...xs, ...ys], chart.x) : null;
    const sx = scale(
        both ?? range(xs, chart.x),
        chart.x,
        p.left,
        p.right,
        chart.x.log ? 0.01 : 0.02,
    );
    const sy = scale(both ?? range(ys, chart.y), chart.y, p.bottom, p.top, 0.06);
    const marks: Mark[] = [];
    const placed: Placed = {
        ...p,
        scene: { width, height, title: chart.title, description: describe(chart), marks },
        toX: sx.to,
        toY: sy.to,
        fromX: sx.from,
        fromY: sy.from,
    };
    drawAxes(chart, placed, sx, sy, marks);
    if (chart.diagonal && both)
        marks.push({
            kind: "line",
            points: [
                [sx.to(both[0]), sy.to(both[0])],
                [sx.to(both[1]), sy.to(both[1])],
            ],
            stroke: MUTED,
            width: 1,
            dash: [4, 3],
        });
    for (const v of (chart.rug ?? []).slice(0, 2000))
        marks.push({
            kind: "line",
            points: [
                [sx.to(v), p.bottom],
                [sx.to(v), p.bottom - 7],
            ],
            stroke: INK,
            width: 0.6,
            opacity: 0.35,
        });
    chart.series.forEach((s, i) =>
        drawSeries(s, s.colour ?? PALETTE[i % PALETTE.length]!, sx, sy, marks),
    );
    drawMarks(chart, placed, sx, marks);
    drawLegend(keys, marks);
    return placed;
}

export interface Bar {
    /** Told when the bar is clicked. */
    pick?: string;
    name: string;
    value: number;
    colour?: string;
    title?: string;
}

/** Bars that lie, each with its name; values may be negative. */
export function barChart(title: string, label: string, bars: Bar[], width = 560): Scene {
    const row = 22;
    const names = Math.min(300, Math.max(60, ...bars.map((b) => b.name.length * 7.6)));
    const [left, right, top] = [names + 12, width - 64, 6];
    const lo = Math.min(0, ...bars.map((b) => b.value));
    const hi = Math.max(0, ...bars.map((b) => b.value), lo === 0 ? 1e-12 : 0);
    const to = (v: number): number => left + ((v - lo) / (hi - lo || 1)) * (right - left);
    const marks: Mark[] = [];
    bars.forEach((b, i) => {
        const y = top + i * row;
        const most = Math.floor(names / 7.4);
        const name =
            b.name.length > most
                ? b.name.slice(0, Math.ceil(most / 2) - 1) +
                  `…${b.name.slice(-Math.floor(most / 2))}`
                : b.name;
        marks.push({ kind: "text", x: left - 8, y: y + 15, text: name, anchor: "end", size: 12 });
        const bar: Mark = {
            kind: "rect",
            x: Math.min(to(0), to(b.value)),
            y: y + 3,
            w: Math.abs(to(b.value) - to(0)),
            h: row - 7,
            fill: b.colour ?? PALETTE[0]!,
            title: b.title ?? `${b.name}: ${short(b.value)}`,
        };
        marks.push(b.pick === undefined ? bar : { ...bar, pick: b.pick });
        marks.push({
            kind: "text",
            x: Math.max(to(0), to(b.value)) + 5,
            y: y + 15,
            text: short(b.value),
            size: 11,
            fill: MUTED,
        });
    });
    const bottom = top + bars.length * row;
    marks.push({
        kind: "line",
        points: [
            [to(0), top],
            [to(0), bottom],
        ],
        stroke: MUTED,
        width: 1,
    });
    marks.push({
        kind: "text",
        x: (left + right) / 2,
        y: bottom + 16,
        text: label,
        anchor: "middle",
        size: 12,
    });
    const description = `${bars
        .slice(0, 25)
        .map((b) => `${b.name} ${short(b.value)}`)
        .join(", ")}.`;
    return { width, height: bottom + 24, title, description, marks };
}

function cut(text: string, most: number): string {
    return text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text;
}

/** Rows: what it is; columns: what it is predicted to be; at the end of a row, how many of it are
 *  right. */
export function confusionChart(
    title: string,
    classes: string[],
    counts: number[][],
    width = 560,
): Scene {
    const cell = Math.max(26, Math.min(64, (width - 230) / classes.length));
    const [left, top] = [Math.max(150, (width - cell * classes.length) / 2), 48];
    const marks: Mark[] = [];
    marks.push({
        kind: "text",
        x: left + (cell * classes.length) / 2,
        y: 14,
        text: "predicted class",
        anchor: "middle",
        size: 12,
    });
    marks.push({
        kind: "text",
        x: left - 128,
        y: top + (cell * classes.length) / 2,
        text: "true class",
        anchor: "middle",
        size: 12,
        turn: -90,
    });
    marks.push({
        kind: "text",
        x: left + cell * classes.length + 8,
        y: top - 8,
        text: "right",
        size: 11,
        fill: MUTED,
    });
    counts.forEach((line, a) => {
        const sum = line.reduce((s, v) => s + v, 0);
        const middle = top + a * cell + cell / 2 + 4;
        marks.push({
            kind: "text",
            x: left - 8,
            y: middle,
            text: cut(classes[a] ?? "", 17),
            anchor: "end",
            size: 11,
        });
        marks.push({
            kind: "text",
            x: left + a * cell + cell / 2,
            y: top - 8,
            text: cut(classes[a] ?? "", Math.max(3, Math.floor(cell / 6.2))),
            anchor: "middle",
            size: 11,
        });
        marks.push({
            kind: "text",
            x: left + cell * classes.length + 8,
            y: middle,
            text: sum ? `${Math.round((100 * (line[a] ?? 0)) / sum)} %` : "–",
            size: 11,
            fill: MUTED,
        });
        line.forEach((v, b) => {
            marks.push({
                kind: "rect",
                x: left + b * cell,
                y: top + a * cell,
                w: cell - 2,
                h: cell - 2,
                fill: a === b ? PALETTE[2]! : PALETTE[1]!,
                opacity: 0.08 + (0.5 * v) / (sum || 1),
                title: `${classes[a]} predicted to be ${classes[b]}: ${v}`,
            });
            marks.push({
                kind: "text",
                x: left + b * cell + cell / 2 - 1,
                y: middle,
                text: String(v),
                anchor: "middle",
                size: 12,
                bold: a === b,
            });
        });
    });
    const told = counts.flatMap((line, a) =>
        line.map((v, b) => `${v} ${classes[a]} predicted to be ${classes[b]}`),
    );
    return {
        width,
        height: top + cell * classes.length + 10,
        title,
        description: `${told.slice(0, 100).join(", ")}.`,
        marks,
    };
}

export function sparkBars(counts: number[], width = 96, height = 24): Scene {
    const most = Math.max(1, ...counts);
    const w = width / counts.length;
    return {
        width,
        height,
        title: "distribution",
        marks: counts.map((c, i): Mark => ({
            kind: "rect",
            x: i * w,
            y: height - (c / most) * height,
            w: w - 1,
            h: (c / most) * height,
            fill: PALETTE[0]!,
        })),
    };
}
