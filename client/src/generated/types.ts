// Generated from the contract by "npm run generate".

import type { FileSource } from "../file-source.ts";

/** The envelope of a success. */
export interface Success<Data> {
  status: "success";
  data: Data;
}

/** The envelope of a list. */
export interface List<Item> extends Success<Item[]> {
  /** Only present if a page was requested. */
  metadata?: PageMetadata;
}

/** The requested page of a list. */
export interface PageQuery {
  /**
   * Maximum number of items. If neither this nor a cursor is given, the whole list is returned, without
   * `metadata`.
   */
  limit?: number;
  /** `metadata.next_cursor` of the previous page, to get the page after it. */
  cursor?: string;
}

export interface AcceptInvitationRequest {
  /** Token of the invitation. */
  token: string;
  name?: string;
  /**
   * At least 10 characters. A password that is common, a sequence, or contains the email address or the name is
   * 422 `invalid_request`.
   */
  password: string;
  /** Six digits of the authenticator app, or a recovery code. Each works once. */
  code?: string;
}

export interface AcceptedDocument {
  /** The new document. */
  document_reference: string;
  status: "pending";
}

/**
 * An agent. `configuration` depends on the type. For `PERSONAL` agents, it is returned only to the owner, in the
 * web application.
 */
export interface Agent {
  /** Id of the agent. */
  reference: string;
  name: string;
  description: string | null;
  type: "EXTRACTOR" | "DOCUMENTALIST" | "PERSONAL";
  /** Time at which the agent was created. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time at which the agent was last changed. ISO 8601 UTC with milliseconds. */
  updated_at: string;
  configuration?: ExtractorConfiguration | DocumentalistConfiguration | PersonalConfiguration;
  /**
   * Corpora that this `PERSONAL` agent no longer searches, because their agent was deleted or is no longer visible
   * to the owner. Present only for `PERSONAL` agents, together with `configuration`.
   */
  unavailable_corpora?: string[];
}

export interface AgentAccess {
  /**
   * `private`: visible to the owner only, in the web application only. `group`: visible to the members of one
   * group and to administrators. `organization`: visible to every member. `public`: anyone may ask it questions.
   */
  visibility: "private" | "group" | "organization" | "public";
  /** The group that can see the agent if the visibility is `group`, otherwise null. */
  group_id: string | null;
  /** The user that owns a private or `PERSONAL` agent, otherwise null. */
  owner_user_id: string | null;
}

export interface AgentDeletion {
  /** The deleted agent. */
  reference: string;
  /** Parts of the agent that could not be removed. Usually empty. */
  warnings: Warning[];
}

/** One field that the agent extracts. Lists nest up to 5 levels. */
export interface AgentParam {
  /** Name of the field, which is the key of its value in the result. Unique among its siblings. */
  name: string;
  format: "text" | "number" | "boolean" | "list";
  /** Meaning of the field, in words. */
  description: string;
  /** The fields of each element: at least one if the format is `list`, otherwise `[]`. */
  items: readonly AgentParam[];
  rules?: FieldRules;
}

/** An agent in a list, without its configuration. */
export interface AgentSummary {
  /** Id of the agent. */
  reference: string;
  name: string;
  description: string | null;
  type: "EXTRACTOR" | "DOCUMENTALIST" | "PERSONAL";
  /** Time at which the agent was created. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time at which the agent was last changed. ISO 8601 UTC with milliseconds. */
  updated_at: string;
}

/** A version of an agent's configuration. */
export interface AgentVersion {
  /** Number of the version, starting at 1. Numbers of removed versions are not reused. */
  number: number;
  /** Name of the version; null if it has none. */
  name: string | null;
  /** Time at which the configuration was set. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** The user who set it; null if unknown. */
  created_by: string | null;
  /** The version whose configuration was restored; null if this version does not come from a restore. */
  restored_from: number | null;
  /** True if the agent uses this version. */
  is_current: boolean;
  configuration: ExtractorConfiguration | DocumentalistConfiguration | PersonalConfiguration;
}

/** A version in a list, without its configuration. */
export interface AgentVersionSummary {
  /** Number of the version, starting at 1. Numbers of removed versions are not reused. */
  number: number;
  /** Name of the version; null if it has none. */
  name: string | null;
  /** Time at which the configuration was set. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** The user who set it; null if unknown. */
  created_by: string | null;
  /** The version whose configuration was restored; null if this version does not come from a restore. */
  restored_from: number | null;
  /** True if the agent uses this version. */
  is_current: boolean;
}

export interface Answer {
  /** The answer. If the corpus does not contain one, this text says so. */
  answer: string;
  /** Present only if requested with `include: ["citations"]`. */
  citations?: Citation[];
}

/** An event of a streamed answer: `thread`, `text` (any number), `citations`, `done`; or `error` as the last one. */
export type AnswerEvent =
  | {
      event: "thread";
      data: {
        /** Thread of the conversation. Pass it as `thread_id` to continue. */
        thread_id: string;
      };
    }
  | {
      event: "text";
      data: {
        text: string;
      };
    }
  | {
      event: "citations";
      data: {
        citations: Citation[];
      };
    }
  | {
      event: "done";
      data: {
        /** The whole text. */
        answer: string;
        metadata: {
          /** Thread of the conversation. Pass it as `thread_id` to continue. */
          thread_id: string;
          fallback?: Fallback;
        };
      };
    }
  | {
      event: "error";
      data: {
        code: string;
        error: string;
      };
    };

/**
 * Range of characters of the answer, from `start` up to but excluding `end`, counted in UTF-16 code units like
 * the indexes of JavaScript strings.
 */
export interface AnswerRange {
  start: number;
  end: number;
}

export interface AuditEntry {
  /** Id of the entry. */
  id: string;
  /** Time of the change. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /**
   * The action, as `noun.verb`. New actions may be added: `agent.created`, `document.deleted`,
   * `credential.revoked`, …
   */
  action: string;
  /** Id of the changed object. For a webhook, the name of its event. */
  target: string | null;
  /** Context of the change, such as the name of a deleted object. Depends on the action. */
  detail: {
    [name: string]: unknown;
  };
  actor: {
    /**
     * How the change was made. `credential`: with a credential of the API. `session`: in a session of the web
     * application. `operator`: by the operator of the service, or by a system that acts without a member, such as
     * the identity provider.
     */
    kind: "credential" | "session" | "operator";
    /** User of the credential or session; null for the operator. */
    user_id: string | null;
    /** Current email address of the user; null if deleted. */
    user_email: string | null;
    /** The user's membership in the organization. */
    member_id: string | null;
    /** The credential; null if the change was not made with a credential. */
    credential_id: string | null;
    /**
     * Tool used by the operator, such as `cli`, or `scim` and the id of the token for the identity provider of the
     * organization; null for credentials and sessions.
     */
    operator: string | null;
  };
  /** Client address of the request; null for the operator. */
  address: string | null;
  /** `x-request-id` of the request; null for the operator. */
  request_id: string | null;
}

export interface ChangePasswordRequest {
  current_password?: string;
  /**
   * At least 10 characters. A password that is common, a sequence, or contains the email address or the name is
   * 422 `invalid_request`.
   */
  new_password: string;
}

/** A value that the proposed configuration changes. Long text is truncated. */
export interface ChangedCell {
  /** Id of the reviewed extraction. Absent on the command line. */
  extraction_id?: string;
  filename: string;
  /**
   * JSON pointer to the value. List rows are numbered as in the reviewed list; rows that it does not contain are
   * numbered after its last row.
   */
  path: string;
  /** Value with the current configuration. */
  before: string | number | boolean | null;
  /** Value with the proposed configuration. */
  after: string | number | boolean | null;
  /** The reviewed value. */
  truth: string | number | boolean | null;
}

export interface ChangedWebhook {
  /** Kind of event. */
  event: "document.ingestion_completed" | "extraction.completed" | "classification.completed";
  /** URL to which the event is delivered. */
  url: string;
}

/** A passage on which the answer is based. */
export interface Citation {
  /** The document. */
  document_reference: string;
  /**
   * The agent whose corpus contains the document. Absent in threads that an earlier version recorded; the agent of
   * the thread holds the document then.
   */
  agent_reference?: string;
  /** File name of the document. */
  name: string;
  /** Folder of the document in the corpus; empty at the top level. */
  path: string;
  /** Number of the page, starting at 1. */
  page: number;
  /** Words of that page, quoted literally. */
  quote: string;
  /** Location of the words: one box per line. */
  boxes: [number, number, number, number][];
  /** The parts of the answer that the citation supports. Absent in threads of earlier versions. */
  ranges?: AnswerRange[];
}

export interface ClassInput {
  label: string;
  description?: string;
}

export interface Classification {
  /** Name of the uploaded file. */
  source_name: string;
  /** Mode of the request. */
  mode: "auto" | "page" | "document";
  segments: Segment[];
  /** Labels that were not among the given classes. */
  discovered_classes: DiscoveredClass[];
  pages_count: number;
}

export interface ClassificationFailure {
  status: "error";
  /** Id of the asynchronous work. */
  classification_id: string;
  /** A code of the error registry. */
  code: string;
  /** Message for people; it may change at any time. */
  error: string;
  detail: {
    /** HTTP status that a synchronous call would have with this error. */
    http_status: number;
  };
}

export type ClassificationOutcome = ClassificationSuccess | ClassificationFailure;

export interface ClassificationStarted {
  status: "started";
  /** Id of the asynchronous work. */
  classification_id: string;
}

export interface ClassificationSuccess {
  status: "success";
  /** Id of the asynchronous work. */
  classification_id: string;
  data: Classification;
  metadata: ResultMetadata;
}

export interface CompleteSignOnRequest {
  /** The organization named in the redirect URI. */
  organization_id: string;
  /** Query of the URL at which the provider sent the browser back, without the question mark. */
  response: string;
}

export interface ConfigurationChanges {
  /** The earlier version; null if there is none. */
  from: number | null;
  /** The version. */
  to: number;
  /** Differences of the `params`. A renamed field appears as one removed and one added field. */
  fields: FieldChange[];
  /** True if the fields that both versions have are in a different order. */
  reordered: boolean;
  /** Differences of the configuration's other members. */
  settings: {
    name: string;
    /** Value in the earlier version; null if it had none. */
    before: unknown;
    /** Value in this version; null if it has none. */
    after: unknown;
  }[];
}

export interface ConfirmTotpRequest {
  /** Six digits of the authenticator app, or a recovery code. Each works once. */
  code: string;
}

