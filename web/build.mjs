// Bundles the viewer into src/interstage/playback. With --check: compares, and writes nothing.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "..", "src", "interstage", "playback");

const options = {
  absWorkingDir: here,
  bundle: true,
  write: false,
  minify: true,
  legalComments: "none",
  charset: "ascii",
  target: "es2020",
};

/** The licences of the bundled packages, without characters that end a comment of the page. */
function licences() {
  const texts = ["three", "uplot"].map((name) => {
    const folder = join(here, "node_modules", name);
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const text = readFileSync(join(folder, "LICENSE"), "utf8").trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  return `The viewer contains these packages.\n\n${texts.join("\n")}`.replaceAll("--", "- -");
}

const script = await build({ ...options, entryPoints: ["src/main.js"], format: "iife", outfile: "viewer.js" });
const style = await build({ ...options, entryPoints: ["src/style.css"], outfile: "viewer.css" });
const made = {
  "viewer.js": script.outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--"),
  "viewer.css": style.outputFiles[0].text.replaceAll("</style", "<\\/style"),
  "licences.txt": licences(),
};

let differs = false;
for (const [name, text] of Object.entries(made)) {
  const path = join(target, name);
  if (process.argv.includes("--check")) {
    if (readFileSync(path, "utf8") !== text) {
      console.error(`${name} differs from its sources. Run: npm ci && npm run build`);
      differs = true;
    }
  } else {
    writeFileSync(path, text);
    console.log(`${name}: ${Math.round(text.length / 1000)} kB`);
  }
}
process.exit(differs ? 1 : 0);
