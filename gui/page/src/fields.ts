// Controls with their labels, hints, and room for the sentence that says what is wrong.

import type { Failure } from "./api";
import { h } from "./dom";

let nextId = 0;

/** Before all fields are made anew: the same controls get the same ids, so that focus finds its way
 *  back. */
export function restartIds(): void {
    nextId = 0;
}

/** What a setting is for, in a sentence; what else there is to know is folded away. */
function hintOf(name: string, id: string, hint: string, help: string): HTMLElement | null {
    if (!hint) return null;
    const more = help
        ? h(
              "details",
              { class: "help", "data-step": `help ${name}` },
              h("summary", {}, "More"),
              help,
          )
        : null;
    return h("div", { class: "hint" }, h("span", { id: `${id}-hint` }, hint), more);
}

/** `name` is the server's name of the setting, by which its complaints find the field. */
export function field(
    name: string,
    label: string,
    control: HTMLElement,
    hint = "",
    help = "",
): HTMLElement {
    const id = `f${nextId++}`;
    control.id = id;
    control.setAttribute("aria-describedby", hint ? `${id}-hint ${id}-note` : `${id}-note`);
    return h(
        "div",
        { class: "field", "data-field": name },
        h("label", { for: id }, label),
        control,
        hintOf(name, id, hint, help),
        h("div", { class: "wrong", id: `${id}-note` }),
    );
}

export type Option<T extends string> = [T, string];

export function select<T extends string>(
    value: T,
    options: Option<T>[],
    onchange: (value: T) => void,
): HTMLSelectElement {
    return h(
        "select",
        { value, onchange: (e: Event) => onchange((e.target as HTMLSelectElement).value as T) },
        options.map(([v, text]) => h("option", { value: v }, text)),
    );
}

/** Fields that hold no number at the moment; nothing can be trained until they do. */
const notNumbers = new Set<HTMLInputElement>();

/** `onempty`: what an empty field means; without it a number is missing there. */
export function number(
    value: string,
    attributes: Record<string, unknown>,
    onchange: (value: number) => void,
    onwrong: () => void,
    onempty?: () => void,
): HTMLInputElement {
    return h("input", {
        type: "text",
        inputmode: "decimal",
        autocomplete: "off",
        value,
        ...attributes,
        oninput: (e: Event) => {
            const input = e.target as HTMLInputElement;
            const v = input.value.trim() === "" ? NaN : Number(input.value.trim());
            if (Number.isFinite(v)) {
                notNumbers.delete(input);
                onchange(v);
            } else if (input.value.trim() === "" && onempty) {
                notNumbers.delete(input);
                onempty();
            } else {
                notNumbers.add(input);
                onwrong();
            }
        },
    });
}

/** The first field on screen that should hold a number and does not. */
export function firstNotNumber(): { field: HTMLElement; failure: Failure } | null {
    for (const input of notNumbers) {
        const holder = input.closest<HTMLElement>(".field");
        if (!input.isConnected || !holder) notNumbers.delete(input);
        else
            return {
                field: holder,
                failure: {
                    message:
                        input.value.trim() === ""
                            ? "A number is missing here."
                            : `'${input.value.trim()}' is not a number.`,
                    field: holder.dataset["field"] ?? null,
                    position: null,
                },
            };
    }
    return null;
}

export function text(
    value: string,
    placeholder: string,
    onchange: (value: string) => void,
): HTMLInputElement {
    return h("input", {
        type: "text",
        autocomplete: "off",
        spellcheck: "false",
        placeholder,
        value,
        oninput: (e: Event) => onchange((e.target as HTMLInputElement).value),
    });
}

/** A button that lets a file be chosen, the same one again too. */
export function fileButton(
    id: string,
    label: string,
    name: string,
    take: (file: File) => void,
    attributes: Record<string, unknown> = {},
): HTMLElement {
    const onchange = (e: Event): void => {
        const input = e.target as HTMLInputElement;
        const file = input.files?.[0];
        if (file) take(file);
        input.value = "";
    };
    return h(
        "label",
        { class: "button", for: id, ...attributes },
        h("input", { type: "file", class: "hidden-text", id, "aria-label": name, onchange }),
        label,
    );
}

export function tick(
    name: string,
    label: string,
    checked: boolean,
    onchange: (value: boolean) => void,
    hint = "",
    help = "",
): HTMLElement {
    const id = `f${nextId++}`;
    return h(
        "div",
        { class: "field tick", "data-field": name },
        h(
            "label",
            { for: id },
            h("input", {
                type: "checkbox",
                id,
                checked,
                "aria-describedby": `${id}-note`,
                onchange: (e: Event) => onchange((e.target as HTMLInputElement).checked),
            }),
            " ",
            label,
        ),
        hintOf(name, id, hint, help),
        h("div", { class: "wrong", id: `${id}-note` }),
    );
}

const summaries: { element: HTMLElement; text: () => string }[] = [];

/** A part of the settings that can be folded away; folded, it still says what is set. */
export function step(
    title: string,
    open: boolean,
    summary: () => string,
    ...children: (HTMLElement | null)[]
): HTMLElement {
    const element = h("span", { class: "said" }, summary());
    summaries.push({ element, text: summary });
    return h(
        "details",
        { class: "step", open, "data-step": title },
        h("summary", {}, h("span", {}, title), element),
        h("div", { class: "step-body" }, children),
    );
}

export function forgetSummaries(): void {
    summaries.length = 0;
}

export function refreshSummaries(): void {
    for (const s of summaries) s.element.textContent = s.text();
}

// ---- what is wrong, beside its field ----

/** Where a complaint is shown if its own field is not on screen. */
const INSTEAD: Record<string, string[]> = {
    test_rows: ["test_data", "test_share", "test"],
    test_share: ["test"],
    test_data: ["test"],
    validation_rows: ["validation_data", "select"],
    ...Object.fromEntries(
        ["validation_data", "folds", "repeats", "splits", "share", "fold_column"].map((n) => [
            n,
            ["select"],
        ]),
    ),
};

function fieldOf(named: string, within: Element): HTMLElement | null {
    const fields = [...within.querySelectorAll<HTMLElement>(".field")];
    for (const name of [named, ...(INSTEAD[named] ?? [])]) {
        const found = fields.find((f) => f.dataset["field"] === name);
        if (found) return found;
    }
    return null;
}

/** The server names settings as it knows them; people know them by their labels. */
function inWords(failure: Failure, holder: HTMLElement): string {
    const label = holder.querySelector("label")?.textContent?.trim();
    const named = failure.field ?? "";
    return label && named && failure.message.startsWith(named)
        ? `${label}${failure.message.slice(named.length)}`
        : failure.message;
}

/** Says it beside the field it concerns, and opens the step that field is in; false if there is no
 *  such field. */
export function showWrong(failure: Failure | null, within: Element): boolean {
    const here = failure?.field ? fieldOf(failure.field, within) : null;
    within.querySelectorAll<HTMLElement>(".field").forEach((f) => {
        const wrong = f === here;
        const note = f.querySelector(".wrong");
        f.classList.toggle("has-error", wrong);
        f.querySelectorAll("input, select, textarea").forEach((c) =>
            wrong ? c.setAttribute("aria-invalid", "true") : c.removeAttribute("aria-invalid"),
        );
        if (!note) return;
        note.textContent = wrong && failure ? inWords(failure, f) : "";
        note.classList.toggle("mono", wrong && failure !== null && failure.message.includes("\n"));
    });
    for (let part = here?.closest("details"); part; part = part.parentElement?.closest("details"))
        part.open = true;
    return here !== null;
}
