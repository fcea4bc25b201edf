/**
 * Preloaded into a service process. A request with the header `x-kill: answer` ends the process
 * with SIGKILL right before the response; `x-kill: work` ends it during the work.
 */
import { ServerResponse } from "node:http";

const writeHead = ServerResponse.prototype.writeHead;
ServerResponse.prototype.writeHead = function (...head) {
  if (this.req.headers["x-kill"] === "answer") process.kill(process.pid, "SIGKILL");
  return writeHead.apply(this, head);
};

/**
 * Delay between the start of the work and the kill, in milliseconds. About as long as the shortest
 * work takes. Chosen by hand, 2026-11.
 */
const inTheMiddleMs = 15;

const assign = ServerResponse.prototype.assignSocket;
ServerResponse.prototype.assignSocket = function (socket) {
  if (this.req.headers["x-kill"] === "work") setTimeout(() => process.kill(process.pid, "SIGKILL"), inTheMiddleMs);
  return assign.call(this, socket);
};
