/** A receiver of webhooks in a process of its own: answers 200 at once and tells its parent when each delivery came. */
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
