/** Preloaded into a service: a request that asks for it ends the process with SIGKILL, right before its answer or in the middle of its work. */
import { ServerResponse } from "node:http";

const writeHead = ServerResponse.prototype.writeHead;
ServerResponse.prototype.writeHead = function (...head) {
  if (this.req.headers["x-kill"] === "answer") process.kill(process.pid, "SIGKILL");
  return writeHead.apply(this, head);
};

/** About as long as the shortest work takes. */
const inTheMiddleMs = 15;

const assign = ServerResponse.prototype.assignSocket;
ServerResponse.prototype.assignSocket = function (socket) {
  if (this.req.headers["x-kill"] === "work") setTimeout(() => process.kill(process.pid, "SIGKILL"), inTheMiddleMs);
  return assign.call(this, socket);
};
