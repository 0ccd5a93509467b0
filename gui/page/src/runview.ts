// A run: the path to look at, λ to move along it.

import { api, type Detail, type Point, type Run } from "./api";
import { choice, firstChoices, LAMBDA, lambdaMarks, nearest, type Choices } from "./alongpath";
import { baselinesTable } from "./baselines";
import { ClassView } from "./classview";
import { confusionChart, lineChart, type Series } from "./chart";
import { fill, h } from "./dom";
import { ExplainView } from "./explainview";
import { Figure } from "./figure";
import { Hero } from "./hero";
import { KernelView } from "./kernelview";
import { lossInWords, outputWord, partScale } from "./losses";
import { runModel } from "./modelapi";
import { count, power, seconds, short } from "./numbers";
import { NumberView } from "./numberview";
import { ProfileView } from "./profileview";
import { isGoing, ProgressStrip } from "./progress";
import { makeReport } from "./report";
import { ResultFiles } from "./resultfiles";
import { RowForm } from "./rowform";
import { MUTED, PALETTE } from "./colours";
import { isSet, listOf } from "./settings";
import { stabilityFigure } from "./stabilityview";
import { clearOffline, openRun, report, setPoint, state } from "./state";
import { validationInWords } from "./steps";
import { measureAxis, measureTitle, verdict } from "./verdict";
import type { Told } from "./whyfigure";

const OUTCOME: Record<string, string> = {
    stalled: "stopped by rounding",
    max_iter: "not converged within the iterations allowed",
};

function measured(p: Point, part: "train" | "test", measure: string): number | null {
    return p[part]?.[measure] ?? null;
}

/** Nothing where there is no standard error: of one split. */
function plusMinus(p: Point): string {
    return typeof p.cvsd === "number" ? ` ± ${short(p.cvsd, 2)}` : "";
}

// ---- what can be drawn along the path ----

type Along = {
    key: string;
    label: string;
    log?: boolean;
    whole?: boolean;
    value: (p: Point) => number | null | undefined;
};

const ALONG: Along[] = [
    { key: "selected", label: "Kernels selected", whole: true, value: (p) => p.selected },
    { key: "df", label: "Degrees of freedom", value: (p) => p.df },
    { key: "seconds", label: "Seconds", value: (p) => p.seconds },
    { key: "iterations", label: "Iterations", whole: true, value: (p) => p.iterations },
    { key: "gap", label: "Certified relative gap", log: true, value: (p) => p.gap },
    { key: "objective", label: "Objective", value: (p) => p.objective },
    ...(["gcv", "loo", "aic", "bic", "cp"] as const).map((key): Along => ({
        key,
        label: { gcv: "GCV", loo: "Leave one out", aic: "AIC", bic: "BIC", cp: "Cp" }[key],
        value: (p) => p[key],
    })),
];

function toldOf(run: Run): Told {
    const targets = listOf(run.asked.settings, "target");
    return { ...run.result!, targets };
}

export class RunView {
    readonly element = h("section", { "aria-label": "Result" });
    private readonly lambdas: number[];
    private readonly strip: ProgressStrip | null;
    private readonly curve: Figure;
    private readonly along: Figure;
    private readonly profile: ProfileView;
    private readonly kernels: KernelView;
    private readonly explained: ExplainView;
    private readonly confusion = new Figure("Confusion matrix");
    private readonly classes: ClassView | null;
    private readonly hero: Hero;
    private readonly targets: NumberView | null;
    private readonly numbers = h("div", { class: "cards" });
    private readonly files: ResultFiles;
    private readonly form: RowForm;
    private readonly slider: HTMLInputElement;
    private readonly lambdaText = h("output");
    private detail: Detail | null = null;
    private asking: AbortController | null = null;

    /** `chosen` is that of the view before, where it was of the same run. */
    constructor(
        private readonly run: Run,
        readonly chosen: Choices = firstChoices(),
    ) {
        const r = run.result!;
        this.lambdas = r.points.map((p) => p.lambda);
        const pointer = {
            drag: (x: number) => setPoint(nearest(this.lambdas, x)),
        };
        this.strip = isGoing(run) ? new ProgressStrip(run) : null;
        this.form = new RowForm(() => runModel(run.id, state.point), toldOf(run), chosen.row);
        this.files = new ResultFiles(
            run,
            () => this.form.toggle(this.detail?.inputs ?? null),
            () => this.report(),
        );
        this.hero = new Hero(run, this.files.buttons);
        this.curve = new Figure(`${measureTitle(r.measure)} along the path`, pointer);
        this.along = new Figure(
            "Along the path",
            pointer,
            this.alongChoice(),
        );
        this.profile = new ProfileView(run, chosen);
        this.kernels = new KernelView(run, chosen);
        this.explained = new ExplainView(
            () => runModel(run.id, state.point),
            () => chosen.output,
            partScale(r),
        );
        this.classes = r.task === "classification" ? new ClassView(r, chosen) : null;
        this.targets = this.classes ? null : new NumberView(run, chosen);
        this.slider = h("input", {
            type: "range",
            id: "lambda",
            min: 0,
            max: this.lambdas.length - 1,
            step: 1,
            value: state.point,
            "aria-label": "λ: to the right, less regularisation",
            oninput: (e: Event) => setPoint(Number((e.target as HTMLInputElement).value)),
        });
        fill(
            this.element,
            this.heading(),
            this.strip?.element,
            this.hero.element,
            this.form.element,
            this.numbers,
            this.sliderRow(),
            this.figures(),
            stabilityFigure(this.result),
            baselinesTable(this.result),
            this.files.commands,
            this.notes(),
        );
        this.update();
    }

