/**
 * Process that indexes COUNT documents, unless it is killed earlier: `putting-process.ts FOLDER
 * PREFIX COUNT`. Prints the reference of each document as soon as the document is stored.
 */
import { openPassageIndex } from "../passage-index.ts";

const [folder = "", prefix = "", count = "0"] = process.argv.slice(2);
await using index = await openPassageIndex({ folder });
for (let i = 0; i < Number(count); i++) {
  const reference = `${prefix}${i}`;
  const text = `Barley of ${prefix} in field ${i}, and nothing else.`;
  await index.put("shared", { reference, name: "farm", path: "" }, [
    { page: 1, start: 0, end: 9, text, title: "farm", headings: [] },
  ]);
  process.stdout.write(`${reference}\n`);
}
