// Numbers as people read them.

/** Four significant digits, without trailing zeros. */
export function short(value: number | null | undefined, digits = 4): string {
    if (value === null || value === undefined || Number.isNaN(value)) return "–";
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1e6 || size < 1e-4)
        return value
            .toExponential(Math.max(0, digits - 2))
            .replace(/\.?0+e/, "e")
            .replace("e+", "e");
    return String(Number(value.toPrecision(digits)));
}

/** 1.2e-7; numbers that are not known are null. */
export function power(value: number | null | undefined): string {
    return typeof value === "number" ? value.toExponential(1) : "–";
}

export function count(n: number, thing: string): string {
    return `${n.toLocaleString("en")} ${thing}${n === 1 ? "" : "s"}`;
}

export function bytes(n: number): string {
    if (n < 1024) return `${n} B`;
    if (n < 1024 ** 2) return `${(n / 1024).toFixed(0)} kB`;
    if (n < 1024 ** 3) return `${(n / 1024 ** 2).toFixed(1)} MB`;
    return `${(n / 1024 ** 3).toFixed(1)} GB`;
}

export function seconds(s: number): string {
    if (s < 0.9995) return `${Math.round(s * 1000)} ms`;
    if (s < 59.95) return `${Number.isInteger(s) ? s : s.toFixed(1)} s`;
    const whole = Math.round(s);
    if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
    return `${Math.floor(whole / 3600)} h ${Math.round((whole % 3600) / 60)} min`;
}

/** Round values between lo and hi, about `target` of them. */
export function ticks(lo: number, hi: number, target = 5): number[] {
    if (!(hi > lo)) return [lo];
    const rough = (hi - lo) / target;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].map((f) => f * power).find((s) => s >= rough) ?? 10 * power;
    const out: number[] = [];
    for (let i = Math.ceil(lo / step - 1e-9); i * step <= hi + step * 1e-9; i++)
        out.push(Number((i * step).toPrecision(12)));
    return out;
}

/** Powers of ten between lo and hi, every so many that no more than `most` remain. */
export function logTicks(lo: number, hi: number, most = 8): number[] {
    const from = Math.ceil(Math.log10(lo) - 1e-9);
    const to = Math.floor(Math.log10(hi) + 1e-9);
    const every = Math.max(1, Math.ceil((to - from + 1) / most));
    const out: number[] = [];
    for (let e = from; e <= to; e++) if ((e - from) % every === 0) out.push(10 ** e);
    return out.length > 1 ? out : [lo, hi];
}

// ---- days since 1970-01-01 ----

const DAY = 86400000;

/** "2023-01-31", with the time where there is one; a time of day alone is a part of a day. */
export function day(value: number | null | undefined): string {
    if (value === null || value === undefined || !Number.isFinite(value)) return "–";
    const text = new Date(Math.round((value * DAY) / 1000) * 1000).toISOString();
    const [date, time] = [text.slice(0, 10), text.slice(11, 16)];
    if (value > 0 && value < 1) return time;
    return time === "00:00" ? date : `${date} ${time}`;
}

/** First days of years or months, or days, between lo and hi. */
export function dayTicks(lo: number, hi: number, target = 5): number[] {
    const months = (hi - lo) / 30.44 / target;
    const step = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600].find((m) => m >= months) ?? 1200;
    if (months < 0.5) return ticks(lo, hi, target);
    const first = new Date(lo * DAY);
    const out: number[] = [];
    const begin = first.getUTCFullYear() * 12 + first.getUTCMonth();
    for (let m = Math.ceil(begin / step) * step; ; m += step) {
        const at = Date.UTC(Math.floor(m / 12), m % 12) / DAY;
        if (at > hi) return out;
        if (at >= lo) out.push(at);
    }
}
