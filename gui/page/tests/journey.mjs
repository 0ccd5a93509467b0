// The page as a person uses it, in a real browser: `make gui-check`.
//
//   node tests/journey.mjs COMMAND PICTURES
//
// Starts `COMMAND gui` on a folder of its own, drives Debian's chromium through it, and leaves
// pictures of what was seen in PICTURES. Ends with 'N passed, N failed'. Of the steps those whose
// names the regular expression JOURNEY matches, where it is set.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";
import { moreSteps } from "./journey_models.mjs";

const run = promisify(execFile);
const [command, pictures] = process.argv.slice(2);
if (!command || !pictures) {
    console.error("usage: node tests/journey.mjs COMMAND PICTURES");
    process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), "rls2-journey-"));
await mkdir(pictures, { recursive: true });

// ---- the server ----

let server = null;

async function startServer(options = ["--no-browser"], variables = {}) {
    server = spawn(command, ["gui", "--folder", join(folder, "kept"), ...options], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, ...variables },
    });
    const line = await new Promise((resolve, reject) => {
        let text = "";
        server.stdout.on("data", (d) => {
            text += d;
            if (text.includes("\n")) resolve(text.split("\n")[0]);
        });
        server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
        setTimeout(() => reject(new Error("the server did not start")), 120000).unref();
    });
    return line.trim();
}

async function stopServer() {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGTERM");
    await ended;
}

// ---- the browser ----

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
});
const context = await browser.newContext({
    viewport: { width: 1366, height: 820 },
    acceptDownloads: true,
});
const page = await context.newPage();
page.setDefaultTimeout(120000); // for machines that are busy: nothing is asked about time
// A server that is being restarted is away for a moment.
const complaints = [];
page.on("pageerror", (e) => complaints.push(`error: ${e.message}`));
page.on(
    "console",
    (m) =>
        m.type() === "error" &&
        !/status of 4\d\d|ERR_CONNECTION|ERR_(EMPTY|INCOMPLETE)_|favicon/.test(m.text()) &&
        complaints.push(`console: ${m.text()}`),
);
page.on("dialog", (d) => void d.accept());

/** The figure of that caption is in the middle of the window. */
async function lookAt(caption) {
    const figure = page.locator(`#main figure:has-text('${caption}')`).first();
    await figure.evaluate((e) => e.scrollIntoView({ block: "center" }));
    await page.waitForTimeout(400);
}

const picture = (name) => page.screenshot({ path: join(pictures, `${name}.png`) });
const field = (name) => page.locator(`[data-field="${name}"]`).first();
const cards = () => page.locator(".card .big").allTextContents();

async function open(step) {
    const summary = page.locator(`details.step[data-step="${step}"] > summary`);
    if (!(await summary.evaluate((e) => e.parentElement.open))) await summary.click();
}

/** The run on screen may be another until the new one is opened. */
async function train() {
    const here = () => document.querySelector(".runs li.here .run button")?.id ?? "";
    await page.waitForFunction(() => !document.querySelector("button.primary").disabled);
    const before = await page.evaluate(here);
    await page.click("button.primary");
    await page.waitForFunction(
        (old) => {
            const now = document.querySelector(".runs li.here .run button")?.id;
            return now && now !== old;
        },
        before,
    );
    await page.waitForSelector(".cards .card");
    await page.waitForFunction(() => !document.querySelector("#stop"));
    await page.waitForSelector("figure:has-text('What the prediction rests on') svg text");
}

async function saved(click) {
    const [file] = await Promise.all([page.waitForEvent("download"), click()]);
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

/** Something of the menu of exports. */
async function exported(label) {
    await page.click(".files .menu > summary");
    await page.locator(".files .menu-items button", { hasText: label }).click();
}

// ---- who cannot see it well, or uses no mouse ----

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** No rule of WCAG 2.1, levels A and AA, that a program can check is broken. */
async function accessible(where) {
    await page.waitForTimeout(250); // colours change by degrees
    await page.evaluate(axe);
    const found = await page.evaluate(() =>
        window.axe.run(document, {
            runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
        }),
    );
    const told = found.violations.map(
        (v) =>
            `${v.id}: ${v.nodes
                .slice(0, 3)
                .map((n) => n.html.slice(0, 140))
                .join(" | ")}`,
    );
    assert.deepEqual(told, [], where);
}

const focused = () =>
    page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);

// ---- how it looks ----

const WIDTHS = [390, 768, 1024, 1366, 2560];

/** Fits windows of all widths, light and dark, with a picture of each; 683 is 1366 at 200 %. */
async function looks(name) {
    const before = page.viewportSize();
    const theme = await page.inputValue("#top select");
    for (const dark of [false, true]) {
        await page.selectOption("#top select", dark ? "dark" : "light");
        for (const width of dark ? [390, 1366] : [...WIDTHS, 683]) {
            await page.setViewportSize({ width, height: width < 800 ? 844 : 900 });
            await page.waitForTimeout(350);
            await picture(`${name}-${width}${dark ? "-dark" : ""}`);
            const wide = await page.evaluate(
                () => document.documentElement.scrollWidth > window.innerWidth + 1,
            );
            assert.equal(wide, false, `${name} is wider than a window of ${width}`);
        }
        await accessible(`${name}, ${dark ? "dark" : "light"}`);
    }
    await page.selectOption("#top select", theme);
    await page.setViewportSize(before);
}

/** Cards and figures that stand side by side are equally high. */
async function evenRows(selector) {
    const boxes = await page.locator(selector).evaluateAll((all) =>
        all
            .filter((e) => e.offsetParent)
            .map((e) => ({ top: Math.round(e.offsetTop), height: Math.round(e.offsetHeight) })),
    );
    for (const a of boxes)
        for (const b of boxes)
            if (a.top === b.top) assert.ok(Math.abs(a.height - b.height) <= 1, selector);
}

// ---- the steps ----

let passed = 0;
let failed = 0;

const only = new RegExp(process.env.JOURNEY ?? "");

async function step(name, work) {
    if (!only.test(name)) return;
    const before = complaints.length;
    try {
        await work();
        assert.deepEqual(complaints.slice(before), [], "the browser complained");
        passed++;
        console.log(`ok      ${name}`);
    } catch (error) {
        failed++;
        console.log(
            `FAILED  ${name}\n        ` +
                String(error.message).split("\n").slice(0, 6).join("\n        "),
        );
        await picture(`failed-${failed}`).catch(() => {});
    }
}

