// The licences of what the page is bundled of, as one text: what its packages say of themselves.
import { readFile, readdir } from "node:fs/promises";

const HEAD = `Third-party software in the page of rls2

The page of 'rls2 gui' has these packages within, minified. Their licences follow, as the packages
bring them.
`;
const NOTICE_FILE = /^(licen[cs]e|notice|copying|copyright)([-.].*)?$/i;
const RULE = "-".repeat(80);

/** The folders of the packages that the files of a bundle are from. */
function packagesOf(inputs) {
    const folders = inputs.map((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]);
    return [...new Set(folders.filter(Boolean))].sort();
}

async function noticeOf(folder) {
    const about = JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
    const files = (await readdir(folder)).filter((name) => NOTICE_FILE.test(name)).sort();
    if (files.length === 0) throw new Error(`${folder}: no licence file to hand on`);
    const texts = await Promise.all(files.map((name) => readFile(`${folder}/${name}`, "utf8")));
    const title = `${about.name} ${about.version}: ${about.license}`;
    const bodies = texts.map((text, i) => `[${files[i]}]\n\n${text.trim()}\n`);
    return [RULE, `${title}\n`, ...bodies].join("\n");
}

export async function notices(inputs) {
    const parts = await Promise.all(packagesOf(inputs).map(noticeOf));
    return [HEAD, ...parts].join("\n");
}
