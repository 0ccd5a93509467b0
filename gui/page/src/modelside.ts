// Model files on the left side: opening one, and those that are open.

import { ServerError } from "./api";
import { h, say } from "./dom";
import { fileButton } from "./fields";
import {
    forgetModel,
    openedModel,
    openModelFile,
    type ModelBrief,
} from "./modelapi";
import { bytes, count, short } from "./numbers";
import { changed, closeRun, openModel, report, state } from "./state";
import { measureName } from "./verdict";

export async function takeModel(file: File): Promise<void> {
    try {
        const brief = await openModelFile(file);
        if (!state.models.some((m) => m.id === brief.id)) state.models.unshift(brief);
        openModel(openedModel(brief.id));
        say(`${file.name} is open`);
    } catch (error) {
        report(error);
    }
}

export function modelButton(): HTMLElement {
    return h(
        "div",
        { class: "open-model" },
        fileButton(
            "model-file",
            "Open a model…",
            "Open a model",
            (file) => void takeModel(file),
            { title: "A model that was saved by this page, by rls2 train, or from Python" },
        ),
    );
}

function word(m: ModelBrief): string {
    const left = m.left_out;
    const score =
        left && left.score !== null ? `, ${measureName(left.measure)} ${short(left.score)}` : "";
    return `predicts ${m.targets.join(", ")} (${count(m.n, "row")}${score}), ${bytes(m.bytes)}`;
}

async function forget(m: ModelBrief): Promise<void> {
    if (!confirm(`Close the model "${m.name}"? Your own copy of the file stays.`)) return;
    try {
        await forgetModel(m.id).catch((error: unknown) => {
            // another page was faster
            if (!(error instanceof ServerError && error.code === 404)) throw error;
        });
        state.models = state.models.filter((o) => o.id !== m.id);
        if (state.model?.key === m.id) closeRun();
        changed("runs");
        say(`${m.name} is closed`);
    } catch (error) {
        report(error);
    }
}

function row(m: ModelBrief): HTMLElement {
    const here = state.model?.key === m.id;
    return h(
        "li",
        { class: here ? "here" : "" },
        h(
            "div",
            { class: "run" },
            h(
                "button",
                {
                    class: "link",
                    id: `open-${m.id}`,
                    "aria-current": here ? "true" : null,
                    onclick: () => openModel(openedModel(m.id)),
                },
                m.name,
            ),
            h("div", { class: "hint" }, word(m)),
        ),
        h(
            "button",
            {
                class: "link",
                id: `forget-${m.id}`,
                title: "Close this model",
                "aria-label": `Close ${m.name}`,
                onclick: () => void forget(m),
            },
            "×",
        ),
    );
}

export function modelList(): HTMLElement | null {
    if (state.models.length === 0) return null;
    return h(
        "section",
        { class: "runs models", "aria-label": "Models" },
        h("h2", {}, "Models"),
        h("ul", {}, state.models.map(row)),
    );
}