const address = await startServer();

await step("the page opens with its token and not without", async () => {
    const bare = await page.goto(address.replace(/token=.*/, "token=00"));
    assert.equal(bare.status(), 403);
    await page.goto(address);
    await page.waitForSelector(".welcome");
    assert.equal(
        new URL(page.url()).search,
        "",
        "the token stays with the tab, not in its address and history",
    );
    const bytes = await page.evaluate(async () => (await (await fetch("/")).blob()).size);
    assert.ok(bytes > 100e3 && bytes < 1.5e6, `the page has ${bytes} bytes`);
    await page.waitForFunction(
        () => document.querySelectorAll(".sample svg.thumb circle").length > 500,
    );
    await picture("welcome");
    await looks("start");
    await evenRows(".sample");
});

await step("the side folds away, and stays so", async () => {
    await page.click("#fold");
    assert.equal(await page.locator("#side").isVisible(), false);
    assert.equal(await page.getAttribute("#fold", "aria-expanded"), "false");
    await page.reload();
    await page.waitForSelector(".welcome");
    assert.equal(await page.locator("#side").isVisible(), false);
    await page.click("#fold");
    assert.equal(await page.locator("#side").isVisible(), true);
});

await step("a card of the first view opens its table, the mark leads back", async () => {
    await page.click("#sample-servo");
    await page.waitForSelector("h1:has-text('servo.csv')");
    assert.equal(await field("target").locator("select").inputValue(), "rise_time");
    await page.click("#home");
    await page.waitForSelector(".welcome");
    assert.equal(await page.locator("#train").count(), 0);
});

await step("an example loads and is summed up", async () => {
    await page.selectOption(".data-step select", "prostate");
    await page.waitForSelector("th:has-text('lcavol')");
    assert.match(await page.textContent("main"), /97 rows, 10 columns/);
    await page.waitForSelector(".checks .hint:has-text('training row')");
    await picture("data");
    await accessible("data");
});

await step("kernels by ticks and by text, both ways", async () => {
    await open("Kernels");
    await page.waitForSelector(".counted strong:has-text('kernels')");
    await field("kernels").locator("select").selectOption("custom");
    const text = () => field("kernels").locator("textarea").inputValue();
    const counted = (n) => page.waitForSelector(`.counted:has-text('${n} kernels')`);
    const says = async (wanted) => assert.equal(await text(), wanted);
    assert.equal(await page.isChecked("#family-rbf"), true);
    await field("kernels").locator("textarea").fill("rbf(0.1|1)@each");
    assert.equal(await page.isChecked("#family-linear"), false);
    assert.equal(await page.inputValue("#family-rbf-widths"), "0.1|1");
    await counted(16);
    await page.check("#family-rbf-together");
    await says("rbf(0.1|1)@all,each");
    await counted(18);
    await page.fill("#family-rbf-widths", "0.1:10:3");
    await says("rbf(0.1:10:3)@all,each");
    await counted(27);
    await page.uncheck("#family-rbf-together");
    await page.selectOption("#family-rbf-columns", "lcavol");
    await page.selectOption("#family-rbf-columns", "age");
    await says("rbf(0.1:10:3)@each:lcavol+age");
    await counted(6);
    await page.check("#family-linear");
    await says("linear@each; rbf(0.1:10:3)@each:lcavol+age");
    await counted(14);
    await picture("kernel-builder");
    await accessible("kernel builder");
    // more than ticks can say: the text stands, and counts
    await field("kernels").locator("textarea").fill("rbf(1)@all; rbf(2)@l*");
    assert.equal(await page.locator("#family-rbf").count(), 0);
    assert.match(await page.textContent(".families"), /more than ticks can/);
    await counted(2);
    await field("kernels by").locator("select").selectOption("linear");
});

await step("a wrong dictionary is told beside its field", async () => {
    await open("Kernels");
    await field("kernels").locator("select").selectOption("custom");
    await field("kernels").locator("textarea").fill("rbff(1)");
    await page.waitForSelector(".has-error");
    assert.match(await field("kernels").locator(".wrong").textContent(), /rbf/);
    assert.equal(await page.locator("button.primary").isDisabled(), true);
    await picture("wrong-kernel");
    await field("kernels by").locator("select").selectOption("linear");
    await page.waitForFunction(() => !document.querySelector(".has-error"));
});

await step("fields say what the library's table of settings says", async () => {
    const { settings } = await page.evaluate(async () => {
        const token = sessionStorage.getItem("rls2-token");
        return (await fetch("/api/settings", { headers: { "X-RLS2-Token": token } })).json();
    });
    const about = (name) => settings.find((s) => s.name === name);
    // one that has a place of its own, and one that none has
    for (const name of ["scaling", "rank_tol"]) {
        assert.equal(await field(name).locator("label").textContent(), about(name).label);
        assert.ok(
            (await field(name).locator(".hint").textContent()).startsWith(about(name).sentence),
        );
    }
    // no hint or example says how an option of the command is written
    const words = await page.locator("#side").evaluate((side) => [
        ...[...side.querySelectorAll(".hint")].map((e) => e.textContent),
        ...[...side.querySelectorAll("[placeholder]")].map((e) => e.placeholder),
    ]);
    assert.deepEqual(
        words.filter((w) => /\b(LO|HI|N|X|COLUMN|VALUE|NAME|LABEL|SIZE|SPEC|TEXT)\b|--/.test(w)),
        [],
    );
    const choices = await field("scaling")
        .locator("option")
        .evaluateAll((all) => all.map((e) => e.value));
    assert.deepEqual(choices, about("scaling").choices);
    assert.equal(await field("rank_tol").locator("input").inputValue(), about("rank_tol").default);
    await page.locator('details[data-step="more Kernels"] > summary').click();
    await field("rank_tol").locator("input").fill("2");
    await page.waitForSelector('[data-field="rank_tol"].has-error');
    await field("rank_tol").locator("input").fill(about("rank_tol").default);
    await page.waitForFunction(() => !document.querySelector(".has-error"));
    // hints name choices: what is to be chosen contains that name
    for (const { name, choices } of settings.filter((s) => ["choice", "switch"].includes(s.kind)))
        for (const option of await page.locator(`#side [data-field="${name}"] option`).all()) {
            const value = await option.getAttribute("value");
            const shown = (await option.textContent()).toLowerCase().replaceAll(" ", "-");
            if (value === "auto" || choices.includes(value))
                assert.ok(shown.includes(value), `${name}: ${value} is shown as ${shown}`);
        }
    assert.deepEqual(
        await field("missing")
            .locator("option")
            .evaluateAll((all) => all.map((e) => e.value)),
        about("missing").choices,
    );
});

