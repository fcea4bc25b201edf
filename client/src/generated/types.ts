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

/** Which page of a list is asked for. */
export interface PageQuery {
  /** How many at most. Without it, and without a cursor, the whole list comes, and no `metadata`. */
  limit?: number;
  /** `metadata.next_cursor` of the page before. */
  cursor?: string;
}

export interface AcceptInvitationRequest {
  /** Of the invitation. */
  token: string;
  name?: string;
  /**
   * At least 10 characters. One that is common, a sequence, or contains the email address or the name is 422
   * `invalid_request`.
   */
  password: string;
}

export interface AcceptedDocument {
  /** The new document. */
  document_reference: string;
  status: "pending";
}

/** An agent. `configuration` goes by type and is absent for `PERSONAL` agents. */
export interface Agent {
  /** Identifier of the agent. */
  reference: string;
  name: string;
  description: string | null;
  type: "EXTRACTOR" | "DOCUMENTALIST" | "PERSONAL";
  /** When the agent was made. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** When the agent was last changed. ISO 8601 UTC with milliseconds. */
  updated_at: string;
  configuration?: ExtractorConfiguration | DocumentalistConfiguration;
}

export interface AgentAccess {
  /**
   * `private`: its owner's alone, and in the web application only. `group`: the members of one group, and
   * administrators. `organization`: every member. `public`: anybody may ask it.
   */
  visibility: "private" | "group" | "organization" | "public";
  /** The group that sees it, with visibility `group`; else null. */
  group_id: string | null;
  /** The user that a private or `PERSONAL` agent belongs to; else null. */
  owner_user_id: string | null;
}

export interface AgentDeletion {
  /** The agent that was deleted. */
  reference: string;
  /** What could not be removed with the agent; usually empty. */
  warnings: Warning[];
}

/** One field that the agent extracts. Lists nest up to 5 levels. */
export interface AgentParam {
  /** Key of the value in the result; unique among its siblings. */
  name: string;
  format: "text" | "number" | "boolean" | "list";
  /** What the field means, in words. */
  description: string;
  /** The fields of each element: at least one where the format is `list`, `[]` elsewhere. */
  items: readonly AgentParam[];
}

/** An agent in a list: without its configuration. */
export interface AgentSummary {
  /** Identifier of the agent. */
  reference: string;
  name: string;
  description: string | null;
  type: "EXTRACTOR" | "DOCUMENTALIST" | "PERSONAL";
  /** When the agent was made. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** When the agent was last changed. ISO 8601 UTC with milliseconds. */
  updated_at: string;
}

export interface Answer {
  /** The answer; where the corpus holds none, it says so. */
  answer: string;
  /** Only when asked for with `include: ["citations"]`. */
  citations?: Citation[];
}

export interface AuditEntry {
  /** The entry. */
  id: string;
  /** When it was done. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** What was done, as `noun.verb`. The list is open: `agent.created`, `document.deleted`, `credential.revoked`, … */
  action: string;
  /** Id of what was changed; of a webhook its event. */
  target: string | null;
  /** What helps to understand the change, such as the name of what is gone now. Depends on the action. */
  detail: {
    [name: string]: unknown;
  };
  actor: {
    /** A credential of the interface, a session of the web application, or whoever runs the service. */
    kind: "credential" | "session" | "operator";
    /** Whose credential or session it was; null for the operator. */
    user_id: string | null;
    /** Their e-mail address now; null where they are gone. */
    user_email: string | null;
    /** The same as a member of the organization. */
    member_id: string | null;
    /** The credential; null for any other kind. */
    credential_id: string | null;
    /** Which tool of the operator's it was, such as `cli`; null for any other kind. */
    operator: string | null;
  };
  /** Address that the request came from; null for the operator. */
  address: string | null;
  /** `x-request-id` of the request; null for the operator. */
  request_id: string | null;
}

export interface ChangePasswordRequest {
  current_password: string;
  /**
   * At least 10 characters. One that is common, a sequence, or contains the email address or the name is 422
   * `invalid_request`.
   */
  new_password: string;
}

