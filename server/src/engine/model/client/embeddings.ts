/** Vectors of texts from the embeddings of an endpoint. */
import type { Meter, ModelClient } from "../model-client.ts";
import type { Calls } from "./calls.ts";
import type { Endpoint } from "./endpoint.ts";
import { ModelFailure } from "./model-failure.ts";
import { openProvider } from "./requests.ts";
import { estimateTokens } from "./tokens.ts";

/** As many as the strictest of the common servers takes at once. */
const batchSize = 32;

export class Embeddings {
  readonly #model: string;
  readonly #endpoint: Endpoint;
  readonly #calls: Calls;
  /** Of all vectors, once there is one: an index can't hold others. */
  #dimensions: number | undefined;

  constructor(model: string, endpoint: Endpoint, calls: Calls) {
    this.#model = model;
    this.#endpoint = endpoint;
    this.#calls = calls;
  }

  async embed(...[texts, meter, signal]: Parameters<ModelClient["embed"]>): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += batchSize)
      vectors.push(...(await this.#batch(texts.slice(start, start + batchSize), meter, signal)));
    return vectors;
  }

  async #batch(values: string[], meter: Meter, signal: AbortSignal): Promise<Float32Array[]> {
    const inputTokens = estimateTokens(values.join(""));
    const call = await this.#calls.begin({ purpose: "embed", meter, inputTokens, maxOutputTokens: 0 }, signal);
    try {
      const provider = await openProvider(this.#endpoint.fetchFor(call.spending));
      const { embeddings } = await provider
        .embeddingModel(this.#model)
        .doEmbed({ values, abortSignal: call.spending.signal });
      return this.#checked(embeddings, values.length);
    } catch (error) {
      throw call.causeOf(error);
    } finally {
      await call.end();
    }
  }

  #checked(embeddings: readonly number[][], count: number): Float32Array[] {
    if (embeddings.length !== count)
      throw new ModelFailure(
        "rubbish",
        `The embedding endpoint gives ${embeddings.length} vectors for ${count} texts.`,
      );
    const dimensions = this.#dimensions ?? embeddings[0]?.length;
    const other = embeddings.find(({ length }) => length === 0 || length !== dimensions);
    if (other !== undefined)
      throw new ModelFailure(
        "rubbish",
        `The embedding endpoint gives ${other.length} dimensions, and gave ${dimensions}.`,
      );
    this.#dimensions = dimensions;
    return embeddings.map((vector) => Float32Array.from(vector));
  }
}
