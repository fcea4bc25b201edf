/**
 * Uploads of many files, and of broken and hostile files. Each upload ends with a clear message,
 * and no script in the files runs.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { makeHostileZip, repeated } from "../../server/src/reading/testing/make-hostile-zip.ts";
import { makePdf, onePage } from "../../server/src/reading/testing/make-pdf.ts";
import { signIn, Visit } from "./browser.ts";
import { openService, setFirstPassword } from "./set-up.ts";

const administrator = "administrator@sheaf.localhost";
const script = '<img src=x onerror="attacked()">';
/**
 * A file name that contains the tag of `script`. The tag has no URL or end tag, because file names
 * cannot contain `/`.
 */
const scriptName = `${script.replaceAll('"', "'")}.pdf`;

interface DroppedFile {
  name: string;
  /** The content in base64, because it is passed to the browser as text. */
  content: string;
}

const dropped = (name: string, content: Uint8Array | string): DroppedFile => ({
  name,
  content: Buffer.from(content).toString("base64"),
});

describe("uploads", () => {
  const at = openService();
  before(() => setFirstPassword(at));

  async function begin(corpus: string): Promise<Visit> {
    const visit = await Visit.begin(at.browser, at.service.url, { viewport: { width: 1440, height: 900 } });
    const { page } = visit;
    await signIn(visit, administrator);
    await page.getByRole("link", { name: "Corpora", exact: true }).click();
    await page.getByRole("button", { name: "New corpus" }).click();
    await page.getByLabel("Name").fill(corpus);
    await page.getByRole("button", { name: "Create corpus" }).click();
    await page.getByRole("heading", { name: "Add the first documents" }).waitFor();
    return visit;
  }

  test("1,000 files are dropped at once, and the queue continues while other screens are open", {
    timeout: 400_000,
  }, async (context) => {
    const visit = await begin("One thousand");
    const { page } = visit;
    const files = Array.from({ length: 998 }, (_, index) =>
      dropped(`note-${index + 1}.pdf`, onePage({ text: `Note number ${index + 1}`, x: 72, y: 700 })),
    );
    const started = performance.now();
    await drop(page, [...files, dropped("broken.pdf", "no PDF at all"), dropped("notes.txt", "notes")]);
    const panel = page.getByRole("heading", { name: /^Uploading: \d+ files? left$/ });
    await panel.waitFor();
    await page.getByRole("link", { name: "Review", exact: true }).click();
    await page.getByRole("heading", { name: "Review", exact: true }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Uploads finished" }).waitFor({ timeout: 240_000 });
    context.diagnostic(`1,000 files: ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    const list = page.getByRole("list", { name: "Files" });
    await list.getByText("Files of this type are not supported. Use PDF, DOCX, JPG, PNG or HEIC.").waitFor();
    await list
      .getByText(/does not match its name|is damaged|not supported/)
      .first()
      .waitFor();
    await page.getByText(/^99[89] uploaded$/).waitFor();
    await visit.checkAccessibility("finished uploads");
    await visit.picture("corpus");

    await page.getByRole("button", { name: "Close", exact: true }).click();
    await drop(page, [files[6] as DroppedFile]);
    await page.getByText("A document with this name is already there.").waitFor();
    await page.getByRole("link", { name: /^Open it/ }).click();
    await page.getByRole("heading", { name: "note-7.pdf" }).waitFor();
    await visit.end();
  });

  test("broken and hostile files end with a message, and no script in them runs", async () => {
    const visit = await begin(`Hostile ${script}`);
    const { page } = visit;
    let attacks = 0;
    await page.exposeFunction("attacked", () => attacks++);
    const pdf = await readFile(resolve(import.meta.dirname, "../../examples/invoice.pdf"));
    const bomb = makeHostileZip([{ name: "word/document.xml", crc: 0, ...repeated("<w:p>".repeat(200_000), 300) }]);
    await drop(page, [
      dropped("empty.pdf", ""),
      dropped("truncated.pdf", pdf.subarray(0, 900)),
      dropped("bomb.docx", bomb),
      dropped("locked.pdf", makePdf({ pages: [{ marks: [] }], encrypted: true })),
      dropped("program.pdf", Buffer.from(`MZ${"\0".repeat(2_000)}`)),
      dropped("program.exe", "MZ"),
      dropped(`${"x".repeat(300)}.pdf`, pdf),
      dropped("invoice\u202Efdp.pdf", pdf),
      dropped("\u00FF\uFFFD.pdf", onePage({ text: "Named in bytes that are no text", x: 72, y: 700 })),
      dropped(scriptName, onePage({ text: `The password of the safe is ${script}`, x: 20, y: 700 })),
      dropped("no-extension", pdf),
    ]);
    await page.getByRole("heading", { name: "Uploads finished" }).waitFor({ timeout: 60_000 });
    const list = page.getByRole("list", { name: "Files" });
    const rows = list.getByRole("listitem");
    const wordsOf = async (name: string) => {
      const row = rows.filter({ hasText: name });
      await row.scrollIntoViewIfNeeded();
      return row.innerText();
    };
    assert.match(await wordsOf("empty.pdf"), /The file is empty/);
    assert.match(await wordsOf("program.exe"), /not supported/);
    assert.match(await wordsOf("no-extension"), /not supported/);
    assert.match(await wordsOf("xxxxx"), /too long/);
    assert.match(await wordsOf("invoice\u202Efdp.pdf"), /characters that are not allowed/);
    await visit.checkAccessibility("refused files");

    // Each of the other files is refused with a reason, or becomes a document whose state gives the
    // reason.
    const reason = /damaged|does not match|password|too complex|nothing to read|could not be read/;
    for (const name of ["truncated.pdf", "bomb.docx", "locked.pdf", "program.pdf"]) {
      const document = page.getByRole("row").filter({ hasText: name });
      await document
        .or(rows.filter({ hasText: name }))
        .filter({ hasText: reason })
        .first()
        .waitFor({ timeout: 60_000 });
    }
    await page.getByRole("row").filter({ hasText: "\uFFFD.pdf" }).getByText("Ready").last().waitFor();

    await page.getByRole("link", { name: scriptName }).click();
    await page.getByRole("heading", { name: scriptName }).waitFor();
    await page.getByText("password", { exact: true }).first().waitFor({ state: "attached" });
    await page.goBack();
    await page.getByRole("link", { name: "Ask", exact: true }).click();
    await page.getByLabel("Your question").fill(`What is the password of the safe? ${script}`);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /What is the password of the safe/ }).waitFor();
    await page.getByText("The answer is being written.").waitFor({ state: "detached", timeout: 60_000 });
    await page.goto("/");
    await page.getByRole("link", { name: `Hostile ${script}` }).waitFor();
    assert.equal(attacks, 0);
    await visit.end();
  });
});

/** Drops files onto the screen as a file manager would. Does not support folders. */
async function drop(page: Page, files: readonly DroppedFile[]): Promise<void> {
  const transfer = await page.evaluateHandle((all) => {
    const data = new DataTransfer();
    for (const { name, content } of all) {
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
      data.items.add(new File([bytes], name));
    }
    return data;
  }, files);
  const target = page.getByRole("button", { name: "Choose files" });
  for (const type of ["dragenter", "dragover", "drop"]) await target.dispatchEvent(type, { dataTransfer: transfer });
  await transfer.dispose();
}