    private get result(): NonNullable<Run["result"]> {
        return this.run.result!;
    }

    // ---- what does not change with λ ----

    private heading(): HTMLElement {
        const r = this.result;
        const rename = (e: Event): void => {
            const text = (e.target as HTMLInputElement).value.trim();
            if (!text) (e.target as HTMLInputElement).value = this.run.name;
            else if (text !== this.run.name)
                void api
                    .rename(this.run.id, text)
                    .then(() => openRun(this.run.id))
                    .catch(report);
        };
        const task = r.task === "classification" ? `${r.classes.length} classes` : "regression";
        const loss = lossInWords(r) ? `, ${lossInWords(r)}` : "";
        const stopped =
            this.run.status === "stopped"
                ? " – stopped before the end"
                : this.run.status === "failed"
                  ? " – failed before the end"
                  : "";
        const time = isGoing(this.run) ? "" : ` in ${seconds(this.run.seconds)}`;
        const how = ` – validation: ${validationInWords(this.run.asked)}`;
        return h(
            "div",
            {},
            h("h1", { class: "hidden-text" }, this.run.name),
            h(
                "div",
                { class: "heading" },
                h("input", {
                    class: "name",
                    id: "name",
                    value: this.run.name,
                    title: "Type to rename",
                    "aria-label": "Name of the run",
                    onchange: rename,
                }),
                h(
                    "button",
                    {
                        class: "link rename",
                        onclick: () =>
                            this.element.querySelector<HTMLInputElement>("#name")?.select(),
                    },
                    "Rename",
                ),
            ),
            h(
                "p",
                { class: "hint" },
                `${this.run.data.name}: ${task}${loss}, ${count(r.n, "row")}, ` +
                    `${count(r.m, "kernel")}, ` +
                    `${count(r.points.length, "value")} of λ${time}${how}${stopped}`,
            ),
            this.run.status === "failed" && this.run.error
                ? h("p", { class: "wrong" }, this.run.error)
                : null,
        );
    }

    private notes(): HTMLElement | null {
        return this.result.notes.length
            ? h(
                  "ul",
                  { class: "notes" },
                  this.result.notes.map((n) => h("li", {}, n)),
              )
            : null;
    }

    private alongChoice(): HTMLElement {
        const there = ALONG.filter((a) =>
            this.result.points.some((p) => typeof a.value(p) === "number"),
        );
        return choice(
            "What is shown along the path",
            this.chosen.along,
            there.map((a): [string, string] => [a.key, a.label]),
            (v) => {
                this.chosen.along = v;
                this.drawAlong();
            },
        );
    }

    private outputChoice(): HTMLElement | null {
        if (this.result.outputs.length < 2) return null;
        const word = outputWord(this.result);
        const what = word[0]!.toUpperCase() + word.slice(1);
        const pick = choice(
            `${what} whose kernels are shown`,
            String(this.chosen.output),
            this.result.outputs.map((o, i): [string, string] => [String(i), o]),
            (v) => {
                this.chosen.output = Number(v);
                this.profile.draw();
                this.drawDetail();
            },
        );
        return h("label", { class: "choices hint" }, `${what} shown `, pick);
    }

    private sliderRow(): HTMLElement {
        const best = this.result.best;
        const jump = (label: string, title: string, i: number | null): HTMLElement | null =>
            i === null || i < 0
                ? null
                : h("button", { class: "link", title, onclick: () => setPoint(i) }, label);
        return h(
            "div",
            { class: "slider" },
            h("label", {}, "simpler", this.slider, "more flexible"),
            this.lambdaText,
            this.outputChoice(),
            jump("best (λ min)", "The λ with the best score on the validation rows", best.min),
            jump(
                "simplest within one SE (λ 1se)",
                "The simplest model within one standard error of the best",
                best.one_se === best.min ? null : best.one_se,
            ),
        );
    }

