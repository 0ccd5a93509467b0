// The field of a setting, made from what the library's table says of it.

import type { SettingAbout, Settings } from "./api";
import { h } from "./dom";
import { field, number, select, text, tick, type Option } from "./fields";
import { about, exampleOf, isOn, isSet, listOf, textOf } from "./settings";
import { changed, choose, columnNames, set } from "./state";

export const recheck = (): void => changed("check");

/** More columns than a list can hold are found by typing. */
const LONG_LIST = 300;

/** The names a field that is typed into offers: once for all of them. */
export function columnNamesList(): HTMLElement | null {
    const names = columnNames();
    if (names.length <= LONG_LIST) return null;
    return h(
        "datalist",
        { id: "column-names" },
        names.slice(0, 20000).map((n) => h("option", { value: n })),
    );
}

/** A column, or "" for what `none` says. */
export function columnPicker(
    value: string,
    none: string,
    names: string[],
    onchange: (name: string) => void,
): HTMLSelectElement | HTMLInputElement {
    if (columnNames().length <= LONG_LIST)
        return select(value, [["", none], ...names.map((n): Option<string> => [n, n])], onchange);
    const known = new Set(names);
    const take = (e: Event): void => {
        const input = e.target as HTMLInputElement;
        if (input.value === "" || known.has(input.value)) onchange(input.value);
        else input.value = value;
    };
    return h("input", {
        type: "text",
        list: "column-names",
        autocomplete: "off",
        placeholder: none,
        value,
        onchange: take,
    });
}

/** What the page does differently from what the table says. */
export interface Differently {
    label?: string;
    /** Words for choices; a choice without one is shown as it is. */
    words?: Record<string, string>;
    /** Choices that are left out. */
    without?: (choice: string) => boolean;
    /** Columns that can be picked. */
    names?: string[];
    /** What stands where no column is picked. */
    none?: string;
    /** Other fields depend on it. */
    redraw?: boolean;
}

const SWITCH: Option<string>[] = [
    ["auto", "auto"],
    ["true", "yes"],
    ["false", "no"],
];

function choicesOf(a: SettingAbout, d: Differently): Option<string>[] {
    return a.choices
        .filter((c) => !d.without?.(c))
        .map((c): Option<string> => [c, d.words?.[c] ?? c]);
}

/** "from 2", "between 0 and 1" */
function limitsOf(a: SettingAbout): string {
    const most = a.most !== null && a.most < 1e9 ? a.most : null;
    if (a.least === null) return "";
    if (a.kind === "count") return most === null ? `from ${a.least}` : `from ${a.least} to ${most}`;
    return most === null
        ? `above ${Math.max(a.least, 0)}`
        : `between ${Math.max(a.least, 0)} and ${most}`;
}

function chips(name: string, list: string[]): HTMLElement {
    const remove = (n: string): void => choose({ [name]: list.filter((m) => m !== n) });
    return h(
        "div",
        { class: "chips" },
        list.map((n) =>
            h("button", { class: "chip", title: `Remove ${n}`, onclick: () => remove(n) }, n, " ×"),
        ),
    );
}

function linesControl(s: Settings, a: SettingAbout): HTMLElement {
    const lines = listOf(s, a.name).join("\n");
    const take = (e: Event): void =>
        set(
            a.name,
            (e.target as HTMLTextAreaElement).value
                .split("\n")
                .map((l) => l.trim())
                .filter(Boolean),
        );
    return h("textarea", {
        rows: 2,
        spellcheck: "false",
        value: lines,
        placeholder: `${exampleOf(a.name)}\none on each line`.trim(),
        oninput: take,
    });
}

function control(s: Settings, a: SettingAbout, d: Differently): HTMLElement {
    const take = (v: string | null): void => (d.redraw ? choose({ [a.name]: v }) : set(a.name, v));
    const names = (): string[] => d.names ?? columnNames();
    switch (a.kind) {
        case "switch":
            return select(textOf(s, a.name), SWITCH, take);
        case "choice":
            return select(textOf(s, a.name), choicesOf(a, d), take);
        case "column":
            return columnPicker(textOf(s, a.name), d.none ?? "none", names(), (v) =>
                take(v || null),
            );
        case "number":
        case "count": {
            const value = textOf(s, a.name);
            return number(
                value,
                { title: limitsOf(a) },
                (v) => set(a.name, v),
                recheck,
                a.default === "" ? () => set(a.name, null) : undefined,
            );
        }
        case "list": {
            if (a.value !== "COLUMN") return linesControl(s, a);
            const now = listOf(s, a.name);
            const left = names().filter((n) => !now.includes(n));
            return columnPicker(
                "",
                d.none ?? "add a column…",
                left,
                (v) => v && choose({ [a.name]: [...now, v] }),
            );
        }
        default:
            return text(textOf(s, a.name), exampleOf(a.name), (v) => take(v.trim() || null));
    }
}

/** Label, hint, choices and limits are those of the table. */
export function settingField(s: Settings, name: string, d: Differently = {}): HTMLElement {
    const a = about(name);
    const label = d.label ?? a.label;
    if (a.kind === "flag") {
        const take = (v: boolean): void => (d.redraw ? choose({ [name]: v }) : set(name, v));
        return tick(name, label, isOn(s, name), take, a.sentence, a.help);
    }
    const made = field(name, label, control(s, a, d), a.sentence, a.help);
    const columns = a.kind === "list" && a.value === "COLUMN" && isSet(s, name);
    return columns ? h("div", {}, made, chips(name, listOf(s, name))) : made;
}

/** One short word in a summary, where it is not the default. */
export function wordOf(s: Settings, name: string, words: Record<string, string> = {}): string {
    const value = textOf(s, name);
    return words[value] ?? value;
}
