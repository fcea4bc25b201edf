/** Reads the metadata of an office package. */

import { optionalTree, relationshipsOf } from "./package.ts";
import { childOf } from "./xml-tree.ts";
import type { Zip } from "./zip.ts";

/**
 * The metadata values that are read. Each has its key (the same as in PDFs), its relationship type,
 * and its element. Dates stay as written in the file: `2026-11-21T08:30:00Z`.
 */
const properties = [
  ["Title", "core-properties", "dc:title"],
  ["Author", "core-properties", "dc:creator"],
  ["Subject", "core-properties", "dc:subject"],
  ["Keywords", "core-properties", "cp:keywords"],
  ["Description", "core-properties", "dc:description"],
  ["CreationDate", "core-properties", "dcterms:created"],
  ["ModDate", "core-properties", "dcterms:modified"],
  ["Creator", "extended-properties", "ep:Application"],
  ["Company", "extended-properties", "ep:Company"],
] as const;

const noAttributes = new Set<string>();
/** Maximum length of a value, in characters. Chosen by hand, 2026-11. */
const maxValueLength = 2_000;

export function readMetadata(zip: Zip): Record<string, string> {
  const relationships = relationshipsOf(zip, "");
  const part = (type: string) =>
    optionalTree(
      zip,
      relationships.find((relationship) => relationship.type.toLowerCase() === type)?.target,
      noAttributes,
    );
  const parts = {
    "core-properties": part("core-properties"),
    "extended-properties": part("extended-properties") ?? part("extendedproperties"),
  };
  const metadata: Record<string, string> = {};
  for (const [name, type, element] of properties) {
    const value = childOf(parts[type], element)?.text.trim().slice(0, maxValueLength);
    if (value) metadata[name] = value;
  }
  return metadata;
}
