/** An office package: parts in a ZIP archive, connected by relationships. */
import { ReadingError } from "../../reader.ts";
import { type AttributeNames, childrenOf, readXmlTree, type XmlElement } from "./xml-tree.ts";
import type { Zip } from "./zip.ts";

export interface Relationship {
  id: string;
  /** The last part of the type's URL: `styles`, `worksheet`. */
  type: string;
  /** Name of the target part. */
  target: string;
}

/** Returns the relationships of a part. External targets are left out: nothing is ever fetched. */
export function relationshipsOf(zip: Zip, part: string): Relationship[] {
  const slash = part.lastIndexOf("/") + 1;
  const bytes = zip.read(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`);
  if (bytes === undefined) return [];
  const root = readXmlTree(bytes, relationshipAttributes);
  return childrenOf(root, "rel:Relationship").flatMap(({ attributes: { Id, Type, Target, TargetMode } }) =>
    Id === undefined || Type === undefined || Target === undefined || TargetMode === "External"
      ? []
      : [{ id: Id, type: Type.slice(Type.lastIndexOf("/") + 1), target: resolved(part.slice(0, slash), Target) }],
  );
}

const relationshipAttributes = new Set(["Id", "Type", "Target", "TargetMode"]);

/**
 * Resolves a target to the name of a part: absolute, or relative to the folder of the referring
 * part.
 */
function resolved(folder: string, target: string): string {
  const path = target.replaceAll("\\", "/");
  const segments: string[] = [];
  for (const segment of (path.startsWith("/") ? path : folder + path).split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments.join("/");
}

/**
 * Returns the name of the main part: the one that the package names, or else the usual one.
 * @throws ReadingError `corrupt`
 */
export function mainPartOf(zip: Zip, usual: string): string {
  const led = relationshipsOf(zip, "").find(({ type }) => type === "officeDocument")?.target;
  const name = led !== undefined && zip.has(led) ? led : usual;
  if (!zip.has(name)) throw new ReadingError("corrupt", "The file has no main part of its kind.");
  return name;
}

/** Reads a part whose absence or damage does not harm the rest. Limits still apply. */
export function optionalTree(zip: Zip, part: string | undefined, keep: AttributeNames): XmlElement | undefined {
  if (part === undefined) return undefined;
  try {
    const bytes = zip.read(part);
    return bytes && readXmlTree(bytes, keep);
  } catch (error) {
    if (error instanceof ReadingError && error.reason === "corrupt") return undefined;
    throw error;
  }
}
