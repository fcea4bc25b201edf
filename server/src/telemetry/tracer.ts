/** What the parts of a request or a job are told to. Attributes say what kind of thing was done and how much of it, never the content. */

export type Attributes = Record<string, string | number | boolean>;

export interface Span {
  set(attributes: Attributes): void;
}

/** A request as a span: what it does runs inside. */
export interface RequestSpan extends Span {
  run(work: () => void): void;
  end(status: number): void;
}

export interface Query {
  /** With placeholders in place of values. */
  sql: string;
  durationMs: number;
  failed: boolean;
}

export interface Tracer {
  /** Does `work` as a part of what is being done; what it throws ends the span as failed. */
  span<T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T>;
  /** Begins a request, as a part of the trace that the header `traceparent` names. */
  request(name: string, attributes: Attributes, traceparent: string | undefined): RequestSpan;
  /** A query that is over, as a part of what is being done. */
  query(query: Query): void;
  /** Sends what has not been sent. */
  close(): Promise<void>;
}

const nowhere: RequestSpan = { set: () => {}, run: (work) => work(), end: () => {} };

/** Where no collector is configured. */
export const silentTracer: Tracer = {
  span: (_name, _attributes, work) => work(nowhere),
  request: () => nowhere,
  query: () => {},
  close: async () => {},
};
