/**
 * Signs in with passkeys and creates them. In both cases, the first request fetches a challenge,
 * the browser signs it, and the second request sends the result.
 */
import type { Passkey, Session } from "@sheaf/client";
import { sheaf } from "./api.ts";

/**
 * True if the browser can use passkeys here. They require HTTPS or localhost, and a host name
 * instead of an IP address.
 */
export const canUsePasskeys = (): boolean =>
  isSecureContext &&
  typeof PublicKeyCredential === "function" &&
  "parseCreationOptionsFromJSON" in PublicKeyCredential &&
  !/^[\d.]+$|:/.test(location.hostname);

/** Signs in with a passkey. The browser lets the user choose which one. */
export async function signInWithPasskey(): Promise<Session> {
  const { data: options } = await sheaf.startPasskeySession();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = asJson(await navigator.credentials.get({ publicKey }));
  return (await sheaf.createPasskeySession({ credential } as Parameters<typeof sheaf.createPasskeySession>[0])).data;
}

/** Creates a passkey. The browser lets the user choose the device. */
export async function createPasskey(name: string, password: string): Promise<Passkey> {
  const { data: options } = await sheaf.startPasskey({ password });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = asJson(await navigator.credentials.create({ publicKey }));
  return (await sheaf.createPasskey({ name, credential } as Parameters<typeof sheaf.createPasskey>[0])).data;
}

/** True if the user closed the browser's dialog or did not respond in time. */
export const isDismissed = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === "NotAllowedError" || error.name === "AbortError");

/** True if the device already has a passkey for this account. */
export const isKnownDevice = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "InvalidStateError";

function asJson(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException("There is no passkey.", "NotAllowedError");
  return credential.toJSON();
}
