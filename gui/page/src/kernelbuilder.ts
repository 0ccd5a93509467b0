// The kernel builder: families, columns and widths to tick, the dictionary as text beside them, and
// how many kernels that makes. Either can be changed; the other follows.

import { fill, h } from "./dom";
import { termsOf, textOfTerms, type Term } from "./dictionarytext";
import { field } from "./fields";
import { count } from "./numbers";
import { about, listOf } from "./settings";
import { columnPicker } from "./settingfields";
import { columnNames, roleOf, set, state } from "./state";

interface Family {
    name: string;
    label: string;
    /** What stands in the brackets; none: there are no brackets. */
    widths?: { label: string; first: string; hint: string };
    /** Ticked at first. */
    where: "each" | "together";
}

const WIDTHS = "several with | between them, a range as from:to:how many, or learn";

const FAMILIES: Family[] = [
    { name: "linear", label: "straight lines (linear)", where: "each" },
    {
        name: "poly",
        label: "polynomials (poly)",
        widths: { label: "Degrees", first: "2..3", hint: "2, or 2..3" },
        where: "together",
    },
    {
        name: "rbf",
        label: "smooth curves (rbf, Gaussian)",
        widths: { label: "Widths (gamma)", first: "0.01:10:4", hint: WIDTHS },
        where: "each",
    },
    {
        name: "laplace",
        label: "rough curves (laplace)",
        widths: { label: "Widths (gamma)", first: "0.1|1", hint: WIDTHS },
        where: "each",
    },
    {
        name: "matern",
        label: "in between (matern)",
        widths: { label: "Roughness", first: "1.5|2.5", hint: "0.5, 1.5 or 2.5, then a length" },
        where: "together",
    },
    { name: "spline", label: "cubic splines (spline)", where: "each" },
    { name: "delta", label: "equal or not (delta)", where: "each" },
];

const NAMES = FAMILIES.map((f) => f.name);

function firstTerm(f: Family): Term {
    return {
        family: f.name,
        widths: f.widths?.first ?? "",
        columns: [],
        together: f.where === "together",
        each: f.where === "each",
    };
}

/** Inputs, as far as the page can tell. */
function inputs(): string[] {
    const used = ["predicted", "not used", "weight", "marker"];
    return columnNames().filter((n) => !used.includes(roleOf(n)));
}

class Builder {
    readonly ticks = h("div", { class: "families", role: "group", "aria-label": "Kernels" });
    readonly text: HTMLTextAreaElement;

    constructor(text: string) {
        this.text = h("textarea", {
            rows: 3,
            spellcheck: "false",
            value: text,
            placeholder: "rbf(0.01:10:4)@all,each; linear",
            oninput: () => {
                set("kernels", this.text.value);
                this.draw();
            },
        });
        this.draw();
    }

    /** The text follows; families keep their order. */
    private take(terms: Term[], redraw: boolean): void {
        const order = (t: Term): number => NAMES.indexOf(t.family);
        this.text.value = textOfTerms([...terms].sort((a, b) => order(a) - order(b)));
        set("kernels", this.text.value);
        if (redraw) this.draw();
    }

    private draw(): void {
        const terms = termsOf(this.text.value, NAMES);
        const focused = document.activeElement?.id;
        if (!terms)
            return fill(
                this.ticks,
                h(
                    "p",
                    { class: "hint" },
                    "The text below says more than ticks can: it is taken as it stands.",
                ),
            );
        fill(
            this.ticks,
            FAMILIES.map((f) => this.family(f, terms)),
        );
        if (focused?.startsWith("family-")) document.getElementById(focused)?.focus();
    }

    private family(f: Family, terms: Term[]): HTMLElement {
        const term = terms.find((t) => t.family === f.name);
        const others = terms.filter((t) => t.family !== f.name);
        const toggle = (): void => this.take(term ? others : [...others, firstTerm(f)], true);
        return h(
            "div",
            { class: term ? "family on" : "family" },
            this.tick(`family-${f.name}`, f.label, term !== undefined, toggle),
            term ? this.body(f, term, (t) => [...others, t]) : null,
        );
    }