export interface ChangedWebhook {
  /** Kind of event. */
  event: "document.ingestion_completed" | "extraction.completed" | "classification.completed";
  /** Where the event is delivered. */
  url: string;
}

/** A passage that the answer rests on. */
export interface Citation {
  /** The document. */
  document_reference: string;
  /** Its file name. */
  name: string;
  /** Its path in the corpus; empty at the top. */
  path: string;
  /** Number of the page, from 1. */
  page: number;
  /** Words of that page, verbatim. */
  quote: string;
  /** Where the words stand: one box for each run of words on one line. */
  boxes: [number, number, number, number][];
}

export interface ClassInput {
  label: string;
  description?: string;
}

export interface Classification {
  /** Name of the file, as sent. */
  source_name: string;
  /** As asked for. */
  mode: "auto" | "page" | "document";
  segments: Segment[];
  /** The labels that were not given. */
  discovered_classes: DiscoveredClass[];
  pages_count: number;
}

export interface ClassificationFailure {
  status: "error";
  /** Identifier of the work that was started. */
  classification_id: string;
  /** A code of the error registry. */
  code: string;
  /** Message for people; may change at any time. */
  error: string;
  detail: {
    /** The status that a synchronous call would have answered. */
    http_status: number;
  };
}

export type ClassificationOutcome = ClassificationSuccess | ClassificationFailure;

export interface ClassificationStarted {
  status: "started";
  /** Identifier of the work that was started. */
  classification_id: string;
}

export interface ClassificationSuccess {
  status: "success";
  /** Identifier of the work that was started. */
  classification_id: string;
  data: Classification;
  metadata: ResultMetadata;
}

export interface Consumption {
  /** Calendar month in UTC; not aligned with the billing period. */
  period: string;
  /** Tokens consumed through the interface. */
  api_tokens: number;
  /** `api_tokens` and the tokens of public channels; not those of the web application. */
  billable_tokens: number;
  /** Tokens that the plan includes; null where it sets no number. */
  included_api_tokens: number | null;
  /** `max(0, billable_tokens - included_api_tokens)`; 0 where `included_api_tokens` is null. */
  overage_tokens: number;
}

export interface CreateAgentRequest {
  name: string;
  type: "EXTRACTOR" | "DOCUMENTALIST";
  description?: string | null;
  /** By type of the agent. */
  configuration?: ExtractorConfiguration | DocumentalistConfigurationInput;
}

export interface CreateCredentialRequest {
  name: string;
  /**
   * When it expires: its secret then answers 401 `invalid_client`, its tokens 401 `unauthorized`. Default: never.
   * ISO 8601 UTC with milliseconds.
   */
  expires_at?: string;
}

export interface CreateGroupRequest {
  name: string;
  /** The members of the group. */
  member_ids?: readonly string[];
}

export interface CreateInvitationRequest {
  /** Email address; upper and lower case are the same. */
  email: string;
  role?: "administrator" | "member";
}

export interface CreateSessionRequest {
  /** Email address; upper and lower case are the same. */
  email: string;
  password: string;
}

export interface CreatedCredential {
  /** The `client_id` of the credential. */
  client_id: string;
  name: string;
  /** The member that it belongs to: it may do what they may. */
  member_id: string;
  /** When it was made. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** When it was last used, to the minute; null: never. */
  last_used_at: string | null;
  /** When it was revoked; null: it can be used. */
  revoked_at: string | null;
  /** The time from which the credential and its tokens are refused; null: never. */
  expires_at: string | null;
  /** Shown this once. */
  client_secret: string;
}

export interface CreatedInvitation {
  /** The invitation. */
  id: string;
  email: string;
  role: "administrator" | "member";
  /** When it was made. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Until when it can be accepted. ISO 8601 UTC with milliseconds. */
  expires_at: string;
  /** Accepts the invitation; whoever is invited needs it. Shown this once. */
  token: string;
}

export interface CreatedWebhook {
  /** Kind of event. */
  event: "document.ingestion_completed" | "extraction.completed" | "classification.completed";
  /** Where the event is delivered. */
  url: string;
  /** Key of the signature, as text, prefix and all. Shown this once. */
  secret: string;
}

