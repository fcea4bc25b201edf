/**
 * Preloaded into a service. A request with the header `x-kill` ends the process with SIGKILL: right
 * before the response if it is `answer`, or during the work if it is `work`.
 */
import { ServerResponse } from "node:http";

const writeHead = ServerResponse.prototype.writeHead;
ServerResponse.prototype.writeHead = function (...head) {
  if (this.req.headers["x-kill"] === "answer") process.kill(process.pid, "SIGKILL");
  return writeHead.apply(this, head);
};

/**
 * Delay of the kill during the work, in milliseconds: about the time of the shortest work. Chosen
 * by hand, 2026-11.
 */
const inTheMiddleMs = 15;

const assign = ServerResponse.prototype.assignSocket;
ServerResponse.prototype.assignSocket = function (socket) {
  if (this.req.headers["x-kill"] === "work") setTimeout(() => process.kill(process.pid, "SIGKILL"), inTheMiddleMs);
  return assign.call(this, socket);
};