    private tick(id: string, label: string, checked: boolean, toggle: () => void): HTMLElement {
        return h(
            "label",
            { for: id },
            h("input", { type: "checkbox", id, checked, onchange: toggle }),
            ` ${label}`,
        );
    }

    private body(f: Family, term: Term, among: (t: Term) => Term[]): HTMLElement {
        const id = `family-${f.name}`;
        const change = (part: Partial<Term>): void => this.take(among({ ...term, ...part }), true);
        const some = term.columns.length > 0;
        const widths = f.widths
            ? h(
                  "label",
                  { class: "widths" },
                  h("span", { class: "hint" }, f.widths.label),
                  h("input", {
                      type: "text",
                      id: `${id}-widths`,
                      value: term.widths,
                      title: f.widths.hint,
                      autocomplete: "off",
                      spellcheck: "false",
                      // the ticks stay as they are, so that typing goes on
                      oninput: (e: Event) => {
                          term.widths = (e.target as HTMLInputElement).value;
                          this.take(among(term), false);
                      },
                  }),
              )
            : null;
        const left = inputs().filter((n) => !term.columns.includes(n));
        const add = columnPicker("", some ? "one more column…" : "only some columns…", left, (n) =>
            n ? change({ columns: [...term.columns, n] }) : undefined,
        );
        add.id = `${id}-columns`;
        add.setAttribute("aria-label", `Columns of ${f.name}`);
        return h(
            "div",
            { class: "family-body" },
            widths,
            h(
                "div",
                { class: "places" },
                this.tick(
                    `${id}-together`,
                    some ? "these together" : "all columns together",
                    term.together,
                    () => change({ together: !term.together }),
                ),
                this.tick(`${id}-each`, some ? "each of these" : "each column", term.each, () =>
                    change({ each: !term.each }),
                ),
            ),
            some
                ? h(
                      "div",
                      { class: "chips" },
                      term.columns.map((n) =>
                          h(
                              "button",
                              {
                                  class: "chip",
                                  title: `Remove ${n}`,
                                  onclick: () =>
                                      change({ columns: term.columns.filter((c) => c !== n) }),
                              },
                              `${n} ×`,
                          ),
                      ),
                  )
                : null,
            add,
        );
    }
}

const counted = h("div", { class: "counted", role: "status" });

/** After the library was asked: how many kernels these are, and which. */
export function showKernelCount(): void {
    const c = state.checked;
    if (!c) return fill(counted, h("span", { class: "hint" }, "…"));
    const [first, last] = [c.kernel_names[0], c.kernel_names.at(-1)];
    const all = c.kernel_names.length === c.kernels;
    const said =
        c.kernels > 1 ? `${first} … ${all ? last : "and so on"}` : (first ?? "");
    fill(
        counted,
        h("strong", {}, count(c.kernels, "kernel")),
        h("span", { class: "hint", title: c.kernel_names.join("\n") }, said),
    );
}

/** The fields of a dictionary of one's own. */
export function kernelBuilder(): HTMLElement[] {
    const text = listOf(state.asked?.settings ?? {}, "kernels").join("; ");
    const builder = new Builder(text);
    const { label, sentence, help } = about("kernels");
    showKernelCount();
    return [builder.ticks, counted, field("kernels", label, builder.text, sentence, help)];
}

/** Of the dictionary that the library chose: its text, to start from. */
export function chosenDictionary(take: (text: string) => void): HTMLElement {
    showKernelCount();
    return h(
        "div",
        { class: "chosen" },
        counted,
        h(
            "button",
            {
                class: "link",
                onclick: () => {
                    if (state.checked) take(state.checked.dictionary);
                },
            },
            "Change it in the kernel builder",
        ),
    );
}