export interface Consumption {
  /** Calendar month in UTC, which is not aligned with the billing period. */
  period: string;
  /** Tokens consumed through the API. */
  api_tokens: number;
  /** `api_tokens` plus the tokens of public channels, without those of the web application. */
  billable_tokens: number;
  /** Tokens included in the plan; null if the plan does not limit them. */
  included_api_tokens: number | null;
  /** `max(0, billable_tokens - included_api_tokens)`; 0 if `included_api_tokens` is null. */
  overage_tokens: number;
}

export interface CorrectedSegment {
  /** First page; pages are numbered from 1. */
  start: number;
  /** Last page, inclusive. */
  end: number;
  label: string;
  /** Title of the document, which is also used for the name of the segment's file. */
  title: string;
}

/** One change to a result. It has either `value` or `confirmed`; a `remove` has neither. */
export interface Correction {
  /**
   * JSON pointer into `data` with all previous corrections applied: `/0/total`, `/0/lines/2/amount`, `/0/lines/2`
   * for a row, `/0/lines/-` to insert one at the end.
   */
  path: string;
  /**
   * Default: `set`, which replaces a value. `insert` puts a row before the one at `path`; `remove` removes the row
   * at `path`.
   */
  op?: "set" | "insert" | "remove";
  /**
   * The correct value, which must have the type of the field: null if there is none, an array of rows for a list,
   * an object for a row. Members that a row does not have are null, or `[]` for lists.
   */
  value?: string | number | boolean | null | readonly ExtractedRecord[] | ExtractedRecord;
  /** States that a person has confirmed the value at `path`. Used in place of `value`. */
  confirmed?: true;
  /** Reason for the correction, in words. */
  reason?: string;
  /** Page on which the person marked the value, starting at 1. Required with `boxes`. */
  page?: number;
  /** Boxes that the person drew around the value. */
  boxes?: readonly [number, number, number, number][];
}

export interface Coverage {
  /** Number of reviewed extractions that were used. The most recently reviewed ones are used first. */
  documents: number;
  fields: {
    /** Path to the field: the names of its lists, outermost first, and then its own name. */
    path: string;
    /** Number of reviewed values that have a confidence. For a list, one row per document counts. */
    values: number;
    /** Number of these values that were correct. */
    right: number;
    /** One entry for each of the precisions 0.95, 0.98 and 0.99. */
    levels: CoverageLevel[];
  }[];
}

/** Coverage of one field for one wanted precision. */
export interface CoverageLevel {
  /** Target share of correct values (precision). */
  precision: number;
  /**
   * Minimum number of reviewed values needed to establish this precision. It suffices only if all of them are
   * right.
   */
  minimum_values: number;
  /**
   * Confidence threshold of the field. The values with at least this confidence reach the precision. Null if there
   * are too few values, or too many are wrong.
   */
  confidence: number | null;
  /** Number of reviewed values with at least this confidence; 0 if `confidence` is null. */
  values: number;
  /** Number of these values that were correct. */
  right: number;
  /** Lower bound of the true share of correct values, with 95 % certainty (Wilson); null if `confidence` is null. */
  lower_bound: number | null;
  /** Share of the reviewed values that have at least this confidence. Such values need no review. */
  coverage: number;
}

export interface CreateAgentRequest {
  name: string;
  /** `PERSONAL` agents can be created in the web application only. They belong to the caller. */
  type: "EXTRACTOR" | "DOCUMENTALIST" | "PERSONAL";
  description?: string | null;
  /** Depends on the type of the agent. */
  configuration?: ExtractorConfiguration | DocumentalistConfigurationInput | PersonalConfigurationInput;
}

export interface CreateCredentialRequest {
  name: string;
  /**
   * Time of expiry, after which the secret gets 401 `invalid_client` and tokens get 401 `unauthorized`. By
   * default, the credential does not expire. ISO 8601 UTC with milliseconds.
   */
  expires_at?: string;
}

export interface CreateFirstSessionRequest {
  /** Token of the link, after `#token=`. */
  token: string;
}

export interface CreateGroupRequest {
  name: string;
  /** The members of the group. */
  member_ids?: readonly string[];
}

export interface CreateInvitationRequest {
  /** Email address, case-insensitive. */
  email: string;
  role?: "administrator" | "member";
}

export interface CreatePasskeyRequest {
  name: string;
  credential: WebAuthnRegistration;
}

export interface CreatePasskeySessionRequest {
  credential: WebAuthnAssertion;
}

export interface CreateScimTokenRequest {
  name: string;
}

export interface CreateSessionRequest {
  /** Email address, case-insensitive. */
  email: string;
  password: string;
  /** Six digits of the authenticator app, or a recovery code. Each works once. */
  code?: string;
}

export interface CreatedCredential {
  /** The `client_id` of the credential. */
  client_id: string;
  name: string;
  /** The member to whom the credential belongs. The credential has the permissions of this member. */
  member_id: string;
  /** When it was created. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time of the last use, precise to the minute; null if it was never used. */
  last_used_at: string | null;
  /** Time at which it was revoked; null if it is not revoked. */
  revoked_at: string | null;
  /** Time from which the credential and its tokens are refused; null if it does not expire. */
  expires_at: string | null;
  /** Shown only once. */
  client_secret: string;
}

export interface CreatedInvitation {
  /** Id of the invitation. */
  id: string;
  email: string;
  role: "administrator" | "member";
  /** When it was created. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** When it expires. ISO 8601 UTC with milliseconds. */
  expires_at: string;
  /** Token with which the invited person accepts the invitation. Shown only once. */
  token: string;
}

export interface CreatedScimToken {
  /** Id of the token. */
  id: string;
  name: string;
  /** When it was created. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time of the last use, precise to the minute; null if it was never used. */
  last_used_at: string | null;
  /** The token itself. It is not shown again. */
  token: string;
}

export interface CreatedWebhook {
  /** Kind of event. */
  event: "document.ingestion_completed" | "extraction.completed" | "classification.completed";
  /** URL to which the event is delivered. */
  url: string;
  /** Secret key that signs deliveries, as text including its prefix. Shown only once. */
  secret: string;
}

export interface Credential {
  /** The `client_id` of the credential. */
  client_id: string;
  name: string;
  /** The member to whom the credential belongs. The credential has the permissions of this member. */
  member_id: string;
  /** When it was created. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time of the last use, precise to the minute; null if it was never used. */
  last_used_at: string | null;
  /** Time at which it was revoked; null if it is not revoked. */
  revoked_at: string | null;
  /** Time from which the credential and its tokens are refused; null if it does not expire. */
  expires_at: string | null;
}

export interface DeleteTotpRequest {
  password?: string;
  /** Six digits of the authenticator app, or a recovery code. Each works once. */
  code?: string;
}

export interface Delivery {
  /** ULID of the delivery, which is the `id` that the receiver gets. */
  id: string;
  /** Kind of event. */
  event: "document.ingestion_completed" | "extraction.completed" | "classification.completed";
  /** `webhook`: sent to the webhook of the event; `callback`: to the URL of one request. */
  kind: "webhook" | "callback";
  /** `failed`: refused by the receiver, failed at the last attempt, or cancelled. */
  status: "pending" | "delivered" | "failed";
  /** Reason for the failure, in words; null if the delivery has not failed. */
  failure: string | null;
  /** True if it is a test event. */
  test: boolean;
  /** Number of attempts so far. */
  attempts_count: number;
  /** Time of the event. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time at which the delivery succeeded or failed; null while it is pending. */
  ended_at: string | null;
  /** All attempts, first to last. */
  attempts: DeliveryAttempt[];
  /** The exact body that the last attempt sent; null before the first attempt. */
  request_body: string | null;
}

export interface DeliveryAttempt {
  /** Number of the attempt, starting at 1. */
  attempt: number;
  /** Time at which the attempt began. This is also the `timestamp` of its body. ISO 8601 UTC with milliseconds. */
  attempted_at: string;
  /** URL to which the delivery was sent. */
  url: string;
  /** Status of the response; null if there was none. Its headers and body are never shown. */
  http_status: number | null;
  /** Reason why there was no response, in words; null if there was one. */
  error: string | null;
  /** Duration in milliseconds. */
  duration_ms: number;
}

/** A delivery in a list, without its attempts. */
export interface DeliverySummary {
  /** ULID of the delivery, which is the `id` that the receiver gets. */
  id: string;
  /** Kind of event. */
  event: "document.ingestion_completed" | "extraction.completed" | "classification.completed";
  /** `webhook`: sent to the webhook of the event; `callback`: to the URL of one request. */
  kind: "webhook" | "callback";
  /** `failed`: refused by the receiver, failed at the last attempt, or cancelled. */
  status: "pending" | "delivered" | "failed";
  /** Reason for the failure, in words; null if the delivery has not failed. */
  failure: string | null;
  /** True if it is a test event. */
  test: boolean;
  /** Number of attempts so far. */
  attempts_count: number;
  /** Time of the event. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time at which the delivery succeeded or failed; null while it is pending. */
  ended_at: string | null;
}

export interface DiscoveredClass {
  label: string;
  description: string;
  /** Numbers of the pages with this label. The first page is 1. */
  pages: number[];
}

/**
 * A document. Path and name identify it in its corpus. In lists, `pages`, `pages_done` and `error` are present
 * in the web application only.
 */
export interface Document {
  /** Id of the document. */
  reference: string;
  /** File name with extension. */
  name: string;
  /** Folder of the document in the corpus; empty at the top level. */
  path: string;
  /** `pending` until ingestion ends. `error` is final: delete the document and upload it again. */
  status: "pending" | "ready" | "error";
  /** Size of the file in bytes. */
  size: number;
  /** Media type. */
  mime: string;
  /** Time at which the document was uploaded. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time at which the document last changed. ISO 8601 UTC with milliseconds. */
  updated_at: string;
  /** Number of pages; null until it is known. */
  pages?: number | null;
  /** Number of pages read so far. */
  pages_done?: number;
  error?: IngestionFailure;
}

export interface DocumentDeletion {
  /** The deleted document. */
  reference: string;
}

/** A document with the progress of its ingestion. `error` is present if the status is `error`. */
export interface DocumentDetails {
  /** Id of the document. */
  reference: string;
  /** File name with extension. */
  name: string;
  /** Folder of the document in the corpus; empty at the top level. */
  path: string;
  /** `pending` until ingestion ends. `error` is final: delete the document and upload it again. */
  status: "pending" | "ready" | "error";
  /** Size of the file in bytes. */
  size: number;
  /** Media type. */
  mime: string;
  /** Time at which the document was uploaded. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time at which the document last changed. ISO 8601 UTC with milliseconds. */
  updated_at: string;
  /** Number of pages; null until it is known. */
  pages: number | null;
  /** Number of pages read so far. */
  pages_done: number;
  error?: IngestionFailure;
}

