// Steps of the journey about models, rows that were left out, reports and the table of runs.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const WIDTH = { width: 1366, height: 820 };

/** As it looks in light and dark, and on a telephone. */
async function looks(t, name, where = null) {
    const { page, picture } = t;
    const shoot = async (as) => {
        await page.waitForTimeout(350);
        if (where) await page.locator(where).first().scrollIntoViewIfNeeded();
        await picture(as);
    };
    await shoot(name);
    await page.selectOption("#top select", "dark");
    await shoot(`${name}-dark`);
    await page.selectOption("#top select", "light");
    await page.setViewportSize({ width: 390, height: 844 });
    const wide = await page.evaluate(
        () => document.documentElement.scrollWidth > window.innerWidth + 1,
    );
    await page.waitForTimeout(350);
    await picture(`${name}-narrow`);
    await page.screenshot({ path: join(t.pictures, `${name}-narrow-all.png`), fullPage: true });
    assert.equal(wide, false, `${name} is wider than a telephone`);
    await page.setViewportSize(WIDTH);
}

/** The base and the steps of a waterfall, and the prediction that they should sum to. */
function waterfall(label) {
    const parts = label.split(". ").at(-1).replace(/\.$/, "").split(", ");
    const numbers = parts.map((p) => Number(/([+−]?[\d.e-]+)$/.exec(p)[1].replace("−", "-")));
    return { sum: numbers.slice(0, -1).reduce((s, v) => s + v, 0), said: numbers.at(-1) };
}

