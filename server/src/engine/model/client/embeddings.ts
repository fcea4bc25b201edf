/** Requests vectors of texts from the embeddings API of an endpoint. */

import { ModelFailure } from "../../engine.ts";
import type { Meter } from "../../meter.ts";
import type { ModelClient } from "../model-client.ts";
import type { Calls } from "./calls.ts";
import type { ModelEndpoint } from "./model-endpoint.ts";
import { estimateTokens, maxTemplateTokens } from "./token-counts.ts";

/**
 * Number of texts in one request. Of the common servers, the strictest accepts no more than this.
 */
const batchSize = 32;
/**
 * Maximum number of dimensions. No known model has more (2026-11). Parsing a batch of such vectors
 * takes about 50 ms.
 */
const maxDimensions = 8_192;
/**
 * Maximum number of bytes of one component of a vector in JSON: sign, point, 17 digits, exponent
 * and comma.
 */
const componentBytes = 24;
/**
 * Maximum number of bytes in a response for everything except the vector components: property
 * names, model, usage.
 */
const frameBytes = 65_536;
/**
 * Maximum absolute value of a component. Vectors of known models have norms of 1 to a few hundred.
 */
const maxComponent = 1e6;

export class Embeddings {
  readonly #model: string;
  readonly #endpoint: ModelEndpoint;
  readonly #calls: Calls;
  /**
   * Number of dimensions of all vectors, known from the first response. An index can't contain
   * vectors with different numbers of dimensions.
   */
  #dimensions: number | undefined;

  constructor(model: string, endpoint: ModelEndpoint, calls: Calls) {
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

  async #batch(input: string[], meter: Meter, signal: AbortSignal): Promise<Float32Array[]> {
    const text = input.join("");
    const inputTokens = estimateTokens(text);
    const maxInputTokens = Buffer.byteLength(text) + maxTemplateTokens;
    const call = await this.#calls.begin(
      { purpose: "embed", meter, inputTokens, maxInputTokens, maxOutputTokens: 0 },
      signal,
    );
    const dimensions = this.#dimensions ?? maxDimensions;
    call.spending.maxJsonBytes = frameBytes + input.length * dimensions * componentBytes;
    try {
      const body = JSON.stringify({ model: this.#model, input, encoding_format: "float" });
      // The endpoint replaces the host, so only the path of this URL matters.
      const response = await this.#endpoint.fetchFor(call.spending)("http://model/embeddings", {
        method: "POST",
        body,
      });
      return this.#checked(vectorsOf(await response.json(), input.length));
    } catch (error) {
      throw call.causeOf(error);
    } finally {
      await call.end();
    }
  }

  #checked(vectors: Float32Array[]): Float32Array[] {
    const dimensions = this.#dimensions ?? vectors[0]?.length;
    const other = vectors.find(({ length }) => length !== dimensions);
    if (other !== undefined)
      throw malformed(`returned a vector of ${other.length} dimensions after vectors of ${dimensions}`);
    this.#dimensions = dimensions;
    return vectors;
  }
}

const malformed = (problem: string): ModelFailure =>
  new ModelFailure("malformed", `The embedding endpoint ${problem}.`);

/**
 * Returns the vectors in the order of the texts. An endpoint may return them in another order.
 * `index` is the position of the text to which a vector belongs.
 */
function vectorsOf(answer: unknown, count: number): Float32Array[] {
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data) || data.length !== count)
    throw malformed(`returned ${Array.isArray(data) ? data.length : "no"} vectors for ${count} texts`);
  const vectors = new Array<Float32Array | undefined>(count);
  for (const [at, entry] of data.entries()) {
    const { embedding, index = at } = (entry ?? {}) as { embedding?: unknown; index?: unknown };
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= count || vectors[index as number])
      throw malformed(
        `returned the index ${JSON.stringify(index)?.slice(0, 20)} for ${count} texts, or an index twice`,
      );
    vectors[index as number] = vectorOf(embedding);
  }
  return vectors as Float32Array[];
}

function vectorOf(embedding: unknown): Float32Array {
  if (!Array.isArray(embedding) || embedding.length === 0 || embedding.length > maxDimensions)
    throw malformed("returned something that is not a vector");
  const isBelievable = (component: unknown) => typeof component === "number" && Math.abs(component) <= maxComponent;
  if (!embedding.every(isBelievable)) throw malformed("returned a vector with components that are not coordinates");
  return Float32Array.from(embedding as number[]);
}
