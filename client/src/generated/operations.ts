// Generated from the contract by "npm run generate".

import { type AnswerStream, type RequestOptions, type Send, segment, type UploadOptions } from "../request.ts";

import type {
  AskKnowledgeAnswer,
  CreateAgentAnswer,
  CreateAgentRequest,
  DeleteAgentAnswer,
  DeleteDocumentAnswer,
  DeleteWebhookAnswer,
  ExtractAnswer,
  ExtractRequest,
  ExtractWithAgentAnswer,
  ExtractWithAgentRequest,
  GetAgentAnswer,
  GetClassificationAnswer,
  GetExtractionAnswer,
  GetHealthAnswer,
  GetOpenApiAnswer,
  GetReadinessAnswer,
  GetTokenAnswer,
  GetUsageAnswer,
  KnowledgeRequest,
  ListAgentsAnswer,
  ListDocumentsAnswer,
  ListWebhooksAnswer,
  PostTokenAnswer,
  PutWebhookAnswer,
  PutWebhookRequest,
  QuestionRequest,
  StartClassificationAnswer,
  StartClassificationRequest,
  StartExtractionAnswer,
  StartExtractionRequest,
  StartExtractionWithAgentAnswer,
  StartExtractionWithAgentRequest,
  TokenRequest,
  UpdateAgentAnswer,
  UpdateAgentRequest,
  UploadDocumentAnswer,
  UploadDocumentRequest,
} from "./types.ts";

/** One method for each endpoint, named by its operation id. They answer with the body as it came, envelope and all. */
export abstract class Operations {
  protected abstract readonly send: Send;

