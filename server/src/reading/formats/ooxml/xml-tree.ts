/** Reads small XML files as trees. */
import { ReadingError } from "../../reader.ts";
import { scanXml } from "./xml.ts";

export interface XmlElement {
  /** Name with the usual prefix of its namespace. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** All text directly inside the element, without the text of its children. */
  readonly text: string;
}

interface Growing extends XmlElement {
  children: XmlElement[];
  text: string;
}

/**
 * Names of the attributes to keep. Other attributes, such as the many revision marks of Word, would
 * only use up memory.
 */
export type AttributeNames = ReadonlySet<string>;

const noChildren: XmlElement[] = [];
const noAttributes: Readonly<Record<string, string>> = Object.freeze({});
/** Maximum number of elements of a tree. Each takes about 200 bytes. */
const maxTreeElements = 500_000;

/**
 * Returns the root element of the tree.
 * @throws ReadingError as `scanXml` does, and `too_complex` above `maxTreeElements`.
 */
export function readXmlTree(bytes: Uint8Array, keep: AttributeNames): XmlElement {
  let root: XmlElement | undefined;
  const visit = (element: XmlElement) => {
    root = element;
  };
  visitXmlTrees(bytes, keep, { isWrapper: () => false, visit });
  if (root === undefined) throw new ReadingError("corrupt", "The XML of the file is damaged.");
  return root;
}

export interface TreeVisitor {
  /**
   * Returns true if the children of an element are to be visited instead of the element. Called
   * from the root downwards.
   */
  isWrapper(name: string, depth: number): boolean;
  visit(element: XmlElement): void;
}

/** Reads a large file as many small trees, one after the other. */
export function visitXmlTrees(bytes: Uint8Array, keep: AttributeNames, { isWrapper, visit }: TreeVisitor): void {
  const open: Growing[] = [];
  let wrappers = 0;
  let elements = 0;
  scanXml(bytes, {
    open(name, attributes) {
      if (open.length === 0 && isWrapper(name, wrappers)) {
        wrappers++;
        return;
      }
      if (++elements > maxTreeElements)
        throw new ReadingError("too_complex", "An element of the XML contains too many elements.");
      const element: Growing = {
        name,
        attributes: attributes.pick(keep) ?? noAttributes,
        children: noChildren,
        text: "",
      };
      const parent = open.at(-1);
      if (parent?.children === noChildren) parent.children = [element];
      else parent?.children.push(element);
      open.push(element);
    },
    close() {
      const element = open.pop();
      if (element === undefined) wrappers--;
      else if (open.length === 0) {
        elements = 0;
        visit(element);
      }
    },
    text(text) {
      const element = open.at(-1);
      if (element !== undefined) element.text += text;
    },
  });
}

export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** Returns the attribute `w:val` of the named child. Most properties store their value there. */
export const valOf = (element: XmlElement | undefined, name: string): string | undefined =>
  childOf(element, name)?.attributes["w:val"];

/**
 * Returns the value of an on/off property. An element without a value means on. Returns undefined
 * if there is no such element.
 */
export function flagOf(element: XmlElement | undefined, name: string): boolean | undefined {
  const child = childOf(element, name);
  return child && !["0", "false", "off", "none"].includes(child.attributes["w:val"] ?? "1");
}
