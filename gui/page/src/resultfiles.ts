// What can be taken away from a run: model, predictions, statistics, the command that does the
// same.

import { api, type Commands, type Predicted, type Run } from "./api";
import { download, fill, h } from "./dom";
import { fileButton } from "./fields";
import { menu } from "./menu";
import { count, short } from "./numbers";
import { isGoing } from "./progress";
import { runModel } from "./modelapi";
import { openModel, report, state } from "./state";

const NOT_YET =
    "Cross-validation is still running: it may choose another λ, and how well this model " +
    "predicts new rows is not known yet. Save it all the same?";

function block(title: string, text: string): HTMLElement {
    const copy = async (e: Event): Promise<void> => {
        const button = e.target as HTMLButtonElement;
        try {
            await navigator.clipboard.writeText(text);
            button.textContent = "Copied";
            setTimeout(() => (button.textContent = "Copy"), 1500);
        } catch {
            report(new Error("The browser does not let the page copy: select the text instead."));
        }
    };
    return h(
        "div",
        {},
        h(
            "div",
            { class: "title-row" },
            h("h3", {}, title),
            h(
                "button",
                {
                    class: "link",
                    "aria-label": `Copy: ${title}`,
                    onclick: (e: Event) => void copy(e),
                },
                "Copy",
            ),
        ),
        h("pre", { tabindex: 0 }, text),
    );
}

/** "97 rows predicted, 2 not, for an empty cell; 3 missing values filled in" */
export function becameOf(p: Predicted): string {
    const none = p.rows - p.predicted;
    const cells = [
        p.imputed ? `${count(p.imputed, "missing value")} filled in` : "",
        p.unseen ? `${count(p.unseen, "cell")} with a category that is new, taken as 'other'` : "",
    ].filter(Boolean);
    const rows =
        `${count(p.predicted, "row")} predicted` + (none ? `, ${none} not, for an empty cell` : "");
    return [rows, ...cells].join("; ");
}

export class ResultFiles {
    readonly buttons: HTMLElement;
    readonly commands = h("div", { class: "commands" });
    private readonly done = h("span", { class: "hint", role: "status" });
    private readonly stem: string;
    private shown = false;

    /** `predictOne` shows or hides the form for one row, `report` makes a report. */
    constructor(
        private readonly run: Run,
        predictOne: () => void,
        private readonly report: () => Promise<Blob>,
    ) {
        const base = `/api/runs/${run.id}`;
        const stem = run.name
            .replace(/\.csv\b/g, "")
            .replace(/[^\p{L}\p{N}_.-]+/gu, "-")
            .replace(/-+$/, "");
        this.stem = stem;
        this.buttons = h(
            "div",
            { class: "files" },
            this.save(
                "Save the model",
                () => `${base}/model/${state.point}`,
                `${stem}.model`,
                "strong",
            ),
            fileButton(
                "predict-file",
                "Predict another file…",
                "Predict another file",
                (file) => void this.predict(file),
                { title: "A table with the same columns; its predictions are saved as CSV" },
            ),
            h("button", { id: "predict-row", onclick: predictOne }, "Predict one row…"),
            h(
                "button",
                {
                    id: "use-model",
                    title: "Files and rows to predict, and why they are predicted so",
                    onclick: () => openModel(runModel(run.id, state.point)),
                },
                "Use this model…",
            ),
            menu("Export", [
                this.save(
                    "Predictions (CSV)",
                    () => `${base}/predictions/${state.point}`,
                    `${stem}-predictions.csv`,
                ),
                this.save(
                    "Statistics (CSV)",
                    () => `${base}/statistics.csv`,
                    `${stem}-statistics.csv`,
                ),
                this.save(
                    "Statistics (JSON)",
                    () => `${base}/statistics.json`,
                    `${stem}-statistics.json`,
                ),
                h(
                    "button",
                    {
                        id: "report",
                        title: "Data, settings, scores, figures, commands in one file",
                        onclick: () => void this.saveReport(),
                    },
                    "Report (HTML)",
                ),
                h("button", { onclick: () => void this.toggleCommands() }, "As a command"),
            ]),
            this.done,
        );
    }

    private save(label: string, path: () => string, name: string, style = ""): HTMLElement {
        const fetchIt = async (): Promise<void> => {
            if (style && isGoing(this.run) && !confirm(NOT_YET)) return;
            try {
                const at = `λ = ${short(this.run.result?.points[state.point]?.lambda)}`;
                download(name, await api.file(path()));
                const text = style
                    ? `${name}, the model at ${at}, was saved to your downloads. To predict: ` +
                      `rls2 predict ${/[^\w.-]/.test(name) ? `'${name}'` : name} NEW.csv`
                    : `${name} was saved to your downloads.`;
                this.tell(text);
            } catch (error) {
                this.tell(error);
            }
        };
        return h(
            "button",
            {
                class: style,
                title: `Saves ${name} to your downloads`,
                onclick: () => void fetchIt(),
            },
            label,
        );
    }

    private async saveReport(): Promise<void> {
        const name = `${this.stem}-report.html`;
        try {
            download(name, await this.report());
            this.tell(`${name} was saved to your downloads; it opens in any browser, and prints.`);
        } catch (error) {
            this.tell(error);
        }
    }

    /** What became of the button just pressed, beside it. */
    private tell(what: unknown): void {
        const wrong = what instanceof Error;
        this.done.classList.toggle("wrong", wrong);
        this.done.textContent = wrong ? what.message : String(what);
    }

    private async predict(file: File): Promise<void> {
        const name = `${file.name.replace(/\.[^.]*$/, "")}-predicted-by-${this.stem}.csv`;
        this.tell(`Predicting ${file.name}…`);
        try {
            const { text, summary } = await api.predict(this.run.id, state.point, file);
            download(name, new Blob([text], { type: "text/csv" }));
            this.tell(`${name} was saved to your downloads: ${becameOf(summary)}.`);
        } catch (error) {
            this.tell(error);
        }
    }

    private async toggleCommands(): Promise<void> {
        this.shown = !this.shown;
        if (!this.shown) return fill(this.commands);
        await this.showCommands();
        this.commands.scrollIntoView({ block: "nearest" });
    }

    private async showCommands(): Promise<void> {
        const chosen = this.run.result?.best.chosen;
        const at = state.point;
        try {
            const [here, again] = await Promise.all([
                api.commands(this.run.id, at),
                chosen === null || chosen === undefined ? null : api.commands(this.run.id, null),
            ]);
            fill(
                this.commands,
                again
                    ? this.group(
                          at === chosen && this.run.status === "done"
                              ? "Cross-validate, choose λ and fit this model:"
                              : "Cross-validate and choose λ with the settings of this run:",
                          again,
                          at === chosen,
                      )
                    : null,
                this.group("Fit the model at the λ shown:", here, !again || at !== chosen),
            );
        } catch (error) {
            report(error);
        }
    }

    private group(title: string, c: Commands, open: boolean): HTMLElement {
        const table = c.table;
        const save = (): void =>
            void api
                .file(table ?? "")
                .then((blob) => download(c.file, blob))
                .catch(report);
        const needs =
            table === null
                ? null
                : h(
                      "p",
                      { class: "hint" },
                      `${c.file} holds the training rows of this run: `,
                      h("button", { class: "link", onclick: save }, "save it"),
                      ".",
                  );
        return h(
            "details",
            { class: "more", open },
            h("summary", {}, title),
            block("In a terminal", c.command),
            block("In Python", c.python),
            needs,
        );
    }

    /** After λ has moved. */
    moved(): void {
        if (this.shown) void this.showCommands();
    }
}
