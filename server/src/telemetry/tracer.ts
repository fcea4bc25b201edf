/** Interface for tracing. Attributes contain types and numbers, never contents. */

export type Attributes = Record<string, string | number | boolean>;

export interface Span {
  set(attributes: Attributes): void;
}

/** The span of a request. All work started with `run` belongs to this span. */
export interface RequestSpan extends Span {
  run(work: () => void): void;
  end(status: number): void;
}

export interface DatabaseQuery {
  /** SQL with placeholders instead of values. */
  sql: string;
  durationMs: number;
  failed: boolean;
}

export interface Tracer {
  /** Runs `work` in a child span. If it throws, the span ends as failed. */
  span<T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T>;
  /** Starts the span of a request, as part of the trace in the request's `traceparent` header. */
  request(name: string, attributes: Attributes, traceparent: string | undefined): RequestSpan;
  /** Records a finished query as a child span. */
  query(query: DatabaseQuery): void;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

const nowhere: RequestSpan = { set: () => {}, run: (work) => work(), end: () => {} };

/** Used if no collector is configured. */
export const silentTracer: Tracer = {
  span: (_name, _attributes, work) => work(nowhere),
  request: () => nowhere,
  query: () => {},
  close: async () => {},
};
