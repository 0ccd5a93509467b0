// The first view: a file of one's own, or one of the examples, each with a picture of its rows.

import { api, type Builtin, type SamplePicture } from "./api";
import { fill, h } from "./dom";
import { count } from "./numbers";
import { takeBuiltin } from "./side";
import { state } from "./state";

const [WIDTH, HEIGHT] = [300, 104];

/** Rows as points, of classes in two colours; what they show is said by its title. */
function thumb(p: SamplePicture): Element {
    const place = (values: number[], lo: number, hi: number): ((v: number) => number) => {
        const [least, most] = [Math.min(...values), Math.max(...values)];
        return (v) => lo + ((v - least) / (most - least || 1)) * (hi - lo);
    };
    const x = place(p.x, 14, WIDTH - 14);
    const y = place(p.y, HEIGHT - 14, 14);
    const words = `${p.y_name} against ${p.x_name}`;
    return h(
        "svg",
        {
            class: "thumb",
            viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
            role: "img",
            "aria-label": words,
        },
        h("title", {}, words),
        p.x.map((v, i) =>
            h("circle", {
                cx: x(v).toFixed(1),
                cy: y(p.y[i]!).toFixed(1),
                r: 2.6,
                class: p.group?.[i] ? "b" : "a",
            }),
        ),
    );
}

/** Once for each: the files that come along do not change. */
const pictures = new Map<string, Promise<SamplePicture>>();

async function showPicture(name: string, holder: HTMLElement): Promise<void> {
    const asked = pictures.get(name) ?? api.samplePicture(name);
    pictures.set(name, asked);
    try {
        fill(holder, thumb(await asked));
    } catch {
        pictures.delete(name); // it is an ornament: the card says all there is to know
    }
}

function sampleCard(b: Builtin): HTMLElement {
    const holder = h("span", { class: "thumb" });
    void showPicture(b.name, holder);
    const task = b.task === "classification" ? "classes" : "a number";
    return h(
        "button",
        { class: "sample", id: `sample-${b.name}`, onclick: () => void takeBuiltin(b.name) },
        holder,
        h(
            "span",
            { class: "sample-words" },
            h("strong", {}, b.title),
            h(
                "span",
                { class: "hint" },
                `${count(b.rows, "row")} · ${count(b.columns, "column")} · ${task}`,
            ),
            h("span", { class: "hint" }, b.note),
        ),
    );
}

function samples(): HTMLElement | null {
    if (state.builtin.length === 0) return null;
    return h(
        "section",
        { "aria-label": "Examples" },
        h("h2", {}, "Or begin with an example"),
        h("div", { class: "samples" }, state.builtin.map(sampleCard)),
    );
}

export function startView(): HTMLElement {
    return h(
        "section",
        { class: "welcome" },
        h("h1", {}, "Predict a column of your table"),
        h(
            "p",
            { class: "lead" },
            "rls2 fits a predictor and learns its kernel at the same time. It selects the few " +
                "kernels that matter, estimates how well new rows are predicted, and certifies " +
                "how close the fit is to the optimum.",
        ),
        h(
            "div",
            { class: "opener" },
            h("label", { class: "button big-button", for: "file" }, "Open a file…"),
            h(
                "span",
                { class: "hint" },
                "or drop one anywhere: CSV, TSV, LIBSVM, NumPy, MATLAB. It stays on this machine.",
            ),
        ),
        h(
            "ol",
            { class: "ways" },
            h("li", {}, "Open a table: a line of names, then one line for each row."),
            h("li", {}, "Choose the column to predict. All else has a sensible default."),
            h("li", {}, "Press Train, look at the result, and save the model."),
        ),
        samples(),
    );
}
