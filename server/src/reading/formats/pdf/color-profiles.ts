/**
 * Disables the colour profiles of a file that is read for its text. PDFium builds tables of a
 * profile as soon as a page names it, which takes 4 ms for a profile with its own tables: half the
 * time of a short document. For an invalid profile it uses the plain colours of the same kind.
 */

/**
 * Maximum file size, in bytes. In a larger file the search takes longer than building the tables.
 * With 50 pages and 1.6 MB a search of 12 ms saves 5 ms; with 600 pages it saves nothing.
 */
const maxFileBytes = 512 * 1024;

const key = "/ICCBased";
/** Maximum length of the key and the object number of the profile, in bytes. */
const referenceLength = 40;
/** Maximum profiles, each of which needs a search. No document has more. */
const maxProfiles = 16;
/** Maximum versions of one object: a file that was changed may contain several. */
const maxVersions = 4;
/** Maximum length of a profile's dictionary, in bytes. */
const maxDictionary = 1024;
/** Bytes that are overwritten: the header of a profile, or of its compressed data. */
const headBytes = 64;

/**
 * Overwrites the start of all colour profiles in a short file. Profiles that are only referenced in
 * compressed objects stay.
 */
export function dropColorProfiles(bytes: Uint8Array): void {
  if (bytes.length > maxFileBytes) return;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const profiles = new Set<string>();
  for (let at = file.indexOf(key); at >= 0 && profiles.size < maxProfiles; at = file.indexOf(key, at + key.length)) {
    const reference = file.toString("latin1", at, at + referenceLength);
    const [, number, generation] = /^\/ICCBased\s+(\d+)\s+(\d+)\s+R(?![\p{L}\d])/u.exec(reference) ?? [];
    if (number !== undefined) profiles.add(`${Number(number)} ${Number(generation)} obj`);
  }
  for (const head of profiles) dropStreams(file, head);
}

function dropStreams(file: Buffer, head: string): void {
  let at = file.indexOf(head);
  for (let version = 0; at >= 0 && version < maxVersions; at = file.indexOf(head, at + head.length)) {
    if (isDigit(file[at - 1])) continue;
    version++;
    const start = streamStart(file, at + head.length);
    const end = start === undefined ? -1 : file.indexOf("endstream", start);
    if (start !== undefined && end >= 0) file.fill(0, start, Math.min(end, start + headBytes));
  }
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 48 && byte <= 57;

/**
 * Returns the start of the stream data whose dictionary is at `at`. Undefined unless the stream is
 * a profile, which states a number of colours.
 */
function streamStart(file: Buffer, at: number): number | undefined {
  const dictionary = file.toString("latin1", at, at + maxDictionary);
  const found = /^\s*<<(?:(?!endobj)[\s\S])*?>>\s*stream\r?\n/u.exec(dictionary);
  return found && /\/N\s+[134](?!\d)/u.test(found[0]) ? at + found[0].length : undefined;
}
