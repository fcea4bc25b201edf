/**
 * Calls the S3 API, for one bucket and prefix. Contains only the calls that stored files need.
 * Every call has a time limit and is retried by the SDK. If a call still fails after the retries,
 * it reports a missing file (`ENOENT`), a refused conditional write, or an unavailable store
 * (`FilesUnavailable`).
 */
import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { FilesUnavailable } from "../lib/files-unavailable.ts";

export interface S3Settings {
  bucket: string;
  /** Empty, or ends with a slash. */
  prefix: string;
  /** Undefined for AWS. */
  endpoint: string | undefined;
  region: string;
  pathStyle: boolean;
  /** Undefined for the default of the bucket. */
  encryption: { algorithm: "AES256" | "aws:kms"; key?: string } | undefined;
}

/** An object below the prefix. */
export interface S3Object {
  /** Key without the prefix. */
  key: string;
  modifiedMs: number;
  etag: string;
}

/** A multipart upload that has neither been completed nor aborted. */
export interface OpenUpload {
  key: string;
  id: string;
  startedMs: number;
}

export interface Opened {
  body: Readable;
  /** Expected length of the body, in bytes. */
  size: number;
  etag: string | undefined;
}

/** Maximum time of one attempt to connect. */
const connectMs = 3_000;
/**
 * Maximum time from the start of an attempt to the beginning of its response. It includes the time
 * to send a part of an upload.
 */
const attemptMs = 30_000;
/** Maximum time without receiving a byte, also in the middle of a file. */
const silenceMs = 15_000;
/**
 * Maximum number of attempts of one call. The pauses between them grow from a tenth of a second.
 */
const attempts = 4;
/** Maximum time of one call with all its attempts. */
const callMs = 60_000;
/** Maximum number of concurrent requests of this process. Further requests wait. */
const maxSockets = 64;

/**
 * Status codes of refusals (4xx) that are temporary or that an operator can resolve. Any other
 * refusal means that our request is malformed, except 400 with one of `temporaryCodes`.
 */
const temporaryStatuses = new Set([401, 403, 404, 408, 409, 412, 425, 429]);
/** Temporary errors that stores report with status 400. */
const temporaryCodes = new Set([
  "BadDigest",
  "ExpiredToken",
  "IncompleteBody",
  "RequestTimeout",
  "TokenRefreshRequired",
]);

export class S3Bucket {
  readonly #client: S3Client;
  readonly #settings: S3Settings;
  /** URL of the bucket with the prefix. */
  readonly place: string;

