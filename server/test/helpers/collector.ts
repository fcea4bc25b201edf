/** An OpenTelemetry collector: a server that records the traces posted to it. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, unknown>;
  /** OpenTelemetry status code; 2 means error. */
  status: number | undefined;
}

interface WireAttribute {
  key: string;
  value: Record<string, unknown>;
}
type WireSpan = Omit<CollectedSpan, "attributes" | "status"> & {
  attributes: WireAttribute[];
  status?: { code?: number };
};

export interface Collector extends AsyncDisposable {
  url: string;
  /** Request bodies as received. */
  bodies: string[];
  headers: IncomingHttpHeaders[];
  paths: string[];
  spans(): CollectedSpan[];
  /** Returns the resource attributes of the sending service. */
  resource(): Record<string, unknown>;
}

const valuesOf = (attributes: readonly WireAttribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

export async function openCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const paths: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    bodies.push(Buffer.concat(chunks).toString());
    headers.push(request.headers);
    paths.push(request.url ?? "");
    response.setHeader("content-type", "application/json").end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const resources = () => bodies.flatMap((body) => JSON.parse(body).resourceSpans);
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    headers,
    paths,
    spans: () =>
      resources()
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans as WireSpan[])
        .map(({ attributes, status, ...span }) => ({
          ...span,
          attributes: valuesOf(attributes),
          status: status?.code,
        })),
    resource: () => valuesOf(resources()[0]?.resource.attributes ?? []),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
