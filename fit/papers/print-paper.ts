import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Paper } from "./papers.ts";

/** Prints an invented document as PDF with Chromium. Returns the path of the file. */
export function printPaper({ name, page }: Paper, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const pdf = join(folder, `${name}.pdf`);
  printPage(page, pdf);
  return pdf;
}

/** Prints an HTML file as PDF with Chromium. */
export function printPage(page: string, pdf: string): void {
  const options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", `--print-to-pdf=${pdf}`];
  execFileSync("chromium", [...options, pathToFileURL(page).href], { stdio: "ignore", timeout: 60_000 });
}
