/**
 * A LangChain.js retriever over a corpus: each document is a quote that the answer relies on, with
 * its page and boxes, so that a chain can cite it. Needs `@langchain/core`.
 */

import { Document } from "@langchain/core/documents";
import { BaseRetriever, type BaseRetrieverInput } from "@langchain/core/retrievers";
import type { Citation, SheafClient } from "@sheaf/client";

export interface SheafRetrieverInput extends BaseRetrieverInput {
  client: SheafClient;
  /** Reference of the documentalist agent that holds the corpus. */
  agent: string;
}

export type QuoteMetadata = Pick<Citation, "document_reference" | "name" | "path" | "page" | "boxes">;

/**
 * @example
 * const retriever = new SheafRetriever({ client, agent });
 * const quotes = await retriever.invoke("Which notice period?");
 */
export class SheafRetriever extends BaseRetriever<QuoteMetadata> {
  lc_namespace = ["sheaf", "retrievers"];
  readonly #client: SheafClient;
  readonly #agent: string;

  constructor({ client, agent, ...input }: SheafRetrieverInput) {
    super(input);
    this.#client = client;
    this.#agent = agent;
  }

  static override lc_name(): string {
    return "SheafRetriever";
  }

  override async _getRelevantDocuments(query: string): Promise<Document<QuoteMetadata>[]> {
    const { data } = await this.#client.askKnowledge(this.#agent, { query, include: ["citations"] });
    return (data.citations ?? []).map(({ quote, document_reference, name, path, page, boxes }) => {
      const metadata = { document_reference, name, path, page, boxes };
      return new Document({ pageContent: quote, metadata });
    });
  }
}