await step("Prostate is trained and validated", async () => {
    await open("Preprocessing");
    assert.equal(await field("features").locator("select").inputValue(), "auto");
    await train();
    await picture("prostate");
    assert.equal(await focused(), "train", "the focus stays where it was");
    assert.match(
        await page.textContent(".verdict"),
        /^On test rows the RMSE is [\d.]+; the constant-prediction baseline \(mean/,
    );
    // what is compared stands on the same rows, and a simpler model that does as well is named
    const beside = page.locator(".hero figure svg");
    assert.match(await beside.getAttribute("aria-label"), /on validation rows.*ridge regression/);
    assert.match(await page.textContent(".also"), /^Ridge regression .* does as well, and is /);
    await page.waitForSelector(".hero .tag.good:has-text('certified within')");
    await looks("run");
    await evenRows(".cards > .card");
    await evenRows("#main section > .grid > *");
    await accessible("result");
    const values = await cards();
    assert.ok(Number(values[0]) > 0.5 && Number(values[0]) < 1, `left-out error ${values[0]}`);
});

await step("the slider moves everything, by keyboard too", async () => {
    const before = await cards();
    await page.locator(".slider input").focus();
    for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowRight");
    await page.waitForFunction(
        (old) => document.querySelector(".slider output").textContent !== old,
        before[0],
    );
    const after = await cards();
    assert.notDeepEqual(after, before);
    await page.waitForTimeout(400);
});

await step("lambda is dragged in the chart", async () => {
    const lambda = () => page.textContent(".slider output");
    const before = await lambda();
    const chart = page.locator(".grid figure").first().locator("svg");
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.boundingBox();
    await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.35, box.y + box.height / 2, { steps: 8 });
    await page.mouse.up();
    assert.notEqual(await lambda(), before);
    await page.waitForSelector("figure .tip:has-text('validation')");
});

await step("a kernel shows its function", async () => {
    await page.locator(".slider button", { hasText: "min" }).click();
    await page
        .locator("figure:has-text('Effect of') svg text")
        .first()
        .waitFor({ state: "attached" });
    // whether more of an input means more is known a little later
    const rests = "figure:has-text('What the prediction rests on')";
    await page.waitForSelector(`${rests} text:has-text('↑')`);
    const chips = page.locator("[role=group] .chip");
    await chips.nth(1).click();
    assert.equal(await chips.nth(1).getAttribute("aria-pressed"), "true");
    await lookAt("What the prediction rests on");
    await picture("prostate-kernels");
    await page.locator("main").evaluate((e) => e.scrollTo(0, 0));
});

