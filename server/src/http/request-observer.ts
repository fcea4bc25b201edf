/** What the application tells of its requests, to whoever measures and traces them. */
import type { IncomingHttpHeaders } from "node:http";
import type { ErrorCode } from "@sheaf/contract/errors.ts";

export interface RequestObserver {
  /** `route` is the pattern of the path, never the path itself; undefined where nothing is mounted there. */
  begin(request: {
    id: string;
    method: string;
    route: string | undefined;
    headers: IncomingHttpHeaders;
  }): ObservedRequest;
}

export interface ObservedRequest {
  /** Does what belongs to the request. */
  run(work: () => void): void;
  /** A file of so many bytes was received. */
  uploaded(bytes: number): void;
  /** It is refused because the service has too much to do. */
  shed(): void;
  /** It is answered with this error. */
  failed(code: ErrorCode): void;
  /** It is over; 499 where the client left before the end of the answer. */
  end(status: number): void;
}
