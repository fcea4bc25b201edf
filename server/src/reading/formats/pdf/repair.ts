/**
 * Repairs a PDF with a damaged cross-reference table or trailer, which PDFium refuses. The file is
 * searched for its objects. Then a new table and trailer are added at its end. Objects that are
 * packed in streams can't be found this way.
 */

/** Maximum number of objects of a file that is repaired. Chosen by hand, 2026-11. */
const maxObjects = 1_000_000;
/** Maximum length of a catalog's dictionary, in bytes. */
const maxCatalog = 1 << 16;

interface FoundObject {
  number: number;
  generation: number;
  /** Offset of the object in the file. */
  offset: number;
}

/**
 * Returns the bytes to add at the end of the file, or undefined if the file can't be repaired. This
 * has three possible reasons. The file has no catalog. The file was truncated, so objects are
 * missing and pages would lose their text. The file is encrypted, and the key data is in the old
 * trailer.
 */
export function newTrailer(bytes: Uint8Array): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (file.includes("/Encrypt")) return undefined;
  const objects = findObjects(file);
  const catalog = [...objects.values()].findLast(({ offset }) => isCatalog(file, offset));
  if (catalog === undefined || !isWhole(file, objects)) return undefined;
  const sorted = [...objects.values()].sort((a, b) => a.number - b.number);
  const entries = sorted.map(
    ({ number, generation, offset }) => `${number} 1\n${padded(offset, 10)} ${padded(generation, 5)} n \n`,
  );
  const size = (sorted.at(-1)?.number ?? 0) + 1;
  const root = `${catalog.number} ${catalog.generation} R`;
  const text = [
    `\nxref\n0 1\n0000000000 65535 f \n${entries.join("")}`,
    `trailer\n<</Root ${root}/Size ${size}>>\nstartxref\n${bytes.length + 1}\n%%EOF\n`,
  ];
  return Buffer.from(text.join(""), "latin1");
}

const padded = (number: number, digits: number): string => String(number).padStart(digits, "0");

/**
 * Returns the objects by number. If several have the same number, the last one counts, because an
 * edited file has the new version last.
 */
function findObjects(file: Buffer): Map<number, FoundObject> {
  const objects = new Map<number, FoundObject>();
  for (let at = file.indexOf(" obj"); at >= 0 && objects.size < maxObjects; at = file.indexOf(" obj", at + 1)) {
    const head = /(?:^|[^\d])((\d{1,10})\s+(\d{1,5}))$/u.exec(file.toString("latin1", Math.max(0, at - 24), at));
    if (head?.[1] === undefined) continue;
    const number = Number(head[2]);
    if (number > maxObjects) continue;
    objects.delete(number);
    objects.set(number, { number, generation: Number(head[3]), offset: at - head[1].length });
  }
  return objects;
}

/**
 * Returns true if every object to which the file refers exists. References in the trailer are not
 * checked.
 */
function isWhole(file: Buffer, objects: ReadonlyMap<number, FoundObject>): boolean {
  const end = file.lastIndexOf("endobj");
  for (let at = file.indexOf(" R"); at >= 0 && at < end; at = file.indexOf(" R", at + 1)) {
    const reference = /(?:^|[^\d])(\d{1,10})\s+\d{1,5}$/u.exec(file.toString("latin1", Math.max(0, at - 24), at));
    if (reference && !/[\w]/u.test(file.toString("latin1", at + 2, at + 3)) && !objects.has(Number(reference[1])))
      return false;
  }
  return end >= 0;
}

function isCatalog(file: Buffer, offset: number): boolean {
  const end = file.indexOf("endobj", offset);
  const dictionary = file.toString("latin1", offset, Math.min(end < 0 ? file.length : end, offset + maxCatalog));
  return /\/Type\s*\/Catalog\b/u.test(dictionary) && /\/Pages\s+\d+\s+\d+\s+R/u.test(dictionary);
}