await step("figures are saved as SVG, PNG and PDF", async () => {
    const first = page.locator(".grid figure").first();
    const item = async (ending) => {
        await first.locator(".menu > summary").click();
        await first.locator(".menu-items button", { hasText: ending }).click();
    };
    const svg = await saved(() => item("SVG"));
    const png = await saved(() => item("PNG"));
    const csv = await saved(() => item("CSV"));
    assert.match(svg.bytes.toString(), /^<svg/);
    assert.match(svg.bytes.toString(), /λ \(less regularised/);
    assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
    assert.match(csv.bytes.toString(), /^series,.*\ntraining,/);
    await writeFile(join(pictures, "curve.svg"), svg.bytes);
    // the browser's own printing makes the PDF; here it is asked for without its dialog
    await page.evaluate(() => (window.print = () => (window.asked = true)));
    await item("PDF");
    await page.waitForFunction(() => window.asked);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    assert.equal(await page.locator("#printed").count(), 0);
    const written = pdf.toString("latin1");
    assert.match(written, /\/FontFile2|\/FontFile3/, "the fonts are embedded");
    assert.equal(written.match(/\/Type \/Page\b/g)?.length, 1, "one page, of the figure");
    await writeFile(join(pictures, "curve.pdf"), pdf);
});

await step("model, predictions, statistics and commands", async () => {
    const model = await saved(() => page.click("text=Save the model"));
    assert.ok(model.bytes.length > 500);
    const predictions = (await saved(() => exported("Predictions (CSV)"))).bytes.toString();
    assert.match(predictions.split("\n")[0], /actual/);
    const statistics = (await saved(() => exported("Statistics (CSV)"))).bytes.toString();
    assert.match(statistics.split("\n")[0], /lambda/);
    const points = Number(await page.getAttribute("#lambda", "max")) + 1;
    assert.equal(statistics.trim().split("\n").length, points + 1);
    await exported("As a command");
    await page.waitForSelector("pre");
    assert.match(await page.locator("pre").first().textContent(), /^rls2 train /);
});

await step("another file is predicted", async () => {
    const rows = (await readFile("../../data/prostate.csv", "utf8"))
        .split("\n")
        .slice(0, 4)
        .join("\n");
    await writeFile(join(folder, "new.csv"), rows);
    const csv = await saved(() => page.setInputFiles("#predict-file", join(folder, "new.csv")));
    assert.equal(csv.bytes.toString().trim().split("\n").length, 4);
});

await step("one row is predicted in a form, as in a file", async () => {
    const csv = await saved(() => page.setInputFiles("#predict-file", join(folder, "new.csv")));
    const [names, row] = csv.bytes
        .toString()
        .split("\n")
        .map((l) => l.split(","));
    await page.click("#predict-row");
    for (const input of await page.locator(".row-form .field").all()) {
        const name = (await input.getAttribute("data-field")).slice("input ".length);
        await input.locator("input").fill(row[names.indexOf(name)]);
    }
    const expected = String(Number(Number(row.at(-1)).toPrecision(4)));
    await page.waitForSelector(`.row-form .verdict:has-text('Predicted lpsa: ${expected}')`);
    await accessible("one row");
    await page.click("#predict-row");
    assert.equal(await page.locator(".row-form").count(), 0);
});

await step("the saved model predicts what the page predicts", async () => {
    const model = await saved(() => page.click("text=Save the model"));
    await writeFile(join(folder, "saved.model"), model.bytes);
    const csv = await saved(() => page.setInputFiles("#predict-file", join(folder, "new.csv")));
    const { stdout } = await run(command, [
        "predict",
        join(folder, "saved.model"),
        join(folder, "new.csv"),
        "-q",
    ]);
    const last = (text) =>
        text
            .trim()
            .split("\n")
            .map((l) => l.split(",").at(-1));
    assert.deepEqual(last(csv.bytes.toString()), last(stdout));
});

await step("the command on the page makes the model on the page", async () => {
    const model = await saved(() => page.click("text=Save the model"));
    await writeFile(join(folder, "prostate.csv"), await readFile("../../data/prostate.csv"));
    const line = await page.locator("pre", { hasText: /^rls2 train/ }).first().textContent();
    assert.doesNotMatch(line, /--lambda=/, "it chooses lambda as the page did");
    await run("/bin/sh", ["-c", line.replace(/^rls2/, '"$0"'), command], { cwd: folder });
    assert.deepEqual(await readFile(join(folder, "model.rls2")), model.bytes);
});

await step("a reload keeps the run on screen", async () => {
    const before = await cards();
    await page.reload();
    await page.waitForSelector(".cards .card");
    assert.deepEqual(await cards(), before);
});

await step("classes: a dropped CSV file, confusion, several kernels", async () => {
    const text = await readFile("../../data/heart.csv", "utf8");
    const transfer = await page.evaluateHandle((content) => {
        const t = new DataTransfer();
        t.items.add(new File([content], "heart-like.csv", { type: "text/csv" }));
        return t;
    }, text);
    await page.dispatchEvent("main", "drop", { dataTransfer: transfer });
    await page.waitForSelector("h1:has-text('heart-like.csv')");
    const columns = text.split("\n")[0].split(",");
    await field("target").locator("select").selectOption(columns.at(-1).trim().replaceAll('"', ""));
    await train();
    await page.waitForSelector("figure:has-text('Confusion matrix') svg text");
    await picture("heart");
    await page.locator("main").evaluate((e) => e.scrollTo(0, 700));
    await page.waitForTimeout(300);
    await picture("heart-kernels");
    assert.ok(Number((await cards())[0]) > 0.7);
});

/** Nothing on screen is a number that is none. */
async function noNonsense(where) {
    const words = await page.locator("main").innerText();
    assert.deepEqual(words.match(/\b(NaN|null|undefined|Infinity)\b/g) ?? [], [], where);
    const labels = await page
        .locator("main svg[role=img]")
        .evaluateAll((all) => all.map((e) => e.getAttribute("aria-label") + e.textContent));
    assert.deepEqual(labels.filter((l) => /NaN|null|undefined/.test(l)), [], where);
}

await step("probabilities: logistic loss, ROC curve and calibration", async () => {
    const losses = await field("loss")
        .locator("option")
        .evaluateAll((all) => all.map((e) => e.value));
    assert.deepEqual(losses, ["square", "logistic", "hinge", "squared-hinge"]);
    await field("loss").locator("select").selectOption("logistic");
    await open("Validation");
    const measures = await field("measure").locator("option").allTextContents();
    assert.ok(measures.some((m) => m.startsWith("log-loss")) && !measures.includes("rmse"));
    await train();
    assert.match(
        await page.textContent(".verdict"),
        /^On validation rows the log loss is 0\.\d+ ± .*; the constant-prediction .* \(shares/,
    );
    await page.waitForSelector("figure:has-text('Calibration of') svg");
    const roc = page.locator("figure:has-text('ROC curve of') svg");
    const area = /AUC (0\.\d+)/.exec(await roc.getAttribute("aria-label"));
    assert.ok(Number(area?.[1]) > 0.8 && Number(area?.[1]) < 1, "the area under the ROC curve");
    const rests = page.locator("figure:has-text('What the prediction rests on')");
    assert.match(await rests.locator("svg").textContent(), /variance of left-out predictions/);
    assert.match(await rests.locator(".foot").textContent(), /Together they make 100 %/);
    await page.waitForSelector("figure:has-text('(log odds)')");
    await noNonsense("logistic");
    await page.locator("#side").evaluate((e) => e.scrollTo(0, 0));
    await picture("logistic");
    await lookAt("ROC curve of");
    await picture("logistic-classes");
    await page.locator("main").evaluate((e) => e.scrollTo(0, 1150));
    await page.waitForTimeout(300);
    await picture("logistic-kernels");
    await page.locator("main").evaluate((e) => e.scrollTo(0, 0));
    await accessible("logistic");
});

await step("what inputs do alone and together", async () => {
    await page.click("#explanation > summary");
    const whole = page.locator("figure:has-text('Inputs of the whole prediction')");
    await whole.locator("svg text").first().waitFor();
    assert.match(await whole.locator(".foot").textContent(), /^Over 200 training rows/);
    const dependence = page.locator("figure:has-text('Partial dependence on')");
    await dependence.locator("svg text").first().waitFor({ state: "attached" });
    const before = await dependence.locator("figcaption").textContent();
    await whole.locator("svg text").nth(3).click();
    await page.waitForFunction(
        (old) => !document.querySelector("#explanation").textContent.includes(old),
        /on (\w+)/.exec(before)[0],
    );
    await page.locator("#explanation").scrollIntoViewIfNeeded();
    await noNonsense("explanation");
    await picture("explanation");
    await page.click("#explanation > summary");
    await page.locator("main").evaluate((e) => e.scrollTo(0, 0));
});

await step("probabilities in files, in the form, and by the command", async () => {
    const csv = (await saved(() => exported("Predictions (CSV)"))).bytes.toString();
    assert.match(csv.split("\n")[0], /,score,probability_.*,left_out_probability_/);
    await page.click("#predict-row");
    await page.waitForSelector(".row-form .verdict:has-text('(probabilities ')");
    assert.match(await page.textContent(".row-form .verdict"), /1: [\d.]+ %, 2: [\d.]+ %\)/);
    await picture("logistic-row");
    await page.click("#predict-row");
    const model = await saved(() => page.click("text=Save the model"));
    if ((await page.locator("pre").count()) === 0) await exported("As a command");
    await page.waitForSelector("pre:has-text('rls2 train')");
    const line = await page.locator("pre", { hasText: /^rls2 train/ }).first().textContent();
    assert.match(line, /--loss=logistic/);
    await writeFile(join(folder, "heart-like.csv"), await readFile("../../data/heart.csv"));
    await run("/bin/sh", ["-c", line.replace(/^rls2/, '"$0"'), command], { cwd: folder });
    assert.deepEqual(await readFile(join(folder, "model.rls2")), model.bytes);
});

await step("counts and quantiles", async () => {
    const rows = Array.from({ length: 80 }, (_, i) => {
        const [x, z] = [Math.sin(i) * 2, Math.cos(3 * i)];
        const count = Math.floor(Math.exp(1 + 0.7 * x) * (0.4 + ((i * 37) % 13) / 10));
        const yield_ = x * x + z + ((i * 53) % 17) / 8 - 1;
        return `${x.toFixed(3)},${z.toFixed(3)},${count},${yield_.toFixed(3)}`;
    });
    await writeFile(join(folder, "counts.csv"), ["x,z,visits,yield", ...rows].join("\n"));
    await page.setInputFiles("#file", join(folder, "counts.csv"));
    await page.waitForSelector("h1:has-text('counts.csv')");
    await field("target").locator("select").selectOption("visits");
    await field("loss").locator("select").selectOption("poisson");
    await train();
    assert.match(await page.textContent(".verdict"), /^On validation rows the deviance is [\d.]+/);
    await page.waitForSelector("figure:has-text('Predicted rate against actual count') svg");
    await noNonsense("poisson");
    await picture("counts");
    await field("target").locator("select").selectOption("yield");
    assert.equal(await field("loss").locator("select").inputValue(), "square", "no count");
    const offered = await field("loss").locator("option").allTextContents();
    assert.ok(!offered.some((o) => o.includes("logistic")), "it is for classes");
    await field("loss").locator("select").selectOption("quantiles");
    await field("loss").locator("input").fill("0.1 0.5");
    await page.waitForSelector(".checks .hint:has-text('training row')");
    await field("loss").locator("input").fill("0.5, 0.1");
    await page.waitForSelector('[data-field="loss"].has-error');
    await field("loss").locator("input").fill("0.1, 0.5, 0.9");
    await train();
    assert.match(await page.textContent(".verdict"), /^On validation rows the pinball loss is \d/);
    assert.match(await page.textContent("main"), /quantile\(0\.1, 0\.5, 0\.9\) loss/);
    await page.getByLabel("Quantile whose kernels are shown").selectOption({ index: 2 });
    await page.waitForSelector("figure:has-text('Quantile 0.9 against actual') svg");
    assert.match(
        await page.textContent("figure:has-text('How far off to expect') .foot"),
        /Validation rows: .* % are below quantile 0\.9, .* between the outermost/,
    );
    await noNonsense("quantiles");
    await picture("quantiles");
    await accessible("quantiles");
});

await step("two runs side by side", async () => {
    for (const box of await page.locator(".runs input[type=checkbox]").all()) await box.check();
    await page.waitForSelector("h1:has-text('Runs side by side')");
    await page.waitForSelector("main table");
    await picture("compare");
    await accessible("comparison");
    for (const box of await page.locator(".runs input[type=checkbox]").all()) await box.uncheck();
});

await step("a table as people have it: row names, decimal commas, words for nothing", async () => {
    const row = (i) =>
        [
            `S${i}`,
            i % 17 === 3 ? "NA" : ((i * 37) % 100) / 7,
            Math.sin(i),
            "ABC"[i % 3],
            `${String(1 + (i % 28)).padStart(2, "0")}.0${1 + Math.floor(i / 28)}.2024`,
        ]
            .map((v) => (typeof v === "number" ? v.toFixed(3).replace(".", ",") : v))
            .join(";");
    await writeFile(
        join(folder, "messy.csv"),
        [";yield;dose;batch;day", ...Array.from({ length: 60 }, (_, i) => row(i))].join("\r\n"),
    );
    const taken = (name) => page.textContent(`tr:has(th:text-is('${name}')) .taken`);
    await page.setInputFiles("#file", join(folder, "messy.csv"));
    await page.waitForSelector("h1:has-text('messy.csv')");
    const notes = await page.textContent("main .notes");
    for (const said of [/row names/, /missing: NA \(4 cells\)/, /is read as/, /day-month-year/])
        assert.match(notes, said);
    assert.match(await page.textContent(".guess"), /guess/);
    await page.locator("select[aria-label='Role of yield']").selectOption("predicted");
    assert.equal(await field("target").locator("select").inputValue(), "yield");
    await page.waitForSelector(".checks .hint:has-text('56 training rows')");
    const kinds = { row: "row names", yield: "numbers", dose: "numbers", batch: "3 categories" };
    for (const [name, kind] of Object.entries({ ...kinds, day: "dates" }))
        assert.equal(await taken(name), kind);
    assert.match(await page.textContent("tr:has(th:text-is('day'))"), /2024-01-01.*2024-03-04/);
    await picture("messy");
    await accessible("messy data");
});

await step("what was inferred is undone by a click", async () => {
    const chip = (name) => page.locator(`[data-chip="${name}"]`);
    assert.equal((await chip("day").textContent()).replace("×", ""), "dates");
    await chip("day").locator(".undo").click();
    await page.waitForSelector('[data-chip="day"]:has-text("categories")');
    assert.equal(await page.locator("select[aria-label='Role of day']").inputValue(), "text");
    await chip("day").locator(".undo").click();
    await page.waitForSelector('[data-chip="day"]:has-text("dates")');
    // rows without the target are lost whatever becomes of inputs
    await page.locator(".notes-chips .chip", { hasText: "missing: NA" }).locator(".undo").click();
    await page.waitForSelector(".notes-chips .chip:has-text('missing: none, as you said')");
    assert.match(await page.textContent("main"), /nothing missing/);
    await page.locator(".notes-chips .chip", { hasText: "as you said" }).locator(".undo").click();
    await page.waitForSelector(".notes-chips .chip:has-text('missing: NA (4 cells)')");
    await page.locator("select[aria-label='Role of yield']").selectOption("predicted");
    await page.waitForSelector(".checks .hint:has-text('56 training rows')");
});

await step("a row with an empty field, a date and a new category", async () => {
    await train();
    await page.click("#predict-row");
    const typed = { day: "3.2.2024", batch: "C" };
    for (const input of await page.locator(".row-form .field").all()) {
        const name = (await input.getAttribute("data-field")).slice("input ".length);
        const list = input.locator("select");
        if (typed[name] && (await list.count())) await list.selectOption(typed[name]);
        else if (typed[name]) await input.locator("input").fill(typed[name]);
    }
    await page.waitForSelector(".row-form .verdict:has-text('Predicted yield: ')");
    await writeFile(join(folder, "new.csv"), "dose;batch;day\n0,5;Z;3.2.2024\n;A;4.2.2024\n");
    await saved(() => page.setInputFiles("#predict-file", join(folder, "new.csv")));
    await page.waitForSelector(".files .hint:has-text('2 rows predicted')");
});

await step("columns that nobody means to learn from", async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `P${i * 7},${i % 9},4,${(i * i) % 31}`);
    await writeFile(join(folder, "ids.csv"), ["sample,dose,site,yield", ...rows].join("\n"));
    await page.setInputFiles("#file", join(folder, "ids.csv"));
    await page.waitForSelector(".notice:has-text('sample only names the rows')");
    const taken = page.locator("tr:has(th:text-is('sample')) .taken");
    assert.equal(await taken.textContent(), "left out: only names the rows");
    await picture("left-out");
    await accessible("columns left out");
    await page.click("text=Learn from all columns");
    await page.waitForSelector("tr:has(th:text-is('sample')) .taken:has-text('60 categories')");
    assert.equal(await field("columns").locator("select").inputValue(), "all");
    await open("Columns");
    await field("columns").locator("select").selectOption("auto");
    await page.waitForSelector(".notice:has-text('sample only names the rows')");
});

