/**
 * Receives webhooks in a separate process. Responds with 200 at once, and sends the arrival time of
 * each delivery to the parent process.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (text: string) => {
    body += text;
  });
  request.on("end", () => {
    process.send?.({ name: JSON.parse(body).data.name, at: performance.timeOrigin + performance.now() });
    response.end();
  });
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