export interface DocumentIngestion {
  /** The agent. */
  agent_reference: string;
  /** The document. */
  document_reference: string;
  status: "ready" | "error";
  /** File name of the document. */
  name: string;
  /** Folder of the document in the corpus; empty at the top level. */
  path: string;
}

/** Configuration of a `DOCUMENTALIST` agent. */
export interface DocumentalistConfiguration {
  /** Instructions for the agent. They are stored and returned unchanged. */
  consignes: (
    | string
    | {
        content: string;
        [name: string]: unknown;
      }
  )[];
  /** True if answers may include citations. */
  sourceVisibility: boolean;
  /**
   * Deprecated. Any value is stored and returned unchanged, but not used.
   * @deprecated
   */
  domains?: unknown[];
  /**
   * Engine of this agent: `builtin`, which needs no language model; `model`; or `auto`, which uses the model if
   * the built-in engine is not sure. If absent, the default of the installation applies. If the installation has
   * no language model, `model` and `auto` are refused with `invalid_config`. `null` removes the member.
   */
  engine?: "builtin" | "model" | "auto" | null;
}

/** Changes to the configuration of a `DOCUMENTALIST` agent. */
export interface DocumentalistConfigurationInput {
  /** Instructions for the agent. They are stored and returned unchanged. */
  consignes?: readonly (
    | string
    | {
        content: string;
        [name: string]: unknown;
      }
  )[];
  /** True if answers may include citations. */
  sourceVisibility?: boolean;
  /**
   * Deprecated. Any value is stored and returned unchanged, but not used.
   * @deprecated
   */
  domains?: readonly unknown[];
  /**
   * Engine of this agent: `builtin`, which needs no language model; `model`; or `auto`, which uses the model if
   * the built-in engine is not sure. If absent, the default of the installation applies. If the installation has
   * no language model, `model` and `auto` are refused with `invalid_config`. `null` removes the member.
   */
  engine?: "builtin" | "model" | "auto" | null;
}

export interface EvaluateRequest {
  /** Proposed fields. */
  params?: readonly AgentParam[];
  /**
   * Engine of this agent: `builtin`, which needs no language model; `model`; or `auto`, which uses the model if
   * the built-in engine is not sure. If absent, the default of the installation applies. If the installation has
   * no language model, `model` and `auto` are refused with `invalid_config`. `null` removes the member.
   */
  engine?: "builtin" | "model" | "auto" | null;
  /** Version on which the proposal is based. Default: the current configuration. */
  version?: number;
  /** Maximum number of reviewed extractions to evaluate. Default: 200. */
  documents?: number;
}

export interface Evaluation {
  /** Number of reviewed extractions that were evaluated. The most recently reviewed ones are evaluated first. */
  documents: number;
  /** Number of reviewed extractions of the agent. */
  reviewed: number;
  before: Score;
  after: Score;
  /** Scores of each field whose correct values are known. */
  fields: {
    /** Path to the field: the names of its lists, outermost first, and then its own name. */
    path: string;
    before: Score;
    after: Score;
  }[];
  /** Fields that become worse: their F1 falls, or it stays the same and more of their values are wrong. */
  lost: string[];
  /** Proposed fields whose correct values are not known in any evaluated extraction. */
  without_truth: string[];
  /** Values that differ between the two configurations. Those that become wrong come first. */
  changes: ChangedCell[];
  /** Number of further changes that are not listed. */
  changes_left_off: number;
  /** Duration in seconds. */
  duration: number;
  /** Language model tokens used for both configurations together. */
  tokens_consumed: number;
}

/** Location of a value in the document. */
export interface Evidence {
  /** Number of the page, starting at 1. */
  page: number;
  /** Boxes of the words: one per line, or one per word if the box of a line would contain other words. */
  boxes: [number, number, number, number][];
  /**
   * The words of the page inside the boxes, joined by single spaces. Each word of a bar code has the box of the
   * whole code, but the quote contains only the words that belong to the value.
   */
  quote: string;
  /**
   * `exact`: the quote contains the value literally; `normalized`: it contains the value after parsing numbers,
   * dates and white space; `inferred`: the value follows from the quote.
   */
  match: "exact" | "normalized" | "inferred";
  /** Probability that the value is correct. */
  confidence: number;
}

/** Has the same structure as the data, with null for values without evidence. */
export type EvidenceRecord = {
  [name: string]: Evidence | null | EvidenceRecord[];
};

export interface ExportedMemory {
  /** Oldest first. */
  papers: readonly ExportedPaper[];
}

/** What was learned from one document, for import into another agent or installation. */
export interface ExportedPaper {
  /** Id of the entry in the agent from which it was exported. */
  id: string;
  filename: string;
  /** When it was learned. ISO 8601 UTC with milliseconds. */
  created_at: string;
  learned: readonly LearnedFact[];
  /** Hashes of the document's fixed texts, with their positions. */
  skeleton: string;
  /** For each field, the positions of its values relative to the fixed texts. */
  fields: {
    [name: string]:
      | {
          anchors: readonly {
            page: number;
            /** Coordinates in thousandths of the page width. */
            box: [number, number, number, number];
            fromBottom: number;
            before: readonly string[];
            after: readonly string[];
            left: string;
            above: string;
            below: string;
            lines: number;
            words: number;
            atStart: boolean;
            atEnd: boolean;
            cut: boolean;
            shape: string;
            bold: boolean;
            reading: "text" | "compact" | "number" | "negative" | "date" | "dmy" | "mdy" | "currency" | "said";
            quote: string;
            said?: string | number | boolean | null;
            joint: string;
            prior: number;
            beside: string;
            label: string;
          }[];
        }
      | {
          absent: true;
        }
      | {
          list: {
            columns: readonly {
              item?: string;
              heading: string;
              /** Coordinates in thousandths of the page width. */
              headingBox?: [number, number, number, number];
              left: number;
              right: number;
              align: "left" | "right";
              line: number;
              reading: "text" | "compact" | "number" | "negative" | "date" | "dmy" | "mdy" | "currency" | "said";
              group: number;
              skipFirst: number;
              skipLast: number;
              key: boolean;
              wraps: boolean;
            }[];
            ends: readonly string[];
            start: string;
            skips: boolean;
          };
        };
  };
  /**
   * Results of applying earlier lessons to this document. For the id of each earlier document: true for each field
   * that its lesson read correctly, false for each field that it read wrongly.
   */
  checks: {
    [name: string]: {
      [name: string]: boolean;
    };
  };
}

export interface ExtractRequest {
  /** Name of the file, with extension. Optional if the file has a name of its own: a path, a `File`. */
  filename?: string;
  /** The file; its bytes are sent as they are. */
  file: FileSource;
  /** `evidence` adds `metadata.evidence`: the location of each value. */
  include?: readonly "evidence"[];
  /**
   * True to keep the file and the result for review in `/v2/extractions`. Default: extractions in the web
   * application are kept, others only if `keep_extractions_days` of the agent or the organization is set. If that
   * setting is 0, nothing is kept, whatever the value of this member.
   */
  keep?: boolean;
  /** The fields to extract. The limit applies to the total number of fields at all levels. */
  params: readonly ExtractionParam[];
}

export interface ExtractWithAgentRequest {
  /** Name of the file, with extension. Optional if the file has a name of its own: a path, a `File`. */
  filename?: string;
  /** The file; its bytes are sent as they are. */
  file: FileSource;
  /** `evidence` adds `metadata.evidence`: the location of each value. */
  include?: readonly "evidence"[];
  /**
   * True to keep the file and the result for review in `/v2/extractions`. Default: extractions in the web
   * application are kept, others only if `keep_extractions_days` of the agent or the organization is set. If that
   * setting is 0, nothing is kept, whatever the value of this member.
   */
  keep?: boolean;
}

/**
 * The keys are the names of all params. `text` is a string as written in the document, `number` a number,
 * `boolean` true or false, `date` a string `YYYY-MM-DD`, `list` an array of objects. A missing value is null, a
 * missing list `[]`.
 */
export type ExtractedRecord = {
  [name: string]: string | number | boolean | null | readonly ExtractedRecord[];
};

export interface ExtractionFailure {
  status: "error";
  /** Id of the asynchronous work. */
  extract_id: string;
  /** A code of the error registry. */
  code: string;
  /** Message for people; it may change at any time. */
  error: string;
  detail: {
    /** HTTP status that a synchronous call would have with this error. */
    http_status: number;
  };
}

export interface ExtractionMetadata {
  /** Name of the uploaded file. */
  filename: string;
  /** Duration in seconds, with milliseconds. */
  duration: number;
  /** Language model tokens used; 0 if only the built-in engine was used. */
  tokens_consumed: number;
  /** The thread in which the work is recorded. */
  thread_id: string;
  fallback?: Fallback;
  /** Present only if requested with `include: ["evidence"]`. */
  evidence?: EvidenceRecord[];
  /**
   * JSON pointers into `data` to the values that need a review. Present only if the agent has a
   * `wanted_precision`. Lists values whose confidence is below the threshold of their field (see the coverage of
   * the extractor), values of fields without a threshold, and values without evidence.
   */
  needs_review?: string[];
  /**
   * Values that would be different if the extractor had not learned from earlier documents. A value may be null
   * because documents of this layout do not have it. Present only if there are such values.
   */
  from_memory?: LearnedValue[];
  /** Rules that the values do not satisfy, in the order of the fields. Present only if a field has rules. */
  failed_rules?: FailedRule[];
  /**
   * One per list that the built-in engine read. Present only if requested with `include: ["evidence"]`, and if
   * there is such a list.
   */
  lists?: ListLedger[];
  /**
   * Id of the kept extraction, with which it can be reviewed in `/v2/extractions`. Absent if the extraction is not
   * kept.
   */
  extraction_id?: string;
}

export type ExtractionOutcome = ExtractionSuccess | ExtractionFailure;

/** One field to extract. Lists nest up to 5 levels. */
export interface ExtractionParam {
  /** Name of the field, which is the key of its value in the result. Unique among its siblings. */
  name: string;
  /** `date` yields `YYYY-MM-DD`, `list` an array of objects. */
  format: "text" | "number" | "boolean" | "date" | "list";
  /** Meaning of the field, in words. */
  description: string;
  /** The fields of each element: at least one if the format is `list`, otherwise none. */
  items?: readonly ExtractionParam[];
  rules?: FieldRules;
}

export interface ExtractionStarted {
  status: "started";
  /** Id of the asynchronous work. */
  extract_id: string;
}

export interface ExtractionSuccess {
  status: "success";
  /** Id of the asynchronous work. */
  extract_id: string;
  /** One object per file; empty if the result could not be read. */
  data: ExtractedRecord[];
  metadata: ExtractionMetadata;
}