export interface Credential {
  /** The `client_id` of the credential. */
  client_id: string;
  name: string;
  /** The member that it belongs to: it may do what they may. */
  member_id: string;
  /** When it was made. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** When it was last used, to the minute; null: never. */
  last_used_at: string | null;
  /** When it was revoked; null: it can be used. */
  revoked_at: string | null;
  /** The time from which the credential and its tokens are refused; null: never. */
  expires_at: string | null;
}

export interface DiscoveredClass {
  label: string;
  description: string;
  /** The pages that bear it, from 1. */
  pages: number[];
}

/** A document, identified in its corpus by path and name. */
export interface Document {
  /** Identifier of the document. */
  reference: string;
  /** File name with extension. */
  name: string;
  /** Where the document is filed in the corpus; empty at the top. */
  path: string;
  /** `pending` until ingestion ends. A document in `error` stays so: delete it and upload it again. */
  status: "pending" | "ready" | "error";
  /** Size of the file in bytes. */
  size: number;
  /** Media type. */
  mime: string;
  /** When the document was uploaded. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** When the document last changed. ISO 8601 UTC with milliseconds. */
  updated_at: string;
}

export interface DocumentDeletion {
  /** The document that was deleted. */
  reference: string;
}

export interface DocumentIngestion {
  /** The agent. */
  agent_reference: string;
  /** The document. */
  document_reference: string;
  status: "ready" | "error";
  /** File name of the document. */
  name: string;
  /** Its path in the corpus; empty at the top. */
  path: string;
}

/** Configuration of a `DOCUMENTALIST` agent. */
export interface DocumentalistConfiguration {
  /** Instructions for the agent, stored and returned as given. */
  consignes: (
    | string
    | {
        content: string;
        [name: string]: unknown;
      }
  )[];
  /** Whether answers may carry citations of their sources. */
  sourceVisibility: boolean;
  /**
   * Deprecated: anything, stored and returned as given, not used.
   * @deprecated
   */
  domains?: unknown[];
  /**
   * What does the work of this agent: `builtin`, which needs no language model; `model`; or `auto`, the model
   * where the built-in engine is not sure. Absent: what the installation is set to. Where the installation has no
   * language model, `model` and `auto` are `invalid_config`; `null` removes the member.
   */
  engine?: "builtin" | "model" | "auto" | null;
}

/** What to set in the configuration of a `DOCUMENTALIST` agent. */
export interface DocumentalistConfigurationInput {
  /** Instructions for the agent, stored and returned as given. */
  consignes?: readonly (
    | string
    | {
        content: string;
        [name: string]: unknown;
      }
  )[];
  /** Whether answers may carry citations of their sources. */
  sourceVisibility?: boolean;
  /**
   * Deprecated: anything, stored and returned as given, not used.
   * @deprecated
   */
  domains?: readonly unknown[];
  /**
   * What does the work of this agent: `builtin`, which needs no language model; `model`; or `auto`, the model
   * where the built-in engine is not sure. Absent: what the installation is set to. Where the installation has no
   * language model, `model` and `auto` are `invalid_config`; `null` removes the member.
   */
  engine?: "builtin" | "model" | "auto" | null;
}

/** Where in the document a value stands. */
export interface Evidence {
  /** Number of the page, from 1. */
  page: number;
  /** One box for each run of words on one line. */
  boxes: [number, number, number, number][];
  /** The words of the page inside the boxes, joined by single spaces. */
  quote: string;
  /**
   * `exact`: the value stands in the quote letter by letter; `normalized`: it does once numbers, dates and white
   * space are read; `inferred`: it follows from the quote.
   */
  match: "exact" | "normalized" | "inferred";
  /** The chance that the value is right. */
  confidence: number;
}

/** The shape of the data that it is the evidence of; null where a value has none. */
export type EvidenceRecord = {
  [name: string]: Evidence | null | EvidenceRecord[];
};

