/** Opens stored files in an S3 test server, in the same way as the service does. */
import { openS3Files } from "../s3-files.ts";
import { openS3Server, type S3ServerOptions } from "./s3-server.ts";

process.env.AWS_ACCESS_KEY_ID ??= "test-access-key";
process.env.AWS_SECRET_ACCESS_KEY ??= "test-secret";

/** @param folder where temporary files are kept */
export async function openTestFiles(folder: string, options: S3ServerOptions = { pageKeys: 3 }) {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await openS3Server(options));
  const settings = {
    bucket: "test-bucket",
    prefix: "in/here/",
    endpoint: server.url,
    region: "us-east-1",
    pathStyle: true,
    encryption: { algorithm: "AES256" },
  } as const;
  const opened = await openS3Files(settings, folder);
  const resources = stack.move();
  return { server, settings, ...opened, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