await step("a column that costs rows, and one that may give the target away", async () => {
    const rows = Array.from({ length: 100 }, (_, i) => {
        const y = Math.sin(i);
        return `${(i * 37) % 101},${i < 3 ? "" : i % 13},${y < 0 ? 1 : 0},${y.toFixed(6)}`;
    });
    const long = "a name that is longer than any window has room for ".repeat(4).trim();
    await writeFile(join(folder, "gaps.csv"), [`${long},holes,low,y`, ...rows].join("\n"));
    await page.setInputFiles("#file", join(folder, "gaps.csv"));
    await page.waitForSelector(".gaps:has-text('3 rows left out for empty cells')");
    await page.waitForSelector(".notice:has-text('low goes along with the target in every row')");
    await looks("table");
    await page.click(".gaps button:has-text('have 3 rows back')");
    await page.waitForSelector(".checks .hint:has-text('100 training rows')");
    await page.locator(".notice", { hasText: "low goes along" }).locator("button").click();
    await page.waitForFunction(() => !document.querySelector(".notice.warning"));
});

await step("what takes long has ways that take less, a click each", async () => {
    const number = (i, j) => Math.sin((2 * j + 3) * i + j).toFixed(4);
    const names = Array.from({ length: 12 }, (_, j) => `x${j}`);
    const rows = Array.from({ length: 2900 }, (_, i) =>
        [...names.map((_, j) => number(i, j)), number(i, 0) * number(i, 1)].join(","),
    );
    await writeFile(join(folder, "long.csv"), [[...names, "y"].join(","), ...rows].join("\n"));
    await page.setInputFiles("#file", join(folder, "long.csv"));
    await page.waitForSelector(".forecast .tag.warn");
    await page.waitForSelector('[data-saving="kernels=linear"]');
    for (const way of ["method=tall", "test_share=0.6552"])
        assert.equal(await page.locator(`[data-saving="${way}"]`).count(), 1, way);
    await page.locator("#side").evaluate((e) => e.scrollTo(0, e.scrollHeight));
    await picture("forecast");
    await accessible("forecast");
    await page.click('[data-saving="kernels=linear"]');
    await page.waitForSelector(".forecast .tag:not(.warn)");
    assert.equal(await field("kernels").locator("select").inputValue(), "linear");
});

