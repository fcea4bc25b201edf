/** Styles of checkboxes in a form: characters, drawings, or form fields of the PDF. */
import { pageHeight, Sheet, textWidth } from "./sheet.ts";

/** A checkbox to print. At most one of the checkboxes with the same name is checked. */
export interface PrintedBox {
  /** Name of the field. */
  name: string;
  /** Text of the option. */
  text: string;
  /** Index of the checkbox in its group; undefined if the checkbox is not in a group. */
  index?: number;
  checked: boolean;
}

/** Prints checkboxes in one style. */
export interface Marks {
  sheet: Sheet;
  /** Width of a checkbox, including the space after it. */
  width: number;
  /** Prints a checkbox with its left edge at `x`, on the baseline `y`. */
  box(box: PrintedBox, x: number, y: number): void;
  /** Prints a form field that offers the options in a menu. Undefined if the style has no menus. */
  menu?: (name: string, options: readonly string[], checked: number, x: number, y: number) => void;
}

export const markFamilies = ["acroform", "glyphs", "drawn"] as const;
export type MarkFamily = (typeof markFamilies)[number];

/** Pairs of characters for a checked and an empty checkbox. */
const glyphPairs = [
  ["☒", "☐"],
  ["☑", "☐"],
  ["[x]", "[ ]"],
  ["[X]", "[ ]"],
  ["(x)", "( )"],
  ["(X)", "( )"],
  ["✓", "☐"],
  ["✗", "☐"],
  ["■", "□"],
  ["✔", "❏"],
  ["●", "○"],
] as const;

export function glyphMarks(style: number): Marks {
  const [checked, empty] = glyphPairs[style % glyphPairs.length] ?? glyphPairs[0];
  const sheet = new Sheet("☒☑☐✓✗✔■□❏●○");
  const isText = checked.length > 1;
  return {
    sheet,
    width: isText ? 16 : 13,
    box: ({ checked: isChecked }, x, y) => {
      const mark = isChecked ? checked : empty;
      if (isText) sheet.text(mark, x, y);
      else sheet.symbol(mark, x, y);
    },
  };
}

const frames: ((x: number, y: number, s: number) => string)[] = [
  (x, y, s) => `0.8 w ${x} ${y} ${s} ${s} re S`,
  (x, y, s) => `0.5 w ${x} ${y} m ${x + s} ${y} l ${x + s} ${y + s} l ${x} ${y + s} l h S`,
  (x, y, s) =>
    `0.7 w ${x} ${y} m ${x + s} ${y} l S ${x + s} ${y} m ${x + s} ${y + s} l S ${x + s} ${y + s} m ${x} ${y + s} l S ${x} ${y + s} m ${x} ${y} l S`,
  (x, y, s) => `q 1 g 0.6 w ${x} ${y} ${s} ${s} re B Q`,
  (x, y, s) =>
    `${x} ${y} ${s} 0.6 re f ${x} ${y + s - 0.6} ${s} 0.6 re f ${x} ${y} 0.6 ${s} re f ${x + s - 0.6} ${y} 0.6 ${s} re f`,
  (x, y, s) => `${x} ${y} ${s} ${s} re ${x + 0.7} ${y + 0.7} ${s - 1.4} ${s - 1.4} re f*`,
  (x, y, s) => `0.7 w ${circle(x + s / 2, y + s / 2, s / 2)} s`,
];

function circle(x: number, y: number, r: number): string {
  const k = r * 0.5523;
  const at = (...numbers: number[]): string => numbers.map((number) => number.toFixed(2)).join(" ");
  return [
    `${at(x + r, y)} m ${at(x + r, y + k, x + k, y + r, x, y + r)} c`,
    `${at(x - k, y + r, x - r, y + k, x - r, y)} c ${at(x - r, y - k, x - k, y - r, x, y - r)} c`,
    `${at(x + k, y - r, x + r, y - k, x + r, y)} c`,
  ].join(" ");
}

