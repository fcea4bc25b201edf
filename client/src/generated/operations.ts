// Generated from the contract by "npm run generate".

import type { EventStream } from "../event-stream.ts";

import { type AnswerStream, type RequestOptions, type Send, segment, type UploadOptions } from "../request.ts";

import type {
  AcceptInvitationAnswer,
  AcceptInvitationRequest,
  AnswerEvent,
  AskKnowledgeAnswer,
  AskPublicAnswer,
  ChangePasswordAnswer,
  ChangePasswordRequest,
  CompleteSignOnAnswer,
  CompleteSignOnRequest,
  ConfirmTotpAnswer,
  ConfirmTotpRequest,
  CreateAgentAnswer,
  CreateAgentRequest,
  CreateCredentialAnswer,
  CreateCredentialRequest,
  CreateFirstSessionAnswer,
  CreateFirstSessionRequest,
  CreateGroupAnswer,
  CreateGroupRequest,
  CreateInvitationAnswer,
  CreateInvitationRequest,
  CreatePasskeyAnswer,
  CreatePasskeyRequest,
  CreatePasskeySessionAnswer,
  CreatePasskeySessionRequest,
  CreateScimTokenAnswer,
  CreateScimTokenRequest,
  CreateSessionAnswer,
  CreateSessionRequest,
  DeleteAgentAnswer,
  DeleteAllLearnedAnswer,
  DeleteDocumentAnswer,
  DeleteGroupAnswer,
  DeleteInvitationAnswer,
  DeleteKeptClassificationAnswer,
  DeleteKeptExtractionAnswer,
  DeleteLearnedAnswer,
  DeleteMemberAnswer,
  DeletePasskeyAnswer,
  DeleteScimTokenAnswer,
  DeleteSessionAnswer,
  DeleteSignOnAnswer,
  DeleteTotpAnswer,
  DeleteTotpRequest,
  DeleteWebhookAnswer,
  EndSessionAnswer,
  EvaluateExtractorAnswer,
  EvaluateRequest,
  ExportedMemory,
  ExportLearnedAnswer,
  ExtractAnswer,
  ExtractRequest,
  ExtractWithAgentAnswer,
  ExtractWithAgentRequest,
  GetAgentAccessAnswer,
  GetAgentAnswer,
  GetAgentVersionAnswer,
  GetAgentVersionChangesAnswer,
  GetClassificationAnswer,
  GetDeliveryAnswer,
  GetDocumentAnswer,
  GetDocumentPageWordsAnswer,
  GetExtractionAnswer,
  GetExtractorCoverageAnswer,
  GetHealthAnswer,
  GetKeptClassificationAnswer,
  GetKeptClassificationPageWordsAnswer,
  GetKeptExtractionAnswer,
  GetKeptExtractionPageWordsAnswer,
  GetOpenApiAnswer,
  GetOrganizationAnswer,
  GetReadinessAnswer,
  GetSessionAnswer,
  GetSignOnAnswer,
  GetSignOnAvailabilityAnswer,
  GetTemplateAnswer,
  GetThreadAnswer,
  GetTokenAnswer,
  GetUsageAnswer,
  ImportLearnedAnswer,
  InferFieldsAnswer,
  InferRequest,
  KnowledgeRequest,
  ListAgentsAnswer,
  ListAgentVersionsAnswer,
  ListAuditEntriesAnswer,
  ListCredentialsAnswer,
  ListDeliveriesAnswer,
  ListDocumentsAnswer,
  ListGroupsAnswer,
  ListInvitationsAnswer,
  ListKeptClassificationsAnswer,
  ListKeptExtractionsAnswer,
  ListLearnedAnswer,
  ListMembersAnswer,
  ListPasskeysAnswer,
  ListScimTokensAnswer,
  ListSessionsAnswer,
  ListTemplatesAnswer,
  ListThreadsAnswer,
  ListWebhooksAnswer,
  LiveEvent,
  PageQuery,
  PostTokenAnswer,
  PutAgentAccessAnswer,
  PutAgentAccessRequest,
  PutClassificationSegmentsAnswer,
  PutCorrectionsRequest,
  PutExtractionCorrectionsAnswer,
  PutSegmentsRequest,
  PutSignOnAnswer,
  PutSignOnRequest,
  PutWebhookAnswer,
  PutWebhookRequest,
  QuestionRequest,
  ReplayDeliveryAnswer,
  RestoreAgentVersionAnswer,
  RevokeCredentialAnswer,
  StartClassificationAnswer,
  StartClassificationRequest,
  StartExtractionAnswer,
  StartExtractionRequest,
  StartExtractionWithAgentAnswer,
  StartExtractionWithAgentRequest,
  StartPasskeyAnswer,
  StartPasskeyRequest,
  StartPasskeySessionAnswer,
  StartSignOnAnswer,
  StartSignOnRequest,
  StartTotpAnswer,
  StartTotpRequest,
  TeachExtractorAnswer,
  TeachRequest,
  TestWebhookAnswer,
  TokenRequest,
  UpdateAgentAnswer,
  UpdateAgentRequest,
  UpdateAgentVersionAnswer,
  UpdateAgentVersionRequest,
  UpdateGroupAnswer,
  UpdateGroupRequest,
  UpdateKeptExtractionAnswer,
  UpdateKeptExtractionRequest,
  UpdateMemberAnswer,
  UpdateMemberRequest,
  UpdateOrganizationAnswer,
  UpdateOrganizationRequest,
  UpdateSessionAnswer,
  UpdateSessionRequest,
  UpdateThreadAnswer,
  UpdateThreadRequest,
  UploadDocumentAnswer,
  UploadDocumentRequest,
} from "./types.ts";

/** One method per endpoint, named by its operation id. Each returns the body as received, including the envelope. */
export abstract class Operations {
  protected abstract readonly send: Send;

