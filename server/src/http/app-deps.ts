/** What the HTTP application needs from the rest of the service. */
import type { Antivirus } from "../antivirus/antivirus.ts";
import type { KeyClaim, StoredReply } from "../features/idempotency/idempotency.service.ts";
import type { Provisioner } from "../features/scim/scim-tokens.service.ts";
import type { TemporaryFiles } from "../files/temporary-files.ts";
import type { Caller } from "../lib/caller.ts";
import type { FairAdmission } from "../lib/fair-admission.ts";
import type { Logger } from "../lib/log.ts";
import type { Authenticate } from "./authentication.ts";
import type { AddressOf } from "./client-address.ts";
import type { Connections } from "./connections.ts";
import type { LoadGate } from "./load-gate.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { RequestObserver } from "./request-observer.ts";
import type { WebFiles } from "./web-files.ts";

export interface AppDeps {
  log: Logger;
  authenticate: Authenticate;
  /**
   * Authenticates the identity provider of an organization by its SCIM token.
   * @throws AppError `unauthorized`
   */
  authenticateProvisioner(token: string | undefined, source: Provisioner["source"]): Promise<Provisioner>;
  temporaryFiles: TemporaryFiles;
  /**
   * Scans the file of each upload before the route handles it; undefined if no scanner is
   * configured.
   */
  antivirus: Pick<Antivirus, "scan"> | undefined;
  /** Resolves the client address of a request. */
  addressOf: AddressOf;
  rateLimits: RateLimits;
  connections: Connections;
  loadGate: LoadGate;
  /** Limits concurrent uploads. An upload counts until its file has been processed. */
  uploads: FairAdmission;
  /**
   * Claims an idempotency key for a request, or returns the stored reply of the first request with
   * that key.
   */
  beginRequest(caller: Caller, key: string, fingerprint: string): Promise<KeyClaim | StoredReply>;
  /** Returns whether the reply to the first request with an idempotency key is stored. */
  isAnswered(caller: Caller, key: string): Promise<boolean>;
  observer: RequestObserver;
  /** The built web application and documentation; empty if only the API is served. */
  webFiles: WebFiles;
  publicUrl: string | undefined;
  /** True if clients reach the service over TLS. */
  isTls: boolean;
  /**
   * Aborts when a service that is stopping no longer waits for requests in progress. These requests
   * then fail with the reason of the signal.
   */
  shutdown: AbortSignal;
}
