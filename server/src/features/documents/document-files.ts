/**
 * The stored files of a document: the uploaded original, and the Document read from it. The latter
 * is stored as zstd-compressed lines of JSON, one per page and a last one with the rest, so that it
 * is written and read page by page.
 */
import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import type { StoredFiles } from "../../files/stored-files.ts";
import type { TemporaryFile } from "../../files/temporary-files.ts";
import type { Document, Page } from "../../reading/document.ts";
import type { DocumentKey, DocumentRow } from "./documents.repo.ts";

const originalEnding = ".original";
const documentEnding = ".document";

export const corpusPrefix = (organizationId: string, agent: string): string => `${organizationId}/${agent}`;

export const originalKey = (of: DocumentKey): string =>
  `${corpusPrefix(of.organizationId, of.agent)}/${of.document}${originalEnding}`;

export const documentKey = (of: DocumentKey): string =>
  `${corpusPrefix(of.organizationId, of.agent)}/${of.document}${documentEnding}`;

/** Returns the keys of the files that a document needs in its state. */
export const filesOfDocument = (row: Pick<DocumentRow, "id" | "organization_id" | "agent_id" | "status">): string[] => {
  const of = { organizationId: row.organization_id, agent: row.agent_id, document: row.id };
  return row.status === "ready" ? [originalKey(of), documentKey(of)] : [originalKey(of)];
};

/** Returns the document that a stored file belongs to; undefined for other files. */
export function ownerOf(key: string): (DocumentKey & { kind: "original" | "document" }) | undefined {
  const [, organizationId, agent, document, kind] = /^([^/]+)\/([^/]+)\/([^/.]+)\.(original|document)$/.exec(key) ?? [];
  if (!organizationId || !agent || !document) return undefined;
  return { organizationId, agent, document, kind: kind === "original" ? "original" : "document" };
}

/**
 * Writes a Document into a temporary file as its pages arrive. Disposing it aborts an unfinished
 * one.
 */
export class DocumentWriter implements AsyncDisposable {
  readonly #compressed = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  readonly #written: Promise<void>;

  constructor(file: TemporaryFile) {
    this.#written = pipeline(this.#compressed, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) await file.write(chunk);
      await file.close();
    });
    // The next write reports the error.
    this.#written.catch(() => {});
  }

  async page(page: Page): Promise<void> {
    if (this.#compressed.write(`${JSON.stringify(page)}\n`)) return;
    await Promise.race([once(this.#compressed, "drain"), this.#written]);
  }

  async end(rest: Omit<Document, "pages">): Promise<void> {
    this.#compressed.end(`${JSON.stringify(rest)}\n`);
    await this.#written;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#compressed.destroy();
    await this.#written.catch(() => {});
  }
}

/** @throws Error if the stored Document is missing or incomplete */
export async function readStoredDocument(files: StoredFiles, of: DocumentKey): Promise<Document> {
  const lines: unknown[] = [];
  await readLines(files, documentKey(of), (line) => {
    lines.push(JSON.parse(line.toString("utf8")));
    return true;
  });
  const rest = lines.pop() as Omit<Document, "pages"> | undefined;
  if (rest?.mime === undefined) throw new Error(`The stored Document ${of.document} is incomplete.`);
  return { ...rest, pages: lines as Page[] };
}

/**
 * Returns those of the given pages that exist, without reading the others.
 * @throws Error if there is no such Document
 */
export const readStoredPages = (
  files: StoredFiles,
  of: DocumentKey,
  numbers: ReadonlySet<number>,
): Promise<Map<number, Page>> => readPagesAt(files, documentKey(of), numbers);

/**
 * Like `readStoredPages`, for a Document stored under any key.
 * @throws an error with code ENOENT if there is no such file
 */
export async function readPagesAt(
  files: StoredFiles,
  key: string,
  numbers: ReadonlySet<number>,
): Promise<Map<number, Page>> {
  const pages = new Map<number, Page>();
  let number = 0;
  await readLines(files, key, (line) => {
    number++;
    if (numbers.has(number)) pages.set(number, JSON.parse(line.toString("utf8")) as Page);
    return pages.size < numbers.size;
  });
  return pages;
}

/** Passes lines to `take` until it returns false. */
async function readLines(files: StoredFiles, key: string, take: (line: Buffer) => boolean): Promise<void> {
  const source = files.open(key);
  const unpacked = source.pipe(createZstdDecompress());
  // Piping does not forward errors.
  source.on("error", (error) => unpacked.destroy(error));
  try {
    let rest: Buffer[] = [];
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        if (!take(Buffer.concat([...rest, chunk.subarray(from, at)]))) return;
        rest = [];
        from = at + 1;
      }
      rest.push(chunk.subarray(from));
    }
  } finally {
    source.destroy();
  }
}