await step("what is no table, and a number that is none", async () => {
    await writeFile(
        join(folder, "book.xlsx"),
        Buffer.concat([
            Buffer.from("PK\x03\x04"),
            Buffer.alloc(26),
            Buffer.from("[Content_Types].xml"),
        ]),
    );
    await page.setInputFiles("#file", join(folder, "book.xlsx"));
    await page.waitForSelector("h1:has-text('was not read')");
    assert.match(await page.textContent("main .wrong"), /workbook.*save it as CSV/);
    await open("Validation");
    const folds = field("folds");
    for (const [typed, said] of [
        ["", /missing/],
        ["ten", /'ten' is not a number/],
        ["1", /^Folds is 1; it must be at least 2/],
        ["2.5", /whole number/],
    ]) {
        await folds.locator("input").fill(typed);
        await page.waitForFunction(
            (re) =>
                new RegExp(re).test(document.querySelector(".has-error .wrong")?.textContent ?? ""),
            said.source,
        );
        assert.equal(await page.locator("#train").isDisabled(), true);
        assert.equal(await folds.locator("input").getAttribute("aria-invalid"), "true");
    }
    await folds.locator("input").fill("5");
    await page.waitForFunction(() => !document.querySelector(".has-error"));
    for (const step of ["Columns", "Preprocessing", "Kernels", "Regularisation"]) await open(step);
    await accessible("all settings");
});

await step("the whole way by keyboard", async () => {
    await page.locator("#train").focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".cards .card");
    await page.waitForFunction(() => !document.querySelector("#stop"));
    await page.waitForSelector("[role=group] .chip");
    await page.locator("[role=group] .chip").last().focus();
    const chip = await focused();
    await page.keyboard.press("Enter");
    assert.equal(await focused(), chip, "a chip keeps the focus when it is pressed");
    assert.equal(await page.locator(`#${chip}`).getAttribute("aria-pressed"), "true");
    await page.locator(".runs li").first().locator("input").focus();
    const box = await focused();
    await page.keyboard.press("Space");
    assert.equal(await focused(), box, "a tick keeps the focus");
    await page.keyboard.press("Space");
});

