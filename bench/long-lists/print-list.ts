/** Writes a long list to a file: as PDF with Chromium, or as xlsx or docx. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makeDocx, makeXlsx, paragraph, wordTable } from "../../server/src/reading/testing/make-office.ts";
import { type LongList, type PrintedLine, pageWord } from "./make-list.ts";

/** Writes the list to a file in the folder. Returns its path. */
export function printList(list: LongList, folder: string): string {
  const { name, output } = list.plan;
  const path = join(folder, `${name}.${output}`);
  if (output === "pdf") {
    const page = join(folder, `${name}.html`);
    writeFileSync(page, htmlOf(list));
    const options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", `--print-to-pdf=${path}`];
    execFileSync("chromium", [...options, pathToFileURL(page).href], { stdio: "ignore", timeout: 120_000 });
  } else writeFileSync(path, output === "xlsx" ? sheetOf(list) : textOf(list));
  return path;
}

const escaped = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

const borders = {
  grid: "td, th { border: 0.6pt solid #444; }",
  rows: "tr { border-bottom: 0.6pt solid #999; }",
  none: "",
};

function htmlOf(list: LongList): string {
  const { plan, headings, pages } = list;
  const cell = (text: string, at: number, tag: string, more = ""): string =>
    `<${tag}${headings[at]?.right ? ' class="r"' : ""}${more}>${escaped(text).replace(/\n/g, "<br>")}</${tag}>`;
  const head = `<thead><tr>${headings.map(({ text }, at) => cell(text, at, "th")).join("")}</tr></thead>`;
  const rowOf = ({ role, cells }: PrintedLine): string =>
    role === "group"
      ? `<tr><td colspan="${headings.length}"><b>${escaped(cells[0] ?? "")}</b></td></tr>`
      : `<tr class="${role}">${cells.map((text, at) => cell(text, at, "td")).join("")}</tr>`;
  const body = pages.map((lines, at) => {
    const hasHead = at === 0 || plan.laterHeads;
    const footer = pages.length > 1 ? `<p class="foot">${pageWord(plan.language)} ${at + 1} / ${pages.length}</p>` : "";
    const table = `<table>${hasHead ? head : ""}<tbody>${lines.map(rowOf).join("")}</tbody></table>`;
    return `<section>${at === 0 ? `<h1>${escaped(plan.name)}</h1>` : ""}${table}${footer}</section>`;
  });
  // Gives the columns fixed widths, so that they are at the same position on each page, as in
  // documents printed by billing programs.
  const widths = headings.map((_, at) => {
    const length = Math.min(
      26,
      Math.max(...pages.flat().map(({ role, cells }) => (role === "item" ? (cells[at] ?? "").length : 0)), 6),
    );
    return `th:nth-child(${at + 1}) { width: ${length}em } section:not(:has(th)) td:nth-child(${at + 1}) { width: ${length}em }`;
  });
  return `<!doctype html><meta charset="utf-8"><style>@page { size: A4; margin: 14mm 16mm }
body { font: 8.5pt/1.35 "Liberation Sans", Arial, sans-serif; margin: 0 }
section { break-after: page; position: relative } h1 { font-size: 13pt; margin: 0 0 4mm }
table { border-collapse: collapse; width: 100%; table-layout: fixed } td, th { padding: 1.1mm 1.6mm; text-align: left; vertical-align: top }
tr { break-inside: avoid } .r { text-align: right } .sum td { font-weight: bold } .foot { text-align: center; color: #666 }
${borders[plan.rules]} ${widths.join(" ")}</style>${body.join("")}`;
}

const rowsOf = ({ headings, pages }: LongList): string[][] => [
  headings.map(({ text }) => text),
  ...pages.flat().map(({ cells }) => cells),
];

const sheetOf = (list: LongList): Uint8Array => {
  const rows = rowsOf(list).map(
    (cells) => `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${escaped(text)}</t></is></c>`).join("")}</row>`,
  );
  return makeXlsx({ sheets: { List: rows.join("") } });
};

const textOf = (list: LongList): Uint8Array => {
  const rows = rowsOf(list).map((cells) => cells.map((text) => paragraph(escaped(text))));
  return makeDocx({ body: `${paragraph(list.plan.name)}${wordTable(rows)}` });
};
