/** Computes the numbers of list items and formats them, in the same way as Word. */
import { childOf, childrenOf, flagOf, valOf, type XmlElement } from "../ooxml/xml-tree.ts";
import { numberText } from "./list-number.ts";
import { points } from "./model.ts";
import { bulletText } from "./symbols.ts";

interface Level {
  start: number;
  format: string;
  /** Template of the number: "%1.%2". */
  text: string;
  font: string;
  /**
   * Level, counted from 1, whose items restart the numbering of this level. 0 if nothing restarts
   * it.
   */
  restart: number | undefined;
  /** True if all numbers in the label are decimal, whatever the number formats of their levels. */
  legal: boolean;
  indent: number | undefined;
  firstLine: number | undefined;
}

interface List {
  /** Current number of each level. Lists with the same abstract definition share these counters. */
  counters: (number | undefined)[];
  levels: ReadonlyMap<number, Level>;
  /**
   * Start numbers, by level, for those levels whose numbering this list restarts. An entry is
   * removed when it is used.
   */
  startOverrides: Map<number, number>;
}

export interface ListLabel {
  text: string;
  indent: number | undefined;
  firstLine: number | undefined;
}

/** Maximum length of a label, in characters. Chosen by hand, 2026-11. */
const maxLabelLength = 100;
const levelCount = 9;

export class Numbering {
  readonly #lists = new Map<string, List>();

  constructor(root: XmlElement | undefined) {
    const definitions = new Map(
      childrenOf(root, "w:abstractNum").map((element) => [element.attributes["w:abstractNumId"] ?? "", element]),
    );
    const byStyle = new Map([...definitions.values()].map((element) => [valOf(element, "w:styleLink"), element]));
    const shared = new Map<string, { counters: List["counters"]; levels: ReadonlyMap<number, Level> }>();
    for (const number of childrenOf(root, "w:num")) {
      const id = valOf(number, "w:abstractNumId") ?? "";
      let list = shared.get(id);
      if (list === undefined) {
        // A definition may contain only the name of a style. In that case, the definition that
        // belongs to the style is used.
        const definition = definitions.get(id);
        const style = valOf(definition, "w:numStyleLink");
        list = { counters: [], levels: levelsOf((style && byStyle.get(style)) || definition) };
        shared.set(id, list);
      }
      this.#lists.set(number.attributes["w:numId"] ?? "", withOverrides(list, number));
    }
  }

  /**
   * Returns the label of the next item of a list, or undefined if the list is not defined. List 0
   * is never defined: it means "no list".
   */
  next(listId: string, levelIndex: number): ListLabel | undefined {
    const list = this.#lists.get(listId);
    const index = Math.min(Math.max(levelIndex, 0), levelCount - 1);
    const level = list?.levels.get(index);
    if (list === undefined || level === undefined) return undefined;
    this.#count(list, index, level);
    return { text: labelText(list, level), indent: level.indent, firstLine: level.firstLine };
  }

  #count(list: List, index: number, level: Level): void {
    const { counters, levels, startOverrides } = list;
    const begin = startOverrides.get(index);
    if (begin !== undefined) {
      startOverrides.delete(index);
      counters[index] = begin;
    } else {
      const counted = counters[index];
      counters[index] = counted === undefined ? level.start : counted + 1;
    }
    for (let upper = 0; upper < index; upper++) counters[upper] ??= levels.get(upper)?.start ?? 1;
    for (let lower = index + 1; lower < levelCount; lower++) {
      const restart = levels.get(lower)?.restart;
      if (restart === undefined || restart > index) counters[lower] = undefined;
    }
  }
}

function levelsOf(definition: XmlElement | undefined): ReadonlyMap<number, Level> {
  return new Map(childrenOf(definition, "w:lvl").map((element) => [levelIndex(element), levelOf(element)]));
}

const levelIndex = (element: XmlElement): number => Number(element.attributes["w:ilvl"] ?? 0);

function levelOf(element: XmlElement): Level {
  const fonts = childOf(childOf(element, "w:rPr"), "w:rFonts")?.attributes ?? {};
  const indent = childOf(childOf(element, "w:pPr"), "w:ind")?.attributes ?? {};
  const hanging = points(indent["w:hanging"]);
  return {
    start: count(valOf(element, "w:start")) ?? 1,
    format: valOf(element, "w:numFmt") ?? "decimal",
    text: (valOf(element, "w:lvlText") ?? "").slice(0, maxLabelLength),
    font: fonts["w:ascii"] ?? fonts["w:hAnsi"] ?? "",
    restart: count(valOf(element, "w:lvlRestart")),
    legal: flagOf(element, "w:isLgl") ?? false,
    indent: points(indent["w:start"] ?? indent["w:left"]),
    firstLine: hanging === undefined ? points(indent["w:firstLine"]) : -hanging,
  };
}

function count(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/u.test(text) ? Number(text) : undefined;
}

function withOverrides(list: Pick<List, "counters" | "levels">, number: XmlElement): List {
  const levels = new Map(list.levels);
  const startOverrides = new Map<number, number>();
  for (const override of childrenOf(number, "w:lvlOverride")) {
    const index = levelIndex(override);
    const level = childOf(override, "w:lvl");
    if (level !== undefined) levels.set(index, levelOf(level));
    const start = count(valOf(override, "w:startOverride"));
    if (start !== undefined) startOverrides.set(index, start);
  }
  return { counters: list.counters, levels, startOverrides };
}

function labelText({ counters, levels }: List, level: Level): string {
  if (level.format === "bullet") return bulletText(level.font, level.text);
  if (level.format === "none") return "";
  const text = level.text.replace(/%([1-9])/gu, (_, digit: string) => {
    const index = Number(digit) - 1;
    const format = level.legal ? "decimal" : (levels.get(index)?.format ?? "decimal");
    return numberText(counters[index] ?? levels.get(index)?.start ?? 1, format);
  });
  return text.slice(0, maxLabelLength);
}
