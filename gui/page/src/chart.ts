// Charts as scenes: axes, lines, bands, bars, points, and what lies under the pointer.

import { INK, MUTED, PALETTE, type Mark, type Scene } from "./scene";
import { logTicks, short, ticks } from "./numbers";

export interface Series {
    name: string;
    x: number[];
    y: (number | null | undefined)[];
    colour?: string;
    band?: { lo: (number | null)[]; hi: (number | null)[] };
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
    legend?: boolean;
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
    if (lo === hi) [lo, hi] = axis.log ? [lo / 2, hi * 2] : [lo - (Math.abs(lo) * 0.1 || 1), hi + (Math.abs(hi) * 0.1 || 1)];
    return [lo, hi];
}

function scale([lo, hi]: [number, number], axis: Axis, a: number, b: number, pad: number): Scale {
    const f = axis.log ? Math.log10 : (v: number): number => v;
    const g = axis.log ? (v: number): number => 10 ** v : (v: number): number => v;
    const margin = (f(hi) - f(lo)) * pad;
    let [from, to] = [f(lo) - (axis.from === undefined ? margin : 0), f(hi) + (axis.to === undefined ? margin : 0)];
    if (axis.reverse) [from, to] = [to, from];
    return { to: (v) => a + ((f(v) - from) / (to - from)) * (b - a), from: (p) => g(from + ((p - a) / (b - a)) * (to - from)), lo: Math.min(g(from), g(to)), hi: Math.max(g(from), g(to)) };
}

function axisTicks(axis: Axis, s: Scale): number[] {
    if (axis.log) return logTicks(s.lo, s.hi);
    const all = ticks(s.lo, s.hi);
    return axis.whole ? all.filter((v) => Number.isInteger(v)) : all;
}

function tickText(v: number, axis: Axis): string {
    if (!axis.log) return short(v, 6);
    const e = Math.log10(v);
    return Number.isInteger(e) && (e < -2 || e > 3) ? `1e${e}` : short(v, 3);
}

