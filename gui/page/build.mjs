// Bundles the page into one file, dist/index.html: scripts and styles inline, nothing to fetch.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { notices } from "./notices.mjs";

const bundle = await build({
    entryPoints: ["src/main.ts"],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    write: false,
    legalComments: "none", // dist/THIRD-PARTY.txt has the licences whole
    metafile: true,
});
const style = await build({
    entryPoints: ["src/style.css"],
    bundle: true,
    minify: true,
    write: false,
});
const text = (result) => result.outputFiles[0].text.trim();

// A closing tag inside the script would end it.
const script = text(bundle).replaceAll("</script", "<\\/script");
const page = await readFile("src/index.html", "utf8");
await mkdir("dist", { recursive: true });
await writeFile(
    "dist/index.html",
    page
        .replace("<!-- style -->", () => `<style nonce="{{nonce}}">${text(style)}</style>`)
        .replace("<!-- script -->", () => `<script nonce="{{nonce}}">${script}</script>`),
);
await writeFile("dist/THIRD-PARTY.txt", await notices(Object.keys(bundle.metafile.inputs)));
console.log(`dist/index.html: ${Math.round((await readFile("dist/index.html")).length / 1024)} kB`);