export interface ExtractRequest {
  /** Name of the file, with extension. May be absent where the file has a name of its own: a path, a `File`. */
  filename?: string;
  /** The file; it is encoded in base64 as it is sent. */
  file: FileSource;
  /** `evidence` adds `metadata.evidence`: where each value stands. */
  include?: readonly "evidence"[];
  /** The fields to extract. The limit counts those of every level. */
  params: readonly ExtractionParam[];
}

export interface ExtractWithAgentRequest {
  /** Name of the file, with extension. May be absent where the file has a name of its own: a path, a `File`. */
  filename?: string;
  /** The file; it is encoded in base64 as it is sent. */
  file: FileSource;
  /** `evidence` adds `metadata.evidence`: where each value stands. */
  include?: readonly "evidence"[];
}

/**
 * Keyed by param name, every param a key. `text` is a string as written in the document, `number` a number,
 * `boolean` true or false, `date` a string `YYYY-MM-DD`, `list` an array of objects. What the document does not
 * say is null, an absent list `[]`.
 */
export type ExtractedRecord = {
  [name: string]: string | number | boolean | null | ExtractedRecord[];
};

export interface ExtractionFailure {
  status: "error";
  /** Identifier of the work that was started. */
  extract_id: string;
  /** A code of the error registry. */
  code: string;
  /** Message for people; may change at any time. */
  error: string;
  detail: {
    /** The status that a synchronous call would have answered. */
    http_status: number;
  };
}

export interface ExtractionMetadata {
  /** Name of the file, as sent. */
  filename: string;
  /** Seconds, with milliseconds. */
  duration: number;
  /** Language model tokens; 0 when the built-in engine did the work. */
  tokens_consumed: number;
  /** The thread that the work is kept in. */
  thread_id: string;
  fallback?: Fallback;
  /** Only when asked for with `include: ["evidence"]`. */
  evidence?: EvidenceRecord[];
}

export type ExtractionOutcome = ExtractionSuccess | ExtractionFailure;

/** One field to extract. Lists nest up to 5 levels. */
export interface ExtractionParam {
  /** Key of the value in the result; unique among its siblings. */
  name: string;
  /** `date` gives `YYYY-MM-DD`, `list` an array of objects. */
  format: "text" | "number" | "boolean" | "date" | "list";
  /** What the field means, in words. */
  description: string;
  /** The fields of each element: at least one where the format is `list`, none elsewhere. */
  items?: readonly ExtractionParam[];
}

export interface ExtractionStarted {
  status: "started";
  /** Identifier of the work that was started. */
  extract_id: string;
}

export interface ExtractionSuccess {
  status: "success";
  /** Identifier of the work that was started. */
  extract_id: string;
  /** One object for the file; empty where the result could not be read. */
  data: ExtractedRecord[];
  metadata: ExtractionMetadata;
}

/** Configuration of an `EXTRACTOR` agent. */
export interface ExtractorConfiguration {
  /** The fields that the agent extracts. The limit counts those of every level. */
  params: readonly AgentParam[];
  /**
   * What does the work of this agent: `builtin`, which needs no language model; `model`; or `auto`, the model
   * where the built-in engine is not sure. Absent: what the installation is set to. Where the installation has no
   * language model, `model` and `auto` are `invalid_config`; `null` removes the member.
   */
  engine?: "builtin" | "model" | "auto" | null;
}

/**
 * Present only if the engine `auto` needed the language model and did without: the result holds what the
 * built-in engine is sure of.
 */
export interface Fallback {
  /**
   * `budget`: the tokens of the month are used up. `unavailable`: the endpoint could not be reached or refused.
   * `timeout`: it took too long. `malformed`: its responses could not be used.
   */
  reason: "budget" | "unavailable" | "timeout" | "malformed";
  /** Params that are null (lists: empty) because the built-in engine alone was not sure of them. */
  fields?: string[];
}

export interface Group {
  /** The group. */
  id: string;
  name: string;
  /** The members of the group. */
  member_ids: string[];
  /** When it was made. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** When it was last changed. ISO 8601 UTC with milliseconds. */
  updated_at: string;
}

export interface HistoricEntry {
  role: "user" | "assistant";
  content: string;
}