async function models(t) {
    const { page, step, saved, folder, accessible, noNonsense } = t;
    await step("a model is opened by itself", async () => {
        await page.selectOption("#top select", "light");
        await page.selectOption(".data-step select", "prostate");
        await page.waitForSelector("h1:has-text('prostate.csv')");
        await t.train();
        const model = await saved(() => page.click("text=Save the model"));
        await writeFile(join(folder, "again.model"), model.bytes);
        await page.setInputFiles("#model-file", join(folder, "again.model"));
        await page.waitForSelector("h1:has-text('again.model')");
        const words = await page.textContent("main");
        assert.match(words, /It predicts lpsa from .*67 rows/);
        assert.match(words, /On rows that were left out \(10 splits\) its RMSE was 0\.\d+/);
        assert.match(page.url(), /#model=[a-z0-9]{12}$/);
        await page.waitForSelector(".row-form figure svg text");
        await noNonsense("model");
        await accessible("model");
        await looks(t, "model");
    });

    await step("a typed row is taken apart", async () => {
        const why = page.locator(".row-form figure svg");
        const before = await why.getAttribute("aria-label");
        await page.locator(".row-form [data-field='input lcavol'] input").fill("3.2");
        await page.waitForFunction(
            (old) =>
                document.querySelector(".row-form figure svg").getAttribute("aria-label") !== old,
            before,
        );
        const { sum, said } = waterfall(await why.getAttribute("aria-label"));
        const near = 0.02 * Math.max(1, Math.abs(said));
        assert.ok(Math.abs(sum - said) < near, `${sum} is not ${said}`);
        const predicted = Number(
            /lpsa: ([\d.]+)/.exec(await page.textContent(".row-form .verdict"))[1],
        );
        assert.equal(predicted, said);
    });

    await step("a file is predicted on screen, scored, and explained", async () => {
        await page.setInputFiles("#rows-file", "../../data/prostate.csv");
        await page.waitForSelector(".predicted-rows table");
        assert.match(
            await page.textContent(".predicted-rows .verdict"),
            /On the 97 rows whose lpsa is known the RMSE is 0\.\d+\. When it was learned/,
        );
        const { stdout } = await t.run(t.command, [
            ...["predict", join(folder, "again.model"), "../../data/prostate.csv", "--json", "-q"],
        ]);
        const rmse = Number(JSON.parse(stdout).score.rmse.toPrecision(4));
        const verdict = await page.textContent(".predicted-rows .verdict");
        assert.match(verdict, new RegExp(`is ${rmse}\\.`));
        await page.getByLabel("Order of the rows").selectOption("error");
        await page.locator(".predicted-rows tbody button", { hasText: "why" }).nth(2).click();
        const caption = await page.textContent(".predicted-rows figcaption");
        const number = await page
            .locator(".predicted-rows tbody tr.target td")
            .first()
            .textContent();
        assert.match(caption, new RegExp(`Why row ${number} `));
        const file = await saved(() => page.click("text=Save the predictions (CSV)"));
        assert.equal(file.bytes.toString().trim().split("\n").length, 98);
        await accessible("predicted file");
        await looks(t, "model-file", ".predicted-rows");
    });

    await step("what is no model is refused, and another file is dropped", async () => {
        await writeFile(join(folder, "broken.model"), "not a model");
        await page.setInputFiles("#model-file", join(folder, "broken.model"));
        await page.waitForSelector("#alert:has-text('broken.model')");
        await page.locator("#alert button").click();
        const transfer = await page.evaluateHandle((content) => {
            const files = new DataTransfer();
            files.items.add(new File([content], "rows.csv", { type: "text/csv" }));
            return files;
        }, "lcavol,lweight,age,lbph,svi,lcp,gleason,pgg45\n1,3,60,0,0,0,7,10\n");
        await page.dispatchEvent("main", "drop", { dataTransfer: transfer });
        await page.waitForSelector(".predicted-rows h2:has-text('rows.csv')");
        assert.match(await page.textContent(".predicted-rows"), /nothing to score/);
        await page.goBack();
        await page.waitForSelector("#name");
        await page.click("#use-model");
        await page.waitForSelector("button:has-text('Back to the run')");
        await page.click("text=Back to the run");
        await page.waitForSelector("#name");
    });
}

async function leftOut(t) {
    const { page, step, accessible, noNonsense, field } = t;
    await step("errors of left-out rows, and rows by name", async () => {
        await page.waitForSelector("figure:has-text('Predicted against actual, validation') svg");
        await page.waitForSelector("figure:has-text('How far off to expect') svg");
        for (const by of ["spread", "normal", "predicted"]) {
            await page.getByLabel("How errors are shown").selectOption(by);
            await page.waitForTimeout(150);
        }
        await page.click("#largest-errors");
        await page.waitForSelector(".named-rows table");
        const errors = await page.locator(".named-rows tbody tr td:nth-child(5)").allTextContents();
        const sizes = errors.map((e) => Math.abs(Number(e)));
        assert.deepEqual(sizes, [...sizes].sort((a, b) => b - a));
        // the row that is named is the row of the table
        const first = page.locator(".named-rows tbody tr").first();
        const number = Number(await first.locator("th").textContent());
        const lines = (await readFile("../../data/prostate.csv", "utf8")).split("\n");
        const cellsOf = (line) => line.replaceAll('"', "").split(",");
        const [names, cells] = [cellsOf(lines[0]), cellsOf(lines[number])];
        const actual = Number(await first.locator("td").nth(1).textContent());
        const known = Number(cells[names.indexOf("lpsa")]);
        assert.ok(Math.abs(actual - known) < 1e-3 * Math.abs(known), `${actual} is not ${known}`);
        // a box around all points names all of them
        const plot = page.locator("figure:has-text('Predicted against actual, validation') .plot");
        await plot.scrollIntoViewIfNeeded();
        const box = await plot.boundingBox();
        await page.mouse.move(box.x + 64, box.y + 40);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width - 20, box.y + box.height - 50, { steps: 4 });
        await page.mouse.up();
        await page.waitForSelector(".named-rows h2:has-text('97 rows picked')");
        await noNonsense("errors");
        await accessible("errors");
        await looks(t, "errors", "#largest-errors");
        await page.locator(".named-rows button").click();
    });

    await step("classes: each of them, a threshold, precision and recall", async () => {
        await page.selectOption(".data-step select", "pima");
        await page.waitForSelector("h1:has-text('pima.csv')");
        await field("loss").locator("select").selectOption("logistic");
        await t.train();
        await page.waitForSelector("#threshold-counts");
        const counts = async () =>
            (await page.locator("#threshold-counts td.num").allTextContents()).map(Number);
        const [found, missed, wrong, right] = await counts();
        assert.equal(found + missed + wrong + right, 768);
        // at one half it is the confusion matrix
        const label = await page
            .locator("figure:has-text('Confusion matrix, validation') svg")
            .getAttribute("aria-label");
        const cells = [...label.matchAll(/(\d+) \S+ predicted to be/g)].map((m) => Number(m[1]));
        assert.deepEqual([right, wrong, missed, found], cells);
        const second = page.locator(".per-class tbody tr").nth(1);
        const per = await second.locator("td").allTextContents();
        assert.equal(per[0], (found / (found + wrong)).toFixed(3));
        assert.equal(per[1], (found / (found + missed)).toFixed(3));
        await page.locator("#threshold").fill("80"); // 0.2
        const [more, fewer] = await counts();
        assert.ok(more > found && fewer < missed, "a lower threshold finds more");
        await page.waitForSelector("figure:has-text('average precision') svg, figure svg");
        await noNonsense("threshold");
        await accessible("classes");
        await looks(t, "classes", "#threshold");
    });
}

