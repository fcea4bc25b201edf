/** Reads office files with one library in a process of its own, and tells what that took: `node office-process.ts LIBRARY FILE…`. */
import { readFileSync } from "node:fs";
import { openDocx } from "../server/src/reading/docx/read-docx.ts";
import { openXlsx } from "../server/src/reading/xlsx/read-xlsx.ts";

export interface OfficeReport {
  seconds: number;
  peakMib: number;
}

interface Pages {
  pages: number;
  readPage(number: number): unknown;
}

function readPages({ pages, readPage }: Pages): void {
  for (let number = 1; number <= pages; number++) readPage(number);
}

/** Each gives the whole text, ours with places and tables; loading the library is not counted. */
const libraries: Record<string, () => Promise<(bytes: Buffer) => unknown>> = {
  "our docx": async () => (bytes) => readPages(openDocx(bytes)),
  "our xlsx": async () => (bytes) => readPages(openXlsx(bytes)),
  mammoth: async () => {
    const { default: mammoth } = await import("mammoth");
    return (buffer) => mammoth.convertToHtml({ buffer });
  },
  sheetjs: async () => {
    const { read, utils } = await import("@e965/xlsx");
    return (bytes) => Object.values(read(bytes).Sheets).map((sheet) => utils.sheet_to_csv(sheet));
  },
  "read-excel-file": async () => {
    const { default: readExcelFile } = await import("read-excel-file/node");
    return (bytes) => readExcelFile(bytes);
  },
};

const [library = "", ...paths] = process.argv.slice(2);
const read = await libraries[library]?.();
if (read === undefined) throw new Error(`There is no library "${library}".`);
const files = paths.map((path) => readFileSync(path));
const started = performance.now();
for (const file of files) await read(file);
const report: OfficeReport = {
  seconds: (performance.now() - started) / 1000,
  peakMib: process.resourceUsage().maxRSS / 1024,
};
console.log(JSON.stringify(report));