/** Configuration of an `EXTRACTOR` agent. */
export interface ExtractorConfiguration {
  /** The fields that the agent extracts. The limit counts fields of every level. */
  params: readonly AgentParam[];
  /**
   * Engine of this agent: `builtin`, which needs no language model; `model`; or `auto`, which uses the model if
   * the built-in engine is not sure. If absent, the default of the installation applies. If the installation has
   * no language model, `model` and `auto` are refused with `invalid_config`. `null` removes the member.
   */
  engine?: "builtin" | "model" | "auto" | null;
  /**
   * Number of days for which extractions and their files are kept for review; 0 keeps none. If absent, the setting
   * of the organization applies. `null` removes the member.
   */
  keep_extractions_days?: number | null;
  /**
   * Wanted share of correct values. If it is set, extractions list the values that need a review in
   * `metadata.needs_review`. See the coverage of the extractor. If it is absent, no values are listed. `null`
   * removes the setting.
   */
  wanted_precision?: 0.95 | 0.98 | 0.99 | null;
}

/** A rule of a field that its value does not satisfy. */
export interface FailedRule {
  /** JSON pointer into `data` to the value. */
  path: string;
  rule: "required" | "pattern" | "minimum" | "maximum" | "one_of" | "sum_of";
  /** Description of the problem, in English. */
  message: string;
  /**
   * Location of the value and, for `sum_of`, the locations of the summands. Present only if evidence is requested.
   * Has at most 100 locations.
   */
  evidence?: Evidence[];
}

/**
 * Present only if the engine `auto` needed the language model but could not use it. The result then contains
 * only what the built-in engine is sure of.
 */
export interface Fallback {
  /**
   * `budget`: the monthly token budget is used up. `unavailable`: the endpoint could not be reached, failed, or
   * refused access. `timeout`: it took too long. `malformed`: its responses could not be used.
   */
  reason: "budget" | "unavailable" | "timeout" | "malformed";
  /** Params that are null (lists: empty) because the built-in engine was not sure of their values. */
  fields?: string[];
}

/** A difference in one field. `before` is absent if it was added, `after` if it was removed. */
export interface FieldChange {
  /** Path to the field: the names of its lists, outermost first, and then its own name. */
  path: string;
  change: "added" | "removed" | "changed";
  /** The definition of the field, without its name and its `items`. */
  before?: {
    format: string;
    description: string;
    [name: string]: unknown;
  };
  /** The definition of the field, without its name and its `items`. */
  after?: {
    format: string;
    description: string;
    [name: string]: unknown;
  };
}

/**
 * Rules that the value must satisfy. A missing value fails only `required`. No value is changed; rules that fail
 * are listed in `metadata.failed_rules`.
 */
export interface FieldRules {
  /** True if the document must have a value, or at least one row of a list. */
  required?: boolean;
  /**
   * Regular expression in the syntax of RE2. The text must contain a match. Anchor the expression with `^` and `$`
   * to match the whole text.
   */
  pattern?: string;
  /** Least value of a number, or of a date as YYYY-MM-DD. */
  minimum?: number | string;
  /** Greatest value of a number, or of a date as YYYY-MM-DD. */
  maximum?: number | string;
  /** The allowed texts. Case, accents, white space and punctuation are ignored. */
  one_of?: readonly string[];
  /**
   * JSON pointer to a number field of a list at the same level as this field. The value must equal the sum of that
   * field over all rows, to the last decimal place that occurs.
   */
  sum_of?: string;
}

export interface Group {
  /** Id of the group. */
  id: string;
  name: string;
  /** The members of the group. */
  member_ids: string[];
  /** When it was created. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time of the last change. ISO 8601 UTC with milliseconds. */
  updated_at: string;
}

export interface HistoricEntry {
  role: "user" | "assistant";
  content: string;
}

export interface InferRequest {
  /** Sample files of one document kind, at most 72 MB in total. */
  files: readonly {
    /** Name of the file, with extension. Optional if the file has a name of its own: a path, a `File`. */
    filename?: string;
    /** The file; its bytes are sent as they are. */
    file: FileSource;
  }[];
  /** Language of descriptions that come from a template. Default: `en`. */
  lang?: "en" | "de" | "fr" | "es";
}

export interface InferredFields {
  /** Name of the template that fits most files; null if none fits. */
  nearest_template: string | null;
  /** The proposed fields, most useful first. */
  fields: ProposedField[];
}

/** Why the ingestion of a document failed. */
export interface IngestionFailure {
  code: "encrypted" | "corrupt" | "empty" | "too_complex" | "timeout" | "model";
  /** The reason in words. */
  message: string;
}

/** An invitation that can still be accepted. */
export interface Invitation {
  /** Id of the invitation. */
  id: string;
  email: string;
  role: "administrator" | "member";
  /** When it was created. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** When it expires. ISO 8601 UTC with milliseconds. */
  expires_at: string;
}

/** One problem of a request. */
export interface Issue {
  /** Location as a JSON pointer; empty for the whole body. */
  path: string;
  /** The problem in words. */
  message: string;
}

export interface KeptClassification {
  /** Id of the kept classification, which is the `classification_id` of its request. */
  id: string;
  /** Name of the uploaded file. */
  filename: string;
  /** Media type of the file. */
  mime: string;
  /** Size of the file in bytes. */
  size: number;
  /** Number of pages. */
  pages: number;
  /** Number of segments after correction. */
  segments_count: number;
  /** `corrected` once a person has saved segments. */
  status: "original" | "corrected";
  /** Version of the segments. It increases with each change. */
  version: number;
  /** Time at which the classification ended. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time at which the classification and its file will be removed. ISO 8601 UTC with milliseconds. */
  expires_at: string;
  /** SHA-256 of the file, hexadecimal. */
  sha256: string;
  data: Classification;
  /** The segments as last saved, or those of `data` if nobody has corrected them. */
  corrected_segments: CorrectedSegment[];
}

/** A kept classification in a list, without its result. */
export interface KeptClassificationSummary {
  /** Id of the kept classification, which is the `classification_id` of its request. */
  id: string;
  /** Name of the uploaded file. */
  filename: string;
  /** Media type of the file. */
  mime: string;
  /** Size of the file in bytes. */
  size: number;
  /** Number of pages. */
  pages: number;
  /** Number of segments after correction. */
  segments_count: number;
  /** `corrected` once a person has saved segments. */
  status: "original" | "corrected";
  /** Version of the segments. It increases with each change. */
  version: number;
  /** Time at which the classification ended. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time at which the classification and its file will be removed. ISO 8601 UTC with milliseconds. */
  expires_at: string;
}

export interface KeptExtraction {
  /** Id of the kept extraction. For an asynchronous extraction, this is its `extract_id`. */
  id: string;
  /** The extractor agent that was used; null for the global extractor. */
  agent_reference: string | null;
  /** Name of the uploaded file. */
  filename: string;
  /** Media type of the file. */
  mime: string;
  /** Size of the file in bytes. */
  size: number;
  /** Number of pages. */
  pages: number;
  /** `reviewed` once a person has marked it as reviewed. A later correction resets it to `to_review`. */
  status: "to_review" | "reviewed";
  /** True if the status is `to_review` and `values_to_review` is not 0. */
  needs_review: boolean;
  /**
   * Number of extracted values whose confidence is below 0.9 or that have no evidence. Missing values are not
   * counted.
   */
  values_to_review: number;
  /** Version of the kept extraction. It increases with each change of corrections or status. */
  version: number;
  /** The user who reviewed it; null if it is to be reviewed. */
  reviewed_by: string | null;
  /** Time of the review; null if it is to be reviewed. */
  reviewed_at: string | null;
  /** Time at which the extraction ended. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time at which the extraction and its file will be removed. ISO 8601 UTC with milliseconds. */
  expires_at: string;
  /** SHA-256 of the file, hexadecimal. */
  sha256: string;
  /** The fields that were extracted. */
  params: ExtractionParam[];
  /** The result as it was extracted. It never changes. */
  data: ExtractedRecord[];
  /** The result with all corrections applied. */
  corrected_data: ExtractedRecord[];
  /** Rules that `corrected_data` does not satisfy, without evidence. Present only if a field has rules. */
  failed_rules?: FailedRule[];
  /** Location of each value of `data`. */
  evidence: EvidenceRecord[];
  /**
   * Values that would be different if the extractor had not learned from earlier documents. A value may be null
   * because documents of this layout do not have it. Present only if there are such values.
   */
  from_memory?: LearnedValue[];
  /**
   * What the extractor learned from this review. Present only in the response to a change to `reviewed`, if the
   * extraction has an agent.
   */
  learned?: {
    /** Id of the entry in the list of what the extractor has learned. */
    id: string;
    /** Number of fields that were learned. */
    fields: number;
  };
  /** The corrections, in the order in which they are applied. */
  corrections: Correction[];
}

/** A kept extraction in a list, without its result. */
export interface KeptExtractionSummary {
  /** Id of the kept extraction. For an asynchronous extraction, this is its `extract_id`. */
  id: string;
  /** The extractor agent that was used; null for the global extractor. */
  agent_reference: string | null;
  /** Name of the uploaded file. */
  filename: string;
  /** Media type of the file. */
  mime: string;
  /** Size of the file in bytes. */
  size: number;
  /** Number of pages. */
  pages: number;
  /** `reviewed` once a person has marked it as reviewed. A later correction resets it to `to_review`. */
  status: "to_review" | "reviewed";
  /** True if the status is `to_review` and `values_to_review` is not 0. */
  needs_review: boolean;
  /**
   * Number of extracted values whose confidence is below 0.9 or that have no evidence. Missing values are not
   * counted.
   */
  values_to_review: number;
  /** Version of the kept extraction. It increases with each change of corrections or status. */
  version: number;
  /** The user who reviewed it; null if it is to be reviewed. */
  reviewed_by: string | null;
  /** Time of the review; null if it is to be reviewed. */
  reviewed_at: string | null;
  /** Time at which the extraction ended. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time at which the extraction and its file will be removed. ISO 8601 UTC with milliseconds. */
  expires_at: string;
}

export interface KnowledgeRequest {
  /** The question. */
  query: string;
  /** Instructions for this answer only. */
  instructions?: readonly string[];
  /**
   * The conversation so far: alternating user and assistant messages, starting with the user. Cannot be combined
   * with `thread_id`.
   */
  historic?: readonly HistoricEntry[];
  /** Thread to continue, whose history the server stores. If absent, a new thread is created. */
  thread_id?: string;
  /** `citations` adds `data.citations`, unless the `sourceVisibility` of the agent is false. */
  include?: readonly "citations"[];
}

