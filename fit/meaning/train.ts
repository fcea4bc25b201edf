/**
 * Trains the table by contrastive learning. Each batch consists of pairs of phrases with the same
 * meaning. Each phrase should be nearer to its partner than to the partners of all other phrases.
 */
import { dot } from "../../server/src/language/meaning.ts";
import { meaningDimensions as dimensions } from "../../server/src/language/meaning-features.ts";
import { type Concept, type Language, languages } from "./corpus.ts";
import { MeaningTable } from "./table.ts";
import { Vocabulary } from "./vocabulary.ts";

const batch = 256;
/**
 * Temperature: divisor of similarities. The smaller it is, the more the nearest wrong partners
 * count.
 */
const temperature = 0.08;
const learningRate = 0.15;
/** Share (0–1) of the learning rate that remains at the end. */
const lastRate = 0.1;
/** Smallest absolute gradient of a logit that is applied. */
const negligible = 1e-5;

interface Side {
  text: string;
  vector: Float32Array;
  gradient: Float32Array;
  length: number;
}

/**
 * @param onProgress called every hundred steps with the mean loss per phrase since the last call
 */
export function train(
  concepts: readonly Concept[],
  steps: number,
  random: () => number,
  onProgress: (step: number, loss: number) => void,
): MeaningTable {
  const table = new MeaningTable(new Vocabulary(concepts), random);
  const drawn = new PairSource(concepts, random);
  let loss = 0;
  for (let step = 1; step <= steps; step++) {
    const chosen = drawn.concepts();
    const pairs = chosen.map((concept) => drawn.pairOf(concept));
    const asks = pairs.map(([text]) => side(table, text));
    const answers = pairs.map(([, text]) => side(table, text));
    loss += contrast(chosen, asks, answers);
    const rate = learningRate * (1 - (step / steps) * (1 - lastRate));
    for (const { text, gradient, vector, length } of [...asks, ...answers])
      table.descend(text, gradient, vector, length, rate);
    if (step % 100 === 0) {
      onProgress(step, loss / 100);
      loss = 0;
    }
  }
  return table;
}

function side(table: MeaningTable, text: string): Side {
  const vector = new Float32Array(dimensions);
  const length = table.embed(text, vector);
  return { text, vector, gradient: new Float32Array(dimensions), length };
}

/** Adds the gradients of one batch to both phrases of each pair. Returns the mean loss. */
function contrast(concepts: readonly Concept[], asks: readonly Side[], answers: readonly Side[]): number {
  const logits = asks.map(({ vector }, i) =>
    answers.map((other, j) =>
      i !== j && concepts[i]?.alike.has(concepts[j]?.index ?? -1)
        ? Number.NEGATIVE_INFINITY
        : dot(vector, other.vector) / temperature,
    ),
  );
  const columns = answers.map((_, j) => logits.map((row) => row[j] ?? Number.NEGATIVE_INFINITY));
  let loss = 0;
  for (let i = 0; i < asks.length; i++) {
    loss += follow(logits[i] ?? [], i, (j, by) => pull(asks[i], answers[j], by));
    loss += follow(columns[i] ?? [], i, (j, by) => pull(asks[j], answers[i], by));
  }
  return loss / (2 * asks.length);
}

/**
 * Calls `move` with the gradient of each logit. Returns the loss, which is lowest if the logit
 * `right` is the highest.
 */
function follow(logits: readonly number[], right: number, move: (at: number, by: number) => void): number {
  const highest = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  for (const [at, power] of powers.entries()) {
    const by = power / sum - (at === right ? 1 : 0);
    if (Math.abs(by) > negligible) move(at, by / 2);
  }
  return -Math.log((powers[right] ?? 0) / sum + 1e-9);
}

function pull(ask: Side | undefined, answer: Side | undefined, by: number): void {
  if (ask === undefined || answer === undefined) return;
  const step = by / temperature;
  for (let d = 0; d < dimensions; d++) {
    ask.gradient[d] = (ask.gradient[d] ?? 0) + step * (answer.vector[d] ?? 0);
    answer.gradient[d] = (answer.gradient[d] ?? 0) + step * (ask.vector[d] ?? 0);
  }
}

/** Draws concepts, and pairs of phrases for each. */
class PairSource {
  readonly #concepts: readonly Concept[];
  readonly #random: () => number;
  /** Concepts by author and id. */
  readonly #byId: ReadonlyMap<string, Concept>;

  constructor(concepts: readonly Concept[], random: () => number) {
    this.#concepts = concepts;
    this.#random = random;
    this.#byId = new Map(concepts.map((concept) => [`${concept.part} ${concept.id}`, concept]));
  }

  /** Returns a batch of concepts. Concepts that are easily confused are put into the same batch. */
  concepts(): Concept[] {
    const chosen: Concept[] = [];
    while (chosen.length < batch) {
      const concept = this.#one(this.#concepts);
      chosen.push(concept, ...concept.contrasts.flatMap((id) => this.#byId.get(`${concept.part} ${id}`) ?? []));
    }
    return chosen.slice(0, batch);
  }

  /**
   * Returns two phrases of a concept: mostly one as people ask, and one as documents print it, as a
   * label or in a sentence. A third of the pairs are in one language, half in English and one other
   * language, and the rest in any two languages.
   */
  pairOf({ asks, labels, sentences, values }: Concept): [string, string] {
    const [first, second] = this.#languages();
    const kind = this.#random();
    if (kind < 0.05 && values.length > 0) return [this.#one(asks[first]), this.#one(values)];
    const from = kind < 0.8 || kind >= 0.92 ? asks : labels;
    const said = sentences[second] ?? [];
    const to = kind < 0.25 && said.length > 0 ? said : (kind < 0.92 ? labels : asks)[second];
    return [this.#one(from[first]), this.#one(to)];
  }

  #languages(): [Language, Language] {
    const kind = this.#random();
    const any = this.#one(languages);
    if (kind < 0.35) return [any, any];
    if (kind < 0.7) return ["en", any];
    if (kind < 0.85) return [any, "en"];
    return [any, this.#one(languages)];
  }

  #one<T>(of: readonly T[]): T {
    return of[Math.floor(this.#random() * of.length)] as T;
  }
}
