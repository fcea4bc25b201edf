/**
 * Stored files in S3 or a compatible store. Each object is written as a whole or not at all. It is
 * durable once the store has responded.
 */
import { randomUUID } from "node:crypto";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { FairSlots } from "../lib/fair-slots.ts";
import { FilesUnavailable } from "../lib/files-unavailable.ts";
import type { FilesMark } from "./installation-mark.ts";
import { S3Bucket, type S3Settings } from "./s3-bucket.ts";
import { keySegments, type LocalFile, type StoredFile, type StoredFiles, type TrashedFile } from "./stored-files.ts";
import { openTemporaryFiles, type TemporaryFiles } from "./temporary-files.ts";

/**
 * Prefix for files in the trash. It cannot collide with a key, because keys never begin with a dot.
 */
const trashPrefix = ".trash/";
/**
 * Key of the probe, an object that is written to check the store. It is written only if it does not
 * exist, so at most once.
 */
const probeKey = ".probe";
const markKey = ".installation";

/**
 * Size of a part of a multipart upload. A file of at most this size is stored in one request. S3
 * accepts parts of at least 5 MiB, and at most 10,000 parts per file.
 */
const partBytes = 8 * 1024 ** 2;
/** Maximum number of parts of one file that are uploaded at the same time. */
const partsAtOnce = 2;
/** Maximum number of parts that this process holds in memory. */
const partsInMemory = 8;
/** Minimum age at which an unfinished multipart upload is treated as left over from a crash. */
const uploadAgeMs = 24 * 3_600_000;
/** Maximum number of consecutive times that a read is resumed without receiving a byte. */
const maxBreaks = 4;
const removalsAtOnce = 16;
/**
 * Size of the file that probes the local disk, in bytes. Large enough that writing the file fails
 * on a full disk.
 */
const localProbeBytes = 64 * 1024;

export interface OpenedS3 {
  files: StoredFiles;
  mark: FilesMark;
}

/**
 * @param folder folder for temporary copies of files that are read by path; owned by this process
 * @throws Error if the store ignores conditions on writes; FilesUnavailable
 */
export async function openS3Files(settings: S3Settings, folder: string): Promise<OpenedS3> {
  const bucket = new S3Bucket(settings);
  await refuseUnconditional(bucket);
  const files = new S3Files(bucket, await openTemporaryFiles(folder, { own: false }));
  return { files, mark: markIn(bucket, files) };
}

/**
 * Writes one key twice, each time on condition that it does not exist.
 * @throws Error if the store accepts both writes. It then ignores the condition, so two writers
 * could overwrite each other's objects.
 */
async function refuseUnconditional(bucket: S3Bucket): Promise<void> {
  for (let time = 0; time < 2; time++) if (!(await writeProbe(bucket))) return;
  throw new Error(
    `The store of ${bucket.place} ignores conditional writes (If-None-Match: *), which Sheaf needs. AWS S3, and current versions of MinIO, Ceph and Cloudflare R2, honour them.`,
  );
}

const writeProbe = (bucket: S3Bucket): Promise<boolean> =>
  bucket.put(probeKey, Buffer.from("Sheaf writes this object once, to check the store.\n"), { ifAbsent: true });

const markIn = (bucket: S3Bucket, files: StoredFiles): FilesMark => ({
  kind: "bucket",
  place: bucket.place,
  path: `${bucket.place}/${markKey}`,
  read: async () => {
    if ((await bucket.head(markKey)) === undefined) return undefined;
    const chunks: Buffer[] = await (await bucket.get(markKey, {})).body.toArray();
    return Buffer.concat(chunks).toString("utf8");
  },
  create: async (text) => {
    await bucket.put(markKey, Buffer.from(text), { ifAbsent: true });
  },
  replace: async (text) => {
    await bucket.put(markKey, Buffer.from(text));
  },
  holdsFiles: async () => {
    for await (const _ of files.list()) return true;
    return false;
  },
});

