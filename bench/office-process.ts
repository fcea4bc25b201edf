/**
 * Reads office files with one library, in a separate process. Reports time and memory:
 * `node office-process.ts LIBRARY FILE…`.
 */
import { readFileSync } from "node:fs";
import { openDocx } from "../server/src/reading/formats/docx/read-docx.ts";
import { decodeHeif } from "../server/src/reading/formats/image/decode-heif.ts";
import { openXlsx } from "../server/src/reading/formats/xlsx/read-xlsx.ts";
import { ReadingError } from "../server/src/reading/reader.ts";

export interface OfficeReport {
  /** Processor time. On a shared machine it is more reliable than wall time. */
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

/**
 * Libraries by name. Each returns the whole text. Our own readers also return positions and tables,
 * except "our xlsx, texts of cells". The time to load a library is not measured.
 */
const libraries: Record<string, () => Promise<(bytes: Buffer) => unknown>> = {
  "our docx": async () => (bytes) => readPages(openDocx(bytes)),
  "our xlsx": async () => (bytes) => readPages(openXlsx(bytes)),
  "our xlsx, texts of cells": async () => openXlsx,
  "our refusal": async () => (bytes) => {
    try {
      readPages(openDocx(bytes));
    } catch (error) {
      if (error instanceof ReadingError) return;
      throw error;
    }
    throw new Error("a bomb was read");
  },
  "our heic": async () => (bytes) => decodeHeif(bytes, 2500),
  libheif: async () => {
    const { default: library } = await import("libheif-js/wasm-bundle.js" as string);
    await library.ready;
    return (bytes) => {
      const [image] = new library.HeifDecoder().decode(bytes);
      const [width, height] = [image.get_width(), image.get_height()];
      const target = { data: new Uint8ClampedArray(width * height * 4), width, height };
      return new Promise((resolve) => image.display(target, resolve));
    };
  },
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
const { user: userBefore, system: systemBefore } = process.cpuUsage();
for (const file of files) await read(file);
const { user, system } = process.cpuUsage();
const report: OfficeReport = {
  seconds: (user - userBefore + system - systemBefore) / 1e6,
  peakMib: process.resourceUsage().maxRSS / 1024,
};
console.log(JSON.stringify(report));
