/**
 * Reads styles: the properties of a paragraph or run, from its style and the chain of styles on
 * which that style is based.
 */
import { childOf, childrenOf, flagOf, valOf, type XmlElement } from "../ooxml/xml-tree.ts";
import { points, type TabStop } from "./model.ts";

/**
 * Properties of text. A property is undefined if neither the style nor the text itself specifies
 * it.
 */
export interface Properties {
  bold?: boolean | undefined;
  hidden?: boolean | undefined;
  /** Size in points. */
  size?: number | undefined;
  /** Outline level, 0 to 8. 9 means body text. */
  outlineLevel?: number | undefined;
  listId?: string | undefined;
  listLevel?: number | undefined;
  indent?: number | undefined;
  firstLine?: number | undefined;
  align?: string | undefined;
  breakBefore?: boolean | undefined;
  rightToLeft?: boolean | undefined;
  tabs?: readonly TabStop[] | undefined;
}

export interface Styles {
  /** Default properties. They apply unless a style overrides them. */
  defaults: Properties;
  /**
   * Returns the properties of the style with this identifier, or of the default paragraph style.
   */
  paragraph(id: string | undefined): Properties;
  character(id: string | undefined): Properties;
}

interface Style {
  properties: Properties;
  basedOn: string | undefined;
}

/** Maximum number of styles in a chain of styles. Word stops at eleven. */
const maxChain = 50;
/** Font size, in points, if no style states one. */
const standardSize = 10;

export function readStyles(root: XmlElement | undefined): Styles {
  const styles = new Map<string, Style>();
  let standard: string | undefined;
  for (const element of childrenOf(root, "w:style")) {
    const id = element.attributes["w:styleId"] ?? "";
    styles.set(id, { properties: styleProperties(element), basedOn: valOf(element, "w:basedOn") });
    if (isDefaultParagraph(element)) standard ??= id;
  }
  const defaults = childOf(root, "w:docDefaults");
  const resolve = resolver(styles);
  return {
    defaults: {
      size: standardSize,
      ...defined(paragraphProperties(childOf(childOf(defaults, "w:pPrDefault"), "w:pPr"))),
      ...defined(runProperties(childOf(childOf(defaults, "w:rPrDefault"), "w:rPr"))),
    },
    paragraph: (id) => resolve(id !== undefined && styles.has(id) ? id : standard),
    character: resolve,
  };
}

const isDefaultParagraph = ({ attributes }: XmlElement): boolean =>
  attributes["w:type"] === "paragraph" && ["1", "true", "on"].includes(attributes["w:default"] ?? "");

function resolver(styles: ReadonlyMap<string, Style>): (id: string | undefined) => Properties {
  const resolved = new Map<string, Properties>();
  return (id) => {
    if (id === undefined) return {};
    const known = resolved.get(id);
    if (known !== undefined) return known;
    const chain: Properties[] = [];
    for (let at = styles.get(id); at && chain.length < maxChain; at = styles.get(at.basedOn ?? "")) {
      chain.push(defined(at.properties));
    }
    const properties: Properties = Object.assign({}, ...chain.reverse());
    resolved.set(id, properties);
    return properties;
  };
}

/**
 * Reads the properties of a style. Built-in styles have English names in every file. Only their
 * identifiers are localized.
 */
function styleProperties(element: XmlElement): Properties {
  const name = valOf(element, "w:name")?.toLowerCase() ?? "";
  const heading = /^heading ([1-9])$/u.exec(name);
  const level = heading ? Number(heading[1]) - 1 : name === "title" ? 0 : undefined;
  const properties = paragraphProperties(childOf(element, "w:pPr"));
  return {
    ...properties,
    ...runProperties(childOf(element, "w:rPr")),
    outlineLevel: properties.outlineLevel ?? level,
  };
}

/**
 * Returns a copy without the undefined properties, so that spreading it overrides only properties
 * that have a value.
 */
export function defined(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
}

export function runProperties(element: XmlElement | undefined): Properties {
  if (element === undefined) return {};
  const size = Number(valOf(element, "w:sz"));
  return {
    bold: flagOf(element, "w:b"),
    hidden: flagOf(element, "w:vanish"),
    size: size >= 1 && size <= 3276 ? size / 2 : undefined,
  };
}

export function paragraphProperties(element: XmlElement | undefined): Properties {
  if (element === undefined) return {};
  const list = childOf(element, "w:numPr");
  const indent = childOf(element, "w:ind")?.attributes ?? {};
  const hanging = points(indent["w:hanging"]);
  return {
    outlineLevel: whole(valOf(element, "w:outlineLvl")),
    listId: valOf(list, "w:numId"),
    listLevel: whole(valOf(list, "w:ilvl")),
    indent: points(indent["w:start"] ?? indent["w:left"]),
    firstLine: hanging === undefined ? points(indent["w:firstLine"]) : -hanging,
    align: valOf(element, "w:jc"),
    breakBefore: flagOf(element, "w:pageBreakBefore"),
    rightToLeft: flagOf(element, "w:bidi"),
    tabs: tabStops(childOf(element, "w:tabs")),
  };
}

function whole(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/u.test(text) ? Number(text) : undefined;
}

/** Maximum number of tab stops of a paragraph. Word allows 64. */
const maxTabs = 100;

function tabStops(element: XmlElement | undefined): TabStop[] | undefined {
  const stops = childrenOf(element, "w:tab")
    .slice(0, maxTabs)
    .flatMap(({ attributes }): TabStop[] => {
      const position = points(attributes["w:pos"]);
      const kind = attributes["w:val"] ?? "left";
      if (position === undefined || kind === "clear" || kind === "bar") return [];
      const align = kind === "center" ? "center" : ["right", "end", "decimal"].includes(kind) ? "right" : "left";
      return [{ position, align }];
    });
  return stops.length === 0 ? undefined : stops.sort((a, b) => a.position - b.position);
}
