/** Receives the events of requests, for metrics and traces. */
import type { IncomingHttpHeaders } from "node:http";
import type { ErrorCode } from "@sheaf/contract/errors.ts";

export interface RequestObserver {
  /**
   * @param request `route` is the pattern of the path, never the path itself; undefined if no route
   * matches
   */
  begin(request: {
    id: string;
    method: string;
    route: string | undefined;
    headers: IncomingHttpHeaders;
  }): ObservedRequest;
}

export interface ObservedRequest {
  /** Runs `work` within the trace of the request. */
  run(work: () => void): void;
  /** A file was received. */
  uploaded(bytes: number): void;
  /** The request was refused by load shedding. */
  shed(): void;
  /** The response reports this error. */
  failed(code: ErrorCode): void;
  /**
   * The request ended. The status is 499 if the client disconnected before the end of the response.
   */
  end(status: number): void;
}