  /**
   * Get an access token: `GET /v2/token`.
   * The secret is part of the URL: proxies in front of the service should not log the query of this path. `POST
   * /v2/token` avoids this. Missing, empty or repeated parameters are 401 `invalid_client`.
   * @throws SheafError `invalid_client`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  getToken(
    query: {
      /** Client id, from the API section of the web application. */
      client_id: string;
      /** Client secret, shown once when the credential was created. */
      client_secret: string;
    },
    options?: RequestOptions,
  ): Promise<GetTokenAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/token`, anonymous: true, query }, options);
  }

  /**
   * Get an access token, OAuth 2 style: `POST /v2/token`.
   * The client-credentials grant of OAuth 2 (RFC 6749, 4.4): the credentials are either in the form or in an
   * `Authorization: Basic` header, not in both. The response is that of `GET /v2/token`.
   * @throws SheafError `invalid_client`, `invalid_request`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  postToken(body: TokenRequest, options?: RequestOptions): Promise<PostTokenAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/token`, anonymous: true, form: body }, options);
  }

  /**
   * List the agents: `GET /v2/agents`.
   * Lists the agents of the organization whose visibility is not private.
   * @throws SheafError `unauthorized`, `forbidden`, `invalid_request`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  listAgents({ limit, cursor, ...options }: RequestOptions & PageQuery = {}): Promise<ListAgentsAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/agents`, query: { limit, cursor } }, options);
  }

  /**
   * Create an agent: `POST /v2/agents`.
   * Creates an agent of the organization. Without `configuration`, an extractor has no params, and a documentalist
   * has no consignes and shows its sources. For an unknown key in `configuration`, the response is 422
   * `invalid_config`. For the type `PERSONAL`, it is 422 `invalid_agent_type`, except in the web application,
   * where any member may create personal agents.
   * @throws SheafError `unauthorized`, `forbidden`, `quota_exceeded`, `organization_not_found`, `invalid_config`,
   * `invalid_agent_type`, `invalid_request`, `conflict`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  createAgent(body: CreateAgentRequest, options?: RequestOptions): Promise<CreateAgentAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/agents`, json: body }, options);
  }

  /**
   * Get an agent: `GET /v2/agents/{reference}`.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  getAgent(reference: string, options?: RequestOptions): Promise<GetAgentAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/agents/${segment(reference)}` }, options);
  }

  /**
   * Change an agent: `PATCH /v2/agents/{reference}`.
   * The `params` replace all params of an extractor. The configuration of a documentalist or `PERSONAL` agent is
   * merged, field by field, into the stored one. A token cannot change `PERSONAL` agents: 422
   * `invalid_agent_type`.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_config`, `invalid_agent_type`,
   * `quality_lost`, `conflict`, `extraction_failed`, `agent_timeout`, `quota_exceeded`, `invalid_request`,
   * `rate_limited`, `agent_unavailable`, `internal_error`
   */
  updateAgent(reference: string, body: UpdateAgentRequest, options?: RequestOptions): Promise<UpdateAgentAnswer> {
    return this.send.answer({ method: "PATCH", path: `/v2/agents/${segment(reference)}`, json: body }, options);
  }

  /**
   * Delete an agent: `DELETE /v2/agents/{reference}`.
   * Deletes the agent and its documents, and archives its conversations. If parts of the deleted agent could not
   * be removed, the response is still 200, and `warnings` lists them.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_agent_type`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  deleteAgent(reference: string, options?: RequestOptions): Promise<DeleteAgentAnswer> {
    return this.send.answer({ method: "DELETE", path: `/v2/agents/${segment(reference)}` }, options);
  }

  /**
   * Get the access of an agent: `GET /v2/agents/{reference}/access`.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  getAgentAccess(reference: string, options?: RequestOptions): Promise<GetAgentAccessAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/agents/${segment(reference)}/access` }, options);
  }

  /**
   * Set the access of an agent: `PUT /v2/agents/{reference}/access`.
   * An agent that becomes private belongs to the caller. It is then visible only in the web application, and no
   * longer through the API. Only the owner of a `PERSONAL` agent can set its access, in the web application.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_agent_type`, `group_not_found`,
   * `invalid_request`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  putAgentAccess(
    reference: string,
    body: PutAgentAccessRequest,
    options?: RequestOptions,
  ): Promise<PutAgentAccessAnswer> {
    return this.send.answer({ method: "PUT", path: `/v2/agents/${segment(reference)}/access`, json: body }, options);
  }

  /**
   * List the versions of an agent: `GET /v2/agents/{reference}/versions`.
   * Lists the versions, oldest first. Each change to the configuration creates a version. At most 200 are kept.
   * Older versions are removed first, but versions with a name are removed only if there are no others left.
   * Versions of a `PERSONAL` agent are visible to its owner only, in the web application.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_agent_type`, `invalid_request`,
   * `rate_limited`, `agent_unavailable`, `internal_error`
   */
  listAgentVersions(
    reference: string,
    { limit, cursor, ...options }: RequestOptions & PageQuery = {},
  ): Promise<ListAgentVersionsAnswer> {
    return this.send.answer(
      { method: "GET", path: `/v2/agents/${segment(reference)}/versions`, query: { limit, cursor } },
      options,
    );
  }

  /**
   * Get a version of an agent: `GET /v2/agents/{reference}/versions/{number}`.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_agent_type`, `not_found`,
   * `rate_limited`, `agent_unavailable`, `internal_error`
   */
  getAgentVersion(reference: string, number: string, options?: RequestOptions): Promise<GetAgentVersionAnswer> {
    return this.send.answer(
      { method: "GET", path: `/v2/agents/${segment(reference)}/versions/${segment(number)}` },
      options,
    );
  }

  /**
   * Compare two versions of an agent: `GET /v2/agents/{reference}/versions/{number}/changes`.
   * Returns the differences between two versions: fields added, removed and changed, and other settings.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_agent_type`, `not_found`,
   * `invalid_request`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  getAgentVersionChanges(
    reference: string,
    number: string,
    {
      from,
      ...options
    }: RequestOptions & {
      /** Number of the version to compare with. Default: the preceding one. */
      from?: number;
    } = {},
  ): Promise<GetAgentVersionChangesAnswer> {
    return this.send.answer(
      { method: "GET", path: `/v2/agents/${segment(reference)}/versions/${segment(number)}/changes`, query: { from } },
      options,
    );
  }

  /**
   * Name a version of an agent: `PATCH /v2/agents/{reference}/versions/{number}`.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_agent_type`, `not_found`,
   * `invalid_request`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  updateAgentVersion(
    reference: string,
    number: string,
    body: UpdateAgentVersionRequest,
    options?: RequestOptions,
  ): Promise<UpdateAgentVersionAnswer> {
    return this.send.answer(
      { method: "PATCH", path: `/v2/agents/${segment(reference)}/versions/${segment(number)}`, json: body },
      options,
    );
  }

  /**
   * Restore a version of an agent: `POST /v2/agents/{reference}/versions/{number}/restore`.
   * Sets the configuration of the agent to that of an earlier version, which creates a new version. If the agent
   * already has this configuration, nothing changes.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_agent_type`, `not_found`,
   * `invalid_config`, `conflict`, `invalid_request`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  restoreAgentVersion(reference: string, number: string, options?: RequestOptions): Promise<RestoreAgentVersionAnswer> {
    return this.send.answer(
      { method: "POST", path: `/v2/agents/${segment(reference)}/versions/${segment(number)}/restore` },
      options,
    );
  }

  /**
   * Upload a document: `POST /v2/agents/{reference}/documents`.
   * Ingestion is asynchronous. It ends with the status `ready` or `error`, and the event
   * `document.ingestion_completed` reports it. A document whose content does not match its extension ends with
   * `error`. Documents cannot be updated: delete the document and upload it again.
   * @throws SheafError `unauthorized`, `forbidden`, `quota_exceeded`, `agent_not_found`,
   * `document_already_exists`, `file_too_large`, `invalid_agent_type`, `unsupported_file_type`, `infected_file`,
   * `antivirus_unavailable`, `invalid_request`, `conflict`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  uploadDocument(
    reference: string,
    body: UploadDocumentRequest,
    options?: UploadOptions,
  ): Promise<UploadDocumentAnswer> {
    return this.send.answer(
      { method: "POST", path: `/v2/agents/${segment(reference)}/documents`, upload: body },
      options,
    );
  }

  /**
   * List the documents: `GET /v2/agents/{reference}/documents`.
   * Lists the documents of the agent's corpus. Polling this list is the reliable way to learn the status of an
   * ingestion.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_agent_type`, `invalid_request`,
   * `rate_limited`, `agent_unavailable`, `internal_error`
   */
  listDocuments(
    reference: string,
    { limit, cursor, ...options }: RequestOptions & PageQuery = {},
  ): Promise<ListDocumentsAnswer> {
    return this.send.answer(
      { method: "GET", path: `/v2/agents/${segment(reference)}/documents`, query: { limit, cursor } },
      options,
    );
  }

  /**
   * Get a document: `GET /v2/agents/{reference}/documents/{documentReference}`.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `document_not_found`, `invalid_agent_type`,
   * `rate_limited`, `agent_unavailable`, `internal_error`
   */
  getDocument(reference: string, documentReference: string, options?: RequestOptions): Promise<GetDocumentAnswer> {
    return this.send.answer(
      { method: "GET", path: `/v2/agents/${segment(reference)}/documents/${segment(documentReference)}` },
      options,
    );
  }

  /**
   * Get the words of a page: `GET /v2/agents/{reference}/documents/{documentReference}/pages/{page}/words`.
   * Returns the words of one page with their boxes, in reading order, so that they can be drawn over the image of
   * the page. The boxes of citations have the same units.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `document_not_found`, `invalid_agent_type`,
   * `document_not_ready`, `page_not_found`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  getDocumentPageWords(
    reference: string,
    documentReference: string,
    page: string,
    options?: RequestOptions,
  ): Promise<GetDocumentPageWordsAnswer> {
    return this.send.answer(
      {
        method: "GET",
        path: `/v2/agents/${segment(reference)}/documents/${segment(documentReference)}/pages/${segment(page)}/words`,
      },
      options,
    );
  }

  /**
   * Get the image of a page: `GET /v2/agents/{reference}/documents/{documentReference}/pages/{page}/image`.
   * Returns one page as WebP, rotated upright. To draw boxes of `getDocumentPageWords` on it, scale both to the
   * same width. Pages of docx files, and damaged pages, have no image: 404 `page_image_unavailable`.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `document_not_found`, `invalid_agent_type`,
   * `document_not_ready`, `page_not_found`, `page_image_unavailable`, `invalid_request`, `extraction_failed`,
   * `agent_timeout`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  getDocumentPageImage(
    reference: string,
    documentReference: string,
    page: string,
    {
      width,
      ...options
    }: RequestOptions & {
      /**
       * Width of the image in pixels; default: 900. The image is narrower if the page is very long, or if the file is
       * an image with fewer pixels.
       */
      width?: 900 | 1800;
    } = {},
  ): Promise<Uint8Array> {
    return this.send.bytes(
      {
        method: "GET",
        path: `/v2/agents/${segment(reference)}/documents/${segment(documentReference)}/pages/${segment(page)}/image`,
        query: { width },
      },
      options,
    );
  }

  /**
   * Delete a document: `DELETE /v2/agents/{reference}/documents/{documentReference}`.
   * Once the response has been sent, no answer uses or cites the document.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `document_not_found`, `invalid_agent_type`,
   * `rate_limited`, `agent_unavailable`, `internal_error`
   */
  deleteDocument(
    reference: string,
    documentReference: string,
    options?: RequestOptions,
  ): Promise<DeleteDocumentAnswer> {
    return this.send.answer(
      { method: "DELETE", path: `/v2/agents/${segment(reference)}/documents/${segment(documentReference)}` },
      options,
    );
  }

  /**
   * Ask a documentalist: `POST /v2/knowledge/{agentReference}`.
   * Answers only from the corpus of the agent. For an agent that is missing, private, of another type or of
   * another organization, the response is 404 `agent_not_found`. For a `thread_id` that does not belong to this
   * agent, it is 404 `thread_not_found`.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `thread_not_found`, `extraction_failed`,
   * `agent_unavailable`, `agent_timeout`, `invalid_request`, `conflict`, `rate_limited`, `internal_error`
   */
  askKnowledge(agentReference: string, body: KnowledgeRequest, options?: RequestOptions): Promise<AskKnowledgeAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/knowledge/${segment(agentReference)}`, json: body }, options);
  }

  /**
   * Ask a documentalist and receive the answer as events: `POST /v2/knowledge/{agentReference}/stream`.
   * Like `askKnowledge`, but sends the answer as server-sent events while it is generated. The events are, in this
   * order: `thread` `{thread_id}`, any number of `text` `{text}`, `citations` `{citations}` if they were
   * requested, `done` `{answer, metadata}`. An error before the first event is an error envelope; a later one is
   * the event `error` `{code, error}`, and nothing is recorded. A new thread exists once `done` is sent. A comment
   * line every 15 seconds keeps the connection open. If the client disconnects, the work is cancelled.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `thread_not_found`, `invalid_request`,
   * `conflict`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  askStream(
    agentReference: string,
    body: KnowledgeRequest,
    options?: RequestOptions,
  ): Promise<EventStream<Exclude<AnswerEvent, { event: "error" }>>> {
    return this.send.events(
      { method: "POST", path: `/v2/knowledge/${segment(agentReference)}/stream`, json: body },
      options,
    );
  }

  /**
   * Ask a documentalist, with a streamed answer: `POST /v2/documentalist/{agent_id}`.
   * Sends the answer as plain text while it is generated. Sources are not returned. If the request fails after the
   * stream has started, an apology is added to the text, and the status stays 200. For a missing agent or thread,
   * the response is 404 with only the code, as plain text. The endpoint works after the sunset until the operator
   * disables it. From then on it responds with 410 `gone`.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `thread_not_found`, `gone`,
   * `invalid_request`, `conflict`, `rate_limited`, `agent_unavailable`, `internal_error`
   * @deprecated since 2026-06-01
   */
  askDocumentalist(agentId: string, body: QuestionRequest, options?: RequestOptions): Promise<AnswerStream> {
    return this.send.stream({ method: "POST", path: `/v2/documentalist/${segment(agentId)}`, json: body }, options);
  }

  /**
   * Ask a public agent: `POST /v2/public/{agentReference}`.
   * Like `askKnowledge`, but open to anyone without a token. Only agents whose visibility is `public` answer; for
   * any other, the response is 404 `agent_not_found`. Requests are limited by client address.
   * @throws SheafError `agent_not_found`, `thread_not_found`, `extraction_failed`, `agent_unavailable`,
   * `agent_timeout`, `invalid_request`, `rate_limited`, `internal_error`
   */
  askPublic(agentReference: string, body: KnowledgeRequest, options?: RequestOptions): Promise<AskPublicAnswer> {
    return this.send.answer(
      { method: "POST", path: `/v2/public/${segment(agentReference)}`, anonymous: true, json: body },
      options,
    );
  }

  /**
   * List the threads with an agent: `GET /v2/agents/{reference}/threads`.
   * Lists the caller's own threads with this agent, most recently used first. In the web application, a thread is
   * visible only to the user to whom it belongs, not even to administrators. Through the API, the threads created
   * with tokens of the organization are visible. Threads of public questions are not listed.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_agent_type`, `invalid_request`,
   * `rate_limited`, `agent_unavailable`, `internal_error`
   */
  listThreads(
    reference: string,
    {
      limit,
      cursor,
      archived,
      ...options
    }: RequestOptions & {
      /**
       * Maximum number of items. If neither this nor a cursor is given, the whole list is returned, without
       * `metadata`.
       */
      limit?: number;
      /** `metadata.next_cursor` of the previous page, to get the page after it. */
      cursor?: string;
      /** `true`: lists the archived threads instead. Default: `false`. */
      archived?: "true" | "false";
    } = {},
  ): Promise<ListThreadsAnswer> {
    return this.send.answer(
      { method: "GET", path: `/v2/agents/${segment(reference)}/threads`, query: { limit, cursor, archived } },
      options,
    );
  }

  /**
   * Get a thread: `GET /v2/agents/{reference}/threads/{threadId}`.
   * Returns the thread with its questions and answers, even if it is archived. In the web application, a thread is
   * visible only to the user to whom it belongs, not even to administrators. Through the API, the threads created
   * with tokens of the organization are visible. Threads of public questions are not listed.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_agent_type`, `thread_not_found`,
   * `rate_limited`, `agent_unavailable`, `internal_error`
   */
  getThread(reference: string, threadId: string, options?: RequestOptions): Promise<GetThreadAnswer> {
    return this.send.answer(
      { method: "GET", path: `/v2/agents/${segment(reference)}/threads/${segment(threadId)}` },
      options,
    );
  }

  /**
   * Rename or archive a thread: `PATCH /v2/agents/{reference}/threads/{threadId}`.
   * Sets the title, archives the thread, or restores it. In the web application, a thread is visible only to the
   * user to whom it belongs, not even to administrators. Through the API, the threads created with tokens of the
   * organization are visible. Threads of public questions are not listed.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_agent_type`, `thread_not_found`,
   * `invalid_request`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  updateThread(
    reference: string,
    threadId: string,
    body: UpdateThreadRequest,
    options?: RequestOptions,
  ): Promise<UpdateThreadAnswer> {
    return this.send.answer(
      { method: "PATCH", path: `/v2/agents/${segment(reference)}/threads/${segment(threadId)}`, json: body },
      options,
    );
  }

  /**
   * Extract data, with the schema in the request: `POST /v2/extractor`.
   * Responds with the result.
   * @throws SheafError `unauthorized`, `forbidden`, `file_too_large`, `unsupported_file_type`, `infected_file`,
   * `antivirus_unavailable`, `extraction_failed`, `agent_unavailable`, `agent_timeout`, `quota_exceeded`,
   * `invalid_request`, `conflict`, `rate_limited`, `internal_error`
   */
  extract(body: ExtractRequest, options?: UploadOptions): Promise<ExtractAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/extractor`, upload: body }, options);
  }

  /**
   * Extract data, with the schema of an agent: `POST /v2/extractor/{agentReference}`.
   * Responds with the result. For an agent of another type, the response is 404 `agent_not_found`; for one without
   * params, 422 `invalid_config`.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_config`, `file_too_large`,
   * `unsupported_file_type`, `infected_file`, `antivirus_unavailable`, `extraction_failed`, `agent_unavailable`,
   * `agent_timeout`, `quota_exceeded`, `invalid_request`, `conflict`, `rate_limited`, `internal_error`
   */
  extractWithAgent(
    agentReference: string,
    body: ExtractWithAgentRequest,
    options?: UploadOptions,
  ): Promise<ExtractWithAgentAnswer> {
    return this.send.answer(
      { method: "POST", path: `/v2/extractor/${segment(agentReference)}`, upload: body },
      options,
    );
  }

  /**
   * Start an extraction, with the schema in the request: `POST /v2/extractor/async`.
   * Responds at once. When the extraction ends, the result is posted to `callback`, if given, emitted as the event
   * `extraction.completed`, and returned by `GET /v2/extractor/async/{extract_id}`. Recommended for files above 20
   * MB.
   * @throws SheafError `unauthorized`, `forbidden`, `file_too_large`, `unsupported_file_type`, `infected_file`,
   * `antivirus_unavailable`, `agent_unavailable`, `invalid_request`, `conflict`, `rate_limited`, `internal_error`
   */
  startExtraction(body: StartExtractionRequest, options?: UploadOptions): Promise<StartExtractionAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/extractor/async`, upload: body }, options);
  }

  /**
   * Start an extraction, with the schema of an agent: `POST /v2/extractor/async/{agentReference}`.
   * Responds at once. When the extraction ends, the result is posted to `callback`, if given, emitted as the event
   * `extraction.completed`, and returned by `GET /v2/extractor/async/{extract_id}`.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_config`, `file_too_large`,
   * `unsupported_file_type`, `infected_file`, `antivirus_unavailable`, `agent_unavailable`, `invalid_request`,
   * `conflict`, `rate_limited`, `internal_error`
   */
  startExtractionWithAgent(
    agentReference: string,
    body: StartExtractionWithAgentRequest,
    options?: UploadOptions,
  ): Promise<StartExtractionWithAgentAnswer> {
    return this.send.answer(
      { method: "POST", path: `/v2/extractor/async/${segment(agentReference)}`, upload: body },
      options,
    );
  }

  /**
   * Get the state of an extraction: `GET /v2/extractor/async/{extract_id}`.
   * Returns the state and, for 7 days after the end, the result. For a failed extraction, the response is 200 with
   * `status` `error`. For an unknown or expired `extract_id`, the response is 404 `not_found`.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  getExtraction(extractId: string, options?: RequestOptions): Promise<GetExtractionAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/extractor/async/${segment(extractId)}` }, options);
  }

  /**
   * Propose fields from samples: `POST /v2/extractor/infer`.
   * Reads 1 to 20 files of one document kind and returns the fields that they seem to have: fields of the
   * best-fitting template, labelled values, check boxes and tables. Nothing is stored. If one file fails, the
   * request fails.
   * @throws SheafError `unauthorized`, `forbidden`, `file_too_large`, `unsupported_file_type`, `infected_file`,
   * `antivirus_unavailable`, `extraction_failed`, `agent_unavailable`, `agent_timeout`, `invalid_request`,
   * `conflict`, `rate_limited`, `internal_error`
   */
  inferFields(body: InferRequest, options?: UploadOptions): Promise<InferFieldsAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/extractor/infer`, upload: body }, options);
  }

  /**
   * List the templates: `GET /v2/templates`.
   * Ready-made fields for common document kinds, sorted by name.
   * @throws SheafError `unauthorized`, `forbidden`, `invalid_request`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  listTemplates({
    lang,
    limit,
    cursor,
    ...options
  }: RequestOptions & {
    /** Language of titles and descriptions. Default: `en`. */
    lang?: "en" | "de" | "fr" | "es";
    /**
     * Maximum number of items. If neither this nor a cursor is given, the whole list is returned, without
     * `metadata`.
     */
    limit?: number;
    /** `metadata.next_cursor` of the previous page, to get the page after it. */
    cursor?: string;
  } = {}): Promise<ListTemplatesAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/templates`, query: { lang, limit, cursor } }, options);
  }

  /**
   * Get a template: `GET /v2/templates/{templateName}`.
   * @throws SheafError `unauthorized`, `forbidden`, `invalid_request`, `not_found`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  getTemplate(
    templateName: string,
    {
      lang,
      ...options
    }: RequestOptions & {
      /** Language of titles and descriptions. Default: `en`. */
      lang?: "en" | "de" | "fr" | "es";
    } = {},
  ): Promise<GetTemplateAnswer> {
    return this.send.answer(
      { method: "GET", path: `/v2/templates/${segment(templateName)}`, query: { lang } },
      options,
    );
  }

  /**
   * Evaluate a configuration of an extractor: `POST /v2/extractor/{agentReference}/evaluate`.
   * Runs the current and a proposed configuration on the reviewed extractions of the agent and compares both
   * results with the reviewed values. Files are not read again, and nothing is changed. Responds when the
   * evaluation is done. If it takes longer than the time limit of an extraction, the response is 504
   * `agent_timeout`: evaluate fewer `documents`.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `not_found`, `invalid_config`,
   * `extraction_failed`, `agent_unavailable`, `agent_timeout`, `quota_exceeded`, `invalid_request`, `conflict`,
   * `rate_limited`, `internal_error`
   */
  evaluateExtractor(
    agentReference: string,
    body: EvaluateRequest,
    options?: RequestOptions,
  ): Promise<EvaluateExtractorAnswer> {
    return this.send.answer(
      { method: "POST", path: `/v2/extractor/${segment(agentReference)}/evaluate`, json: body },
      options,
    );
  }

  /**
   * Get the coverage of an extractor at a wanted precision: `GET /v2/extractor/{agentReference}/coverage`.
   * Returns, for each field, the confidence above which 95, 98 and 99 % of its values are correct, measured on the
   * reviewed extractions of the agent. All reviewed extractions of the agent count, whichever version of its
   * configuration they were made with.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  getExtractorCoverage(agentReference: string, options?: RequestOptions): Promise<GetExtractorCoverageAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/extractor/${segment(agentReference)}/coverage` }, options);
  }

  /**
   * List the kept extractions: `GET /v2/extractions`.
   * Lists extractions kept for review, oldest first. A member sees the extractions of agents that they can see,
   * and their own extractions without an agent. An administrator sees all extractions without an agent.
   * @throws SheafError `unauthorized`, `forbidden`, `invalid_request`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  listKeptExtractions({
    limit,
    cursor,
    agent,
    status,
    needs_review,
    ...options
  }: RequestOptions & {
    /**
     * Maximum number of items. If neither this nor a cursor is given, the whole list is returned, without
     * `metadata`.
     */
    limit?: number;
    /** `metadata.next_cursor` of the previous page, to get the page after it. */
    cursor?: string;
    /** Only extractions of the agent with this reference. */
    agent?: string;
    /** Only extractions with this status. */
    status?: "to_review" | "reviewed";
    /** Only extractions whose `needs_review` has this value. */
    needs_review?: "true" | "false";
  } = {}): Promise<ListKeptExtractionsAnswer> {
    return this.send.answer(
      { method: "GET", path: `/v2/extractions`, query: { limit, cursor, agent, status, needs_review } },
      options,
    );
  }

  /**
   * Get a kept extraction: `GET /v2/extractions/{extractionId}`.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  getKeptExtraction(extractionId: string, options?: RequestOptions): Promise<GetKeptExtractionAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/extractions/${segment(extractionId)}` }, options);
  }

  /**
   * Delete a kept extraction: `DELETE /v2/extractions/{extractionId}`.
   * Removes the extraction, its corrections and its file.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  deleteKeptExtraction(extractionId: string, options?: RequestOptions): Promise<DeleteKeptExtractionAnswer> {
    return this.send.answer({ method: "DELETE", path: `/v2/extractions/${segment(extractionId)}` }, options);
  }

  /**
   * Download the file of a kept extraction: `GET /v2/extractions/{extractionId}/file`.
   * Returns the bytes that were uploaded, as a download that browsers never display.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  getKeptExtractionFile(extractionId: string, options?: RequestOptions): Promise<Uint8Array> {
    return this.send.bytes({ method: "GET", path: `/v2/extractions/${segment(extractionId)}/file` }, options);
  }

  /**
   * Get the words of a page of a kept extraction: `GET /v2/extractions/{extractionId}/pages/{page}/words`.
   * Returns the words of one page with their boxes, in reading order, so that they can be drawn over the image of
   * the page. The boxes of the evidence are in the same units.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `document_not_found`, `page_not_found`,
   * `rate_limited`, `agent_unavailable`, `internal_error`
   */
  getKeptExtractionPageWords(
    extractionId: string,
    page: string,
    options?: RequestOptions,
  ): Promise<GetKeptExtractionPageWordsAnswer> {
    return this.send.answer(
      { method: "GET", path: `/v2/extractions/${segment(extractionId)}/pages/${segment(page)}/words` },
      options,
    );
  }

  /**
   * Get the image of a page of a kept extraction: `GET /v2/extractions/{extractionId}/pages/{page}/image`.
   * Returns one page as WebP, rotated upright. Pages of docx and xlsx files, and damaged pages, have no image: 404
   * `page_image_unavailable`.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `document_not_found`, `page_not_found`,
   * `page_image_unavailable`, `invalid_request`, `extraction_failed`, `agent_timeout`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  getKeptExtractionPageImage(
    extractionId: string,
    page: string,
    {
      width,
      ...options
    }: RequestOptions & {
      /**
       * Width of the image in pixels; default: 900. The image is narrower if the page is very long, or if the file is
       * an image with fewer pixels.
       */
      width?: 900 | 1800;
    } = {},
  ): Promise<Uint8Array> {
    return this.send.bytes(
      {
        method: "GET",
        path: `/v2/extractions/${segment(extractionId)}/pages/${segment(page)}/image`,
        query: { width },
      },
      options,
    );
  }

  /**
   * Correct a kept extraction: `PUT /v2/extractions/{extractionId}/corrections`.
   * Replaces all corrections. They are applied to `data` in order, and their values must have the type of the
   * field. If `version` is not the current one, somebody else has changed the extraction: 409 `conflict`, and
   * nothing changes.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `conflict`, `invalid_request`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  putExtractionCorrections(
    extractionId: string,
    body: PutCorrectionsRequest,
    options?: RequestOptions,
  ): Promise<PutExtractionCorrectionsAnswer> {
    return this.send.answer(
      { method: "PUT", path: `/v2/extractions/${segment(extractionId)}/corrections`, json: body },
      options,
    );
  }

  /**
   * Mark a kept extraction as reviewed: `PATCH /v2/extractions/{extractionId}`.
   * Records who reviewed the extraction and when. If `version` is given but not the current one, the response is
   * 409 `conflict`.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `conflict`, `invalid_request`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  updateKeptExtraction(
    extractionId: string,
    body: UpdateKeptExtractionRequest,
    options?: RequestOptions,
  ): Promise<UpdateKeptExtractionAnswer> {
    return this.send.answer({ method: "PATCH", path: `/v2/extractions/${segment(extractionId)}`, json: body }, options);
  }

  /**
   * Teach an extractor by correction: `POST /v2/extractor/{agentReference}/corrections`.
   * The agent learns the positions of these values, and uses them for documents of the same layout. Documents of
   * other layouts are read as before. Teaching the same extraction again replaces what was learned from it.
   * Marking a kept extraction of the agent as reviewed teaches all its values.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `not_found`, `invalid_config`,
   * `invalid_request`, `extraction_failed`, `conflict`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  teachExtractor(agentReference: string, body: TeachRequest, options?: RequestOptions): Promise<TeachExtractorAnswer> {
    return this.send.answer(
      { method: "POST", path: `/v2/extractor/${segment(agentReference)}/corrections`, json: body },
      options,
    );
  }

  /**
   * List what an extractor has learned: `GET /v2/extractor/{agentReference}/corrections`.
   * Lists the documents from which the agent has learned, oldest first.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_request`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  listLearned(
    agentReference: string,
    { limit, cursor, ...options }: RequestOptions & PageQuery = {},
  ): Promise<ListLearnedAnswer> {
    return this.send.answer(
      { method: "GET", path: `/v2/extractor/${segment(agentReference)}/corrections`, query: { limit, cursor } },
      options,
    );
  }

  /**
   * Undo what an extractor has learned from a document: `DELETE
   * /v2/extractor/{agentReference}/corrections/{correctionId}`.
   * The agent then extracts as if it had never learned from this document.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `not_found`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  deleteLearned(agentReference: string, correctionId: string, options?: RequestOptions): Promise<DeleteLearnedAnswer> {
    return this.send.answer(
      { method: "DELETE", path: `/v2/extractor/${segment(agentReference)}/corrections/${segment(correctionId)}` },
      options,
    );
  }

  /**
   * Undo everything that an extractor has learned: `DELETE /v2/extractor/{agentReference}/corrections`.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  deleteAllLearned(agentReference: string, options?: RequestOptions): Promise<DeleteAllLearnedAnswer> {
    return this.send.answer(
      { method: "DELETE", path: `/v2/extractor/${segment(agentReference)}/corrections` },
      options,
    );
  }

  /**
   * Export what an extractor has learned: `GET /v2/extractor/{agentReference}/corrections/export`.
   * Fixed texts of the documents are exported as hashes. Labels are exported as text, and so are values that
   * differ from the printed text.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  exportLearned(agentReference: string, options?: RequestOptions): Promise<ExportLearnedAnswer> {
    return this.send.answer(
      { method: "GET", path: `/v2/extractor/${segment(agentReference)}/corrections/export` },
      options,
    );
  }

  /**
   * Import what another extractor has learned: `POST /v2/extractor/{agentReference}/corrections/import`.
   * Adds the documents to those from which the agent has learned. Their entries get new ids.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_request`, `conflict`,
   * `rate_limited`, `agent_unavailable`, `internal_error`
   */
  importLearned(agentReference: string, body: ExportedMemory, options?: RequestOptions): Promise<ImportLearnedAnswer> {
    return this.send.answer(
      { method: "POST", path: `/v2/extractor/${segment(agentReference)}/corrections/import`, json: body },
      options,
    );
  }

  /**
   * List the kept classifications: `GET /v2/classifications`.
   * Lists classifications kept for review, oldest first. A member sees their own, an administrator sees all.
   * @throws SheafError `unauthorized`, `forbidden`, `invalid_request`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  listKeptClassifications({
    limit,
    cursor,
    ...options
  }: RequestOptions & PageQuery = {}): Promise<ListKeptClassificationsAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/classifications`, query: { limit, cursor } }, options);
  }

  /**
   * Get a kept classification: `GET /v2/classifications/{classificationId}`.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  getKeptClassification(classificationId: string, options?: RequestOptions): Promise<GetKeptClassificationAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/classifications/${segment(classificationId)}` }, options);
  }

  /**
   * Correct the segments of a kept classification: `PUT /v2/classifications/{classificationId}/segments`.
   * Replaces all segments. If `version` is not the current one, somebody else has changed them: 409 `conflict`,
   * and nothing changes.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `conflict`, `invalid_request`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  putClassificationSegments(
    classificationId: string,
    body: PutSegmentsRequest,
    options?: RequestOptions,
  ): Promise<PutClassificationSegmentsAnswer> {
    return this.send.answer(
      { method: "PUT", path: `/v2/classifications/${segment(classificationId)}/segments`, json: body },
      options,
    );
  }

  /**
   * Delete a kept classification: `DELETE /v2/classifications/{classificationId}`.
   * Removes the classification, its corrected segments and its file.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  deleteKeptClassification(
    classificationId: string,
    options?: RequestOptions,
  ): Promise<DeleteKeptClassificationAnswer> {
    return this.send.answer({ method: "DELETE", path: `/v2/classifications/${segment(classificationId)}` }, options);
  }

  /**
   * Download the file of a kept classification: `GET /v2/classifications/{classificationId}/file`.
   * Returns the bytes that were uploaded, as a download that browsers never display.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  getKeptClassificationFile(classificationId: string, options?: RequestOptions): Promise<Uint8Array> {
    return this.send.bytes({ method: "GET", path: `/v2/classifications/${segment(classificationId)}/file` }, options);
  }

  /**
   * Download a segment as a PDF: `GET /v2/classifications/{classificationId}/segments/{segmentIndex}/file`.
   * Returns a PDF of the pages of one segment, as a download named after its title. Available for PDF files only;
   * for others 404 `segment_file_unavailable`.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `document_not_found`, `segment_file_unavailable`,
   * `extraction_failed`, `agent_timeout`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  getClassificationSegmentFile(
    classificationId: string,
    segmentIndex: string,
    options?: RequestOptions,
  ): Promise<Uint8Array> {
    return this.send.bytes(
      {
        method: "GET",
        path: `/v2/classifications/${segment(classificationId)}/segments/${segment(segmentIndex)}/file`,
      },
      options,
    );
  }

  /**
   * Get the words of a page of a kept classification: `GET
   * /v2/classifications/{classificationId}/pages/{page}/words`.
   * Returns the words of one page with their boxes, in reading order, so that they can be drawn over the image of
   * the page.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `document_not_found`, `page_not_found`,
   * `rate_limited`, `agent_unavailable`, `internal_error`
   */
  getKeptClassificationPageWords(
    classificationId: string,
    page: string,
    options?: RequestOptions,
  ): Promise<GetKeptClassificationPageWordsAnswer> {
    return this.send.answer(
      { method: "GET", path: `/v2/classifications/${segment(classificationId)}/pages/${segment(page)}/words` },
      options,
    );
  }

  /**
   * Get the image of a page of a kept classification: `GET
   * /v2/classifications/{classificationId}/pages/{page}/image`.
   * Returns one page as WebP, rotated upright. Pages of docx and xlsx files, and damaged pages, have no image: 404
   * `page_image_unavailable`.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `document_not_found`, `page_not_found`,
   * `page_image_unavailable`, `invalid_request`, `extraction_failed`, `agent_timeout`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  getKeptClassificationPageImage(
    classificationId: string,
    page: string,
    {
      width,
      ...options
    }: RequestOptions & {
      /**
       * Width of the image in pixels; default: 900. The image is narrower if the page is very long, or if the file is
       * an image with fewer pixels.
       */
      width?: 900 | 1800;
    } = {},
  ): Promise<Uint8Array> {
    return this.send.bytes(
      {
        method: "GET",
        path: `/v2/classifications/${segment(classificationId)}/pages/${segment(page)}/image`,
        query: { width },
      },
      options,
    );
  }

  /**
   * Start a classification: `POST /v2/classification/async`.
   * Responds at once. When the classification ends, the result is emitted as the event `classification.completed`
   * and posted to `callback`, if given.
   * @throws SheafError `unauthorized`, `forbidden`, `file_too_large`, `unsupported_file_type`, `infected_file`,
   * `antivirus_unavailable`, `agent_unavailable`, `invalid_request`, `conflict`, `rate_limited`, `internal_error`
   */
  startClassification(body: StartClassificationRequest, options?: UploadOptions): Promise<StartClassificationAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/classification/async`, upload: body }, options);
  }

  /**
   * Get the state of a classification: `GET /v2/classification/async/{classification_id}`.
   * Returns the state and, for 7 days after the end, the result. For a failed classification, the response is 200
   * with `status` `error`. For an unknown or expired `classification_id`, the response is 404 `not_found`.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  getClassification(classificationId: string, options?: RequestOptions): Promise<GetClassificationAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/classification/async/${segment(classificationId)}` }, options);
  }

  /**
   * Watch states: `GET /v2/events`.
   * Sends a server-sent event whenever the state of a document, extraction, classification or delivery that the
   * caller may see changes, usually within two seconds. If an agent is deleted, its documents and kept extractions
   * are reported too; if there are many, the event `resync` is sent instead. The stream does not end by itself. It
   * ends with the event `error` when the token or session ends, when the caller loses access, and when the service
   * stops. Events are not stored for later: after a new connection, the first event `resync` asks the client to
   * get the states again. The events of one object may be merged: the last one has its latest state. Each user or
   * credential may have 10 streams; more are 429 `rate_limited`.
   * @throws SheafError `unauthorized`, `forbidden`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  watchStates(options?: RequestOptions): Promise<EventStream<Exclude<LiveEvent, { event: "error" }>>> {
    return this.send.events({ method: "GET", path: `/v2/events` }, options);
  }

  /**
   * Get usage and quotas: `GET /v2/organization/usage`.
   * Any member may call this, not only administrators.
   * @throws SheafError `unauthorized`, `forbidden`, `organization_not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  getUsage(options?: RequestOptions): Promise<GetUsageAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/organization/usage` }, options);
  }

  /**
   * Set the webhook URL of an event: `PUT /v2/organization/webhooks/{event}`.
   * The first call creates a secret and returns it once. Later calls only change the URL. For a new secret, delete
   * the webhook and set it again.
   * @throws SheafError `unauthorized`, `forbidden`, `organization_not_found`, `invalid_request`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  putWebhook(
    event: "document.ingestion_completed" | "extraction.completed" | "classification.completed",
    body: PutWebhookRequest,
    options?: RequestOptions,
  ): Promise<PutWebhookAnswer> {
    return this.send.answer(
      { method: "PUT", path: `/v2/organization/webhooks/${segment(event)}`, json: body },
      options,
    );
  }

  /**
   * List the webhooks: `GET /v2/organization/webhooks`.
   * @throws SheafError `unauthorized`, `forbidden`, `organization_not_found`, `invalid_request`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  listWebhooks({ limit, cursor, ...options }: RequestOptions & PageQuery = {}): Promise<ListWebhooksAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/organization/webhooks`, query: { limit, cursor } }, options);
  }

  /**
   * Delete the webhook of an event: `DELETE /v2/organization/webhooks/{event}`.
   * @throws SheafError `unauthorized`, `forbidden`, `organization_not_found`, `webhook_not_found`,
   * `invalid_request`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  deleteWebhook(
    event: "document.ingestion_completed" | "extraction.completed" | "classification.completed",
    options?: RequestOptions,
  ): Promise<DeleteWebhookAnswer> {
    return this.send.answer({ method: "DELETE", path: `/v2/organization/webhooks/${segment(event)}` }, options);
  }

  /**
   * List the deliveries of an event: `GET /v2/organization/webhooks/{event}/deliveries`.
   * Lists deliveries to the webhook and to callbacks, newest first. They are kept for 30 days after their end,
   * even if the webhook is deleted. They are returned in pages, of 1,000 deliveries if no `limit` is given.
   * @throws SheafError `unauthorized`, `forbidden`, `invalid_request`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  listDeliveries(
    event: "document.ingestion_completed" | "extraction.completed" | "classification.completed",
    {
      limit,
      cursor,
      status,
      ...options
    }: RequestOptions & {
      /**
       * Maximum number of items. If neither this nor a cursor is given, the whole list is returned, without
       * `metadata`.
       */
      limit?: number;
      /** `metadata.next_cursor` of the previous page, to get the page after it. */
      cursor?: string;
      /** Only deliveries with this status. */
      status?: "pending" | "delivered" | "failed";
    } = {},
  ): Promise<ListDeliveriesAnswer> {
    return this.send.answer(
      {
        method: "GET",
        path: `/v2/organization/webhooks/${segment(event)}/deliveries`,
        query: { limit, cursor, status },
      },
      options,
    );
  }

  /**
   * Get a delivery with its attempts: `GET /v2/organization/deliveries/{deliveryId}`.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  getDelivery(deliveryId: string, options?: RequestOptions): Promise<GetDeliveryAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/organization/deliveries/${segment(deliveryId)}` }, options);
  }

  /**
   * Send a delivery again: `POST /v2/organization/deliveries/{deliveryId}/replay`.
   * Starts a new series of attempts with the same `id` and data, signed with the current secret and sent to the
   * current URL. While the delivery is pending, the response is 409 `conflict`. If the event has no webhook, the
   * response is 404 `webhook_not_found`.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `webhook_not_found`, `conflict`,
   * `invalid_request`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  replayDelivery(deliveryId: string, options?: RequestOptions): Promise<ReplayDeliveryAnswer> {
    return this.send.answer(
      { method: "POST", path: `/v2/organization/deliveries/${segment(deliveryId)}/replay` },
      options,
    );
  }

  /**
   * Send a test event: `POST /v2/organization/webhooks/{event}/test`.
   * Sends an event with example data and `test: true` to the webhook. It is signed and retried like any other
   * event.
   * @throws SheafError `unauthorized`, `forbidden`, `webhook_not_found`, `invalid_request`, `conflict`,
   * `rate_limited`, `agent_unavailable`, `internal_error`
   */
  testWebhook(
    event: "document.ingestion_completed" | "extraction.completed" | "classification.completed",
    options?: RequestOptions,
  ): Promise<TestWebhookAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/organization/webhooks/${segment(event)}/test` }, options);
  }

  /**
   * List the audit log: `GET /v2/organization/audit`.
   * Lists every change of the organization's settings, people, credentials, agents, documents and webhooks. The
   * log is never altered. Reads (questions, extractions, lists) are not recorded. Entries are returned in pages,
   * of 1,000 entries if no `limit` is given.
   * @throws SheafError `unauthorized`, `forbidden`, `invalid_request`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  listAuditEntries({
    limit,
    cursor,
    order,
    since,
    action,
    ...options
  }: RequestOptions & {
    /**
     * Maximum number of items. If neither this nor a cursor is given, the whole list is returned, without
     * `metadata`.
     */
    limit?: number;
    /** `metadata.next_cursor` of the previous page, to get the page after it. */
    cursor?: string;
    /** Order of the entries; default: `oldest`. Must be the same for every page. */
    order?: "oldest" | "newest";
    /** Only entries from this time on. ISO 8601 UTC with milliseconds. */
    since?: string;
    /** Only entries of this action. */
    action?: string;
  } = {}): Promise<ListAuditEntriesAnswer> {
    return this.send.answer(
      { method: "GET", path: `/v2/organization/audit`, query: { limit, cursor, order, since, action } },
      options,
    );
  }

  /**
   * Get the organization: `GET /v2/organization`.
   * Returns the organization of the token, or the organization chosen in the session.
   * @throws SheafError `unauthorized`, `forbidden`, `organization_not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  getOrganization(options?: RequestOptions): Promise<GetOrganizationAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/organization` }, options);
  }

  /**
   * Change the organization: `PATCH /v2/organization`.
   * If `api_enabled` is false, every token gets 403 `forbidden` from the next request on. The API can be switched
   * on again in the web application or from the command line.
   * @throws SheafError `unauthorized`, `forbidden`, `organization_not_found`, `invalid_request`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  updateOrganization(body: UpdateOrganizationRequest, options?: RequestOptions): Promise<UpdateOrganizationAnswer> {
    return this.send.answer({ method: "PATCH", path: `/v2/organization`, json: body }, options);
  }

  /**
   * List the members: `GET /v2/organization/members`.
   * @throws SheafError `unauthorized`, `forbidden`, `invalid_request`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  listMembers({ limit, cursor, ...options }: RequestOptions & PageQuery = {}): Promise<ListMembersAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/organization/members`, query: { limit, cursor } }, options);
  }

  /**
   * Change a member: `PATCH /v2/organization/members/{memberId}`.
   * The last active administrator cannot be demoted or disabled: 409 `conflict`.
   * @throws SheafError `unauthorized`, `forbidden`, `member_not_found`, `conflict`, `invalid_request`,
   * `rate_limited`, `agent_unavailable`, `internal_error`
   */
  updateMember(memberId: string, body: UpdateMemberRequest, options?: RequestOptions): Promise<UpdateMemberAnswer> {
    return this.send.answer(
      { method: "PATCH", path: `/v2/organization/members/${segment(memberId)}`, json: body },
      options,
    );
  }

  /**
   * Remove a member: `DELETE /v2/organization/members/{memberId}`.
   * Removes the member and their credentials. The last active administrator cannot be removed: 409 `conflict`.
   * @throws SheafError `unauthorized`, `forbidden`, `member_not_found`, `conflict`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  deleteMember(memberId: string, options?: RequestOptions): Promise<DeleteMemberAnswer> {
    return this.send.answer({ method: "DELETE", path: `/v2/organization/members/${segment(memberId)}` }, options);
  }

  /**
   * List the open invitations: `GET /v2/organization/invitations`.
   * @throws SheafError `unauthorized`, `forbidden`, `invalid_request`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  listInvitations({ limit, cursor, ...options }: RequestOptions & PageQuery = {}): Promise<ListInvitationsAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/organization/invitations`, query: { limit, cursor } }, options);
  }

  /**
   * Create an invitation: `POST /v2/organization/invitations`.
   * Pass the token on to the invited person, because the service sends no mail. The token is valid for seven days.
   * A new invitation to an address replaces the earlier invitation. Inviting a member is 409 `conflict`.
   * @throws SheafError `unauthorized`, `forbidden`, `invalid_request`, `conflict`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  createInvitation(body: CreateInvitationRequest, options?: RequestOptions): Promise<CreateInvitationAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/organization/invitations`, json: body }, options);
  }

  /**
   * Cancel an invitation: `DELETE /v2/organization/invitations/{invitationId}`.
   * @throws SheafError `unauthorized`, `forbidden`, `invitation_not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  deleteInvitation(invitationId: string, options?: RequestOptions): Promise<DeleteInvitationAnswer> {
    return this.send.answer(
      { method: "DELETE", path: `/v2/organization/invitations/${segment(invitationId)}` },
      options,
    );
  }

  /**
   * List the groups: `GET /v2/organization/groups`.
   * @throws SheafError `unauthorized`, `forbidden`, `invalid_request`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  listGroups({ limit, cursor, ...options }: RequestOptions & PageQuery = {}): Promise<ListGroupsAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/organization/groups`, query: { limit, cursor } }, options);
  }

  /**
   * Create a group: `POST /v2/organization/groups`.
   * A name used by another group is 409 `conflict`; an unknown member is 404 `member_not_found`.
   * @throws SheafError `unauthorized`, `forbidden`, `member_not_found`, `invalid_request`, `conflict`,
   * `rate_limited`, `agent_unavailable`, `internal_error`
   */
  createGroup(body: CreateGroupRequest, options?: RequestOptions): Promise<CreateGroupAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/organization/groups`, json: body }, options);
  }

  /**
   * Change a group: `PATCH /v2/organization/groups/{groupId}`.
   * `member_ids` replaces all members of the group. Errors are the same as for creation.
   * @throws SheafError `unauthorized`, `forbidden`, `group_not_found`, `member_not_found`, `conflict`,
   * `invalid_request`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  updateGroup(groupId: string, body: UpdateGroupRequest, options?: RequestOptions): Promise<UpdateGroupAnswer> {
    return this.send.answer(
      { method: "PATCH", path: `/v2/organization/groups/${segment(groupId)}`, json: body },
      options,
    );
  }

  /**
   * Delete a group: `DELETE /v2/organization/groups/{groupId}`.
   * Agents that were visible only to the group are then visible only to administrators.
   * @throws SheafError `unauthorized`, `forbidden`, `group_not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  deleteGroup(groupId: string, options?: RequestOptions): Promise<DeleteGroupAnswer> {
    return this.send.answer({ method: "DELETE", path: `/v2/organization/groups/${segment(groupId)}` }, options);
  }

  /**
   * List the credentials: `GET /v2/organization/credentials`.
   * Administrators get the credentials of all members, others get their own.
   * @throws SheafError `unauthorized`, `forbidden`, `invalid_request`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  listCredentials({ limit, cursor, ...options }: RequestOptions & PageQuery = {}): Promise<ListCredentialsAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/organization/credentials`, query: { limit, cursor } }, options);
  }

  /**
   * Create a credential: `POST /v2/organization/credentials`.
   * The credential belongs to the caller and has the caller's permissions.
   * @throws SheafError `unauthorized`, `forbidden`, `invalid_request`, `conflict`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  createCredential(body: CreateCredentialRequest, options?: RequestOptions): Promise<CreateCredentialAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/organization/credentials`, json: body }, options);
  }

  /**
   * Revoke a credential: `DELETE /v2/organization/credentials/{clientId}`.
   * Tokens of the credential are refused from the next request on. An administrator may revoke any credential,
   * others their own. A credential that is already revoked is 404 `credential_not_found`.
   * @throws SheafError `unauthorized`, `forbidden`, `credential_not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  revokeCredential(clientId: string, options?: RequestOptions): Promise<RevokeCredentialAnswer> {
    return this.send.answer({ method: "DELETE", path: `/v2/organization/credentials/${segment(clientId)}` }, options);
  }

  /**
   * Sign in: `POST /v2/session`.
   * Requires the email address and the password of a user. If either is wrong, the response is the same 401
   * `unauthorized`. If the user has a second factor, the right password without `code`, or with a wrong one, is
   * 401 `second_factor_required`: repeat the request with `code`. Ends the previous session of the request's
   * cookie. After 10 wrong passwords for an account within an hour, further attempts get 429 `rate_limited` until
   * `Retry-After`. Networks from which the user signed in during the last 90 days are counted separately. Wrong
   * codes count in the same way and are also limited to 10 a day. A cross-site request is 403 `forbidden`, here
   * and on all endpoints that accept the session cookie, including those that only read.
   * @throws SheafError `unauthorized`, `second_factor_required`, `sign_on_required`, `forbidden`,
   * `invalid_request`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  createSession(body: CreateSessionRequest, options?: RequestOptions): Promise<CreateSessionAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/session`, anonymous: true, json: body }, options);
  }

  /**
   * Sign the first administrator in with a link: `POST /v2/session/first`.
   * Requires the token of a sign-in link. The service prints the link at its start while no administrator of the
   * first organization has a password. The token works once, within 24 hours; any other token is 401
   * `unauthorized`. Ends the previous session of the request's cookie. Set a password afterwards.
   * @throws SheafError `unauthorized`, `sign_on_required`, `forbidden`, `invalid_request`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  createFirstSession(body: CreateFirstSessionRequest, options?: RequestOptions): Promise<CreateFirstSessionAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/session/first`, anonymous: true, json: body }, options);
  }

  /**
   * Get the session: `GET /v2/session`.
   * Returns the user, the organizations to choose from, and the chosen one.
   * @throws SheafError `unauthorized`, `forbidden`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  getSession(options?: RequestOptions): Promise<GetSessionAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/session`, anonymous: true }, options);
  }

  /**
   * Choose the organization of the session: `PATCH /v2/session`.
   * Requests with the cookie of the session are then for this organization.
   * @throws SheafError `unauthorized`, `forbidden`, `organization_not_found`, `invalid_request`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  updateSession(body: UpdateSessionRequest, options?: RequestOptions): Promise<UpdateSessionAnswer> {
    return this.send.answer({ method: "PATCH", path: `/v2/session`, anonymous: true, json: body }, options);
  }

  /**
   * Sign out: `DELETE /v2/session`.
   * Ends the session on the server, so that its cookie is no longer valid.
   * @throws SheafError `unauthorized`, `forbidden`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  deleteSession(options?: RequestOptions): Promise<DeleteSessionAnswer> {
    return this.send.answer({ method: "DELETE", path: `/v2/session`, anonymous: true }, options);
  }

  /**
   * Change the password: `PUT /v2/session/password`.
   * Ends all other sessions of the user. A wrong current password is 401 `unauthorized` and counts as a failed
   * sign-in. A user without a password (`has_password` is false) leaves `current_password` out. For other users, a
   * missing `current_password` is 422 `invalid_request`.
   * @throws SheafError `unauthorized`, `sign_on_required`, `forbidden`, `invalid_request`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  changePassword(body: ChangePasswordRequest, options?: RequestOptions): Promise<ChangePasswordAnswer> {
    return this.send.answer({ method: "PUT", path: `/v2/session/password`, anonymous: true, json: body }, options);
  }

  /**
   * Start to set up an authenticator app: `POST /v2/session/totp`.
   * Returns a new secret, which replaces one that has not been confirmed. Confirm it within 15 minutes. Until then
   * sign-in does not change. A wrong password is 401 `unauthorized` and counts as a failed sign-in. If a second
   * factor is already on, the response is 409 `conflict`.
   * @throws SheafError `unauthorized`, `forbidden`, `conflict`, `invalid_request`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  startTotp(body: StartTotpRequest, options?: RequestOptions): Promise<StartTotpAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/session/totp`, anonymous: true, json: body }, options);
  }

  /**
   * Turn on the second factor: `PUT /v2/session/totp`.
   * Requires a code that the app shows for the new secret; a wrong one is 401 `second_factor_required`. From then
   * on, sign-in requires a code. Ends all other sessions of the user. Without a secret to confirm it is 409
   * `conflict`.
   * @throws SheafError `unauthorized`, `second_factor_required`, `forbidden`, `conflict`, `invalid_request`,
   * `rate_limited`, `agent_unavailable`, `internal_error`
   */
  confirmTotp(body: ConfirmTotpRequest, options?: RequestOptions): Promise<ConfirmTotpAnswer> {
    return this.send.answer({ method: "PUT", path: `/v2/session/totp`, anonymous: true, json: body }, options);
  }

  /**
   * Turn off the second factor: `DELETE /v2/session/totp`.
   * Requires either the current password or a code. A wrong password is 401 `unauthorized`, a wrong code 401
   * `second_factor_required`; both count as failed attempts, as at sign-in. If there is no second factor, it is
   * 409 `conflict`.
   * @throws SheafError `unauthorized`, `second_factor_required`, `forbidden`, `conflict`, `invalid_request`,
   * `rate_limited`, `agent_unavailable`, `internal_error`
   */
  deleteTotp(body: DeleteTotpRequest, options?: RequestOptions): Promise<DeleteTotpAnswer> {
    return this.send.answer({ method: "DELETE", path: `/v2/session/totp`, anonymous: true, json: body }, options);
  }

  /**
   * Accept an invitation: `POST /v2/invitations/accept`.
   * Users who are signed in with the invited address, or give the password of an account with that address, join
   * with that account. If an account that is found by its password has a second factor, the request also needs
   * `code`, as for `createSession`. Otherwise a new account is created, separate from any other account with the
   * address. The response is a session, as after sign-in, and does not reveal whether the address has other
   * accounts.
   * @throws SheafError `invitation_not_found`, `unauthorized`, `second_factor_required`, `sign_on_required`,
   * `forbidden`, `invalid_request`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  acceptInvitation(body: AcceptInvitationRequest, options?: RequestOptions): Promise<AcceptInvitationAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/invitations/accept`, anonymous: true, json: body }, options);
  }

  /**
   * List your sessions: `GET /v2/sessions`.
   * Lists the active sessions of the signed-in user, newest first.
   * @throws SheafError `unauthorized`, `forbidden`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  listSessions(options?: RequestOptions): Promise<ListSessionsAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/sessions`, anonymous: true }, options);
  }

  /**
   * End one of your sessions: `DELETE /v2/sessions/{sessionId}`.
   * The cookie of the session is refused from the next request on.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  endSession(sessionId: string, options?: RequestOptions): Promise<EndSessionAnswer> {
    return this.send.answer({ method: "DELETE", path: `/v2/sessions/${segment(sessionId)}`, anonymous: true }, options);
  }

  /**
   * Start to create a passkey: `POST /v2/session/passkeys/start`.
   * Requires the current password; a wrong one is 401 `unauthorized` and counts as a failed sign-in.
   * @throws SheafError `unauthorized`, `forbidden`, `invalid_request`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  startPasskey(body: StartPasskeyRequest, options?: RequestOptions): Promise<StartPasskeyAnswer> {
    return this.send.answer(
      { method: "POST", path: `/v2/session/passkeys/start`, anonymous: true, json: body },
      options,
    );
  }

  /**
   * Create a passkey: `POST /v2/session/passkeys`.
   * Requires a credential for the challenge of `startPasskey`; any other is 422 `invalid_request`. The passkey is
   * bound to the host name of the web application. A user can have at most 20 passkeys; one more is 409
   * `conflict`.
   * @throws SheafError `unauthorized`, `forbidden`, `conflict`, `invalid_request`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  createPasskey(body: CreatePasskeyRequest, options?: RequestOptions): Promise<CreatePasskeyAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/session/passkeys`, anonymous: true, json: body }, options);
  }

  /**
   * List your passkeys: `GET /v2/session/passkeys`.
   * Returns the passkeys of the signed-in user, without their keys.
   * @throws SheafError `unauthorized`, `forbidden`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  listPasskeys(options?: RequestOptions): Promise<ListPasskeysAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/session/passkeys`, anonymous: true }, options);
  }

  /**
   * Delete one of your passkeys: `DELETE /v2/session/passkeys/{passkeyId}`.
   * The passkey can no longer sign in. Sessions that it started stay valid.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  deletePasskey(passkeyId: string, options?: RequestOptions): Promise<DeletePasskeyAnswer> {
    return this.send.answer(
      { method: "DELETE", path: `/v2/session/passkeys/${segment(passkeyId)}`, anonymous: true },
      options,
    );
  }

  /**
   * Start to sign in with a passkey: `POST /v2/session/passkey/start`.
   * Returns a challenge for the device to sign. Pass the resulting credential to `createPasskeySession`.
   * @throws SheafError `forbidden`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  startPasskeySession(options?: RequestOptions): Promise<StartPasskeySessionAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/session/passkey/start`, anonymous: true }, options);
  }

  /**
   * Sign in with a passkey: `POST /v2/session/passkey`.
   * Requires a credential for the challenge of `startPasskeySession`, with verification of the user by the device;
   * anything else is 401 `unauthorized`. A password or a code is not needed. Ends the previous session of the
   * request's cookie.
   * @throws SheafError `unauthorized`, `sign_on_required`, `forbidden`, `invalid_request`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  createPasskeySession(
    body: CreatePasskeySessionRequest,
    options?: RequestOptions,
  ): Promise<CreatePasskeySessionAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/session/passkey`, anonymous: true, json: body }, options);
  }

  /**
   * Get the single sign-on settings of the organization: `GET /v2/organization/sign-on`.
   * @throws SheafError `unauthorized`, `forbidden`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  getSignOn(options?: RequestOptions): Promise<GetSignOnAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/organization/sign-on` }, options);
  }

  /**
   * Configure single sign-on for the organization: `PUT /v2/organization/sign-on`.
   * Replaces the whole configuration. The configuration of the provider is read and checked: if it does not
   * respond, the request is 503 `sign_on_unavailable`. A new issuer or client id ends all sessions opened by
   * sign-on. Members are connected again at their next sign-in. Without a public URL of the service or a domain of
   * the organization it is 409 `conflict`.
   * @throws SheafError `unauthorized`, `forbidden`, `conflict`, `sign_on_unavailable`, `invalid_request`,
   * `rate_limited`, `agent_unavailable`, `internal_error`
   */
  putSignOn(body: PutSignOnRequest, options?: RequestOptions): Promise<PutSignOnAnswer> {
    return this.send.answer({ method: "PUT", path: `/v2/organization/sign-on`, json: body }, options);
  }

  /**
   * Turn off single sign-on for the organization: `DELETE /v2/organization/sign-on`.
   * Ends all sessions opened by sign-on. Members stay; those without a password need one to sign in.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  deleteSignOn(options?: RequestOptions): Promise<DeleteSignOnAnswer> {
    return this.send.answer({ method: "DELETE", path: `/v2/organization/sign-on` }, options);
  }

  /**
   * Find out whether single sign-on is configured: `GET /v2/session/sign-on`.
   * If so, the sign-in screen asks for the email address first.
   * @throws SheafError `rate_limited`, `agent_unavailable`, `internal_error`
   */
  getSignOnAvailability(options?: RequestOptions): Promise<GetSignOnAvailabilityAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/session/sign-on`, anonymous: true }, options);
  }

  /**
   * Start to sign in with a provider: `POST /v2/session/sign-on`.
   * Returns the URL to open in the browser, or null if the domain of the address has no provider: then sign in
   * with a password. The response depends on the domain alone, not on whether the address has an account. It sets
   * a cookie that binds the sign-in to the browser for ten minutes.
   * @throws SheafError `forbidden`, `sign_on_failed`, `sign_on_unavailable`, `invalid_request`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  startSignOn(body: StartSignOnRequest, options?: RequestOptions): Promise<StartSignOnAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/session/sign-on`, anonymous: true, json: body }, options);
  }

  /**
   * Sign in with the response of a provider: `POST /v2/session/sign-on/complete`.
   * Called by the page at the redirect URI, in the browser that started the sign-in. The first sign-in creates a
   * member if the provider has verified the email address and its domain belongs to the organization. Anything
   * wrong is 401 `sign_on_failed` with a reason. The session gives access to this organization alone, cannot
   * change the account of the user, and ends after 12 hours at the latest. No second factor is asked for.
   * @throws SheafError `forbidden`, `sign_on_failed`, `sign_on_unavailable`, `invalid_request`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  completeSignOn(body: CompleteSignOnRequest, options?: RequestOptions): Promise<CompleteSignOnAnswer> {
    return this.send.answer(
      { method: "POST", path: `/v2/session/sign-on/complete`, anonymous: true, json: body },
      options,
    );
  }

  /**
   * List the SCIM tokens: `GET /v2/organization/sign-on/scim-tokens`.
   * @throws SheafError `unauthorized`, `forbidden`, `invalid_request`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  listScimTokens({ limit, cursor, ...options }: RequestOptions & PageQuery = {}): Promise<ListScimTokensAnswer> {
    return this.send.answer(
      { method: "GET", path: `/v2/organization/sign-on/scim-tokens`, query: { limit, cursor } },
      options,
    );
  }

  /**
   * Create a SCIM token: `POST /v2/organization/sign-on/scim-tokens`.
   * Creates a token with which the identity provider creates, changes and removes members of the organization at
   * `/scim/v2`. It gives no access to anything else. An organization has at most 10 SCIM tokens; creating more is
   * 409 `conflict`.
   * @throws SheafError `unauthorized`, `forbidden`, `conflict`, `invalid_request`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  createScimToken(body: CreateScimTokenRequest, options?: RequestOptions): Promise<CreateScimTokenAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/organization/sign-on/scim-tokens`, json: body }, options);
  }

  /**
   * Revoke a SCIM token: `DELETE /v2/organization/sign-on/scim-tokens/{scimTokenId}`.
   * The token is refused from the next request on. Members and groups provisioned with it remain.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  deleteScimToken(scimTokenId: string, options?: RequestOptions): Promise<DeleteScimTokenAnswer> {
    return this.send.answer(
      { method: "DELETE", path: `/v2/organization/sign-on/scim-tokens/${segment(scimTokenId)}` },
      options,
    );
  }

  /**
   * Get the OpenAPI document: `GET /v2/openapi.json`.
   * The OpenAPI 3.1 document of this service.
   * @throws SheafError `rate_limited`, `agent_unavailable`, `internal_error`
   */
  getOpenApi(options?: RequestOptions): Promise<GetOpenApiAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/openapi.json`, anonymous: true }, options);
  }

  /**
   * Liveness check: `GET /healthz`.
   * Responds while the process is running.
   * @throws SheafError `internal_error`
   */
  getHealth(options?: RequestOptions): Promise<GetHealthAnswer> {
    return this.send.answer({ method: "GET", path: `/healthz`, anonymous: true }, options);
  }

  /**
   * Readiness check: `GET /readyz`.
   * Checks the database, the stored files, the reading of documents and the antivirus. If parts are down, the
   * error message names them.
   * @throws SheafError `agent_unavailable`, `internal_error`
   */
  getReadiness(options?: RequestOptions): Promise<GetReadinessAnswer> {
    return this.send.answer({ method: "GET", path: `/readyz`, anonymous: true }, options);
  }

  /**
   * Get the metrics: `GET /metrics`.
   * Metrics of the service in the Prometheus text format. Requires the metrics token as `authorization: Bearer …`.
   * @throws SheafError `unauthorized`, `internal_error`
   */
  getMetrics(options?: RequestOptions): Promise<AnswerStream> {
    return this.send.stream({ method: "GET", path: `/metrics`, anonymous: true }, options);
  }
}
