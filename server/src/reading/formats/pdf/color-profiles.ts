/**
 * Colour profiles of a file that is read for its text. PDFium makes tables of a profile as soon as a page names it, which takes 4 ms for one that has tables of its
 * own: half of the time that a short document takes. A profile that is no longer one makes it take the plain colours of the same kind.
 */

/** To search a larger file takes longer than the tables: 50 pages with 1.6 MB save 5 ms by a search of 12 ms, 600 pages save nothing. */
const maxFileBytes = 512 * 1024;

const key = "/ICCBased";
/** Of the key and the number of the object that is the profile. */
const referenceLength = 40;
/** More different profiles than any document has; each is searched for. */
const maxProfiles = 16;
/** A file that was changed may have an object several times. */
const maxVersions = 4;
/** A dictionary of a profile is no longer than this. */
const maxDictionary = 1024;
/** The head of a profile, or of the compressed data that hold it. */
const headBytes = 64;

/** Overwrites the beginnings of all colour profiles of a short file that are named in plain sight; what is named in compressed objects stays. */
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

/** Where the data of the stream begin whose dictionary is at `at`; undefined where it is not that of a profile, which has a number of colours. */
function streamStart(file: Buffer, at: number): number | undefined {
  const dictionary = file.toString("latin1", at, at + maxDictionary);
  const found = /^\s*<<(?:(?!endobj)[\s\S])*?>>\s*stream\r?\n/u.exec(dictionary);
  return found && /\/N\s+[134](?!\d)/u.test(found[0]) ? at + found[0].length : undefined;
}
