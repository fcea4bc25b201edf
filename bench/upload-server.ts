/**
 * Minimal server for the measurements of uploads. `POST /drain` reads a body and discards it.
 * `POST /receive` stores its file, with fsync. The argument is the folder for the files.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { openTemporaryFiles } from "../server/src/files/temporary-files.ts";
import { receiveUpload, uploadLimits } from "../server/src/http/upload/receive-upload.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("The folder of the temporary files is missing.");
const files = await openTemporaryFiles(folder);
const limits = uploadLimits(60 * 1024 * 1024);

async function drain(incoming: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const chunk of incoming) bytes += chunk.length;
  return bytes;
}

async function receive(incoming: IncomingMessage): Promise<number> {
  await using file = await files.create();
  await receiveUpload(incoming, file, limits);
  await file.sync();
  return file.size;
}

const server = createServer((incoming, outgoing) => {
  const handled = incoming.url === "/receive" ? receive(incoming) : drain(incoming);
  handled.then(
    (bytes) => outgoing.end(String(bytes)),
    (error: unknown) => outgoing.writeHead(500, { connection: "close" }).end(String(error)),
  );
});

server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit());
