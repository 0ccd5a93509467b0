// A dictionary as ticks, and back to its text. Only what ticks can say is understood; what a text
// means beyond that, and whether it is right, the library tells.

/** One family of kernels: what stands in its brackets, and the columns it is on. */
export interface Term {
    family: string;
    /** "0.01:10:4", as it is written. */
    widths: string;
    /** Columns it looks at, none: all of them; together, each alone, or both. Neither: what is
     *  usual for the kernel. */
    columns: string[];
    together: boolean;
    each: boolean;
}

const SPECIAL = /[\s,;+@():|="*?]|\.\./;

function quoted(name: string): string {
    return SPECIAL.test(name) || ["all", "each", ""].includes(name)
        ? `"${name.replaceAll('"', '""')}"`
        : name;
}

function itemsOf(t: Term): string {
    const set = t.columns.length ? t.columns.map(quoted).join("+") : "all";
    const each = t.columns.length ? `each:${set}` : "each";
    return [t.together ? set : "", t.each ? each : ""].filter(Boolean).join(",");
}

export function textOfTerms(terms: Term[]): string {
    return terms
        .map((t) => {
            const items = itemsOf(t);
            const widths = t.widths.trim() ? `(${t.widths.trim()})` : "";
            return `${t.family}${widths}${items ? `@${items}` : ""}`;
        })
        .join("; ");
}

/** Cut at a sign that stands neither in quotes nor in brackets. */
function cut(text: string, sign: string): string[] {
    const parts = [""];
    let [quote, depth] = [false, 0];
    for (const c of text) {
        if (c === '"') quote = !quote;
        if (!quote && c === "(") depth++;
        if (!quote && c === ")") depth--;
        if (c === sign && !quote && depth === 0) parts.push("");
        else parts[parts.length - 1] += c;
    }
    return parts.map((p) => p.trim());
}

function bare(name: string): string | null {
    const inQuotes = /^"((?:[^"]|"")*)"$/.exec(name);
    if (inQuotes) return inQuotes[1]!.replaceAll('""', '"');
    return name === "" || SPECIAL.test(name) ? null : name;
}

/** "all", "each", "a+b" or "each:a+b"; null where ticks cannot say it. */
function readItem(item: string): { each: boolean; columns: string[] } | null {
    if (item === "all" || item === "each") return { each: item === "each", columns: [] };
    const each = item.startsWith("each:");
    const names = cut(each ? item.slice("each:".length) : item, "+").map(bare);
    if (names.some((n) => n === null || n === "all" || n.startsWith("group:"))) return null;
    return { each, columns: names as string[] };
}

function readTerm(text: string, families: string[]): Term | null {
    const [kernel = "", on, ...rest] = cut(text, "@");
    const parts = /^([a-z]+)\s*(?:\((.*)\))?$/s.exec(kernel);
    if (!parts || rest.length || !families.includes(parts[1]!)) return null;
    const term: Term = {
        family: parts[1]!,
        widths: (parts[2] ?? "").trim(),
        columns: [],
        together: false,
        each: false,
    };
    if (on === undefined) return term;
    const items = cut(on, ",").map(readItem);
    if (items.some((i) => i === null) || items.length > 2) return null;
    for (const item of items as { each: boolean; columns: string[] }[]) {
        const same = item.columns.join("\n") === term.columns.join("\n");
        const first = !term.together && !term.each;
        if ((!first && !same) || term[item.each ? "each" : "together"]) return null;
        term.columns = item.columns;
        term[item.each ? "each" : "together"] = true;
    }
    return term;
}

/** Null where ticks cannot say it: a family twice, presets, patterns, groups. */
export function termsOf(text: string, families: string[]): Term[] | null {
    const terms = cut(text, ";")
        .filter(Boolean)
        .map((t) => readTerm(t, families));
    if (terms.some((t) => t === null)) return null;
    const all = terms as Term[];
    return new Set(all.map((t) => t.family)).size === all.length ? all : null;
}
