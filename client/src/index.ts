/** Public exports of the package. */
export { SheafClient, type SheafClientOptions } from "./client.ts";
export type { ConnectionOptions } from "./connection-options.ts";
export { type ClientErrorCode, type DetailOf, type ErrorCode, SheafError } from "./errors.ts";
export type { EventStream } from "./event-stream.ts";
export type { DataOf } from "./extracted-data.ts";
export type { FileSource, PathSource } from "./file-source.ts";
export type * from "./generated/types.ts";
export type { AnswerStream, Progress, RequestOptions, UploadOptions } from "./request.ts";
export { SheafSessionClient } from "./session-client.ts";
export type { WaitOptions } from "./wait.ts";
export {
  type EventName,
  type RawBody,
  type VerifyOptions,
  verifySignature,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from "./webhook.ts";