/** An invitation that can still be accepted. */
export interface Invitation {
  /** The invitation. */
  id: string;
  email: string;
  role: "administrator" | "member";
  /** When it was made. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** Until when it can be accepted. ISO 8601 UTC with milliseconds. */
  expires_at: string;
}

/** One problem of a request. */
export interface Issue {
  /** Where, as a JSON pointer; empty for the whole body. */
  path: string;
  /** What is wrong, in words. */
  message: string;
}

export interface KnowledgeRequest {
  /** The question. */
  query: string;
  /** Instructions for this answer alone. */
  instructions?: readonly string[];
  /** The conversation so far: user and assistant in turn, beginning with the user. Not together with `thread_id`. */
  historic?: readonly HistoricEntry[];
  /** Thread to go on with; the server keeps its history. Absent: a new thread is made. */
  thread_id?: string;
  /** `citations` adds `data.citations`, unless the `sourceVisibility` of the agent is false. */
  include?: readonly "citations"[];
}

export interface Member {
  /** The member. */
  id: string;
  name: string;
  email: string;
  role: "administrator" | "member";
  /** A disabled member can't sign in, and neither can their credentials. */
  status: "active" | "disabled";
  /** When they joined. ISO 8601 UTC with milliseconds. */
  created_at: string;
}

export interface Membership {
  /** The organization. */
  organization_id: string;
  /** Its name. */
  name: string;
  role: "administrator" | "member";
}

export interface Organization {
  /** The organization. */
  id: string;
  name: string;
  /** Whether its credentials may be used. */
  api_enabled: boolean;
  /** When it was made. ISO 8601 UTC with milliseconds. */
  created_at: string;
}

export interface PageMetadata {
  /** Where the next page begins; null at the end. */
  next_cursor: string | null;
}

export interface PutAgentAccessRequest {
  visibility: "private" | "group" | "organization" | "public";
  /** The group that sees it: with visibility `group`, and only then. */
  group_id?: string;
}

export interface PutWebhookRequest {
  /** Public `https://` URL. Private, loopback and internal addresses are refused. */
  url: string;
}

export interface QuestionRequest {
  /** The question. */
  query: string;
  /** Instructions for this answer alone. */
  instructions?: readonly string[];
  /** The conversation so far: user and assistant in turn, beginning with the user. Not together with `thread_id`. */
  historic?: readonly HistoricEntry[];
  /** Thread to go on with; the server keeps its history. Absent: a new thread is made. */
  thread_id?: string;
}

export interface Quotas {
  max_agents: {
    /** Most agents allowed. null means unlimited. */
    limit: number | null;
    /** Agents that are not deleted. */
    used: number;
  };
  max_documents_per_agent: {
    /** Most documents in the corpus of one agent. null means unlimited. */
    limit: number | null;
  };
  max_upload_mb: {
    /** Largest uploaded file, in MB of 1,048,576 bytes. null means unlimited. */
    limit: number | null;
  };
}

export interface ResultMetadata {
  /** Name of the file, as sent. */
  filename: string;
  /** Seconds, with milliseconds. */
  duration: number;
  /** Language model tokens; 0 when the built-in engine did the work. */
  tokens_consumed: number;
  /** The thread that the work is kept in. */
  thread_id: string;
  fallback?: Fallback;
}

/** A run of pages that is one document. Segments cover every page once, in order. */
export interface Segment {
  /** First page, from 1. */
  start: number;
  /** Last page, inclusive. */
  end: number;
  /** One of the given classes; where none fits, or none were given, a discovered one. */
  label: string;
  /** The document's own title, as found on its first page. */
  title: string;
  /** The chance that the label is right. */
  confidence: number;
}

export interface Session {
  user: {
    /** The user. */
    id: string;
    name: string;
    email: string;
  };
  /** The organization that the session works in; null where the user belongs to none. */
  organization_id: string | null;
  /** Every organization that the user is an active member of. */
  organizations: Membership[];
  /**
   * When the session ends, unless it is used before. It ends 30 days after signing in at the latest. ISO 8601 UTC
   * with milliseconds.
   */
  expires_at: string;
}