/** Position of a value in documents of the layout. */
export interface LearnedFact {
  /** Name of the field. */
  field: string;
  /** Name of the field in `items`, for a column of a list. */
  item?: string;
  /**
   * Position of the value: to the right of a label, below a label, after certain words of the same line, at a
   * certain place relative to the fixed texts, or in a column of a table. `absent`: documents of this layout do
   * not have the value.
   */
  rule: "label_left" | "label_above" | "label_before" | "position" | "column" | "absent";
  /** The label, or the heading of the column, as it is printed; empty if there is none. */
  label: string;
}

/** A document from which an extractor has learned. */
export interface LearnedPaper {
  /** Id of the entry. */
  id: string;
  /** Name of the file from which the agent learned. */
  filename: string;
  /** `correction`: taught through the API; `review`: a kept extraction was reviewed; `import`: imported. */
  source: "correction" | "review" | "import";
  /** The kept extraction from which the agent learned. It may no longer exist. Null for an imported entry. */
  extraction_id: string | null;
  /** What was learned. */
  learned: LearnedFact[];
  /** Number of later extractions from documents with this layout. */
  times_used: number;
  /** Time at which the entry was last used; null if never. */
  last_used_at: string | null;
  /** When it was learned. ISO 8601 UTC with milliseconds. */
  created_at: string;
}

/** A value that depends on what the extractor learned from an earlier document of the same layout. */
export interface LearnedValue {
  /** JSON pointer into `data` to the value or list. */
  path: string;
  /** Id of the entry in the list of what the extractor has learned. It may no longer exist. */
  learned_id: string;
  /** Name of the file from which the extractor learned. */
  filename: string;
  /** When it was learned. ISO 8601 UTC with milliseconds. */
  learned_at: string;
}

/** Overview of the lines of one list. */
export interface ListLedger {
  /** JSON Pointer to the list in `data`. */
  path: string;
  /** Number of lines that look like rows: the extracted rows and `rows_unreadable`. */
  rows_seen: number;
  /** Number of rows in `data`. */
  rows_given: number;
  /** Numbers of lines among the rows that are not rows themselves, by kind. */
  lines_skipped: {
    /** Repeated headings. */
    heading: number;
    /** Sums and subtotals. */
    sum: number;
    /** Lines with sums carried forward from page to page. */
    carried: number;
    /** Other lines, such as headings of groups, notes and page numbers. */
    note: number;
  };
  /** Lines that look like rows, but from which no row was extracted. */
  rows_unreadable: ListLine[];
  /** Extracted rows that do not fit the other rows, such as a row that appears twice. */
  doubts: ListLine[];
}

export interface ListLine {
  /** Number of the page, starting at 1. */
  page: number;
  boxes: [number, number, number, number][];
  /** The words of the line. */
  quote: string;
  /**
   * `no_row`: the line looks like a row, but no row was extracted from it; `missing_value`: the row lacks a value
   * that nearly all rows have; `several_values`: a cell contains more values than in the other rows;
   * `repeated_row`: the row equals the previous one; `position_gap`: the numbering skips or repeats a number
   * before this row; `balance_mismatch`, `product_mismatch`, `sum_mismatch`: the arithmetic of the other rows does
   * not hold for this row; `blank_gap`: there is space for another row before this one.
   */
  reason:
    | "no_row"
    | "missing_value"
    | "several_values"
    | "repeated_row"
    | "position_gap"
    | "balance_mismatch"
    | "product_mismatch"
    | "sum_mismatch"
    | "blank_gap";
}

/** An event of the stream: `resync`, `state` or `heartbeat`, or `error` as the last event. */
export type LiveEvent =
  | {
      event: "resync";
      data: object;
    }
  | {
      event: "state";
      data: StateChange;
    }
  | {
      event: "heartbeat";
      data: object;
    }
  | {
      event: "error";
      data: {
        code: string;
        error: string;
      };
    };

export interface Member {
  /** Id of the member. */
  id: string;
  /** Id of the user, such as in `created_by` and `reviewed_by` of other objects. */
  user_id: string;
  name: string;
  email: string;
  role: "administrator" | "member";
  /** A disabled member and their credentials cannot sign in. */
  status: "active" | "disabled";
  /** Time at which the member joined. ISO 8601 UTC with milliseconds. */
  created_at: string;
}

export interface Membership {
  /** Id of the organization. */
  organization_id: string;
  /** Name of the organization. */
  name: string;
  role: "administrator" | "member";
}

export interface Organization {
  /** Id of the organization. */
  id: string;
  name: string;
  /** True if credentials of the organization may be used. */
  api_enabled: boolean;
  /**
   * Number of days for which extractions and their files are kept for review; 0 keeps none. If it is null, the
   * default, results in the web application are kept for 30 days, and results of requests with a token only if the
   * request has `keep: true`. An extractor can have its own setting.
   */
  keep_extractions_days: number | null;
  /** When it was created. ISO 8601 UTC with milliseconds. */
  created_at: string;
}

export interface PageMetadata {
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null;
}

/** The words of a page with their positions. */
export interface PageWords {
  /** Number of the page, starting at 1. */
  page: number;
  /** Number of pages of the file. */
  pages: number;
  /** Width of the upright page in page units: points for PDF, pixels for images. */
  width: number;
  /** Height of the upright page in page units. */
  height: number;
  /** `text` if the words are text in the file, `ocr` if they were read by OCR. */
  source: "text" | "ocr";
  /** False for formats that have no images of pages (docx, xlsx). The boxes are then computed by a simple layout. */
  has_image: boolean;
  /** The words in reading order. */
  words: string[];
  /** The box of each word, in the order of `words`. Every box lies within the page. */
  boxes: [number, number, number, number][];
  /** `[start, end]` of each line: indexes of `words`, where `end` is exclusive. */
  lines: [number, number][];
}

export interface Passkey {
  /** Id of the passkey. */
  id: string;
  /** Name that the user chose. */
  name: string;
  /** When it was created. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time of the last sign-in with this passkey; null if it was never used. */
  last_used_at: string | null;
}

/** Configuration of a `PERSONAL` agent. Available in the web application only, and only to the owner. */
export interface PersonalConfiguration {
  /** Instructions for every answer. */
  instructions: string[];
  /**
   * References of the documentalist agents whose corpora this agent searches in addition to its own documents.
   * Each must be visible to the owner.
   */
  corpora: string[];
  /**
   * Engine of this agent: `builtin`, which needs no language model; `model`; or `auto`, which uses the model if
   * the built-in engine is not sure. If absent, the default of the installation applies. If the installation has
   * no language model, `model` and `auto` are refused with `invalid_config`. `null` removes the member.
   */
  engine?: "builtin" | "model" | "auto" | null;
}

/** Changes to the configuration of a `PERSONAL` agent. */
export interface PersonalConfigurationInput {
  /** Instructions for every answer. */
  instructions?: readonly string[];
  /**
   * References of the documentalist agents whose corpora this agent searches in addition to its own documents.
   * Each must be visible to the owner.
   */
  corpora?: readonly string[];
  /**
   * Engine of this agent: `builtin`, which needs no language model; `model`; or `auto`, which uses the model if
   * the built-in engine is not sure. If absent, the default of the installation applies. If the installation has
   * no language model, `model` and `auto` are refused with `invalid_config`. `null` removes the member.
   */
  engine?: "builtin" | "model" | "auto" | null;
}

/** A field that the samples seem to have. */
export interface ProposedField {
  param: ExtractionParam;
  /** Number of files in which the field was found. */
  found_in: number;
  /** How likely it is that the field is worth extracting. The list is sorted by this, highest first. */
  usefulness: number;
  /** The values found, one for each file that has the field. */
  values: {
    /** Index of the file in the request. */
    file: number;
    /** The value in the file, as extraction would return it. */
    value: string | number | boolean | ExtractedRecord[];
    /** Location of the value. Its `confidence` is that of the proposal. */
    evidence: Evidence | EvidenceRecord[];
  }[];
}

export interface PutAgentAccessRequest {
  visibility: "private" | "group" | "organization" | "public";
  /** The group that can see the agent. Required if the visibility is `group`, not allowed otherwise. */
  group_id?: string;
}

export interface PutCorrectionsRequest {
  /** All corrections. They replace the previous ones. */
  corrections: readonly Correction[];
  /** The version on which the corrections are based. */
  version: number;
}

export interface PutSegmentsRequest {
  /** All segments, in the order of their pages. Every page must be in exactly one segment. */
  segments: readonly CorrectedSegment[];
  /** The version on which the segments are based. */
  version: number;
}

export interface PutSignOnRequest {
  /**
   * URL of the provider, exactly as its configuration states it. The configuration is read at
   * `/.well-known/openid-configuration` below it.
   */
  issuer: string;
  client_id: string;
  /** Never shown again. Required unless neither the issuer nor the client id changes. */
  client_secret?: string;
  /** Scopes to request, separated by spaces. Must include `openid`. Default: `openid email profile`. */
  scope?: string;
  /** Claim with the groups of a user; null if groups are not mapped. */
  groups_claim?: string | null;
  /**
   * Value of the groups claim that makes a member an administrator. All other members become members at their
   * sign-in. If it is null, roles are set here alone.
   */
  administrator_value?: string | null;
  /**
   * Maps values of the groups claim to groups. A user with a value becomes a member of its group, and a user
   * without the value leaves it. Groups that are not listed do not change.
   */
  groups?: readonly SignOnGroup[];
  /**
   * True if members with an address of the organization's domains can only sign in with the provider. Passwords
   * and passkeys then give them no access to the organization.
   */
  enforced?: boolean;
  /**
   * Administrator who can still sign in with a password if sign-on is enforced. Must be an active administrator
   * with a password. Default: the caller.
   */
  break_glass_member_id?: string;
}

export interface PutWebhookRequest {
  /** Public `https://` URL. Private, loopback and internal addresses are refused. */
  url: string;
}

export interface QuestionRequest {
  /** The question. */
  query: string;
  /** Instructions for this answer only. */
  instructions?: readonly string[];
  /**
   * The conversation so far: alternating user and assistant messages, starting with the user. Cannot be combined
   * with `thread_id`.
   */
  historic?: readonly HistoricEntry[];
  /** Thread to continue, whose history the server stores. If absent, a new thread is created. */
  thread_id?: string;
}

export interface QueuedDelivery {
  /** ULID of the delivery, which is the `id` that the receiver gets. */
  id: string;
  status: "pending";
}