await step("three classes: each has kernels of its own", async () => {
    await page.selectOption(".data-step select", "auto-mpg");
    await page.waitForSelector("h1:has-text('auto-mpg')");
    await field("target").locator("select").selectOption("origin");
    await open("Columns");
    await field("task").locator("select").selectOption("classification");
    await page.waitForSelector(".checks .hint:has-text('3 classes')");
    await train();
    await page.waitForSelector("figure:has-text('Confusion matrix, validation rows') svg text");
    const bars = () =>
        page
            .locator("figure:has-text('What the prediction rests on') svg")
            .getAttribute("aria-label");
    const [bars1, profile1] = [
        await bars(),
        await page.locator("figure:has-text('Profile') svg").getAttribute("aria-label"),
    ];
    await page.getByLabel("Class whose kernels are shown").selectOption({ index: 2 });
    await page.waitForFunction(
        (old) =>
            document.querySelector(".grid figure:nth-of-type(1)") &&
            [...document.querySelectorAll("figure svg")].every(
                (e) => e.getAttribute("aria-label") !== old,
            ),
        profile1,
    );
    assert.notEqual(await bars(), bars1);
    await picture("three-classes");
});

await step("test rows and validation rows of other files", async () => {
    const lines = (await readFile("../../data/servo.csv", "utf8")).trim().split("\n");
    const part = (from, to) => [lines[0], ...lines.slice(from, to)].join("\n");
    await writeFile(join(folder, "learn.csv"), part(1, 100));
    await writeFile(join(folder, "validate.csv"), part(100, 130));
    await writeFile(join(folder, "honest.csv"), part(130, 168));
    await page.setInputFiles("#file", join(folder, "learn.csv"));
    await page.waitForSelector("h1:has-text('learn.csv')");
    await open("Validation");
    await field("select").locator("select").selectOption("validation-data");
    await page.waitForSelector(".has-error:has-text('Choose the file with the validation rows')");
    await page.setInputFiles("#open-validation_data", join(folder, "validate.csv"));
    await page.waitForFunction(() => !document.querySelector(".has-error"));
    await field("test").locator("select").selectOption("data");
    await page.setInputFiles("#open-test_data", join(folder, "honest.csv"));
    await page.waitForSelector(".checks .hint:has-text('99 training rows, 38 test rows')");
    await train();
    assert.match(await page.textContent(".verdict"), /^On test rows/);
    const shown = await cards();
    assert.equal(
        shown.length,
        8,
        "validation, stack, relevance, test, training, kernels, degrees of freedom, certificate",
    );
});

await step("back and forward lead from run to run", async () => {
    const name = () => page.inputValue("#name");
    const [first, second] = [
        await page.locator(".runs li button").nth(0).textContent(),
        await page.locator(".runs li button").nth(2).textContent(),
    ];
    await page.locator(".runs li button").nth(2).click();
    await page.waitForFunction((n) => document.querySelector("#name")?.value === n, second);
    await page.goBack();
    await page.waitForFunction((n) => document.querySelector("#name")?.value === n, first);
    await page.goForward();
    await page.waitForFunction((n) => document.querySelector("#name")?.value === n, second);
    assert.equal(await name(), second);
});

await step("what is opened last is what is shown; one click is one run", async () => {
    const rows = page.locator(".runs li");
    const names = await rows.locator(".run button").allTextContents();
    const slow = await rows.nth(1).locator(".run button").getAttribute("id");
    const isSlow = new RegExp(`/api/runs/${slow.slice("open-".length)}$`);
    let letGo;
    const held = new Promise((resolve) => (letGo = resolve)); // until the other is shown
    await page.route(isSlow, async (route) => {
        await held;
        await route.continue().catch(() => {});
    });
    const answered = Promise.race(
        ["requestfinished", "requestfailed"].map((end) =>
            page.waitForEvent(end, (request) => isSlow.test(request.url())),
        ),
    );
    await rows.nth(1).locator(".run button").click();
    await rows.nth(2).locator(".run button").click();
    await page.waitForFunction((n) => document.querySelector("#name")?.value === n, names[2]);
    letGo();
    await answered;
    assert.equal(await page.inputValue("#name"), names[2]);
    await page.unroute(isSlow);
    await page.waitForFunction(() => !document.querySelector("#train").disabled);
    await page.locator("#train").dblclick();
    await page.waitForFunction(
        (n) => document.querySelectorAll(".runs li").length > n,
        names.length,
    );
    await page.waitForTimeout(500);
    const kept = await page.evaluate(
        async () =>
            (
                await (
                    await fetch("/api/state", {
                        headers: { "X-RLS2-Token": sessionStorage.getItem("rls2-token") },
                    })
                ).json()
            ).runs.length,
    );
    assert.equal(kept, names.length + 1);
    await page.waitForFunction(() => !document.querySelector("#stop"));
    await rows.first().locator("button[title='Delete this run']").click();
    await page.waitForFunction(
        (n) => document.querySelectorAll(".runs li").length === n,
        names.length,
    );
    assert.equal(new URL(page.url()).hash, "");
    assert.equal(await page.locator("#alert").isVisible(), false);
});

await step("a run of another client, which said as little as it could", async () => {
    const started = await page.evaluate(async () => {
        const token = sessionStorage.getItem("rls2-token");
        const ask = async (path, body) =>
            (
                await fetch(path, {
                    method: "POST",
                    headers: { "X-RLS2-Token": token },
                    body: JSON.stringify(body),
                })
            ).json();
        const data = await ask("/api/data/builtin", { name: "servo" });
        return ask("/api/runs", { data: data.id, settings: { target: "rise_time" } });
    });
    await page.goto(`${page.url().split("#")[0]}#run=${started.id}`);
    await page.reload();
    await page.waitForSelector(".cards .card");
    await page.waitForFunction(() => !document.querySelector("#stop"));
    assert.match(await page.textContent(".verdict"), /^On validation rows/);
});

await step("a long run is stopped soon", async () => {
    await page.selectOption(".data-step select", "housing");
    await page.waitForSelector("h1:has-text('housing')");
    await open("Validation");
    await field("select").locator("select").selectOption("random");
    await field("splits").locator("input").fill("2000");
    await page.waitForFunction(() => !document.querySelector("button.primary").disabled);
    await page.click("button.primary");
    await page.waitForSelector(".progress p:has-text('Validating')");
    // the path is there to look at, while the splits are computed
    await page.waitForSelector(".cards .card");
    await page.waitForSelector(".progress .hint:has-text('left')");
    assert.match(await page.textContent(".progress .hint"), /so far, about .* left/);
    const share = Number(await page.getAttribute(".progress progress", "value"));
    assert.ok(share > 0 && share < 1, `share ${share}`);
    assert.match(await page.title(), /^\d+ % – /);
    await page.locator("#lambda").focus();
    await page.keyboard.press("ArrowRight");
    await page.locator("main").evaluate((e) => e.scrollTo(0, 0));
    await picture("progress");
    const before = await page.textContent(".slider output");
    await page.click("#stop");
    await page.waitForFunction(() => !document.querySelector(".progress"));
    assert.match(await page.textContent("main"), /stopped before the end of the cross-validation/);
    assert.equal(await page.textContent(".slider output"), before, "λ stays where it was put");
    await page.waitForSelector("figure:has-text('What the prediction rests on') svg text");
});

