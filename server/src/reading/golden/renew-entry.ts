/**
 * Regenerates the golden Documents: `node server/src/reading/golden/renew-entry.ts
 * [NAME.EXTENSION…]`. Review the differences before you commit them.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultReadingSettings, openReader } from "../open-reader.ts";
import { goldenFolder, goldenText } from "./golden-text.ts";
import { goldenInputs } from "./inputs.ts";

const wanted = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "golden-"));
const reader = openReader(defaultReadingSettings);
try {
  for (const { name, extension, bytes } of await goldenInputs()) {
    const file = `${name}.${extension}`;
    if (wanted.length > 0 && !wanted.includes(file)) continue;
    const path = join(folder, file);
    await writeFile(path, bytes);
    await writeFile(join(goldenFolder, `${file}.json`), goldenText(await reader.read(path, extension)));
    console.log(`wrote ${file}.json`);
  }
} finally {
  await reader.close();
  await rm(folder, { recursive: true });
}