export interface Quotas {
  max_agents: {
    /** Maximum agents. null means unlimited. */
    limit: number | null;
    /** Number of agents that are not deleted. */
    used: number;
  };
  max_documents_per_agent: {
    /** Maximum documents in the corpus of one agent. null means unlimited. */
    limit: number | null;
  };
  max_upload_mb: {
    /** Maximum size of an uploaded file, in MB of 1,048,576 bytes. null means unlimited. */
    limit: number | null;
  };
}

export interface RecoveryCodes {
  /** Ten codes for signing in without the app. Each works once. They are not shown again. */
  recovery_codes: string[];
}

export interface ResultMetadata {
  /** Name of the uploaded file. */
  filename: string;
  /** Duration in seconds, with milliseconds. */
  duration: number;
  /** Language model tokens used; 0 if only the built-in engine was used. */
  tokens_consumed: number;
  /** The thread in which the work is recorded. */
  thread_id: string;
  fallback?: Fallback;
}

export interface ScimToken {
  /** Id of the token. */
  id: string;
  name: string;
  /** When it was created. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time of the last use, precise to the minute; null if it was never used. */
  last_used_at: string | null;
}

/** Scores of one field, or of all fields, over all documents. */
export interface Score {
  /** F1 score: 2 × right / (2 × right + wrong + missing); null if all three are 0. */
  f1: number | null;
  /** Number of values that equal the truth. Missing values are not counted. */
  right: number;
  /** Number of values that were returned and differ from the truth. */
  wrong: number;
  /** Number of true values that were not returned, or returned wrong. */
  missing: number;
}

/** A range of pages that is one document. Segments cover every page once, in order. */
export interface Segment {
  /** First page; pages are numbered from 1. */
  start: number;
  /** Last page, inclusive. */
  end: number;
  /** One of the given classes. If none fits or none were given, a class that was discovered in the file. */
  label: string;
  /** Title found on the first page of the document. */
  title: string;
  /** Probability that the label is correct. */
  confidence: number;
}

export interface Session {
  user: {
    /** The user. */
    id: string;
    name: string;
    email: string;
    /** True if the user has a password. The first administrator has none until they set one after the first sign-in. */
    has_password: boolean;
    /** `totp` if sign-in needs a code of an authenticator app besides the password. */
    second_factor: "none" | "totp";
  };
  /** The organization in which the user of the session works; null if the user belongs to none. */
  organization_id: string | null;
  /** All organizations of which the user is an active member. */
  organizations: Membership[];
  /**
   * True if the session was opened with the provider of the organization. It then gives access to this
   * organization alone.
   */
  sign_on: boolean;
  /**
   * Time at which the session expires if it is not used, at the latest 30 days after sign-in, or 12 hours after
   * sign-on. ISO 8601 UTC with milliseconds.
   */
  expires_at: string;
}

export interface SessionEntry {
  /** Id of the session. */
  id: string;
  /** When the user signed in. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time of the last use, precise to the day. ISO 8601 UTC with milliseconds. */
  last_used_at: string;
  /** Time at which it expires if it is not used. ISO 8601 UTC with milliseconds. */
  expires_at: string;
  address: string | null;
  user_agent: string | null;
  /** True if this request uses the session. */
  is_current: boolean;
}

export interface SignOn {
  /** Redirect URI to register at the provider; null if the service has no public URL. */
  redirect_uri: string | null;
  /** Base URL of SCIM to enter at the provider; null if the service has no public URL. */
  scim_url: string | null;
  /** Email domains of the organization. Only the operator of the service can change them. */
  domains: string[];
  /** The provider; null if none is configured. */
  provider: SignOnProvider | null;
}

export interface SignOnGroup {
  value: string;
  /** Name of a group of the organization. */
  group: string;
}

export interface SignOnProvider {
  /**
   * URL of the provider, exactly as its configuration states it. The configuration is read at
   * `/.well-known/openid-configuration` below it.
   */
  issuer: string;
  client_id: string;
  /** Scopes to request, separated by spaces. Must include `openid`. Default: `openid email profile`. */
  scope: string;
  /** Claim with the groups of a user; null if groups are not mapped. */
  groups_claim: string | null;
  /**
   * Value of the groups claim that makes a member an administrator. All other members become members at their
   * sign-in. If it is null, roles are set here alone.
   */
  administrator_value: string | null;
  /**
   * Maps values of the groups claim to groups. A user with a value becomes a member of its group, and a user
   * without the value leaves it. Groups that are not listed do not change.
   */
  groups: SignOnGroup[];
  /**
   * True if members with an address of the organization's domains can only sign in with the provider. Passwords
   * and passkeys then give them no access to the organization.
   */
  enforced: boolean;
  /** Administrator who can still sign in with a password if sign-on is enforced. */
  break_glass_member_id: string | null;
  /** When it was configured. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time of the last change. ISO 8601 UTC with milliseconds. */
  updated_at: string;
}

export interface StartClassificationRequest {
  /** Name of the file, with extension. Optional if the file has a name of its own: a path, a `File`. */
  filename?: string;
  /** The file; its bytes are sent as they are. */
  file: FileSource;
  /** Public `https://` URL to which the result is posted. */
  callback?: string;
  /** The classes to choose from. If absent, classes are discovered. */
  classes?: readonly ClassInput[];
  /**
   * True to keep the file and the result for review in `/v2/classifications`. Default: classifications in the web
   * application are kept, others only if `keep_extractions_days` of the organization is set. If that setting is 0,
   * nothing is kept, whatever the value of this member.
   */
  keep?: boolean;
  /**
   * `auto`: a new segment at each document boundary; `page`: one segment per page; `document`: one segment for the
   * whole file.
   */
  mode?: "auto" | "page" | "document";
}

export interface StartExtractionRequest {
  /** Name of the file, with extension. Optional if the file has a name of its own: a path, a `File`. */
  filename?: string;
  /** The file; its bytes are sent as they are. */
  file: FileSource;
  /** `evidence` adds `metadata.evidence`: the location of each value. */
  include?: readonly "evidence"[];
  /**
   * True to keep the file and the result for review in `/v2/extractions`. Default: extractions in the web
   * application are kept, others only if `keep_extractions_days` of the agent or the organization is set. If that
   * setting is 0, nothing is kept, whatever the value of this member.
   */
  keep?: boolean;
  /** Public `https://` URL to which the result is posted. */
  callback?: string;
  /** The fields to extract. The limit applies to the total number of fields at all levels. */
  params: readonly ExtractionParam[];
}

export interface StartExtractionWithAgentRequest {
  /** Name of the file, with extension. Optional if the file has a name of its own: a path, a `File`. */
  filename?: string;
  /** The file; its bytes are sent as they are. */
  file: FileSource;
  /** `evidence` adds `metadata.evidence`: the location of each value. */
  include?: readonly "evidence"[];
  /**
   * True to keep the file and the result for review in `/v2/extractions`. Default: extractions in the web
   * application are kept, others only if `keep_extractions_days` of the agent or the organization is set. If that
   * setting is 0, nothing is kept, whatever the value of this member.
   */
  keep?: boolean;
  /** Public `https://` URL to which the result is posted. */
  callback?: string;
}

export interface StartPasskeyRequest {
  password: string;
}

export interface StartSignOnRequest {
  /** Email address, case-insensitive. */
  email: string;
}

export interface StartTotpRequest {
  password: string;
}

/** A change of state. Contains no names and no content. */
export interface StateChange {
  /**
   * `extraction` and `classification` are asynchronous operations; `kept_extraction` is an extraction kept for
   * review, and `kept_classification` a classification kept for corrections. `delivery` is a delivery to a webhook
   * or callback, reported to administrators. An `agent` is reported only when it is deleted. Clients should ignore
   * types that they do not know.
   */
  type: "document" | "extraction" | "classification" | "kept_extraction" | "kept_classification" | "delivery" | "agent";
  /** UUID of the document or agent, or id of the extraction or classification. For a delivery, its ULID. */
  reference: string;
  agent_reference: string | null;
  /**
   * The state at the time of the change. `pending` is also reported for a document while its pages are read, and
   * for a delivery after a failed attempt.
   */
  status:
    | "pending"
    | "ready"
    | "started"
    | "success"
    | "error"
    | "to_review"
    | "reviewed"
    | "original"
    | "corrected"
    | "delivered"
    | "failed"
    | "deleted";
}

/** All three are null if there is no subscription. */
export interface Subscription {
  /** `active`, `trialing`, `past_due`, `canceled` or another status. New statuses may be added. */
  status: string | null;
  billing_cycle: "monthly" | "yearly" | null;
  /** End of the current billing period, ISO 8601 UTC. */
  current_period_end: string | null;
}

export interface TaughtPaper {
  /** Id of the entry. */
  id: string;
  /** Name of the file from which the agent learned. */
  filename: string;
  /** `correction`: taught through the API; `review`: a kept extraction was reviewed; `import`: imported. */
  source: "correction" | "review" | "import";
  /** The kept extraction from which the agent learned. It may no longer exist. Null for an imported entry. */
  extraction_id: string | null;
  /** What was learned. */
  learned: LearnedFact[];
  /** Number of later extractions from documents with this layout. */
  times_used: number;
  /** Time at which the entry was last used; null if never. */
  last_used_at: string | null;
  /** When it was learned. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Names of given fields whose value was not found in the document. Nothing is learned about them. */
  not_found: string[];
}

export interface TeachRequest {
  /** A kept extraction of the agent. */
  extraction_id: string;
  /**
   * The correct values of the document, as corrections of the extraction's `data`: `confirmed` for values that are
   * already correct, null for those that the document does not have. Only the fields named here are learned. A
   * list is learned as a whole, with the rows that it has after the corrections.
   */
  corrections: readonly Correction[];
}

/** Ready-made fields for one document kind. */
export interface Template {
  /** Stable name. */
  name: string;
  title: string;
  description: string;
  /** Language of title and descriptions. Names of params are the same in every language. */
  language: "en" | "de" | "fr" | "es";
  /**
   * The fields, in the format that `POST /v2/extractor` accepts. For an agent, replace the format `date` with
   * `text`.
   */
  params: ExtractionParam[];
  /** null if it was not measured. */
  quality: TemplateQuality | null;
}

/** Quality on documents that were not used to write the template. */
export interface TemplateQuality {
  /** F1 score of the built-in engine over single fields and all values in the rows of lists. */
  f1: number;
  /** Number of documents measured. */
  papers: number;
  /** Number of values and list cells in these documents. */
  fields: number;
  /** Month of the measurement, `YYYY-MM`. */
  measured: string;
}

/** A conversation with an agent. */
export interface Thread {
  /** Id of the thread. Pass it as `thread_id` to continue. */
  thread_id: string;
  /** The given title, or the beginning of the first question. */
  title: string;
  /** When the thread was created. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** When the last question was recorded. A new title does not change it. ISO 8601 UTC with milliseconds. */
  updated_at: string;
  /** Time at which the thread was archived; null if it is not archived. */
  archived_at: string | null;
}

