/** Refuses a request because the service is overloaded. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AppDeps } from "./app-deps.ts";
import { replyBusy } from "./error-reply.ts";

export function shedRequest(
  { loadGate }: Pick<AppDeps, "loadGate">,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  request.isShed = true;
  loadGate.refuse();
  request.observed?.shed();
  return replyBusy(reply);
}
