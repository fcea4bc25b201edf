/**
 * The stored files of a document: the original as it was uploaded, and the Document that was read from it. That is kept as zstd over
 * lines of JSON: one a page, then one with all else, so that it is written and read a page at a time.
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

/** The keys that a document needs in its state. */
export const filesOfDocument = (row: Pick<DocumentRow, "id" | "organization_id" | "agent_id" | "status">): string[] => {
  const of = { organizationId: row.organization_id, agent: row.agent_id, document: row.id };
  return row.status === "ready" ? [originalKey(of), documentKey(of)] : [originalKey(of)];
};

/** Whose file it is; undefined for what is none of a document's. */
export function ownerOf(key: string): (DocumentKey & { kind: "original" | "document" }) | undefined {
  const [, organizationId, agent, document, kind] = /^([^/]+)\/([^/]+)\/([^/.]+)\.(original|document)$/.exec(key) ?? [];
  if (!organizationId || !agent || !document) return undefined;
  return { organizationId, agent, document, kind: kind === "original" ? "original" : "document" };
}

/** Writes a Document into a temporary file while its pages come. Its disposal ends what has not come to its end. */
export class DocumentWriter implements AsyncDisposable {
  readonly #compressed = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  readonly #written: Promise<void>;

  constructor(file: TemporaryFile) {
    this.#written = pipeline(this.#compressed, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) await file.write(chunk);
      await file.close();
    });
    // Told to whoever writes next.
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

/** @throws an error where there is none, or it is not whole. */
export async function readStoredDocument(files: StoredFiles, of: DocumentKey): Promise<Document> {
  const lines: unknown[] = [];
  await readLines(files, of, (line) => {
    lines.push(JSON.parse(line.toString("utf8")));
    return true;
  });
  const rest = lines.pop() as Omit<Document, "pages"> | undefined;
  if (rest?.mime === undefined) throw new Error(`The stored Document ${of.document} is not whole.`);
  return { ...rest, pages: lines as Page[] };
}

/** Of these pages those that there are, without the others. @throws an error where there is no such Document. */
export async function readStoredPages(
  files: StoredFiles,
  of: DocumentKey,
  numbers: ReadonlySet<number>,
): Promise<Map<number, Page>> {
  const pages = new Map<number, Page>();
  let number = 0;
  await readLines(files, of, (line) => {
    number++;
    if (numbers.has(number)) pages.set(number, JSON.parse(line.toString("utf8")) as Page);
    return pages.size < numbers.size;
  });
  return pages;
}

/** Hands over line after line as long as `take` wants more. */
async function readLines(files: StoredFiles, of: DocumentKey, take: (line: Buffer) => boolean): Promise<void> {
  const source = files.open(documentKey(of));
  const unpacked = source.pipe(createZstdDecompress());
  // A pipe does not pass errors on.
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
