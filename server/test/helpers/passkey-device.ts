/** Simulates a device with passkeys: the browser and the authenticator of Web Authentication. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

const userPresent = 1;
const userVerified = 4;
const attested = 64;

interface Passkey {
  id: Buffer;
  key: KeyObject;
}

export class PasskeyDevice {
  readonly #origin: string;
  #passkey: Passkey | undefined;
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Creates a passkey and discards the previous one: the device holds only one. */
  create({ challenge }: { challenge: string }, origin = this.#origin) {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#passkey = { id: randomBytes(32), key: privateKey };
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    const point = (text: string) => Buffer.from(text, "base64url");
    const coseKey = cbor(
      new Map<unknown, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, point(x)],
        [-3, point(y)],
      ]),
    );
    const { id } = this.#passkey;
    const length = Buffer.from([id.length >> 8, id.length & 255]);
    const authData = Buffer.concat([
      this.#head(origin, userPresent | userVerified | attested),
      Buffer.alloc(16),
      length,
      id,
      coseKey,
    ]);
    const attestation = new Map<unknown, unknown>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]);
    return this.#credential({
      clientDataJSON: clientData("webauthn.create", challenge, origin).toString("base64url"),
      attestationObject: cbor(attestation).toString("base64url"),
    });
  }

  /** Signs a challenge with the passkey. */
  get({ challenge }: { challenge: string }, { origin = this.#origin, isVerified = true } = {}) {
    this.#counter++;
    const authData = this.#head(origin, userPresent | (isVerified ? userVerified : 0));
    const client = clientData("webauthn.get", challenge, origin);
    const signed = Buffer.concat([authData, createHash("sha256").update(client).digest()]);
    return this.#credential({
      clientDataJSON: client.toString("base64url"),
      authenticatorData: authData.toString("base64url"),
      signature: sign("sha256", signed, this.#known.key).toString("base64url"),
    });
  }

  get #known(): Passkey {
    if (this.#passkey === undefined) throw new Error("The device has no passkey.");
    return this.#passkey;
  }

  #head(origin: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    const host = createHash("sha256").update(new URL(origin).hostname).digest();
    return Buffer.concat([host, Buffer.from([flags]), counter]);
  }

  #credential<Response extends object>(response: Response) {
    const id = this.#known.id.toString("base64url");
    return { id, rawId: id, type: "public-key" as const, response };
  }
}

const clientData = (type: string, challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

/**
 * Encodes a value as CBOR (RFC 8949). Supports integers, text, bytes and maps, with integers and
 * lengths up to 65535.
 */
function cbor(value: unknown): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (!(value instanceof Map)) throw new TypeError("not encodable");
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
}

function head(type: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(type << 5) | count]);
  if (count < 256) return Buffer.from([(type << 5) | 24, count]);
  return Buffer.from([(type << 5) | 25, count >> 8, count & 255]);
}