export interface SessionEntry {
  /** The session. */
  id: string;
  /** When the user signed in. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** When it was last used, to the day. ISO 8601 UTC with milliseconds. */
  last_used_at: string;
  /** When it ends, unless it is used before. ISO 8601 UTC with milliseconds. */
  expires_at: string;
  address: string | null;
  user_agent: string | null;
  /** Whether it is the session of this request. */
  is_current: boolean;
}

export interface StartClassificationRequest {
  /** Name of the file, with extension. May be absent where the file has a name of its own: a path, a `File`. */
  filename?: string;
  /** The file; it is encoded in base64 as it is sent. */
  file: FileSource;
  /** Public `https://` URL that the result is posted to. */
  callback?: string;
  /** The classes to choose from. Without them classes are discovered. */
  classes?: readonly ClassInput[];
  /**
   * `auto`: a segment wherever one document ends and the next begins; `page`: one segment a page; `document`: one
   * segment for the file.
   */
  mode?: "auto" | "page" | "document";
}

export interface StartExtractionRequest {
  /** Name of the file, with extension. May be absent where the file has a name of its own: a path, a `File`. */
  filename?: string;
  /** The file; it is encoded in base64 as it is sent. */
  file: FileSource;
  /** `evidence` adds `metadata.evidence`: where each value stands. */
  include?: readonly "evidence"[];
  /** Public `https://` URL that the result is posted to. */
  callback: string;
  /** The fields to extract. The limit counts those of every level. */
  params: readonly ExtractionParam[];
}

export interface StartExtractionWithAgentRequest {
  /** Name of the file, with extension. May be absent where the file has a name of its own: a path, a `File`. */
  filename?: string;
  /** The file; it is encoded in base64 as it is sent. */
  file: FileSource;
  /** `evidence` adds `metadata.evidence`: where each value stands. */
  include?: readonly "evidence"[];
  /** Public `https://` URL that the result is posted to. */
  callback: string;
}

/** All three are null where there is no subscription. */
export interface Subscription {
  /** `active`, `trialing`, `past_due`, `canceled` or another word: the list is open. */
  status: string | null;
  billing_cycle: "monthly" | "yearly" | null;
  /** End of the current billing period, ISO 8601 UTC. */
  current_period_end: string | null;
}

/** An access token. Not in the envelope of other answers. */
export interface Token {
  /** A JWT, to be sent in the request header `x-api-key`. */
  access_token: string;
  token_type: "x-api-key";
  /** Life of the token in seconds, as text. */
  expires_in: string;
}

export interface TokenRequest {
  grant_type: "client_credentials";
  client_id?: string;
  client_secret?: string;
}

/** What to change; what is absent stays. */
export interface UpdateAgentRequest {
  name?: string;
  /** null clears it. */
  description?: string | null;
  /** By type of the agent. */
  configuration?: ExtractorConfiguration | DocumentalistConfigurationInput;
}

export interface UpdateGroupRequest {
  name?: string;
  /** The members of the group. */
  member_ids?: readonly string[];
}

export interface UpdateMemberRequest {
  role?: "administrator" | "member";
  status?: "active" | "disabled";
}

export interface UpdateOrganizationRequest {
  name?: string;
  api_enabled?: boolean;
}

export interface UpdateSessionRequest {
  /** One that the user belongs to. */
  organization_id: string;
}

export interface UploadDocumentRequest {
  /** Name of the file, with extension. May be absent where the file has a name of its own: a path, a `File`. */
  filename?: string;
  /** The file; it is encoded in base64 as it is sent. */
  file: FileSource;
  /**
   * Where to file the document: segments between single slashes, none at either end, none `.` or `..`, each of 255
   * characters at most. Absent: the top.
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

export interface Webhook {
  /** Kind of event. */
  event: "document.ingestion_completed" | "extraction.completed" | "classification.completed";
  /** Where the event is delivered. */
  url: string;
  /** When the webhook was configured. ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** When its URL was last set. ISO 8601 UTC with milliseconds. */
  updated_at: string;
}