/** A conversation with its turns. */
export interface ThreadDetail {
  /** Id of the thread. Pass it as `thread_id` to continue. */
  thread_id: string;
  /** The given title, or the beginning of the first question. */
  title: string;
  /** When the thread was created. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** When the last question was recorded. A new title does not change it. ISO 8601 UTC with milliseconds. */
  updated_at: string;
  /** Time at which the thread was archived; null if it is not archived. */
  archived_at: string | null;
  /** Oldest first. */
  turns: ThreadTurn[];
}

/** A question and its answer. */
export interface ThreadTurn {
  /** The question. */
  query: string;
  /**
   * The answer. Empty if a document on which it was based was deleted later; null if the history in a request had
   * no answer.
   */
  answer: string | null;
  /** Citations of the answer. Empty if the `sourceVisibility` of the agent is false. */
  citations: Citation[];
  /** When the question was recorded. ISO 8601 UTC with milliseconds. */
  created_at: string;
}

/** An access token, without the envelope of other responses. */
export interface Token {
  /** A JWT for the request header `x-api-key`, or for `Authorization: Bearer`. */
  access_token: string;
  token_type: "x-api-key";
  /** Lifetime of the token in seconds, as text. */
  expires_in: string;
}

export interface TokenRequest {
  grant_type: "client_credentials";
  client_id?: string;
  client_secret?: string;
}

export interface TotpSetup {
  /** The secret in base32, for typing into the app. */
  secret: string;
  /** The secret as a URI, for a QR code. */
  uri: string;
}

/** Changes to an agent. Absent members keep their values. */
export interface UpdateAgentRequest {
  name?: string;
  /** null removes the description. */
  description?: string | null;
  /** Depends on the type of the agent. */
  configuration?: ExtractorConfiguration | DocumentalistConfigurationInput | PersonalConfigurationInput;
}

export interface UpdateAgentVersionRequest {
  /** The new name; null removes it. */
  name: string | null;
}

export interface UpdateGroupRequest {
  name?: string;
  /** The members of the group. */
  member_ids?: readonly string[];
}

export interface UpdateKeptExtractionRequest {
  status: "to_review" | "reviewed";
  /** If given, the version that the kept extraction must still have. */
  version?: number;
}

export interface UpdateMemberRequest {
  role?: "administrator" | "member";
  status?: "active" | "disabled";
}

export interface UpdateOrganizationRequest {
  name?: string;
  api_enabled?: boolean;
  /**
   * Number of days for which extractions and their files are kept for review; 0 keeps none. If it is null, the
   * default, results in the web application are kept for 30 days, and results of requests with a token only if the
   * request has `keep: true`. An extractor can have its own setting.
   */
  keep_extractions_days?: number | null;
}

export interface UpdateSessionRequest {
  /** An organization to which the user belongs. */
  organization_id: string;
}

/** Changes. Absent members keep their value. */
export interface UpdateThreadRequest {
  title?: string;
  /** An archived thread cannot be continued. */
  archived?: boolean;
}

export interface UploadDocumentRequest {
  /** Name of the file, with extension. Optional if the file has a name of its own: a path, a `File`. */
  filename?: string;
  /** The file; its bytes are sent as they are. */
  file: FileSource;
  /**
   * Folder of the document in the corpus: segments separated by single slashes, with no slash at either end and no
   * segment `.` or `..`, each of at most 255 characters. If absent, the top level.
   */
  path?: string;
}

export interface Usage {
  subscription: Subscription;
  quotas: Quotas;
  usage: Consumption;
}

export interface Warning {
  code: string;
  message: string;
}

/** The credential that the browser got, as its `toJSON` returns it. */
export interface WebAuthnAssertion {
  id: string;
  rawId: string;
  type: "public-key";
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
  };
}

/**
 * Options of the Web Authentication API as JSON, for `PublicKeyCredential.parseCreationOptionsFromJSON` or
 * `parseRequestOptionsFromJSON` of the browser.
 */
export interface WebAuthnOptions {
  /** Valid for 5 minutes and for one use. */
  challenge: string;
  [name: string]: unknown;
}

/** The credential that the browser created, as its `toJSON` returns it. */
export interface WebAuthnRegistration {
  id: string;
  rawId: string;
  type: "public-key";
  response: {
    clientDataJSON: string;
    attestationObject: string;
  };
}

export interface Webhook {
  /** Kind of event. */
  event: "document.ingestion_completed" | "extraction.completed" | "classification.completed";
  /** URL to which the event is delivered. */
  url: string;
  /** When the webhook was configured. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Time at which the URL was last set. ISO 8601 UTC with milliseconds. */
  updated_at: string;
}

export interface WebhookDeletion {
  /** Kind of event. */
  event: "document.ingestion_completed" | "extraction.completed" | "classification.completed";
}

/** The response of `getToken`. */
export type GetTokenAnswer = Token;

/** The response of `postToken`. */
export type PostTokenAnswer = Token;

/** The response of `listAgents`. */
export type ListAgentsAnswer = List<AgentSummary>;

/** The response of `createAgent`. */
export type CreateAgentAnswer = Success<Agent>;

/** The response of `getAgent`. */
export type GetAgentAnswer = Success<Agent>;

/** The response of `updateAgent`. */
export type UpdateAgentAnswer = Success<Agent>;

/** The response of `deleteAgent`. */
export type DeleteAgentAnswer = Success<AgentDeletion>;

/** The response of `getAgentAccess`. */
export type GetAgentAccessAnswer = Success<AgentAccess>;

/** The response of `putAgentAccess`. */
export type PutAgentAccessAnswer = Success<AgentAccess>;

/** The response of `listAgentVersions`. */
export type ListAgentVersionsAnswer = List<AgentVersionSummary>;

/** The response of `getAgentVersion`. */
export type GetAgentVersionAnswer = Success<AgentVersion>;

/** The response of `getAgentVersionChanges`. */
export type GetAgentVersionChangesAnswer = Success<ConfigurationChanges>;

/** The response of `updateAgentVersion`. */
export type UpdateAgentVersionAnswer = Success<AgentVersionSummary>;

/** The response of `restoreAgentVersion`. */
export type RestoreAgentVersionAnswer = Success<AgentVersion>;

/** The response of `uploadDocument`. */
export type UploadDocumentAnswer = Success<AcceptedDocument>;

/** The response of `listDocuments`. */
export type ListDocumentsAnswer = List<Document>;

/** The response of `getDocument`. */
export type GetDocumentAnswer = Success<DocumentDetails>;

/** The response of `getDocumentPageWords`. */
export type GetDocumentPageWordsAnswer = Success<PageWords>;

/** The response of `deleteDocument`. */
export type DeleteDocumentAnswer = Success<DocumentDeletion>;

/** The response of `askKnowledge`. */
export type AskKnowledgeAnswer = {
  status: "success";
  data: Answer;
  metadata: {
    /** Thread of the conversation. Pass it as `thread_id` to continue. */
    thread_id: string;
    fallback?: Fallback;
  };
};

/** The response of `askPublic`. */
export type AskPublicAnswer = {
  status: "success";
  data: Answer;
  metadata: {
    /** Thread of the conversation. Pass it as `thread_id` to continue. */
    thread_id: string;
    fallback?: Fallback;
  };
};

/** The response of `listThreads`. */
export type ListThreadsAnswer = List<Thread>;

/** The response of `getThread`. */
export type GetThreadAnswer = Success<ThreadDetail>;

/** The response of `updateThread`. */
export type UpdateThreadAnswer = Success<Thread>;

/** The response of `extract`. */
export type ExtractAnswer = {
  status: "success";
  /** One object per file; empty if the result could not be read. */
  data: ExtractedRecord[];
  metadata: ExtractionMetadata;
};

/** The response of `extractWithAgent`. */
export type ExtractWithAgentAnswer = {
  status: "success";
  /** One object per file; empty if the result could not be read. */
  data: ExtractedRecord[];
  metadata: ExtractionMetadata;
};

/** The response of `startExtraction`. */
export type StartExtractionAnswer = ExtractionStarted;

/** The response of `startExtractionWithAgent`. */
export type StartExtractionWithAgentAnswer = ExtractionStarted;

/** The response of `getExtraction`. */
export type GetExtractionAnswer = ExtractionStarted | ExtractionSuccess | ExtractionFailure;

/** The response of `inferFields`. */
export type InferFieldsAnswer = {
  status: "success";
  data: InferredFields;
  metadata: {
    /** Names of the uploaded files. */
    filenames: string[];
    /** Total number of pages of all files. */
    pages: number;
    /** Duration in seconds, to the millisecond. */
    duration: number;
  };
};

/** The response of `listTemplates`. */
export type ListTemplatesAnswer = List<Template>;

/** The response of `getTemplate`. */
export type GetTemplateAnswer = Success<Template>;

/** The response of `evaluateExtractor`. */
export type EvaluateExtractorAnswer = Success<Evaluation>;

/** The response of `getExtractorCoverage`. */
export type GetExtractorCoverageAnswer = Success<Coverage>;

/** The response of `listKeptExtractions`. */
export type ListKeptExtractionsAnswer = List<KeptExtractionSummary>;

/** The response of `getKeptExtraction`. */
export type GetKeptExtractionAnswer = Success<KeptExtraction>;

/** The response of `deleteKeptExtraction`. */
export type DeleteKeptExtractionAnswer = Success<{
  /** Id of the extraction. */
  id: string;
}>;

/** The response of `getKeptExtractionPageWords`. */
export type GetKeptExtractionPageWordsAnswer = Success<PageWords>;

/** The response of `putExtractionCorrections`. */
export type PutExtractionCorrectionsAnswer = Success<KeptExtraction>;

/** The response of `updateKeptExtraction`. */
export type UpdateKeptExtractionAnswer = Success<KeptExtraction>;

/** The response of `teachExtractor`. */
export type TeachExtractorAnswer = Success<TaughtPaper>;

/** The response of `listLearned`. */
export type ListLearnedAnswer = List<LearnedPaper>;

/** The response of `deleteLearned`. */
export type DeleteLearnedAnswer = Success<{
  /** Id of the entry. */
  id: string;
}>;

/** The response of `deleteAllLearned`. */
export type DeleteAllLearnedAnswer = Success<{
  /** Number of removed entries. */
  removed: number;
}>;

/** The response of `exportLearned`. */
export type ExportLearnedAnswer = Success<ExportedMemory>;

/** The response of `importLearned`. */
export type ImportLearnedAnswer = Success<{
  /** Number of imported documents. */
  imported: number;
}>;