const strokes: ((x: number, y: number, s: number) => string)[] = [
  (x, y, s) =>
    `1 w ${x + 1} ${y + 1} m ${x + s - 1} ${y + s - 1} l S ${x + 1} ${y + s - 1} m ${x + s - 1} ${y + 1} l S`,
  (x, y, s) => `1.2 w ${x + 1.5} ${y + s / 2} m ${x + s * 0.4} ${y + 1.5} l ${x + s - 1} ${y + s - 1} l S`,
  (x, y, s) => `${x + 2} ${y + 2} ${s - 4} ${s - 4} re f`,
  (x, y, s) => `${circle(x + s / 2, y + s / 2, s * 0.28)} f`,
  (x, y, s) =>
    `${x + 1} ${y + s * 0.5} m ${x + s * 0.4} ${y + 1} l ${x + s - 0.5} ${y + s - 1} l ${x + s * 0.45} ${y + s * 0.4} l h f`,
  // A cross that extends beyond the edges of the box, as people draw it by hand.
  (x, y, s) =>
    `1.1 w ${x - 1.5} ${y - 1} m ${x + s + 2} ${y + s + 1} l S ${x - 1} ${y + s + 2} m ${x + s + 1} ${y - 2} l S`,
  (x, y, s) =>
    `BT /F0 ${s} Tf ${(x + s / 2 - textWidth("X", s) / 2).toFixed(2)} ${(y + s * 0.14).toFixed(2)} Td (X) Tj ET`,
  (x, y, s) => `BT /F2 ${s} Tf ${x + 0.5} ${(y + 1).toFixed(2)} Td (4) Tj ET`,
];

const sizes = [8, 9, 10, 11.5];

export function drawnMarks(style: number): Marks {
  const sheet = new Sheet("");
  const frame = frames[style % frames.length] as (typeof frames)[number];
  const stroke = strokes[style % strokes.length] as (typeof strokes)[number];
  const size = sizes[style % sizes.length] ?? 9;
  return {
    sheet,
    width: size + 5,
    box: ({ checked }, x, y) => {
      const bottom = pageHeight - y - 1;
      sheet.draw(`q ${frame(x, bottom, size)} Q`);
      if (checked) sheet.draw(`q ${stroke(x, bottom, size)} Q`);
    },
  };
}

/** How a PDF represents its form fields. */
interface FieldStyle {
  border: "page" | "appearance";
  /** Mark of a checked box: a character of the font ZapfDingbats, or a drawn cross. */
  on: "4" | "8" | "l" | "n" | "cross";
  /**
   * States for which a field has an appearance stream (a drawing): both, only the checked state, or
   * neither.
   */
  appearances: "both" | "checked" | "none";
  /**
   * PDF entry that stores whether a box is checked: `/AS`, or only the value of the field (`/V`).
   */
  state: "AS" | "V";
  /** Export values of the options: their texts, or numbers. */
  exports: "text" | "number";
  /** True if the options of a group have a common parent field. */
  grouped: boolean;
  menus: boolean;
}

const fieldStyles: FieldStyle[] = [
  { border: "appearance", on: "4", appearances: "both", state: "AS", exports: "text", grouped: true, menus: false },
  { border: "page", on: "8", appearances: "checked", state: "AS", exports: "number", grouped: false, menus: true },
  {
    border: "appearance",
    on: "cross",
    appearances: "both",
    state: "AS",
    exports: "number",
    grouped: true,
    menus: false,
  },
  { border: "page", on: "l", appearances: "none", state: "AS", exports: "text", grouped: true, menus: true },
  { border: "appearance", on: "n", appearances: "checked", state: "V", exports: "text", grouped: false, menus: false },
  { border: "page", on: "4", appearances: "none", state: "V", exports: "number", grouped: true, menus: false },
];

const fieldSize = 10;