export interface WebhookDeletion {
  /** Kind of event. */
  event: "document.ingestion_completed" | "extraction.completed" | "classification.completed";
}

/** The answer of `getToken`. */
export type GetTokenAnswer = Token;

/** The answer of `postToken`. */
export type PostTokenAnswer = Token;

/** The answer of `listAgents`. */
export type ListAgentsAnswer = List<AgentSummary>;

/** The answer of `createAgent`. */
export type CreateAgentAnswer = Success<Agent>;

/** The answer of `getAgent`. */
export type GetAgentAnswer = Success<Agent>;

/** The answer of `updateAgent`. */
export type UpdateAgentAnswer = Success<Agent>;

/** The answer of `deleteAgent`. */
export type DeleteAgentAnswer = Success<AgentDeletion>;

/** The answer of `getAgentAccess`. */
export type GetAgentAccessAnswer = Success<AgentAccess>;

/** The answer of `putAgentAccess`. */
export type PutAgentAccessAnswer = Success<AgentAccess>;

/** The answer of `uploadDocument`. */
export type UploadDocumentAnswer = Success<AcceptedDocument>;

/** The answer of `listDocuments`. */
export type ListDocumentsAnswer = List<Document>;

/** The answer of `deleteDocument`. */
export type DeleteDocumentAnswer = Success<DocumentDeletion>;

/** The answer of `askKnowledge`. */
export type AskKnowledgeAnswer = {
  status: "success";
  data: Answer;
  metadata: {
    /** The thread of the conversation, to go on with. */
    thread_id: string;
    fallback?: Fallback;
  };
};

/** The answer of `askPublic`. */
export type AskPublicAnswer = {
  status: "success";
  data: Answer;
  metadata: {
    /** The thread of the conversation, to go on with. */
    thread_id: string;
    fallback?: Fallback;
  };
};

/** The answer of `extract`. */
export type ExtractAnswer = {
  status: "success";
  /** One object for the file; empty where the result could not be read. */
  data: ExtractedRecord[];
  metadata: ExtractionMetadata;
};

/** The answer of `extractWithAgent`. */
export type ExtractWithAgentAnswer = {
  status: "success";
  /** One object for the file; empty where the result could not be read. */
  data: ExtractedRecord[];
  metadata: ExtractionMetadata;
};

/** The answer of `startExtraction`. */
export type StartExtractionAnswer = ExtractionStarted;

/** The answer of `startExtractionWithAgent`. */
export type StartExtractionWithAgentAnswer = ExtractionStarted;

/** The answer of `getExtraction`. */
export type GetExtractionAnswer = ExtractionStarted | ExtractionSuccess | ExtractionFailure;

/** The answer of `startClassification`. */
export type StartClassificationAnswer = ClassificationStarted;

/** The answer of `getClassification`. */
export type GetClassificationAnswer = ClassificationStarted | ClassificationSuccess | ClassificationFailure;

/** The answer of `getUsage`. */
export type GetUsageAnswer = Success<Usage>;

/** The answer of `putWebhook`. */
export type PutWebhookAnswer = Success<ChangedWebhook> | Success<CreatedWebhook>;

/** The answer of `listWebhooks`. */
export type ListWebhooksAnswer = List<Webhook>;

/** The answer of `deleteWebhook`. */
export type DeleteWebhookAnswer = Success<WebhookDeletion>;

/** The answer of `listAuditEntries`. */
export type ListAuditEntriesAnswer = List<AuditEntry>;

/** The answer of `getOrganization`. */
export type GetOrganizationAnswer = Success<Organization>;

/** The answer of `updateOrganization`. */
export type UpdateOrganizationAnswer = Success<Organization>;

/** The answer of `listMembers`. */
export type ListMembersAnswer = List<Member>;

/** The answer of `updateMember`. */
export type UpdateMemberAnswer = Success<Member>;

/** The answer of `deleteMember`. */
export type DeleteMemberAnswer = Success<{
  /** The member. */
  id: string;
}>;

/** The answer of `listInvitations`. */
export type ListInvitationsAnswer = List<Invitation>;

/** The answer of `createInvitation`. */
export type CreateInvitationAnswer = Success<CreatedInvitation>;