  constructor(settings: S3Settings) {
    this.#settings = settings;
    this.place = `s3://${settings.bucket}/${settings.prefix}`.replace(/\/$/, "");
    this.#client = new S3Client({
      region: settings.region,
      ...(settings.endpoint !== undefined && { endpoint: settings.endpoint }),
      forcePathStyle: settings.pathStyle,
      maxAttempts: attempts,
      // S3-compatible stores reject the newer checksums. Bodies are buffers, and their SHA-256 is
      // part of the request's signature instead.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      // Otherwise the SDK would wait for `100 Continue` on a new connection for each part.
      expectContinueHeader: false,
      requestHandler: {
        connectionTimeout: connectMs,
        requestTimeout: attemptMs,
        throwOnRequestTimeout: true,
        socketTimeout: silenceMs,
        httpAgent: { keepAlive: true, maxSockets },
        httpsAgent: { keepAlive: true, maxSockets },
      },
    });
  }

  /**
   * Stores a whole object and returns true. With `ifAbsent`, keeps an existing object and returns
   * false.
   */
  async put(key: string, body: Buffer, { ifAbsent = false, conflicts = 3 } = {}): Promise<boolean> {
    const condition = ifAbsent && { IfNoneMatch: "*" };
    try {
      await this.#call((options) =>
        this.#client.send(
          new PutObjectCommand({ ...this.#at(key), Body: body, ...this.#encryption(), ...condition }),
          options,
        ),
      );
      return true;
    } catch (error) {
      if (ifAbsent && statusOf(error) === 412) return false;
      // Another write of the same key is in progress, so this write is retried.
      if (ifAbsent && statusOf(error) === 409 && conflicts > 0)
        return this.put(key, body, { ifAbsent, conflicts: conflicts - 1 });
      throw error;
    }
  }

  /**
   * Opens an object for reading, from the byte `start` (inclusive) to the byte `end` (exclusive).
   * @throws ENOENT; FilesUnavailable, also if the object no longer has the ETag `etag`
   */
  async get(key: string, { start = 0, end, etag }: { start?: number; end?: number; etag?: string }): Promise<Opened> {
    const isPart = start > 0 || end !== undefined;
    const range = isPart && { Range: `bytes=${start}-${end === undefined ? "" : end - 1}` };
    const { Body, ContentLength, ETag } = await this.#call((options) =>
      this.#client.send(new GetObjectCommand({ ...this.#at(key), ...range, ...(etag && { IfMatch: etag }) }), options),
    );
    return { body: Body as Readable, size: ContentLength ?? 0, etag: ETag };
  }

  /** Returns size and metadata; undefined if there is no such object. */
  async head(key: string): Promise<{ size: number; metadata: Record<string, string> } | undefined> {
    try {
      const { ContentLength, Metadata } = await this.#call((options) =>
        this.#client.send(new HeadObjectCommand(this.#at(key)), options),
      );
      return { size: ContentLength ?? 0, metadata: Metadata ?? {} };
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
      // The response to HEAD has no body, so it does not distinguish a missing object from a
      // missing bucket. The next call throws if the bucket is missing.
      await this.#call((options) =>
        this.#client.send(new HeadBucketCommand({ Bucket: this.#settings.bucket }), options),
      );
      return undefined;
    }
  }

  /** Does nothing if there is no such object. */
  async remove(key: string): Promise<void> {
    await this.#call((options) => this.#client.send(new DeleteObjectCommand(this.#at(key)), options));
  }

  /** @throws ENOENT */
  async copy(from: string, to: string): Promise<void> {
    const { bucket, prefix } = this.#settings;
    const source = [bucket, ...`${prefix}${from}`.split("/")].map(encodeURIComponent).join("/");
    await this.#call((options) =>
      this.#client.send(new CopyObjectCommand({ ...this.#at(to), CopySource: source, ...this.#encryption() }), options),
    );
  }

  /** Yields the objects whose key begins with the given text. */
  async *list(beginning: string): AsyncGenerator<S3Object> {
    const { bucket, prefix } = this.#settings;
    for (let token: string | undefined; ; ) {
      const { Contents = [], NextContinuationToken } = await this.#call((options) =>
        this.#client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix + beginning, ContinuationToken: token }),
          options,
        ),
      );
      for (const { Key = "", LastModified, ETag = "" } of Contents)
        yield { key: Key.slice(prefix.length), modifiedMs: LastModified?.getTime() ?? 0, etag: ETag };
      if (NextContinuationToken === undefined) return;
      token = NextContinuationToken;
    }
  }

  /** @param metadata returned by `head` once the upload is complete */
  async beginUpload(key: string, metadata: Record<string, string>): Promise<string> {
    const { UploadId } = await this.#call((options) =>
      this.#client.send(
        new CreateMultipartUploadCommand({ ...this.#at(key), ...this.#encryption(), Metadata: metadata }),
        options,
      ),
    );
    if (UploadId === undefined) throw new FilesUnavailable(this.place, { cause: "the store named no upload" });
    return UploadId;
  }

  /** Uploads a part and returns its ETag. Part numbers start at 1. */
  async putPart(key: string, upload: string, number: number, body: Buffer): Promise<string> {
    const { ETag } = await this.#call((options) =>
      this.#client.send(
        new UploadPartCommand({ ...this.#at(key), UploadId: upload, PartNumber: number, Body: body }),
        options,
      ),
    );
    return ETag ?? "";
  }

  /**
   * Completes an upload. Returns false if there is no such upload: it may have been completed by an
   * earlier attempt.
   */
  async completeUpload(key: string, upload: string, etags: readonly string[]): Promise<boolean> {
    const Parts = etags.map((ETag, index) => ({ PartNumber: index + 1, ETag }));
    try {
      await this.#call((options) =>
        this.#client.send(
          new CompleteMultipartUploadCommand({ ...this.#at(key), UploadId: upload, MultipartUpload: { Parts } }),
          options,
        ),
      );
      return true;
    } catch (error) {
      if (codeOf(error) === "NoSuchUpload") return false;
      throw error;
    }
  }

  async abortUpload(key: string, upload: string): Promise<void> {
    await this.#call((options) =>
      this.#client.send(new AbortMultipartUploadCommand({ ...this.#at(key), UploadId: upload }), options),
    ).catch((error: unknown) => {
      if (codeOf(error) !== "NoSuchUpload") throw error;
    });
  }

  async *openUploads(): AsyncGenerator<OpenUpload> {
    const { bucket, prefix } = this.#settings;
    for (let from: { KeyMarker?: string; UploadIdMarker?: string } = {}; ; ) {
      const page = await this.#call((options) =>
        this.#client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...from }), options),
      );
      for (const { Key = "", UploadId = "", Initiated } of page.Uploads ?? [])
        yield { key: Key.slice(prefix.length), id: UploadId, startedMs: Initiated?.getTime() ?? Date.now() };
      if (!page.IsTruncated || page.NextKeyMarker === undefined) return;
      from = {
        KeyMarker: page.NextKeyMarker,
        ...(page.NextUploadIdMarker !== undefined && { UploadIdMarker: page.NextUploadIdMarker }),
      };
    }
  }

  #at(key: string) {
    return { Bucket: this.#settings.bucket, Key: this.#settings.prefix + key };
  }

  #encryption() {
    const { encryption } = this.#settings;
    if (encryption === undefined) return {};
    return {
      ServerSideEncryption: encryption.algorithm,
      ...(encryption.key !== undefined && { SSEKMSKeyId: encryption.key }),
    };
  }

  async #call<T>(call: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    try {
      return await call({ abortSignal: AbortSignal.timeout(callMs) });
    } catch (error) {
      throw this.#mapped(error);
    }
  }

  #mapped(error: unknown): unknown {
    const status = statusOf({ cause: error });
    if (codeOf({ cause: error }) === "NoSuchKey")
      return Object.assign(new Error(`There is no such file in ${this.place}.`, { cause: error }), { code: "ENOENT" });
    if (status === 400 && !temporaryCodes.has(codeOf({ cause: error }) ?? "")) return error;
    if (status === undefined || status >= 500 || status === 400 || temporaryStatuses.has(status))
      return new FilesUnavailable(this.place, { cause: error });
    return error;
  }
}

interface FromStore {
  name?: string;
  $metadata?: { httpStatusCode?: number };
}

/** Returns the HTTP status of the response that caused the error. */
const statusOf = (error: unknown): number | undefined =>
  (error as { cause?: FromStore }).cause?.$metadata?.httpStatusCode;

/** Returns the error code in the response that caused the error. */
const codeOf = (error: unknown): string | undefined => (error as { cause?: FromStore }).cause?.name;
