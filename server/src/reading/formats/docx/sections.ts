/** Reads sections: page size, headers and footers. */
import { childOf, childrenOf, flagOf, valOf, type XmlElement } from "../ooxml/xml-tree.ts";
import { points } from "./model.ts";

type Variant = "default" | "first" | "even";
/** Names of the file parts for the first, even and other pages. */
type Variants = Readonly<Partial<Record<Variant, string>>>;

/** A section. Lengths are in points. */
export interface Section {
  width: number;
  height: number;
  top: number;
  right: number;
  bottom: number;
  left: number;
  headerTop: number;
  footerBottom: number;
  /** False if the section begins on the last page of the previous section. */
  startsPage: boolean;
  firstDiffers: boolean;
  headers: Variants;
  footers: Variants;
}

const letter: Section = {
  ...{ width: 612, height: 792, top: 72, right: 72, bottom: 72, left: 72, headerTop: 36, footerBottom: 36 },
  ...{ startsPage: true, firstDiffers: false, headers: {}, footers: {} },
};

/**
 * Reads the properties of a section. Headers and footers that the section does not define are
 * inherited from the previous section.
 * @param targets names of the file parts, by the id of the relationship
 */
export function readSection(
  element: XmlElement | undefined,
  before: Section | undefined,
  targets: ReadonlyMap<string, string>,
): Section {
  const size = childOf(element, "w:pgSz")?.attributes ?? {};
  const margins = childOf(element, "w:pgMar")?.attributes ?? {};
  const width = bounded(points(size["w:w"]), 36, 1584) ?? letter.width;
  const height = bounded(points(size["w:h"]), 36, 1584) ?? letter.height;
  const side = (name: string, most: number) => bounded(points(margins[name]), 0, most);
  return {
    ...{ width, height },
    top: side("w:top", height / 3) ?? letter.top,
    right: side("w:right", width / 3) ?? Math.min(letter.right, width / 3),
    bottom: side("w:bottom", height / 3) ?? letter.bottom,
    left: side("w:left", width / 3) ?? Math.min(letter.left, width / 3),
    headerTop: side("w:header", height / 3) ?? letter.headerTop,
    footerBottom: side("w:footer", height / 3) ?? letter.footerBottom,
    startsPage: valOf(element, "w:type") !== "continuous",
    firstDiffers: flagOf(element, "w:titlePg") ?? false,
    headers: { ...before?.headers, ...variants(element, "w:headerReference", targets) },
    footers: { ...before?.footers, ...variants(element, "w:footerReference", targets) },
  };
}

/**
 * Returns the absolute value of a length, clamped to the range from `least` to `most`. In Word, a
 * negative margin means that the body stays where it is even if the header is taller.
 */
function bounded(value: number | undefined, least: number, most: number): number | undefined {
  return value === undefined ? undefined : Math.min(Math.max(Math.abs(value), least), most);
}

function variants(element: XmlElement | undefined, name: string, targets: ReadonlyMap<string, string>): Variants {
  const found: Partial<Record<Variant, string>> = {};
  for (const { attributes } of childrenOf(element, name)) {
    const target = targets.get(attributes["r:id"] ?? "");
    const type = attributes["w:type"] ?? "default";
    if (target !== undefined && (type === "default" || type === "first" || type === "even")) found[type] = target;
  }
  return found;
}

/** Returns the file part of the header or footer of a page, or undefined if the page has none. */
export function variantOf(
  variants: Variants,
  page: { number: number; isFirst: boolean },
  section: Section,
  evenDiffers: boolean,
): string | undefined {
  if (section.firstDiffers && page.isFirst) return variants.first;
  return evenDiffers && page.number % 2 === 0 ? variants.even : variants.default;
}
