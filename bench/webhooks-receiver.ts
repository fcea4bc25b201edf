/**
 * A webhook receiver in a separate process. It responds with 200 at once and reports the arrival
 * time of each delivery to its parent.
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