function drawAxes(chart: LineChart, p: Placed, sx: Scale, sy: Scale, marks: Mark[]): void {
    for (const v of axisTicks(chart.y, sy)) {
        const y = sy.to(v);
        marks.push({ kind: "line", points: [[p.left, y], [p.right, y]], stroke: MUTED, width: 0.5, opacity: 0.35 });
        marks.push({ kind: "text", x: p.left - 6, y: y + 4, text: tickText(v, chart.y), anchor: "end", size: 11, fill: MUTED });
    }
    for (const v of axisTicks(chart.x, sx)) {
        const x = sx.to(v);
        marks.push({ kind: "line", points: [[x, p.bottom], [x, p.bottom + 4]], stroke: MUTED, width: 1 });
        marks.push({ kind: "text", x, y: p.bottom + 16, text: tickText(v, chart.x), anchor: "middle", size: 11, fill: MUTED });
    }
    marks.push({ kind: "line", points: [[p.left, p.bottom], [p.right, p.bottom]], stroke: MUTED, width: 1 });
    marks.push({ kind: "text", x: (p.left + p.right) / 2, y: p.bottom + 33, text: chart.x.label, anchor: "middle", size: 12 });
    marks.push({ kind: "text", x: 13, y: (p.top + p.bottom) / 2, text: chart.y.label, anchor: "middle", size: 12, turn: -90 });
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

function drawBand(s: Series, colour: string, sx: Scale, sy: Scale, marks: Mark[]): void {
    if (!s.band) return;
    const { lo, hi } = s.band;
    const there = s.x.map((_, i) => i).filter((i) => Number.isFinite(lo[i] ?? NaN) && Number.isFinite(hi[i] ?? NaN));
    if (there.length < 2) return;
    const upper = there.map((i): [number, number] => [sx.to(s.x[i]!), sy.to(hi[i]!)]);
    const lower = there.map((i): [number, number] => [sx.to(s.x[i]!), sy.to(lo[i]!)]);
    marks.push({ kind: "line", points: [...upper, ...lower.reverse()], closed: true, fill: colour, opacity: 0.18 });
}

function drawSeries(s: Series, colour: string, sx: Scale, sy: Scale, marks: Mark[]): void {
    drawBand(s, colour, sx, sy, marks);
    for (const piece of pieces(s, sx, sy)) {
        if (s.line !== false && piece.length > 1) {
            const line: Mark = { kind: "line", points: piece, stroke: colour, width: s.width ?? 2, title: s.name };
            if (s.dash) line.dash = s.dash;
            marks.push(line);
        }
        if (s.dots || s.line === false || piece.length === 1) for (const [x, y] of piece) marks.push({ kind: "dot", x, y, r: s.line === false ? 3 : 2.5, fill: colour, opacity: s.line === false ? 0.65 : 1 });
    }
}

function drawLegend(chart: LineChart, p: Placed, marks: Mark[]): void {
    let x = p.left;
    chart.series.forEach((s, i) => {
        const colour = s.colour ?? PALETTE[i % PALETTE.length]!;
        const width = 26 + s.name.length * 6.6 + 12;
        if (x + width > p.right + 12) return;
        const key: Mark = { kind: "line", points: [[x, 12], [x + 18, 12]], stroke: colour, width: 3 };
        if (s.dash) key.dash = s.dash;
        marks.push(s.line === false ? { kind: "dot", x: x + 9, y: 12, r: 3.5, fill: colour } : key);
        marks.push({ kind: "text", x: x + 23, y: 16, text: s.name, size: 12 });
        x += width;
    });
}

function drawMarks(chart: LineChart, p: Placed, sx: Scale, marks: Mark[]): void {
    let row = 0;
    for (const m of chart.marks ?? []) {
        const x = sx.to(m.x);
        if (!Number.isFinite(x)) continue;
        marks.push({ kind: "line", points: [[x, p.top], [x, p.bottom]], stroke: m.colour ?? INK, width: m.strong ? 1.5 : 1, ...(m.strong ? {} : { dash: [4, 3] }) });
        const right = x > (p.left + p.right) / 2;
        marks.push({ kind: "text", x: right ? x - 4 : x + 4, y: p.top + 11 + 13 * row++, text: m.label, size: 11, anchor: right ? "end" : "start", fill: m.colour ?? INK });
    }
}

export function lineChart(chart: LineChart): Placed {
    const width = chart.width ?? 560;
    const height = chart.height ?? 300;
    const legend = chart.legend !== false && chart.series.length > 1;
    const p = { left: 62, right: width - 14, top: legend ? 28 : 12, bottom: height - 44 };
    const ys = finite(chart.series.flatMap((s) => [...s.y, ...(s.band ? [...s.band.lo, ...s.band.hi] : [])]));
    const xs = finite(chart.series.flatMap((s) => s.x));
    const both = chart.diagonal ? range([...xs, ...ys], {} as Axis) : null;
    const sx = scale(both ?? range(xs, chart.x), chart.x, p.left, p.right, chart.x.log ? 0.01 : 0.02);
    const sy = scale(both ?? range(ys, chart.y), chart.y, p.bottom, p.top, 0.06);
    const marks: Mark[] = [];
    const placed: Placed = { ...p, scene: { width, height, title: chart.title, marks }, toX: sx.to, toY: sy.to, fromX: sx.from, fromY: sy.from };
    drawAxes(chart, placed, sx, sy, marks);
    if (chart.diagonal && both) marks.push({ kind: "line", points: [[sx.to(both[0]), sy.to(both[0])], [sx.to(both[1]), sy.to(both[1])]], stroke: MUTED, width: 1, dash: [4, 3] });
    for (const v of (chart.rug ?? []).slice(0, 2000)) marks.push({ kind: "line", points: [[sx.to(v), p.bottom], [sx.to(v), p.bottom - 7]], stroke: INK, width: 0.6, opacity: 0.35 });
    chart.series.forEach((s, i) => drawSeries(s, s.colour ?? PALETTE[i % PALETTE.length]!, sx, sy, marks));
    drawMarks(chart, placed, sx, marks);
    if (legend) drawLegend(chart, placed, marks);
    return placed;
}

export interface Bar {
    name: string;
    value: number;
    colour?: string;
    title?: string;
}

/** Bars that lie, each with its name; values may be negative. */
export function barChart(title: string, label: string, bars: Bar[], width = 560): Scene {
    const row = 22;
    const names = Math.min(230, Math.max(60, ...bars.map((b) => b.name.length * 6.8)));
    const [left, right, top] = [names + 12, width - 64, 6];
    const lo = Math.min(0, ...bars.map((b) => b.value));
    const hi = Math.max(0, ...bars.map((b) => b.value), lo === 0 ? 1e-12 : 0);
    const to = (v: number): number => left + ((v - lo) / (hi - lo || 1)) * (right - left);
    const marks: Mark[] = [];
    bars.forEach((b, i) => {
        const y = top + i * row;
        const most = Math.floor(names / 6.6);
        const name = b.name.length > most ? `${b.name.slice(0, most - 1)}…` : b.name;
        marks.push({ kind: "text", x: left - 8, y: y + 15, text: name, anchor: "end", size: 12 });
        marks.push({ kind: "rect", x: Math.min(to(0), to(b.value)), y: y + 3, w: Math.abs(to(b.value) - to(0)), h: row - 7, fill: b.colour ?? PALETTE[0]!, title: b.title ?? `${b.name}: ${short(b.value)}` });
        marks.push({ kind: "text", x: Math.max(to(0), to(b.value)) + 5, y: y + 15, text: short(b.value), size: 11, fill: MUTED });
    });
    const bottom = top + bars.length * row;
    marks.push({ kind: "line", points: [[to(0), top], [to(0), bottom]], stroke: MUTED, width: 1 });
    marks.push({ kind: "text", x: (left + right) / 2, y: bottom + 16, text: label, anchor: "middle", size: 12 });
    return { width, height: bottom + 24, title, marks };
}

/** Rows: what it is; columns: what it is taken for. */
export function confusionChart(title: string, classes: string[], counts: number[][], width = 560): Scene {
    const cell = Math.max(26, Math.min(64, (width - 110) / classes.length));
    const [left, top] = [Math.max(100, (width - cell * classes.length) / 2), 40];
    const marks: Mark[] = [];
    marks.push({ kind: "text", x: left + (cell * classes.length) / 2, y: 14, text: "taken for", anchor: "middle", size: 12 });
    marks.push({ kind: "text", x: left - 86, y: top + (cell * classes.length) / 2, text: "is", anchor: "middle", size: 12, turn: -90 });
    counts.forEach((line, a) => {
        const sum = line.reduce((s, v) => s + v, 0) || 1;
        marks.push({ kind: "text", x: left - 6, y: top + a * cell + cell / 2 + 4, text: (classes[a] ?? "").slice(0, 12), anchor: "end", size: 11 });
        marks.push({ kind: "text", x: left + a * cell + cell / 2, y: top - 6, text: (classes[a] ?? "").slice(0, Math.max(2, Math.floor(cell / 7))), anchor: "middle", size: 11 });
        line.forEach((v, b) => {
            marks.push({ kind: "rect", x: left + b * cell, y: top + a * cell, w: cell - 2, h: cell - 2, fill: a === b ? "#009e73" : "#d55e00", opacity: 0.08 + (0.8 * v) / sum, title: `${classes[a]} taken for ${classes[b]}: ${v}` });
            marks.push({ kind: "text", x: left + b * cell + cell / 2 - 1, y: top + a * cell + cell / 2 + 4, text: String(v), anchor: "middle", size: 12, bold: a === b });
        });
    });
    return { width, height: top + cell * classes.length + 10, title, marks };
}

export function sparkBars(counts: number[], width = 96, height = 24): Scene {
    const most = Math.max(1, ...counts);
    const w = width / counts.length;
    return { width, height, title: "distribution", marks: counts.map((c, i): Mark => ({ kind: "rect", x: i * w, y: height - (c / most) * height, w: w - 1, h: (c / most) * height, fill: PALETTE[0]! })) };
}
