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
  /** Records that a file was received. */
  uploaded(bytes: number): void;
  /** Records that load shedding refused the request. */
  shed(): void;
  /** Records the error that the response reports. */
  failed(code: ErrorCode): void;
  /**
   * Records the end of the request. The status is 499 if the client disconnected before the end of
   * the response.
   */
  end(status: number): void;
}