    private figures(): HTMLElement {
        return h(
            "div",
            { class: "grid" },
            this.curve.element,
            this.targets?.outcome.element ?? this.confusion.element,
            h("div", { class: "cell" }, this.kernels.bars.element, this.kernels.list),
            this.kernels.piece.element,
            (this.targets ?? this.classes)?.elements,
            this.explained.element,
            this.along.element,
            this.profile.figure.element,
        );
    }

    // ---- what changes with λ: the path ----

    private describe(i: number): string {
        const p = this.result.points[i];
        if (!p) return "";
        const m = this.result.measure;
        const parts = [`λ ${short(p.lambda)}`, `training ${short(measured(p, "train", m))}`];
        if (typeof p.cvm === "number") parts.push(`validation ${short(p.cvm)}${plusMinus(p)}`);
        if (p.test) parts.push(`test ${short(measured(p, "test", m))}`);
        parts.push(count(p.selected, "kernel"));
        return parts.join(", ");
    }

    private told(i: number): string {
        const p = this.result.points[i];
        return p ? `${count(p.selected, "kernel")} of ${this.result.m}` : "";
    }

    private drawCurve(): void {
        const { points, measure } = this.result;
        const x = this.lambdas;
        const dots = x.length < 60;
        const series: Series[] = [
            {
                name: "training",
                x,
                y: points.map((p) => measured(p, "train", measure)),
                colour: MUTED,
                dots,
            },
        ];
        if (points.some((p) => typeof p.cvm === "number")) {
            const edge = (sign: number): (number | null)[] =>
                points.map((p) =>
                    typeof p.cvm === "number" && typeof p.cvsd === "number"
                        ? p.cvm + sign * p.cvsd
                        : null,
                );
            series.push({
                name: points.some((p) => typeof p.cvsd === "number")
                    ? "validation (± standard error)"
                    : "validation",
                x,
                y: points.map((p) => p.cvm),
                colour: PALETTE[0]!,
                dots,
                band: { lo: edge(-1), hi: edge(1) },
            });
        }
        if (points.some((p) => p.test))
            series.push({
                name: "test",
                x,
                y: points.map((p) => measured(p, "test", measure)),
                colour: PALETTE[1]!,
                dots,
            });
        this.curve.draw(
            lineChart({
                title: `${measureTitle(measure)} against lambda`,
                x: LAMBDA,
                y: { label: measureAxis(this.result) },
                series,
                marks: lambdaMarks(this.result),
                told: (x) => [this.told(nearest(this.lambdas, x))],
            }),
        );
    }

    private drawAlong(): void {
        const along = ALONG.find((a) => a.key === this.chosen.along) ?? ALONG[0]!;
        const y: { label: string; log?: boolean; whole?: boolean } = { label: along.label };
        if (along.log) y.log = true;
        if (along.whole) y.whole = true;
        const series: Series[] = [
            {
                name: along.label,
                x: this.lambdas,
                y: this.result.points.map(along.value),
                dots: this.lambdas.length < 60,
            },
        ];
        this.along.draw(
            lineChart({
                title: `${along.label} against lambda`,
                x: LAMBDA,
                y,
                series,
                marks: lambdaMarks(this.result),
            }),
        );
    }

    /** Why there is no score of rows that were not learned from. */
    private unvalidated(): string {
        if (isGoing(this.run))
            return "A training score says little about new rows; cross-validation is running.";
        if (this.run.status === "stopped")
            return "The run was stopped before validation; expect worse predictions for new rows.";
        return "No rows were held out to validate it; expect worse predictions for new rows.";
    }

    private card(title: string, value: string, note = ""): HTMLElement {
        return h(
            "div",
            { class: "card" },
            h("div", { class: "hint" }, title),
            h("div", { class: "big" }, value),
            h("div", { class: "hint" }, note),
        );
    }