class S3Files implements StoredFiles {
  readonly #bucket: S3Bucket;
  readonly #temporaryFiles: TemporaryFiles;
  readonly #parts = new FairSlots(partsInMemory);

  constructor(bucket: S3Bucket, temporaryFiles: TemporaryFiles) {
    this.#bucket = bucket;
    this.#temporaryFiles = temporaryFiles;
  }

  async put(key: string, path: string): Promise<void> {
    const name = keyOf(key);
    await using file = await open(path, "r");
    const { size } = await file.stat();
    const read = async (start: number) => {
      const part = Buffer.allocUnsafe(Math.min(partBytes, size - start));
      for (let filled = 0; filled < part.length; ) {
        const { bytesRead } = await file.read(part, filled, part.length - filled, start + filled);
        if (bytesRead === 0) throw new Error("The file to store was truncated meanwhile.");
        filled += bytesRead;
      }
      return part;
    };
    if (size > partBytes) await this.#putInParts(name, size, read);
    else await this.#parts.run(async () => this.#bucket.put(name, await read(0)));
  }

  async #putInParts(key: string, size: number, read: (start: number) => Promise<Buffer>): Promise<void> {
    const own = randomUUID();
    const upload = await this.#bucket.beginUpload(key, { "sheaf-upload": own });
    try {
      const etags: string[] = [];
      const starts = Array.from({ length: Math.ceil(size / partBytes) }, (_, index) => index * partBytes);
      await eachOf(starts.entries(), partsAtOnce, ([index, start]) =>
        this.#parts.run(async () => {
          etags[index] = await this.#bucket.putPart(key, upload, index + 1, await read(start));
        }),
      );
      if (await this.#bucket.completeUpload(key, upload, etags)) return;
      // An earlier attempt may have completed the upload, and only its response was lost.
      const { metadata } = (await this.#bucket.head(key)) ?? {};
      if (metadata?.["sheaf-upload"] !== own)
        throw new FilesUnavailable(this.#bucket.place, { cause: "the store lost an upload" });
    } catch (error) {
      await this.#bucket.abortUpload(key, upload).catch(() => {}); // If this fails, `list` aborts the upload a day later.
      throw error;
    }
  }

  async check(): Promise<void> {
    await writeProbe(this.#bucket);
    // Also checks the local disk, because uploads and files that are read by path need it.
    await using file = await this.#temporaryFiles.create();
    await file.write(Buffer.alloc(localProbeBytes));
    await file.close();
  }

  open(key: string, range?: { start: number; end: number }): Readable {
    return Readable.from(this.#read(keyOf(key), range), { objectMode: false });
  }

  /** Yields the bytes of a file. Resumes a broken transfer if the object is still the same. */
  async *#read(key: string, range?: { start: number; end: number }): AsyncGenerator<Buffer> {
    let at = range?.start ?? 0;
    let end = range?.end;
    let etag: string | undefined;
    for (let breaks = 0; ; breaks++) {
      const opened = await this.#bucket.get(key, {
        start: at,
        ...(end !== undefined && { end }),
        ...(etag && { etag }),
      });
      // A range may go beyond the end of the file.
      end = at + opened.size;
      etag = opened.etag;
      try {
        for await (const chunk of opened.body as AsyncIterable<Buffer>) {
          at += chunk.length;
          breaks = 0;
          yield chunk;
        }
        if (at >= end) return;
        throw new Error("the transfer ended early");
      } catch (error) {
        if (breaks >= maxBreaks) throw new FilesUnavailable(this.#bucket.place, { cause: error });
      }
    }
  }

  async local(key: string): Promise<LocalFile> {
    await using stack = new AsyncDisposableStack();
    const file = stack.use(await this.#temporaryFiles.create());
    for await (const chunk of this.open(key) as AsyncIterable<Buffer>) await file.write(chunk);
    await file.close();
    const resources = stack.move();
    return { path: file.path, [Symbol.asyncDispose]: () => resources.disposeAsync() };
  }

  async size(key: string): Promise<number | undefined> {
    return (await this.#bucket.head(keyOf(key)))?.size;
  }

  async remove(key: string): Promise<void> {
    await this.#bucket.remove(keyOf(key));
  }

  async removeAll(prefix: string): Promise<void> {
    const beginning = `${keyOf(prefix)}/`;
    // Lists again until nothing is found, because an ingestion may store a file during the removal.
    for (let removed = 1; removed > 0; ) {
      removed = 0;
      await eachOf(this.#bucket.list(beginning), removalsAtOnce, async ({ key }) => {
        await this.#bucket.remove(key);
        removed++;
      });
    }
  }

  async *list(prefix?: string): AsyncGenerator<StoredFile> {
    if (prefix === undefined) await this.#abortOldUploads();
    for await (const { key, modifiedMs, etag } of this.#bucket.list(prefix === undefined ? "" : `${keyOf(prefix)}/`))
      if (isFile(key)) yield { key, storedMs: modifiedMs, identity: `s3:${etag}` };
  }

  async #abortOldUploads(): Promise<void> {
    try {
      for await (const { key, id, startedMs } of this.#bucket.openUploads())
        if (Date.now() - startedMs > uploadAgeMs) await this.#bucket.abortUpload(key, id);
    } catch (error) {
      // Ignores the failure: old uploads only take space, and the credentials may lack the
      // permission to list them.
      if (!(error instanceof FilesUnavailable)) throw error;
    }
  }

  readonly trash = {
    put: async (key: string, batch: string): Promise<void> => {
      await this.#move(keyOf(key), trashKey({ key, batch }));
    },

    putBack: async (file: TrashedFile): Promise<boolean> => {
      if ((await this.size(file.key)) !== undefined) return false;
      return this.#move(trashKey(file), keyOf(file.key));
    },

    list: (): AsyncGenerator<TrashedFile> => this.#listTrash(),

    empty: async (before: string): Promise<void> => {
      const old = async function* (trashed: AsyncIterable<TrashedFile>) {
        for await (const file of trashed) if (file.batch < before) yield file;
      };
      await eachOf(old(this.#listTrash()), removalsAtOnce, (file) => this.#bucket.remove(trashKey(file)));
    },
  };

  async *#listTrash(): AsyncGenerator<TrashedFile> {
    for await (const { key } of this.#bucket.list(trashPrefix)) {
      const [batch = "", ...segments] = key.slice(trashPrefix.length).split("/");
      if (segments.length > 0 && isFile(segments.join("/"))) yield { key: segments.join("/"), batch };
    }
  }

  /** Moves an object. Returns false if there is nothing to move. */
  async #move(from: string, to: string): Promise<boolean> {
    try {
      await this.#bucket.copy(from, to);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
      throw error;
    }
    await this.#bucket.remove(from);
    return true;
  }
}

const keyOf = (key: string): string => keySegments(key).join("/");

const trashKey = ({ key, batch }: TrashedFile): string =>
  `${trashPrefix}${[...keySegments(batch), ...keySegments(key)].join("/")}`;

/**
 * Returns false for Sheaf's own objects, whose names begin with a dot, and for the empty objects
 * that S3 consoles create in place of folders.
 */
const isFile = (key: string): boolean => key.split("/").every((segment) => segment !== "" && !segment.startsWith("."));

/**
 * Runs `work` on each item, at most `atOnce` at the same time. Rejects with the first error, after
 * all running work has ended.
 */
async function eachOf<T>(
  items: AsyncIterable<T> | Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const iterator = (async function* () {
    yield* items;
  })();
  const workOn = async () => {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) await work(next.value);
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, workOn));
  for (const end of ended) if (end.status === "rejected") throw end.reason;
}
