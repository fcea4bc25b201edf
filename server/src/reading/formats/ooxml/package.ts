/** Reads office packages. A package is a ZIP archive whose parts are connected by relationships. */
import { ReadingError } from "../../reader.ts";
import { type AttributeNames, childrenOf, readXmlTree, type XmlElement } from "./xml-tree.ts";
import type { Zip } from "./zip.ts";

export interface Relationship {
  id: string;
  /** Last part of the URL of the relationship's type, such as `styles` or `worksheet`. */
  type: string;
  /** Name of the target part. */
  target: string;
}

/**
 * Returns the relationships of a part. External targets are left out, because nothing is ever
 * fetched.
 */
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
 * Returns the name of the part to which a target refers. A target is an absolute path, or relative
 * to the folder of the part that contains the relationship.
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
 * Returns the name of the main part. Returns `usual` if the package names no main part, or one that
 * does not exist.
 * @throws ReadingError `corrupt` if there is no part called `usual` either
 */
export function mainPartOf(zip: Zip, usual: string): string {
  const led = relationshipsOf(zip, "").find(({ type }) => type === "officeDocument")?.target;
  const name = led !== undefined && zip.has(led) ? led : usual;
  if (!zip.has(name)) throw new ReadingError("corrupt", "The file has no main part, such as a document or a workbook.");
  return name;
}

/**
 * Reads a part that is not essential. Returns undefined if the part is missing or damaged, but
 * still throws if it exceeds a limit.
 */
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