  /**
   * Get an access token: `GET /v2/token`.
   * The secret is part of the URL: proxies in front of the service should not log the query of this path. `POST
   * /v2/token` does without. Missing, empty or repeated parameters answer 401 `invalid_client`.
   * @throws SheafError `invalid_client`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  getToken(
    query: {
      /** Client identifier, from the API section of the web application. */
      client_id: string;
      /** Client secret, shown once when the credential was made. */
      client_secret: string;
    },
    options?: RequestOptions,
  ): Promise<GetTokenAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/token`, anonymous: true, query }, options);
  }

  /**
   * Get an access token, OAuth 2 style: `POST /v2/token`.
   * The client-credentials grant of OAuth 2 (RFC 6749, 4.4): the credentials in the form, or in an `Authorization:
   * Basic` header and then not in the form. The answer is that of `GET /v2/token`.
   * @throws SheafError `invalid_client`, `invalid_request`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  postToken(body: TokenRequest, options?: RequestOptions): Promise<PostTokenAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/token`, anonymous: true, form: body }, options);
  }

  /**
   * List the agents: `GET /v2/agents`.
   * Every agent of the organization whose visibility is not private.
   * @throws SheafError `unauthorized`, `forbidden`, `invalid_request`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  listAgents({
    limit,
    cursor,
    ...options
  }: RequestOptions & {
    /** How many at most. Without it, and without a cursor, the whole list comes, and no `metadata`. */
    limit?: number;
    /** `metadata.next_cursor` of the page before. */
    cursor?: string;
  } = {}): Promise<ListAgentsAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/agents`, query: { limit, cursor } }, options);
  }

  /**
   * Create an agent: `POST /v2/agents`.
   * The agent belongs to the organization. Without `configuration` an extractor has no params, and a documentalist
   * no consignes and visible sources. An unknown key in `configuration` is 422 `invalid_config`; type `PERSONAL`
   * is 422 `invalid_agent_type`.
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
   * The `params` of an extractor replace all that it has; the configuration of a documentalist is merged, field by
   * field, into what it has. `PERSONAL` agents cannot be changed: 422 `invalid_agent_type`.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_config`, `invalid_agent_type`,
   * `invalid_request`, `rate_limited`, `agent_unavailable`, `internal_error`
   */
  updateAgent(reference: string, body: UpdateAgentRequest, options?: RequestOptions): Promise<UpdateAgentAnswer> {
    return this.send.answer({ method: "PATCH", path: `/v2/agents/${segment(reference)}`, json: body }, options);
  }

  /**
   * Delete an agent: `DELETE /v2/agents/{reference}`.
   * Removes the agent and its documents and archives its conversations. Where the agent is gone and something of
   * it could not be removed, the answer is 200 all the same and `warnings` tells.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_agent_type`, `rate_limited`,
   * `agent_unavailable`, `internal_error`
   */
  deleteAgent(reference: string, options?: RequestOptions): Promise<DeleteAgentAnswer> {
    return this.send.answer({ method: "DELETE", path: `/v2/agents/${segment(reference)}` }, options);
  }

  /**
   * Upload a document: `POST /v2/agents/{reference}/documents`.
   * Ingestion is asynchronous and ends in status `ready` or `error`; the event `document.ingestion_completed`
   * tells. A document whose content does not match its extension ends in `error`. There is no update: delete the
   * document and upload it again.
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
   * Every document of the agent's corpus. To poll it is the sure way to learn the status of an ingestion.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_agent_type`, `invalid_request`,
   * `rate_limited`, `agent_unavailable`, `internal_error`
   */
  listDocuments(
    reference: string,
    {
      limit,
      cursor,
      ...options
    }: RequestOptions & {
      /** How many at most. Without it, and without a cursor, the whole list comes, and no `metadata`. */
      limit?: number;
      /** `metadata.next_cursor` of the page before. */
      cursor?: string;
    } = {},
  ): Promise<ListDocumentsAnswer> {
    return this.send.answer(
      { method: "GET", path: `/v2/agents/${segment(reference)}/documents`, query: { limit, cursor } },
      options,
    );
  }

  /**
   * Delete a document: `DELETE /v2/agents/{reference}/documents/{documentReference}`.
   * From the moment of the answer no question finds or cites the document again.
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
   * Answers from the corpus of the agent and from nothing else. An agent that is missing, private, of another type
   * or of another organization is 404 `agent_not_found`; a `thread_id` that is no thread of this agent is 404
   * `thread_not_found`.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `thread_not_found`, `extraction_failed`,
   * `agent_unavailable`, `agent_timeout`, `invalid_request`, `conflict`, `rate_limited`, `internal_error`
   */
  askKnowledge(agentReference: string, body: KnowledgeRequest, options?: RequestOptions): Promise<AskKnowledgeAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/knowledge/${segment(agentReference)}`, json: body }, options);
  }

  /**
   * Ask a documentalist, answered as a stream: `POST /v2/documentalist/{agent_id}`.
   * Streams the answer as plain text, as it is made. Sources are not returned. A failure once the stream has begun
   * is an apology in the text, with status 200. A missing agent or thread is 404 with the bare code as plain text.
   * It goes on working after the sunset until the operator switches it off; then it answers 410 `gone`.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `thread_not_found`, `gone`,
   * `invalid_request`, `conflict`, `rate_limited`, `agent_unavailable`, `internal_error`
   * @deprecated since 2026-06-01
   */
  askDocumentalist(agentId: string, body: QuestionRequest, options?: RequestOptions): Promise<AnswerStream> {
    return this.send.stream({ method: "POST", path: `/v2/documentalist/${segment(agentId)}`, json: body }, options);
  }

  /**
   * Extract data, with the schema in the request: `POST /v2/extractor`.
   * Answers with the result.
   * @throws SheafError `unauthorized`, `forbidden`, `file_too_large`, `unsupported_file_type`,
   * `extraction_failed`, `agent_unavailable`, `agent_timeout`, `invalid_request`, `conflict`, `rate_limited`,
   * `internal_error`
   */
  extract(body: ExtractRequest, options?: UploadOptions): Promise<ExtractAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/extractor`, upload: body }, options);
  }

  /**
   * Extract data, with the schema of an agent: `POST /v2/extractor/{agentReference}`.
   * Answers with the result. An agent of another type is 404 `agent_not_found`; one without params is 422
   * `invalid_config`.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_config`, `file_too_large`,
   * `unsupported_file_type`, `extraction_failed`, `agent_unavailable`, `agent_timeout`, `invalid_request`,
   * `conflict`, `rate_limited`, `internal_error`
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
   * Answers at once. The result is posted to `callback` and emitted as the event `extraction.completed`. The
   * better choice for files above 20 MB.
   * @throws SheafError `unauthorized`, `forbidden`, `file_too_large`, `unsupported_file_type`,
   * `agent_unavailable`, `invalid_request`, `conflict`, `rate_limited`, `internal_error`
   */
  startExtraction(body: StartExtractionRequest, options?: UploadOptions): Promise<StartExtractionAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/extractor/async`, upload: body }, options);
  }

  /**
   * Start an extraction, with the schema of an agent: `POST /v2/extractor/async/{agentReference}`.
   * Answers at once. The result is posted to `callback` and emitted as the event `extraction.completed`.
   * @throws SheafError `unauthorized`, `forbidden`, `agent_not_found`, `invalid_config`, `file_too_large`,
   * `unsupported_file_type`, `agent_unavailable`, `invalid_request`, `conflict`, `rate_limited`, `internal_error`
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
   * The state and, once finished, the result for 7 days. A failed extraction answers 200 with `status` `error`. An
   * unknown or expired `extract_id` is 404 `not_found`.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  getExtraction(extractId: string, options?: RequestOptions): Promise<GetExtractionAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/extractor/async/${segment(extractId)}` }, options);
  }

  /**
   * Start a classification: `POST /v2/classification/async`.
   * Answers at once. The result is emitted as the event `classification.completed` and posted to `callback`, where
   * one is given.
   * @throws SheafError `unauthorized`, `forbidden`, `file_too_large`, `unsupported_file_type`,
   * `agent_unavailable`, `invalid_request`, `conflict`, `rate_limited`, `internal_error`
   */
  startClassification(body: StartClassificationRequest, options?: UploadOptions): Promise<StartClassificationAnswer> {
    return this.send.answer({ method: "POST", path: `/v2/classification/async`, upload: body }, options);
  }

  /**
   * Get the state of a classification: `GET /v2/classification/async/{classification_id}`.
   * The state and, once finished, the result for 7 days. A failed classification answers 200 with `status`
   * `error`. An unknown or expired `classification_id` is 404 `not_found`.
   * @throws SheafError `unauthorized`, `forbidden`, `not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  getClassification(classificationId: string, options?: RequestOptions): Promise<GetClassificationAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/classification/async/${segment(classificationId)}` }, options);
  }

  /**
   * Get usage and quotas: `GET /v2/organization/usage`.
   * The one endpoint beside the token's that any member may call, administrator or not.
   * @throws SheafError `unauthorized`, `forbidden`, `organization_not_found`, `rate_limited`, `agent_unavailable`,
   * `internal_error`
   */
  getUsage(options?: RequestOptions): Promise<GetUsageAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/organization/usage` }, options);
  }

  /**
   * Set the URL of an event: `PUT /v2/organization/webhooks/{event}`.
   * The first time a secret is made and returned, once. After that only the URL changes. For a new secret delete
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
  listWebhooks({
    limit,
    cursor,
    ...options
  }: RequestOptions & {
    /** How many at most. Without it, and without a cursor, the whole list comes, and no `metadata`. */
    limit?: number;
    /** `metadata.next_cursor` of the page before. */
    cursor?: string;
  } = {}): Promise<ListWebhooksAnswer> {
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
   * Get this description: `GET /v2/openapi.json`.
   * The OpenAPI 3.1 document of the interface, as this service serves it.
   * @throws SheafError `rate_limited`, `agent_unavailable`, `internal_error`
   */
  getOpenApi(options?: RequestOptions): Promise<GetOpenApiAnswer> {
    return this.send.answer({ method: "GET", path: `/v2/openapi.json`, anonymous: true }, options);
  }

  /**
   * Whether the service runs: `GET /healthz`.
   * Answers as long as the process does.
   * @throws SheafError `internal_error`
   */
  getHealth(options?: RequestOptions): Promise<GetHealthAnswer> {
    return this.send.answer({ method: "GET", path: `/healthz`, anonymous: true }, options);
  }

  /**
   * Whether the service can do its work: `GET /readyz`.
   * Looks at the database, the stored files and the reading of documents. Where one is down, the message says
   * which.
   * @throws SheafError `agent_unavailable`, `internal_error`
   */
  getReadiness(options?: RequestOptions): Promise<GetReadinessAnswer> {
    return this.send.answer({ method: "GET", path: `/readyz`, anonymous: true }, options);
  }
}