/** The answer of `deleteInvitation`. */
export type DeleteInvitationAnswer = Success<{
  /** The invitation. */
  id: string;
}>;

/** The answer of `listGroups`. */
export type ListGroupsAnswer = List<Group>;

/** The answer of `createGroup`. */
export type CreateGroupAnswer = Success<Group>;

/** The answer of `updateGroup`. */
export type UpdateGroupAnswer = Success<Group>;

/** The answer of `deleteGroup`. */
export type DeleteGroupAnswer = Success<{
  /** The group. */
  id: string;
}>;

/** The answer of `listCredentials`. */
export type ListCredentialsAnswer = List<Credential>;

/** The answer of `createCredential`. */
export type CreateCredentialAnswer = Success<CreatedCredential>;

/** The answer of `revokeCredential`. */
export type RevokeCredentialAnswer = Success<{
  /** The `client_id` of the credential. */
  client_id: string;
}>;

/** The answer of `createSession`. */
export type CreateSessionAnswer = Success<Session>;

/** The answer of `getSession`. */
export type GetSessionAnswer = Success<Session>;

/** The answer of `updateSession`. */
export type UpdateSessionAnswer = Success<Session>;

/** The answer of `deleteSession`. */
export type DeleteSessionAnswer = Success<object>;

/** The answer of `changePassword`. */
export type ChangePasswordAnswer = Success<Session>;

/** The answer of `acceptInvitation`. */
export type AcceptInvitationAnswer = Success<Session>;

/** The answer of `listSessions`. */
export type ListSessionsAnswer = Success<SessionEntry[]>;

/** The answer of `endSession`. */
export type EndSessionAnswer = Success<{
  /** The session. */
  id: string;
}>;

/** The answer of `getOpenApi`. */
export type GetOpenApiAnswer = {
  [name: string]: unknown;
};

/** The answer of `getHealth`. */
export type GetHealthAnswer = Success<object>;

/** The answer of `getReadiness`. */
export type GetReadinessAnswer = Success<{
  database: "ok";
  files: "ok";
  reading: "ok";
  /** Absent where the operator has set none. */
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
  invalid_client: 401;
  forbidden: 403;
  not_found: 404;
  rate_limited: 429;
  conflict: 409;
  gone: 410;
}

/** What `detail` holds, by error code. Codes that are not listed have none. */
export interface ErrorDetails {
  conflict: {
    /** What the first request with this idempotency key made. */
    reference: string;
  };
  document_already_exists: {
    /** The document that is there. */
    document_reference: string;
  };
  extraction_failed: {
    /**
     * `encrypted`: it needs a password; `corrupt`: it cannot be read as what it claims to be; `empty`: it holds
     * nothing to read; `too_complex`: it needs more memory or pages than allowed; `timeout`: it took too long;
     * `model`: the language model failed.
     */
    reason: "encrypted" | "corrupt" | "empty" | "too_complex" | "timeout" | "model";
  };
  file_too_large: {
    /** Bytes allowed. */
    limit: number;
    /** Bytes of the file, as far as known. */
    size: number;
  };
  invalid_config: {
    issues: Issue[];
  };
  invalid_request: {
    issues: Issue[];
  };
  quota_exceeded: {
    /** What the plan allows. */
    limit: number;
    /** What there is. */
    current: number;
  };
  unsupported_file_type: {
    /** The extensions that are accepted. */
    supported: string[];
  };
}

/** What `data` of an event holds, by event. */
export interface EventData {
  /** A document uploaded through `POST /v2/agents/{reference}/documents` has been ingested, or has failed to be. */
  "document.ingestion_completed": DocumentIngestion;
  /** An asynchronous extraction has ended. Its result is also posted to the callback of the request. */
  "extraction.completed": ExtractionOutcome;
  /** A classification has ended. Its result is also posted to the callback of the request, where it has one. */
  "classification.completed": ClassificationOutcome;
}

export const eventNames = [
  "document.ingestion_completed",
  "extraction.completed",
  "classification.completed",
] as const satisfies (keyof EventData)[];
