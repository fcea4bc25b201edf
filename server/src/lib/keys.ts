/**
 * The keys of an installation. They are created at the first start, each in its own file with mode
 * 0600. Anyone who can read these files can forge tokens and decrypt stored secrets.
 */
import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeDurableFile, makeDurableFolder } from "./durable-file.ts";
import { TokenKeys } from "./token-keys.ts";

export interface Keys {
  /**
   * The first key that signed access tokens, 32 bytes. `sessions` and `fingerprint` are derived
   * from it.
   */
  signing: Uint8Array;
  /** Signs and verifies access tokens. */
  tokens: TokenKeys;
  /** Key for hashing client secrets. 32 bytes, derived from the encryption key. */
  credentialPepper: Uint8Array;
  /** Encrypts secrets at rest. 32 bytes, derived from the encryption key. */
  sealing: Uint8Array;
  /** Signs session cookies. 32 bytes, derived from the signing key. */
  sessions: Uint8Array;
  /**
   * Fingerprint of the keys, which does not reveal them. It shows whether a database belongs to
   * these keys.
   */
  fingerprint: string;
}

/**
 * Reads the keys in `folder` and creates missing ones. Processes that start at the same time get
 * the same keys.
 */
export async function openKeys(folder: string): Promise<Keys> {
  await makeDurableFolder(folder);
  const [signing, encryption] = await Promise.all([
    openKey(join(folder, "signing.key")),
    openKey(join(folder, "encryption.key")),
  ]);
  return {
    signing,
    tokens: await TokenKeys.open(folder, signing),
    credentialPepper: derive(encryption, "sheaf client secret hash"),
    sealing: derive(encryption, "sheaf sealed secret"),
    sessions: derive(signing, "sheaf session cookie"),
    fingerprint: createHash("sha256")
      .update(derive(signing, "sheaf fingerprint"))
      .update(derive(encryption, "sheaf fingerprint"))
      .digest("hex")
      .slice(0, 32),
  };
}

const derive = (key: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", key, "", purpose, 32));

/**
 * Returns the default token for reading metrics, which is used if no token is configured. The token
 * is created at the first start, in a file that the scraper can read.
 */
export const openMetricsToken = async (folder: string): Promise<string> =>
  Buffer.from(await openKey(join(folder, "metrics.token"))).toString("base64");

async function openKey(path: string): Promise<Uint8Array> {
  const found = await readKey(path);
  if (found) return found;
  // If another process created the file first, its key is used.
  await makeDurableFile(path, `${randomBytes(32).toString("base64")}\n`);
  const made = await readKey(path);
  if (!made) throw new Error(`The key file ${path} could not be created.`);
  return made;
}

async function readKey(path: string): Promise<Uint8Array | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== 32) throw new Error(`The key file ${path} is invalid: it must contain 32 bytes in base64.`);
  return new Uint8Array(key);
}