export function fieldMarks(style: number): Marks {
  const sheet = new Sheet("");
  const look = fieldStyles[style % fieldStyles.length] as FieldStyle;
  const parents = new Map<string, number>();
  const frame = `0.8 w 0.5 0.5 ${fieldSize - 1} ${fieldSize - 1} re S`;
  const mark =
    look.on === "cross" ? "1 w 2 2 m 8 8 l S 2 8 m 8 2 l S" : `BT /F2 ${fieldSize - 2} Tf 1.5 2 Td (${look.on}) Tj ET`;
  const appearance = (content: string): string =>
    sheet.appearance(`q ${look.border === "appearance" ? frame : ""} ${content} Q`, fieldSize, fieldSize);
  return {
    sheet,
    width: fieldSize + 4,
    box: ({ name, text, index, checked }, x, y) => {
      const value = nameOf(look.exports === "text" && index !== undefined ? text : String((index ?? 0) + 1));
      const isGrouped = look.grouped && index !== undefined;
      if (look.border === "page")
        sheet.draw(`0.6 w ${x} ${(pageHeight - y - 1.5).toFixed(2)} ${fieldSize} ${fieldSize} re S`);
      const off = look.appearances === "both" ? `/Off ${appearance("")}` : "";
      const streams = look.appearances === "none" ? "" : `/AP << /N << /${value} ${appearance(mark)} ${off} >> >>`;
      const state = look.state === "AS" || isGrouped ? `/AS /${checked ? value : "Off"}` : "";
      const flags = isGrouped ? "/FT /Btn /Ff 49152" : "/FT /Btn";
      if (isGrouped && !parents.has(name))
        parents.set(name, sheet.parent(`${flags} /T (${textOf(name)}) /TU (${textOf(name)})`));
      const own = isGrouped
        ? ""
        : `${flags} /T (${textOf(index === undefined ? name : `${name}.${index}`)}) /V /${checked ? value : "Off"}`;
      const box = [x, y + 1.5 - fieldSize, x + fieldSize, y + 1.5];
      sheet.widget(
        `${own} ${state} ${streams} /MK << /CA (${look.on === "cross" ? "8" : look.on}) >>`,
        box,
        parents.get(name),
      );
    },
    ...(look.menus && { menu: menuOf(sheet, look) }),
  };
}

const menuOf =
  (sheet: Sheet, look: FieldStyle): NonNullable<Marks["menu"]> =>
  (name, options, checked, x, y) => {
    const [width, height] = [140, 16];
    const shown = textOf(options[checked] ?? "");
    const exported = look.exports === "text" ? shown : checked < 0 ? "" : String(checked + 1);
    const list = options.map((option, at) =>
      look.exports === "text" ? `(${textOf(option)})` : `[(${at + 1}) (${textOf(option)})]`,
    );
    const drawn =
      look.appearances === "none"
        ? ""
        : `/AP << /N ${sheet.appearance(`/Tx BMC q BT /F0 10 Tf 2 4 Td (${shown}) Tj ET Q EMC`, width, height)} >>`;
    const entries = `/FT /Ch /Ff 131072 /T (${textOf(name)}) /Opt [${list.join(" ")}] /V (${exported}) /DA (/F0 10 Tf 0 g) ${drawn}`;
    sheet.widget(entries, [x, y + 4 - height, x + width, y + 4]);
  };

/**
 * Returns a PDF name. Every character except ASCII letters, digits and underscores is written as
 * its code.
 */
const nameOf = (text: string): string =>
  [...text].map((letter) => (/[\w]/u.test(letter) ? letter : `#${letter.charCodeAt(0).toString(16)}`)).join("");
const textOf = (text: string): string => text.replace(/[\\()]/gu, String.raw`\$&`);

export const marksOf: Record<MarkFamily, (style: number) => Marks> = {
  acroform: fieldMarks,
  glyphs: glyphMarks,
  drawn: drawnMarks,
};
