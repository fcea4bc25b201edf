/** The client of one organization. */

import { type ConnectionOptions, transportSettings } from "./connection-options.ts";
import { SheafError } from "./errors.ts";
import type { DataOf } from "./extracted-data.ts";
import { Operations } from "./generated/operations.ts";
import type {
  ClassificationSuccess,
  Document,
  ExtractAnswer,
  ExtractionFailure,
  ExtractionParam,
  ExtractionSuccess,
  ExtractRequest,
  Token,
} from "./generated/types.ts";
import type { RequestOptions, Send, UploadOptions } from "./request.ts";
import { Tokens } from "./tokens.ts";
import { Transport } from "./transport.ts";
import { poll, type WaitOptions } from "./wait.ts";

export interface SheafClientOptions extends ConnectionOptions {
  clientId: string;
  clientSecret: string;
}

/**
 * Calls a Sheaf service: one method per endpoint, named after its operation id. Tokens are fetched
 * and renewed as needed. Methods throw a {@link SheafError}. If a signal aborts, they throw its
 * reason.
 * @example
 * const sheaf = new SheafClient({ baseUrl: "http://127.0.0.1:8080", clientId, clientSecret });
 * const { data } = await sheaf.extract({
 *   file: { path: "invoice.pdf" },
 *   params: [{ name: "total", format: "number", description: "Total amount including tax" }],
 * });
 */
export class SheafClient extends Operations {
  protected readonly send: Send;
  readonly #tokens: Tokens;
  readonly #credentials: { client_id: string; client_secret: string };
  #postsForToken = true;

  constructor(options: SheafClientOptions) {
    super();
    const { clientId, clientSecret } = options;
    if (!clientId || !clientSecret) throw new TypeError("clientId and clientSecret are required.");
    this.#credentials = { client_id: clientId, client_secret: clientSecret };
    this.#tokens = new Tokens(() => this.#fetchToken());
    this.send = new Transport(transportSettings(options), this.#tokens);
  }

  /**
   * Fetches a token by POST, so that the secret is not in the URL. Uses GET if the service does not
   * support POST.
   */
  async #fetchToken(): Promise<Token> {
    if (this.#postsForToken) {
      const form = { grant_type: "client_credentials", ...this.#credentials };
      try {
        return await this.send.answer({ method: "POST", path: "/v2/token", anonymous: true, repeatable: true, form });
      } catch (error) {
        if (!(error instanceof SheafError) || ![404, 405, 501].includes(error.status)) throw error;
        this.#postsForToken = false;
      }
    }
    return this.getToken(this.#credentials);
  }

  /**
   * Extracts data from a file, with the params of the request. If the params are written inline or
   * `as const`, the type of `data` is derived from them.
   */
  override extract<const Params extends readonly ExtractionParam[]>(
    body: ExtractRequest & { params: Params },
    options?: UploadOptions,
  ): Promise<Omit<ExtractAnswer, "data"> & { data: DataOf<Params>[] }> {
    return super.extract(body, options) as Promise<Omit<ExtractAnswer, "data"> & { data: DataOf<Params>[] }>;
  }

  /**
   * Waits for the result of an asynchronous extraction.
   * @throws SheafError `timed_out`; if the extraction failed, its error code, with the HTTP status
   * that a synchronous extraction would have returned
   */
  waitForExtraction(extractId: string, options?: WaitOptions): Promise<ExtractionSuccess> {
    return poll((request) => this.getExtraction(extractId, request), finished<ExtractionSuccess>, options);
  }

  /**
   * Waits for the result of a classification.
   * @throws SheafError `timed_out`; if the classification failed, its error code
   */
  waitForClassification(classificationId: string, options?: WaitOptions): Promise<ClassificationSuccess> {
    return poll(
      (request) => this.getClassification(classificationId, request),
      finished<ClassificationSuccess>,
      options,
    );
  }

  /**
   * Waits until a document of the corpus is `ready`. Each poll lists the whole corpus. To wait for
   * many documents, list the corpus yourself or use a webhook.
   * @throws SheafError `timed_out`; `ingestion_failed` if the status becomes `error`;
   * `document_not_found` if the document is not in the corpus
   */
  waitForDocument(reference: string, documentReference: string, options?: WaitOptions): Promise<Document> {
    const look = (request: RequestOptions) => this.listDocuments(reference, request);
    return poll(
      look,
      ({ data }) => {
        const document = data.find((each) => each.reference === documentReference);
        if (document === undefined) throw new SheafError("document_not_found", "No such document.", { status: 404 });
        if (document.status === "error")
          throw new SheafError("ingestion_failed", `${document.name} could not be read.`, { detail: document });
        return document.status === "ready" ? document : undefined;
      },
      options,
    );
  }
}

type Outcome<Success> =
  | { status: "started" }
  | Success
  | Pick<ExtractionFailure, "status" | "code" | "error" | "detail">;

function finished<Success extends { status: "success" }>(outcome: Outcome<Success>): Success | undefined {
  if (outcome.status === "started") return undefined;
  if (outcome.status === "success") return outcome;
  const { code, error, detail } = outcome;
  throw new SheafError(code, error, { status: detail.http_status, detail });
}
