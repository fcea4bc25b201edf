/**
 * Compares how much processor time our readers and other libraries need for docx, xlsx and HEIC
 * files. All libraries read the same files in the same run. Can also be run alone:
 * `node bench/office.ts`.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeHeic } from "../server/src/reading/testing/make-heic.ts";
import { makeDocx, makeXlsx, paragraph } from "../server/src/reading/testing/make-office.ts";
import { filesOf } from "./data.ts";
import type { OfficeReport } from "./office-process.ts";
import { type BenchRow, quantile, table, withinLimit } from "./rows.ts";

const rounds = 3;
const rowCount = 200_000;
const bombBytes = 400_000_000;
const maxPeakMib = 1024;
const execute = promisify(execFile);

/** Takes one to two minutes. */
export async function benchOffice(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "office-bench-"));
  try {
    const sheet = join(folder, "large.xlsx");
    await writeFile(sheet, largeSheet());
    const bomb = join(folder, "bomb.docx");
    await writeFile(bomb, makeDocx({ body: paragraph("a".repeat(bombBytes)) }));
    const picture = join(folder, "large.heic");
    await writeFile(picture, noisyPicture());
    const documents = filesOf("textract/files", ".docx");
    return [
      ...(await compare(`${documents.length} docx`, documents, "our docx", ["mammoth"])),
      ...(await compare(`xlsx of ${rowCount} × 10`, [sheet], "our xlsx", ["read-excel-file", "sheetjs"])),
      ...(await compare(`xlsx of ${rowCount} × 10`, [sheet], "our xlsx, texts of cells", ["read-excel-file"])),
      ...(await compare("HEIC of 12 Mpx, noisy", [picture], "our heic", ["libheif"])),
      ...(await refusals(bomb)),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs all libraries in turn, each in a new process, so that none benefits from a previous run. */
async function compare(name: string, files: string[], ours: string, peers: readonly string[]): Promise<BenchRow[]> {
  const reports = new Map<string, OfficeReport[]>([ours, ...peers].map((library) => [library, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [library, list] of reports) list.push(await measure(library, files));
  }
  const secondsOf = (library: string) => quantile(reports.get(library)?.map(({ seconds }) => seconds) ?? [], 0.5);
  const mine = secondsOf(ours);
  const peak = Math.max(...(reports.get(ours) ?? []).map(({ peakMib }) => peakMib));
  return [
    ...peers.map((peer): BenchRow => {
      const theirs = secondsOf(peer);
      return {
        name: `${ours}: ${name}`,
        value: mine,
        unit: "s",
        against: `${peer}: ${theirs.toFixed(2)}`,
        ratio: mine / theirs,
      };
    }),
    { name: `${ours}: ${name}: peak memory`, ...withinLimit(peak, "MiB", maxPeakMib) },
  ];
}

/** Measures how fast a small docx that declares a huge unpacked size is refused. */
async function refusals(bomb: string): Promise<BenchRow[]> {
  const { seconds } = await measure("our refusal", [bomb]);
  return [{ name: `refuse ${bombBytes / 1e6} MB in a small docx`, ...withinLimit(seconds * 1000, "ms", 50) }];
}

async function measure(library: string, files: string[]): Promise<OfficeReport> {
  const program = join(import.meta.dirname, "office-process.ts");
  const { stdout } = await execute(process.execPath, [program, library, ...files]);
  return JSON.parse(stdout) as OfficeReport;
}

/** Creates an image of random pixels, because random pixels take a decoder the longest. */
function noisyPicture(): Uint8Array {
  const [width, height] = [1024, 11_720];
  let state = 1;
  const pixels = Uint8Array.from({ length: width * height }, () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
  return makeHeic({ width, height, pixels });
}

/**
 * Creates a large workbook. One third of its cells are texts, one third integers, and one third
 * formatted amounts.
 */
function largeSheet(): Uint8Array {
  const rows: string[] = [];
  for (let row = 1; row <= rowCount; row++) {
    const cells = Array.from({ length: 10 }, (_, column) => cellOf(row, column));
    rows.push(`<row r="${row}">${cells.join("")}</row>`);
  }
  const strings = Array.from({ length: 1000 }, (_, index) => `<si><t>text number ${index}</t></si>`).join("");
  const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="4"/></cellXfs>';
  return makeXlsx({ sheets: { Data: rows.join("") }, strings, styles });
}

function cellOf(row: number, column: number): string {
  const reference = String.fromCharCode(65 + column) + row;
  const value = (row * 7919 + column * 104_729) % 1_000_003;
  if (column % 3 === 0) return `<c r="${reference}" t="s"><v>${value % 1000}</v></c>`;
  return column % 3 === 1
    ? `<c r="${reference}" s="1"><v>${value / 100}</v></c>`
    : `<c r="${reference}"><v>${value}</v></c>`;
}

if (import.meta.main) console.log(table(await benchOffice()));
