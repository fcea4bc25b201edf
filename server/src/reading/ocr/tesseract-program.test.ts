import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { openReader } from "../open-reader.ts";
import { childrenOf, isAlive, until } from "../testing/child-processes.ts";
import { patientSettings } from "../testing/patient-settings.ts";
import { TesseractProgram } from "./tesseract-program.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tesseract-"));
});
after(() => rm(folder, { recursive: true }));

async function program(body: string): Promise<string> {
  const path = join(folder, `tesseract-${Math.random()}`);
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
  return path;
}

const picture = { width: 20, height: 10, pixels: new Uint8Array(200) };
const row = "5\\t1\\t1\\t1\\t1\\t1\\t2\\t3\\t4\\t5\\t90";

test("the program gets an image, languages and one thread, and its table is read", async () => {
  const path = await program(`printf '${row}\\t%s\\n' "$(head -c 2) $4 $8 $OMP_THREAD_LIMIT $HOME"`);
  const words = await new TesseractProgram(path, ["eng", "deu"]).readWords(picture, "column");
  assert.deepEqual(words, [{ text: "P5 eng+deu 6 1", box: [2, 3, 6, 8], confidence: 0.9, line: 0 }]);
});

test("a program that fails or is missing is an error", async () => {
  await assert.rejects(
    new TesseractProgram(await program("exit 3"), ["eng"]).readWords(picture, "page"),
    /exited with code 3/,
  );
  await assert.rejects(new TesseractProgram(join(folder, "none"), ["eng"]).readWords(picture, "page"), /ENOENT/);
});

test("a program that never exits is killed with its reading process", async () => {
  const ocr = { languages: ["eng"], program: await program("exec sleep 1000") };
  const reader = openReader({ ...patientSettings, processes: 1, ocr });
  const controller = new AbortController();
  try {
    await reader.warm();
    const [process_] = childrenOf(process.pid);
    const path = join(folder, "page.png");
    await sharp({ create: { width: 99, height: 50, channels: 3, background: "white" } })
      .png()
      .toFile(path);
    const reading = reader.read(path, "png", { signal: controller.signal });
    reading.catch(() => {});
    await until(() => childrenOf(process_ ?? 0).length > 0);
    const [sleeper] = childrenOf(process_ ?? 0);
    controller.abort(new Error("cancelled"));
    await assert.rejects(reading, { message: "cancelled" });
    await until(() => !isAlive(sleeper ?? 0) && !isAlive(process_ ?? 0));
  } finally {
    await reader.close();
  }
});
