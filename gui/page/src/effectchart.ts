// What an input does to predictions, as a line with a band or as bars for categories.

import type { EffectPoint, InputEffect } from "./api";
import { barChart, lineChart, type Series } from "./chart";
import type { Figure } from "./figure";
import { count, short } from "./numbers";

/** More bars than a figure can show: the first and the last. */
const MOST_BARS = 24;

function ends<T>(list: T[], most: number): T[] {
    if (list.length <= most) return list;
    return [...list.slice(0, most / 2), ...list.slice(-most / 2)];
}

/** Do rows differ in what it does? */
function hasBand(points: EffectPoint[]): boolean {
    const known = points.every((p) => p.lower !== null && p.upper !== null);
    return known && points.some((p) => p.lower! < p.upper!);
}

function line(name: string, points: EffectPoint[]): Series {
    const made: Series = {
        name,
        x: points.map((p) => p.value!),
        y: points.map((p) => p.effect),
        dots: true,
    };
    if (hasBand(points))
        made.band = { lo: points.map((p) => p.lower), hi: points.map((p) => p.upper) };
    return made;
}

function levelBars(levels: EffectPoint[]): { name: string; value: number; title: string }[] {
    const band = hasBand(levels);
    return levels
        .map((l) => ({
            name: l.level!,
            value: l.effect,
            title:
                `${l.level} (${count(l.rows, "row")}): ${short(l.effect)}` +
                (band ? `, of 8 of 10 rows ${short(l.lower!)} to ${short(l.upper!)}` : ""),
        }))
        .sort((a, b) => b.value - a.value);
}

/** Draws it, and returns what is to be said below. */
export function drawEffect(figure: Figure, name: string, e: InputEffect, label: string): string {
    const values = e.points.filter((p) => p.level === null);
    const levels = e.points.filter((p) => p.level !== null);
    const title = `What ${name} does to predictions`;
    if (values.length) {
        figure.draw(
            lineChart({
                title,
                x: e.kind === "date" ? { label: name, days: true } : { label: name },
                y: { label },
                series: [line(name, values)],
            }),
        );
    } else if (levels.length) {
        const bars = levelBars(levels);
        const left = bars.length - MOST_BARS;
        const more = left > 0 ? `${label}, ${left} more lie between` : label;
        figure.draw(barChart(title, more, ends(bars, MOST_BARS)));
    } else {
        figure.say("No kernel looks at it at this λ.");
    }
    const missing = values.length ? levels[0] : undefined;
    return [
        missing ? `Where it is missing: ${short(missing.effect)}.` : "",
        values.length && hasBand(values) ? "The band has the curves of 8 of 10 rows." : "",
    ]
        .filter(Boolean)
        .join(" ");
}
