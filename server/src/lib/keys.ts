/** The keys of an installation: made at first start, one file each, mode 0600. Whoever holds them can forge tokens and read secrets. */
import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeDurableFile, makeDurableFolder } from "./durable-file.ts";
import { TokenKeys } from "./token-keys.ts";

export interface Keys {
  /** The first key that signed access tokens, and the root of `sessions` and `fingerprint`. 32 bytes. */
  signing: Uint8Array;
  /** Sign and verify access tokens. */
  tokens: TokenKeys;
  /** Keys the hash of client secrets. 32 bytes, derived from the key of encryption. */
  credentialPepper: Uint8Array;
  /** Seals secrets at rest. 32 bytes, derived from the key of encryption. */
  sealing: Uint8Array;
  /** Signs the cookies of sessions. 32 bytes, derived from the key of signing. */
  sessions: Uint8Array;
  /** Tells whether a database belongs to these keys, without telling the keys. */
  fingerprint: string;
}

/** Reads the keys of `folder`, making those that are missing. Processes that start at once end with the same keys. */
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

/** The token that reads the metrics where no other is configured: made at first start, in a file that whoever scrapes may read it from. */
export const openMetricsToken = async (folder: string): Promise<string> =>
  Buffer.from(await openKey(join(folder, "metrics.token"))).toString("base64");

async function openKey(path: string): Promise<Uint8Array> {
  const found = await readKey(path);
  if (found) return found;
  // If another process was first, its key is the one.
  await makeDurableFile(path, `${randomBytes(32).toString("base64")}\n`);
  const made = await readKey(path);
  if (!made) throw new Error(`The key file ${path} could not be made.`);
  return made;
}

async function readKey(path: string): Promise<Uint8Array | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== 32) throw new Error(`The key file ${path} is broken: it must hold 32 bytes in base64.`);
  return new Uint8Array(key);
}
