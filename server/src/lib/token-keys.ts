/**
 * The keys that sign access tokens. The first one is `signing.key`, which every installation has.
 * Each rotation adds a file `signing.TIME.key`, which never changes. Processes that share the
 * folder read it every two seconds.
 */
import { hkdfSync, randomBytes } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeDurableFile } from "./durable-file.ts";
import type { Logger } from "./log.ts";

/** Maximum lifetime of an access token that the settings allow. */
export const maxTokenLifetimeSeconds = 86_400;

/**
 * Interval between two readings of the folder, in milliseconds. A revoked key is refused everywhere
 * after this time.
 */
const lookEveryMs = 2000;
/**
 * Age at which a new key starts to sign, in milliseconds. By then every process has had five
 * chances to read the key.
 */
const signsAfterMs = 10_000;
/**
 * How long a key still verifies tokens after its successor starts to sign: the longest token
 * lifetime, plus a minute because clocks may differ.
 */
const verifiesForMs = maxTokenLifetimeSeconds * 1000 + 60_000;

const firstFile = "signing.key";
const laterFile = /^signing\.(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.key$/;
const nameOf = (madeMs: number): string => `signing.${new Date(madeMs).toISOString().replaceAll(":", "-")}.key`;
/**
 * Second line of a key file that revokes all earlier keys. It is in the file of the new key, so
 * that creating this key and revoking the others is atomic.
 */
const revokesLine = "revokes all earlier keys\n";
const content = /^([A-Za-z0-9+/]{43}=)\n(revokes all earlier keys\n)?$/;
const kidPattern = /^[\w-]{16}$/;

/**
 * - `next`: verifies, and will sign soon
 * - `signing`: signs and verifies
 * - `verifying`: tokens that it signed may still be valid
 * - `expired`: all its tokens have expired
 * - `revoked`: its tokens are refused
 */
export type TokenKeyState = "next" | "signing" | "verifying" | "expired" | "revoked";

export interface ListedTokenKey {
  kid: string;
  /** Time of creation. Undefined for the first key, whose file does not contain it. */
  madeAt: string | undefined;
  state: TokenKeyState;
  /** Time at which a `next` key starts to sign, or a `verifying` key expires. */
  until: string | undefined;
}

interface TokenKey {
  kid: string;
  key: Uint8Array;
  file: string;
  /** 0 for the first key. */
  madeMs: number;
  /** True if all keys before it are revoked. */
  revokes: boolean;
}

interface JudgedTokenKey extends TokenKey {
  state: TokenKeyState;
  untilMs: number | undefined;
}

export class TokenKeys {
  readonly #folder: string;
  readonly #first: TokenKey;
  /** The keys in order of creation. */
  #keys: readonly TokenKey[];
  /** The current reading of the folder. Never rejects. */
  #reading: Promise<void> = Promise.resolve();
  /** The reading that starts when the current one ends. */
  #nextReading: Promise<void> | undefined;

  /** @param first content of `signing.key` */
  private constructor(folder: string, first: Uint8Array) {
    this.#folder = folder;
    this.#first = { kid: kidOf(first), key: first, file: firstFile, madeMs: 0, revokes: false };
    this.#keys = [this.#first];
  }

  /**
   * Reads the keys in `folder`.
   * @throws Error if a file is malformed
   */
  static async open(folder: string, first: Uint8Array): Promise<TokenKeys> {
    const keys = new TokenKeys(folder, first);
    await keys.refresh();
    return keys;
  }

  /** Returns the key that signs new tokens. */
  get signing(): Pick<TokenKey, "kid" | "key"> {
    const key = this.#judged().find(({ state }) => state === "signing");
    if (key === undefined) throw new Error("There is no signing key.");
    return key;
  }

  /**
   * Returns the valid key with this id; undefined if there is none.
   * @param kid key id from the header of the token, not validated yet; undefined in tokens issued
   * by versions that had a single key
   */
  async verifying(kid: unknown): Promise<Uint8Array | undefined> {
    if (kid === undefined) return this.#valid(this.#first.kid);
    if (typeof kid !== "string" || !kidPattern.test(kid)) return undefined;
    // After a revocation, another process may already sign with a key that this process has not
    // read.
    if (!this.#keys.some((each) => each.kid === kid)) await this.refresh().catch(() => {});
    return this.#valid(kid);
  }

  /** Re-reads the folder in the background until the returned object is disposed of. */
  watch(log: Logger): Disposable {
    let failed = false;
    const known = () => this.#keys.map(({ kid }) => kid).join();
    const look = async () => {
      const before = known();
      try {
        await this.refresh();
        failed = false;
      } catch (error) {
        // The keys that are already known stay in use.
        if (!failed) log.error({ err: error }, "the keys folder could not be read");
        failed = true;
      }
      if (known() !== before) log.info({ keys: this.list() }, "the signing keys have changed");
    };
    const timer = setInterval(look, lookEveryMs).unref();
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  /** Lists the keys in order of creation, without their secrets. */
  list(): ListedTokenKey[] {
    return this.#judged().map(({ kid, madeMs, state, untilMs }) => ({
      kid,
      madeAt: madeMs === 0 ? undefined : new Date(madeMs).toISOString(),
      state,
      until: untilMs === undefined ? undefined : new Date(untilMs).toISOString(),
    }));
  }

  /**
   * Creates a key. It starts to sign after a few seconds, and earlier keys still verify until their
   * tokens have expired. With `revoke`, the new key signs at once, and all earlier keys are
   * revoked.
   * @throws Error if the clock was set back since the last rotation
   */
  async rotate({ revoke }: { revoke: boolean }): Promise<ListedTokenKey> {
    await this.refresh();
    const newestMs = this.#keys.at(-1)?.madeMs ?? 0;
    // A revocation is urgent and does not depend on the clock: the new key signs at once.
    const madeMs = revoke ? Math.max(Date.now(), newestMs + 1) : Date.now();
    if (madeMs <= newestMs)
      throw new Error(`The newest key was created at ${new Date(newestMs).toISOString()}, which is not in the past.`);
    const text = `${randomBytes(32).toString("base64")}\n${revoke ? revokesLine : ""}`;
    const file = nameOf(madeMs);
    if (!(await makeDurableFile(join(this.#folder, file), text)))
      throw new Error("Another process created a key at the same moment.");
    await this.refresh();
    const kid = this.#keys.find((each) => each.file === file)?.kid;
    const made = this.list().find((each) => each.kid === kid);
    if (!made) throw new Error(`The new key ${file} is missing from the keys folder.`);
    return made;
  }

  /**
   * Deletes the files of expired and revoked keys and returns their number. Keeps `signing.key`,
   * which other keys are derived from, and the last file with a revocation, so that revoked keys
   * stay revoked.
   */
  async removeDead(): Promise<number> {
    await this.refresh();
    const lastRevoking = this.#keys.findLastIndex(({ revokes }) => revokes);
    const dead = this.#judged().filter(
      ({ file, state }, index) =>
        file !== firstFile && index !== lastRevoking && (state === "expired" || state === "revoked"),
    );
    for (const { file } of dead) await rm(join(this.#folder, file), { force: true });
    if (dead.length > 0) await this.refresh();
    return dead.length;
  }

  /**
   * Reads the folder. Reading starts after this call. Calls made while the folder is being read
   * share the next reading.
   */
  refresh(): Promise<void> {
    this.#nextReading ??= this.#reading.then(() => {
      const reading = this.#read();
      this.#nextReading = undefined;
      this.#reading = reading.catch(() => {});
      return reading;
    });
    return this.#nextReading;
  }

  async #read(): Promise<void> {
    const names = await readdir(this.#folder);
    // An empty folder is probably not mounted. It must not revoke any key.
    if (!names.includes(firstFile)) throw new Error(`${firstFile} is missing from ${this.#folder}.`);
    const files = names.filter((name) => laterFile.test(name)).sort();
    const known = this.#keys.slice(1).map(({ file }) => file);
    if (files.join() === known.join()) return;
    const later = await Promise.allSettled(files.map((file) => this.#readKey(file)));
    // A malformed file must not prevent reading another one that revokes keys.
    this.#keys = [this.#first, ...later.flatMap((each) => (each.status === "fulfilled" ? (each.value ?? []) : []))];
    const broken = later.find((each) => each.status === "rejected");
    if (broken) throw broken.reason;
  }

  /** Returns undefined if the file was removed after it was listed. */
  async #readKey(file: string): Promise<TokenKey | undefined> {
    const known = this.#keys.find((each) => each.file === file);
    if (known) return known;
    const path = join(this.#folder, file);
    const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (text === undefined) return undefined;
    const [, encoded, revokes] = content.exec(text) ?? [];
    if (encoded === undefined) throw new Error(`The key file ${path} is invalid: it must contain 32 bytes in base64.`);
    const key = new Uint8Array(Buffer.from(encoded, "base64"));
    return { kid: kidOf(key), key, file, madeMs: madeMsOf(file), revokes: revokes !== undefined };
  }

  #valid(kid: string): Uint8Array | undefined {
    const found = this.#judged().find((each) => each.kid === kid);
    return found && found.state !== "expired" && found.state !== "revoked" ? found.key : undefined;
  }

  #judged(): JudgedTokenKey[] {
    return judge(this.#keys, Date.now());
  }
}

/**
 * Returns when a key starts to sign. The first key signs at once, and so does a key that revokes
 * the others, because there is no other valid key.
 */
const signsFromMs = ({ madeMs, revokes }: TokenKey): number => (madeMs === 0 || revokes ? 0 : madeMs + signsAfterMs);

function judge(keys: readonly TokenKey[], nowMs: number): JudgedTokenKey[] {
  const lastRevoking = keys.findLastIndex(({ revokes }) => revokes);
  const signing = keys.findLastIndex((key) => signsFromMs(key) <= nowMs);
  return keys.map((key, index) => {
    const successor = keys[index + 1];
    if (index < lastRevoking) return { ...key, state: "revoked", untilMs: undefined };
    if (index === signing) return { ...key, state: "signing", untilMs: undefined };
    if (index > signing || successor === undefined) return { ...key, state: "next", untilMs: signsFromMs(key) };
    const untilMs = signsFromMs(successor) + verifiesForMs;
    return untilMs > nowMs ? { ...key, state: "verifying", untilMs } : { ...key, state: "expired", untilMs: undefined };
  });
}

/** Returns the id of a key for token headers. Reveals nothing about the key. */
const kidOf = (key: Uint8Array): string =>
  Buffer.from(hkdfSync("sha256", key, "", "sheaf key id", 12)).toString("base64url");

function madeMsOf(file: string): number {
  const [, hour, minute, second] = laterFile.exec(file) ?? [];
  const madeMs = Date.parse(`${hour}:${minute}:${second}`);
  if (Number.isNaN(madeMs)) throw new Error(`The name of the key file ${file} must contain the time of creation.`);
  return madeMs;
}