async function reports(t) {
    const { page, step, saved, context } = t;
    await step("a report is one file that prints", async () => {
        await page.waitForSelector("figure:has-text('Calibration of') svg");
        const report = await saved(async () => {
            await page.locator("details:has(#report) > summary").click();
            await page.click("#report");
        });
        assert.match(report.name, /-report\.html$/);
        const text = report.bytes.toString();
        const fetched = /<script|\ssrc=|https?:\/\/(?!www\.w3\.org)|url\((?!["']?#)/;
        const place = join(t.pictures, "report.html");
        await writeFile(place, report.bytes);
        assert.doesNotMatch(text, fetched, "it fetches nothing");
        const other = await context.newPage();
        const asked = [];
        other.on("request", (r) => asked.push(r.url()));
        await other.goto(`file://${place}`);
        const titles = ["Data", "Scores", "Figures", "Settings", "Certificate", "To do it again"];
        for (const title of titles)
            await other.waitForSelector(`h2:has-text('${title}')`);
        assert.ok((await other.locator("figure svg").count()) >= 6);
        assert.match(await other.textContent(".verdict"), /^On validation rows the log loss/);
        assert.match(await other.textContent("main"), /rls2 train .*--loss=logistic/);
        assert.equal(asked.filter((url) => !url.startsWith("file:")).length, 0);
        await other.setViewportSize({ width: 1000, height: 1200 });
        await other.screenshot({ path: join(t.pictures, "report.png"), fullPage: true });
        const pdf = await other.pdf({ preferCSSPageSize: true });
        await writeFile(join(t.pictures, "report.pdf"), pdf);
        const pages = pdf.toString("latin1").match(/\/Type \/Page\b/g).length;
        assert.ok(pages >= 2 && pages <= 12, `${pages} pages`);
        await other.close();
    });
}

async function manyRuns(t) {
    const { page, step, accessible } = t;
    const names = () => page.locator(".runs-table tbody th").allTextContents();
    await step("runs in a table: sorted, filtered, tagged", async () => {
        await page.click("#all-runs");
        await page.waitForSelector(".runs-table");
        await page.click("#sort-name");
        const sorted = await names();
        assert.deepEqual(sorted, [...sorted].sort((a, b) => a.localeCompare(b, "en")));
        await page.click("#sort-score");
        await page.waitForSelector(".notice:has-text('they predict different things')");
        await page.fill("#runs-filter", "pima");
        assert.ok((await names()).every((n) => n.includes("pima")));
        const tags = page.locator(".runs-table tbody tr").first().locator("input[type=text]");
        await tags.first().fill("keep, paper");
        await tags.first().press("Enter");
        await page.fill("#runs-filter", "paper");
        await page.waitForFunction(
            () => document.querySelectorAll(".runs-table tbody tr").length === 1,
        );
        await tags.nth(1).fill("the best so far");
        await tags.nth(1).press("Enter");
        await page.reload();
        await page.waitForSelector(".runs-table");
        await page.fill("#runs-filter", "best so far");
        await page.waitForFunction(
            () => document.querySelectorAll(".runs-table tbody tr").length === 1,
        );
        await page.fill("#runs-filter", "");
        await accessible("table of runs");
        await looks(t, "runs");
    });

    await step("a sweep is queued at once", async () => {
        await page.selectOption(".data-step select", "servo");
        await page.waitForSelector("h1:has-text('servo.csv')");
        await page.click("#all-runs");
        await page.click("#sweep > summary");
        await page.locator("[data-field='sweep kernels'] textarea").fill("linear\nrbf(0.1)@all");
        await page.getByLabel("none", { exact: true }).check();
        await page.locator("[data-field='sweep seeds'] input").fill("1, 2");
        await page.click("text=Queue 8 runs");
        await page.waitForSelector("#sweep .hint:has-text(\"8 runs queued, tagged 'sweep 1'\")");
        await page.fill("#runs-filter", "sweep 1");
        await page.waitForFunction(
            () =>
                [...document.querySelectorAll(".runs-table tbody .at-status")].filter(
                    (e) => e.textContent === "done",
                ).length === 8,
        );
        await accessible("sweep");
        await t.picture("sweep");
    });

    await step("a learning curve", async () => {
        if (!(await page.locator("#sweep").evaluate((e) => e.open)))
            await page.click("#sweep > summary");
        await page.click("#learning-curve");
        await page.waitForSelector("figure:has-text('Learning curve') svg");
        await page.waitForFunction(() => !document.querySelector("main .hint[role=status]"));
        const curve = page.locator("figure:has-text('Learning curve')");
        await page.waitForFunction(
            () => document.querySelectorAll("main thead th[scope=col]").length === 6,
        );
        assert.match(await curve.locator(".foot").textContent(), /^From \d+ to \d+ rows the score/);
        await accessible("learning curve");
        await looks(t, "learning-curve");
    });

    await step("runs of different targets are not compared in one figure", async () => {
        await page.click("#all-runs");
        for (const name of ["pima", "prostate"]) {
            await page.fill("#runs-filter", name);
            await page.locator(".runs-table input[type=checkbox]:enabled").first().click();
        }
        await page.waitForSelector(".notice:has-text('their scores cannot be compared')");
        assert.equal(await page.locator("main figure").count(), 2);
        await t.picture("different-targets");
    });
}

async function categories(t) {
    const { page, step } = t;
    await step("the indicators of a text column are one input", async () => {
        await page.click("#all-runs");
        await page.fill("#runs-filter", "servo linear, auto, seed 1");
        await page.locator(".runs-table tbody th button").first().click();
        await page.waitForSelector("#name");
        await page.click("#explanation > summary");
        const whole = page.locator("figure:has-text('Inputs of the whole prediction') svg");
        await whole.locator("text").first().waitFor();
        const label = await whole.getAttribute("aria-label");
        assert.match(label, /motor/);
        assert.doesNotMatch(label, /motor=/);
        await page.click("#predict-row");
        await page.waitForSelector(".row-form figure svg text");
        const why = await page.locator(".row-form figure svg").getAttribute("aria-label");
        assert.doesNotMatch(why, /motor=|screw=/);
        await page.click("#predict-row");
        await page.click("#explanation > summary");
    });
}

export async function moreSteps(t) {
    await models(t);
    await leftOut(t);
    await reports(t);
    await manyRuns(t);
    await categories(t);
}