await step("three runs wait for each other, none is lost", async () => {
    const rows = await page.locator(".runs li").count();
    await field("splits").locator("input").fill("150");
    for (let i = 0; i < 3; i++) {
        await page.waitForFunction(() => !document.querySelector("#train").disabled);
        await page.click("#train");
        await page.waitForFunction(
            (n) => document.querySelectorAll(".runs li").length === n,
            rows + i + 1,
        );
    }
    await page.waitForSelector(".progress p:has-text('Waiting for')");
    await page.waitForSelector(".runs li:has-text('waiting')");
    await picture("queue");
    for (let i = 0; i < 3; i++) {
        await page
            .locator(".runs li button")
            .nth(2 * i)
            .click();
        await page.waitForSelector("#stop");
        await page.click("#stop");
        await page.waitForFunction(() => !document.querySelector("#stop"));
    }
    await page.waitForFunction(() =>
        [...document.querySelectorAll(".runs li")]
            .slice(0, 3)
            .every((e) => e.textContent.includes("stopped")),
    );
});

await step("a restart keeps the runs", async () => {
    const names = await page.locator(".runs li").count();
    // the stopped run has a result: what is still asked about it would be cut off
    await page.waitForTimeout(500);
    await stopServer();
    await page.goto(await startServer());
    await page.waitForSelector(".runs li");
    assert.equal(await page.locator(".runs li").count(), names);
    await page.locator(".runs li", { hasText: "heart-like" }).locator("button").first().click();
    await page.waitForSelector(".cards .card");
});

await step("tabs learn of each other, and find a server that was started again", async () => {
    const other = await context.newPage();
    const names = () => other.locator(".runs li").count();
    await other.goto(await page.evaluate(() => {
        const token = sessionStorage.getItem("rls2-token");
        return `${location.origin}/?token=${token}`;
    }));
    await other.waitForSelector(".runs li");
    const before = await names();
    // both are in sight, as two windows are
    const opened = page.locator(".runs li", { hasText: "long.csv" }).first();
    const id = (await opened.locator(".run button").getAttribute("id")).slice("open-".length);
    await other.locator(`#open-${id}`).click();
    await other.waitForSelector(".cards .card");
    await opened.locator("button[title='Delete this run']").click();
    await other.waitForSelector("#alert:has-text('was deleted in another tab')");
    assert.equal(await names(), before - 1);
    const port = new URL(page.url()).port;
    await stopServer();
    await other.waitForSelector("#alert:has-text('does not answer')");
    const again = await startServer();
    assert.equal(new URL(again).port, port);
    await other.waitForFunction(() => document.querySelector("#alert").hidden);
    await other.locator(".runs .run button", { hasText: "heart-like" }).first().click();
    await other.waitForSelector("#name");
    await other.close();
});

await step("back and forward lead to tables too", async () => {
    await page.locator(".runs .run button", { hasText: "heart-like" }).first().click();
    await page.waitForSelector("#name");
    await page.selectOption(".data-step select", "prostate");
    await page.waitForSelector("h1:has-text('prostate.csv')");
    assert.match(page.url(), /#data=/);
    await page.goBack();
    await page.waitForSelector("#name");
    await page.goForward();
    await page.waitForSelector("h1:has-text('prostate.csv')");
});

await step("a file leads the browser here, and no address has the token", async () => {
    const tools = join(folder, "tools"),
        noted = join(folder, "noted");
    await mkdir(tools);
    await writeFile(
        join(tools, "xdg-open"),
        `#!/bin/sh\nprintf %s "$1" >"${noted}.part" && mv "${noted}.part" "${noted}"\n`,
        { mode: 0o755 },
    );
    await stopServer();
    await startServer([], { PATH: `${tools}:${process.env.PATH}`, HOME: folder });
    let place = "";
    for (let i = 0; i < 1200 && !place; i++) {
        place = await readFile(noted, "utf8").catch(() => "");
        await page.waitForTimeout(100);
    }
    assert.match(place, /^file:.*\.html$/);
    const asked = [];
    const note = (request) => asked.push(request.url());
    page.on("request", note);
    await page.goto(place);
    await page.waitForSelector(".runs li");
    assert.equal(new URL(page.url()).search, "");
    await page.reload();
    await page.waitForSelector(".runs li");
    page.off("request", note);
    assert.deepEqual(
        asked.filter((url) => /token=/.test(url)),
        [],
    );
    assert.equal(asked.filter((url) => /ticket=/.test(url)).length, 1);
});

await step("dark, and narrow", async () => {
    await page.selectOption("#top select", "dark");
    await accessible("dark");
    await picture("dark");
    await page.setViewportSize({ width: 700, height: 900 });
    await picture("narrow");
    const wide = await page.evaluate(
        () => document.documentElement.scrollWidth > window.innerWidth + 1,
    );
    assert.equal(wide, false, "the page is wider than the window");
    await page.setViewportSize({ width: 1366, height: 820 });
});

await step("every control has a name", async () => {
    await page.waitForTimeout(300);
    const nameless = await page.evaluate(() =>
        [...document.querySelectorAll("button, select, textarea, input, svg[role=img]")]
            .filter(
                (e) =>
                    !(
                        e.getAttribute("aria-label") ||
                        e.getAttribute("title") ||
                        e.textContent?.trim() ||
                        e.labels?.length
                    ),
            )
            .map((e) => e.outerHTML.slice(0, 120)),
    );
    assert.deepEqual(nameless, []);
});

await moreSteps({
    ...{ page, context, step, picture, pictures, accessible, noNonsense, train, field, saved },
    ...{ folder, command, run },
});

await browser.close();
await stopServer();
await rm(folder, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
