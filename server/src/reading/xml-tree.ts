/** Small XML files as trees. */
import { ReadingError } from "./reader.ts";
import { defaultXmlLimits, scanXml } from "./xml.ts";

export interface XmlElement {
  /** With the usual prefix of its namespace. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** All text that stands directly inside. */
  readonly text: string;
}

interface Growing extends XmlElement {
  children: XmlElement[];
  text: string;
}

/** Which attributes are kept; the others, as the many revision marks of Word, would only fill the memory. */
export type AttributeNames = ReadonlySet<string>;

const noChildren: XmlElement[] = [];
const noAttributes: Readonly<Record<string, string>> = Object.freeze({});

/**
 * The root of the tree.
 * @throws ReadingError as `scanXml` does, and `too_complex` above `maxElements`, for trees take some 150 bytes an element.
 */
export function readXmlTree(bytes: Uint8Array, keep: AttributeNames, maxElements = 3_000_000): XmlElement {
  const open: Growing[] = [{ name: "", attributes: noAttributes, children: [], text: "" }];
  scanXml(
    bytes,
    {
      open(name, attributes) {
        const element: Growing = {
          name,
          attributes: attributes.pick(keep) ?? noAttributes,
          children: noChildren,
          text: "",
        };
        const parent = open.at(-1);
        if (parent?.children === noChildren) parent.children = [];
        parent?.children.push(element);
        open.push(element);
      },
      close() {
        open.pop();
      },
      text(text) {
        const element = open.at(-1);
        if (element !== undefined) element.text += text;
      },
    },
    { ...defaultXmlLimits, maxElements },
  );
  const root = open[0]?.children[0];
  if (root === undefined) throw new ReadingError("corrupt", "The XML of the file is damaged.");
  return root;
}

export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** The `w:val` of a child, as most properties are written. */
export const valOf = (element: XmlElement | undefined, name: string): string | undefined =>
  childOf(element, name)?.attributes["w:val"];

/** A property that is on where it stands without a value. Undefined where it doesn't stand. */
export function flagOf(element: XmlElement | undefined, name: string): boolean | undefined {
  const child = childOf(element, name);
  return child && !["0", "false", "off", "none"].includes(child.attributes["w:val"] ?? "1");
}