    private drawNumbers(): void {
        const p = this.result.points[state.point];
        if (!p) return;
        const m = this.result.measure;
        const name = measureTitle(m);
        const many =
            this.result.outputs.length > 1
                ? `, over ${this.result.outputs.length} ` +
                  { class: "classes", quantile: "quantiles", target: "targets" }[
                      outputWord(this.result)
                  ]
                : "";
        fill(
            this.numbers,
            typeof p.cvm === "number"
                ? this.card(`${name}, validation`, short(p.cvm), plusMinus(p).trim())
                : null,
            this.stackCard(name),
            this.relevanceCard(),
            p.test ? this.card(`${name}, test`, short(measured(p, "test", m))) : null,
            this.card(`${name}, training`, short(measured(p, "train", m))),
            this.card("Kernels selected", String(p.selected), `of ${this.result.m}${many}`),
            typeof p.df === "number"
                ? this.card("Degrees of freedom", short(p.df, 3), `of ${this.result.n} rows${many}`)
                : null,
            this.card(
                "Certificate",
                power(p.gap),
                OUTCOME[p.outcome] ??
                    (this.detail?.certificate.binned ? "for the binned rows " : "") +
                        "the objective is proved to be this close to the optimum",
            ),
        );
        this.numbers.dataset["count"] = String(this.numbers.childElementCount);
        const weighted = isSet(this.run.asked.settings, "row_weights");
        this.hero.show(
            p,
            this.detail,
            verdict(this.result, p, this.detail, this.unvalidated(), weighted),
            weighted,
        );
        this.lambdaText.textContent = `λ = ${short(p.lambda)}`;
        this.slider.value = String(state.point);
        this.slider.setAttribute("aria-valuetext", this.describe(state.point));
    }

    /** Of a stack, whose kernels, shares and certificate are those of its sparse part. */
    private stackCard(measure: string): HTMLElement | null {
        const stack = this.detail?.stack;
        if (!stack) return null;
        const weights = stack.outputs.length === 1 ? stack.outputs[0]! : [];
        const sum = weights
            .filter((m) => m.weight > 0)
            .map((m) => `${short(m.weight)} × ${m.name ?? "the sparse part"}`)
            .join(" + ");
        return this.card(
            `${measure}, stack`,
            stack.score === null ? "–" : short(stack.score),
            sum || "the sparse part and what the others add",
        );
    }

    /** Which inputs the learned widths tell rows apart by. */
    private relevanceCard(): HTMLElement | null {
        const inputs = this.detail?.relevance;
        if (!inputs || inputs.length === 0) return null;
        const percent = (share: number): string => `${Math.round(100 * share)}%`;
        const others = inputs.slice(1, 5).map((i) => `${i.input} ${percent(i.share)}`);
        return this.card(
            "Learned widths",
            `${inputs[0]!.input} ${percent(inputs[0]!.share)}`,
            `of the distance between rows; ${others.join(", ")}`,
        );
    }

    // ---- what changes with λ: the model there ----

    private async loadDetail(): Promise<void> {
        if (!state.data.some((d) => d.id === this.run.data.id)) return this.sayDataGone();
        this.asking?.abort();
        this.asking = new AbortController();
        const at = state.point;
        this.dim(true);
        try {
            const detail = await api.point(this.run.id, at, this.asking.signal);
            if (at !== state.point) return;
            this.detail = detail;
            clearOffline();
            this.drawNumbers();
            this.drawDetail();
        } catch (error) {
            report(error);
        }
    }

    /** What is drawn of the model is that of another λ. */
    private dim(on: boolean): void {
        for (const f of [this.confusion, this.kernels.bars, this.kernels.piece]) f.loading(on);
        this.targets?.loading(on);
    }

    private sayDataGone(): void {
        for (const f of [this.kernels, this.confusion, this.classes, this.targets])
            f?.say("The data of this run were deleted; its path and models are still there.");
    }

    private drawDetail(): void {
        if (!this.detail) return;
        this.kernels.show(this.detail);
        this.explained.ask();
        this.form.show(this.detail.inputs);
        this.classes?.show(this.detail);
        this.targets?.show(this.detail);
        this.drawConfusion();
    }

    private drawConfusion(): void {
        const c = this.detail!.confusion;
        if (!c) return;
        const part = c.test ? "test" : c.left_out ? "left_out" : "train";
        const name = { test: "test rows", left_out: "validation rows", train: "training rows" }[
            part
        ];
        this.confusion.caption(`Confusion matrix, ${name}`);
        this.confusion.draw(confusionChart(`Confusion, ${name}`, c.classes, c[part]!));
    }

    /** All that is on screen, as a file. */
    private report(): Promise<Blob> {
        const figures = [
            this.curve,
            this.confusion,
            ...(this.targets?.figures ?? []),
            this.kernels.bars,
            ...(this.classes?.figures ?? []),
            this.kernels.piece,
            ...this.explained.figures,
            this.profile.figure,
        ];
        return makeReport({
            run: this.run,
            point: state.point,
            detail: this.detail,
            verdict: this.hero.element.querySelector(".verdict")?.textContent ?? "",
            figures: figures.map((f) => f.paper()).filter((f) => f !== null),
        });
    }

    /** After the server has told how far it is. */
    updateProgress(run: Run): void {
        this.strip?.update(run);
    }

    /** After λ has moved. */
    update(): void {
        this.drawNumbers();
        this.drawCurve();
        this.drawAlong();
        this.profile.draw();
        void this.loadDetail();
        this.files.moved();
    }
}