/** The response of `listKeptClassifications`. */
export type ListKeptClassificationsAnswer = List<KeptClassificationSummary>;

/** The response of `getKeptClassification`. */
export type GetKeptClassificationAnswer = Success<KeptClassification>;

/** The response of `putClassificationSegments`. */
export type PutClassificationSegmentsAnswer = Success<KeptClassification>;

/** The response of `deleteKeptClassification`. */
export type DeleteKeptClassificationAnswer = Success<{
  /** Id of the classification. */
  id: string;
}>;

/** The response of `getKeptClassificationPageWords`. */
export type GetKeptClassificationPageWordsAnswer = Success<PageWords>;

/** The response of `startClassification`. */
export type StartClassificationAnswer = ClassificationStarted;

/** The response of `getClassification`. */
export type GetClassificationAnswer = ClassificationStarted | ClassificationSuccess | ClassificationFailure;

/** The response of `getUsage`. */
export type GetUsageAnswer = Success<Usage>;

/** The response of `putWebhook`. */
export type PutWebhookAnswer = Success<ChangedWebhook> | Success<CreatedWebhook>;

/** The response of `listWebhooks`. */
export type ListWebhooksAnswer = List<Webhook>;

/** The response of `deleteWebhook`. */
export type DeleteWebhookAnswer = Success<WebhookDeletion>;

/** The response of `listDeliveries`. */
export type ListDeliveriesAnswer = List<DeliverySummary>;

/** The response of `getDelivery`. */
export type GetDeliveryAnswer = Success<Delivery>;

/** The response of `replayDelivery`. */
export type ReplayDeliveryAnswer = Success<QueuedDelivery>;

/** The response of `testWebhook`. */
export type TestWebhookAnswer = Success<QueuedDelivery>;

/** The response of `listAuditEntries`. */
export type ListAuditEntriesAnswer = List<AuditEntry>;

/** The response of `getOrganization`. */
export type GetOrganizationAnswer = Success<Organization>;

/** The response of `updateOrganization`. */
export type UpdateOrganizationAnswer = Success<Organization>;

/** The response of `listMembers`. */
export type ListMembersAnswer = List<Member>;

/** The response of `updateMember`. */
export type UpdateMemberAnswer = Success<Member>;

/** The response of `deleteMember`. */
export type DeleteMemberAnswer = Success<{
  /** Id of the member. */
  id: string;
}>;

/** The response of `listInvitations`. */
export type ListInvitationsAnswer = List<Invitation>;

/** The response of `createInvitation`. */
export type CreateInvitationAnswer = Success<CreatedInvitation>;

/** The response of `deleteInvitation`. */
export type DeleteInvitationAnswer = Success<{
  /** Id of the invitation. */
  id: string;
}>;

/** The response of `listGroups`. */
export type ListGroupsAnswer = List<Group>;

/** The response of `createGroup`. */
export type CreateGroupAnswer = Success<Group>;

/** The response of `updateGroup`. */
export type UpdateGroupAnswer = Success<Group>;

/** The response of `deleteGroup`. */
export type DeleteGroupAnswer = Success<{
  /** Id of the group. */
  id: string;
}>;

/** The response of `listCredentials`. */
export type ListCredentialsAnswer = List<Credential>;

/** The response of `createCredential`. */
export type CreateCredentialAnswer = Success<CreatedCredential>;

/** The response of `revokeCredential`. */
export type RevokeCredentialAnswer = Success<{
  /** The `client_id` of the credential. */
  client_id: string;
}>;

/** The response of `createSession`. */
export type CreateSessionAnswer = Success<Session>;

/** The response of `createFirstSession`. */
export type CreateFirstSessionAnswer = Success<Session>;

/** The response of `getSession`. */
export type GetSessionAnswer = Success<Session>;

/** The response of `updateSession`. */
export type UpdateSessionAnswer = Success<Session>;

/** The response of `deleteSession`. */
export type DeleteSessionAnswer = Success<object>;

/** The response of `changePassword`. */
export type ChangePasswordAnswer = Success<Session>;

/** The response of `startTotp`. */
export type StartTotpAnswer = Success<TotpSetup>;

/** The response of `confirmTotp`. */
export type ConfirmTotpAnswer = Success<RecoveryCodes>;

/** The response of `deleteTotp`. */
export type DeleteTotpAnswer = Success<object>;

/** The response of `acceptInvitation`. */
export type AcceptInvitationAnswer = Success<Session>;

/** The response of `listSessions`. */
export type ListSessionsAnswer = Success<SessionEntry[]>;

/** The response of `endSession`. */
export type EndSessionAnswer = Success<{
  /** Id of the session. */
  id: string;
}>;

/** The response of `startPasskey`. */
export type StartPasskeyAnswer = Success<WebAuthnOptions>;

/** The response of `createPasskey`. */
export type CreatePasskeyAnswer = Success<Passkey>;

/** The response of `listPasskeys`. */
export type ListPasskeysAnswer = Success<Passkey[]>;

/** The response of `deletePasskey`. */
export type DeletePasskeyAnswer = Success<{
  /** Id of the passkey. */
  id: string;
}>;

/** The response of `startPasskeySession`. */
export type StartPasskeySessionAnswer = Success<WebAuthnOptions>;

/** The response of `createPasskeySession`. */
export type CreatePasskeySessionAnswer = Success<Session>;

/** The response of `getSignOn`. */
export type GetSignOnAnswer = Success<SignOn>;

/** The response of `putSignOn`. */
export type PutSignOnAnswer = Success<SignOn>;

/** The response of `deleteSignOn`. */
export type DeleteSignOnAnswer = Success<object>;

/** The response of `getSignOnAvailability`. */
export type GetSignOnAvailabilityAnswer = Success<{
  available: boolean;
}>;

/** The response of `startSignOn`. */
export type StartSignOnAnswer = Success<{
  /** URL of the provider; null if there is none. */
  url: string | null;
}>;

/** The response of `completeSignOn`. */
export type CompleteSignOnAnswer = Success<Session>;

/** The response of `listScimTokens`. */
export type ListScimTokensAnswer = List<ScimToken>;

/** The response of `createScimToken`. */
export type CreateScimTokenAnswer = Success<CreatedScimToken>;

/** The response of `deleteScimToken`. */
export type DeleteScimTokenAnswer = Success<{
  /** Id of the token. */
  id: string;
}>;

/** The response of `getOpenApi`. */
export type GetOpenApiAnswer = {
  [name: string]: unknown;
};

/** The response of `getHealth`. */
export type GetHealthAnswer = Success<object>;

/** The response of `getReadiness`. */
export type GetReadinessAnswer = Success<{
  database: "ok";
  files: "ok";
  reading: "ok";
  /** Absent if no antivirus is configured. */
  antivirus?: "ok";
}>;

/** Every error code of the service, with its HTTP status. */
export interface ErrorStatuses {
  agent_not_found: 404;
  thread_not_found: 404;
  organization_not_found: 404;
  webhook_not_found: 404;
  member_not_found: 404;
  invitation_not_found: 404;
  group_not_found: 404;
  credential_not_found: 404;
  document_not_found: 404;
  document_not_ready: 409;
  page_not_found: 404;
  page_image_unavailable: 404;
  segment_file_unavailable: 404;
  document_already_exists: 409;
  quota_exceeded: 403;
  file_too_large: 413;
  unsupported_file_type: 422;
  infected_file: 422;
  invalid_request: 422;
  invalid_agent_type: 422;
  invalid_config: 422;
  antivirus_unavailable: 503;
  agent_unavailable: 503;
  agent_timeout: 504;
  extraction_failed: 502;
  classification_failed: 502;
  internal_error: 500;
  unauthorized: 401;
  second_factor_required: 401;
  sign_on_required: 403;
  sign_on_failed: 401;
  sign_on_unavailable: 503;
  invalid_client: 401;
  forbidden: 403;
  not_found: 404;
  rate_limited: 429;
  quality_lost: 409;
  conflict: 409;
  gone: 410;
}

/** Contents of `detail`, by error code. Codes that are not listed have none. */
export interface ErrorDetails {
  conflict: {
    /** Id of the object created by the first request with this idempotency key. */
    reference: string;
  };
  document_already_exists: {
    /** The existing document. */
    document_reference: string;
  };
  extraction_failed: {
    /**
     * `encrypted`: a password is needed; `corrupt`: the content does not match the file type or is damaged; `empty`:
     * there is nothing to read; `too_complex`: it needs more memory or pages than allowed; `timeout`: it took too
     * long; `model`: the language model failed.
     */
    reason: "encrypted" | "corrupt" | "empty" | "too_complex" | "timeout" | "model";
  };
  file_too_large: {
    /** Maximum size in bytes. */
    limit: number;
    /** Size of the file in bytes, or the part of it that was received. */
    size: number;
  };
  invalid_config: {
    issues: Issue[];
  };
  invalid_request: {
    issues: Issue[];
  };
  quality_lost: {
    /** Number of reviewed extractions that were evaluated. If 0, a change cannot be measured. */
    documents: number;
    /** Fields that become worse: their F1 falls, or it stays the same and more of their values are wrong. */
    lost: string[];
    /** Values that the change makes wrong. */
    changes: ChangedCell[];
  };
  quota_exceeded: {
    /** Limit of the plan. */
    limit: number;
    /** Current value. */
    current: number;
  };
  sign_on_failed: {
    /**
     * `expired`: the sign-in took too long, was already used, or was started in another browser;
     * `refused_by_provider`: the provider reported an error; `invalid_response`: its response is not valid;
     * `unverified_address`: it has not verified the email address; `foreign_domain`: the domain of the address does
     * not belong to the organization; `another_account`: the address belongs to a member who signs in with another
     * account of the provider; `no_member`: the member was disabled or removed.
     */
    reason:
      | "expired"
      | "refused_by_provider"
      | "invalid_response"
      | "unverified_address"
      | "foreign_domain"
      | "another_account"
      | "no_member";
  };
  unsupported_file_type: {
    /** The accepted extensions. */
    supported: string[];
  };
}

/** Contents of `data`, by event. */
export interface EventData {
  /**
   * A document uploaded through `POST /v2/agents/{reference}/documents` has been ingested, or its ingestion has
   * failed.
   */
  "document.ingestion_completed": DocumentIngestion;
  /** An asynchronous extraction has ended. Its result is also posted to the callback of the request. */
  "extraction.completed": ExtractionOutcome;
  /** A classification has ended. Its result is also posted to the callback of the request, if it has one. */
  "classification.completed": ClassificationOutcome;
}

export const eventNames = [
  "document.ingestion_completed",
  "extraction.completed",
  "classification.completed",
] as const satisfies (keyof EventData)[];
