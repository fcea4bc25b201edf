/** The address that the service listens on, from the first connection to the last. */
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { AppError } from "../lib/errors.ts";

/** Connections that may wait to be accepted: a burst of them comes faster than a turn of the event loop. */
const waitingConnections = 1024;

/** How long a stopping service waits for requests under way before it ends them. */
const drainMs = 7_000;

/** @throws Error where the port is in use. */
export async function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<void> {
  try {
    await app.listen({ host, port, backlog: waitingConnections });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new Error(`Port ${port} of ${host} is in use: set SHEAF_PORT to another.`, { cause: error });
  }
}

/** That others on this machine reach it at. */
export function urlOf(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo;
  const host = address === "0.0.0.0" || address === "::" ? "localhost" : family === "IPv6" ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

/** Lets requests under way finish; those that don't in time get an error, and connections that are left then are cut. */
export async function drain(app: FastifyInstance, shutdown: AbortController): Promise<void> {
  const stopping = new AppError("agent_unavailable", undefined, { message: "The service is stopping." });
  const timers = [
    setTimeout(() => shutdown.abort(stopping), drainMs),
    setTimeout(() => app.server.closeAllConnections(), drainMs + 1_000),
  ];
  await app.close();
  shutdown.abort(stopping);
  timers.forEach(clearTimeout);
}
