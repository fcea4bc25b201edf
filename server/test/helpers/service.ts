/**
 * Runs a whole service in this process, on a free port and with its own data folder, and provides
 * organizations and clients.
 */
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startService } from "../../src/compose/service.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { createCredential, issueToken } from "../../src/features/organizations/credentials.service.ts";
import { createOrganization } from "../../src/features/organizations/organizations.service.ts";
import type { Administrator } from "../../src/lib/caller.ts";
import { newId } from "../../src/lib/ids.ts";
import { type Keys, openKeys } from "../../src/lib/keys.ts";
import { openLog } from "../../src/lib/log.ts";
import { type Db, openRecords } from "../../src/records/records.ts";
import { createDatabase, type Dialect } from "./databases.ts";
import { checkAgainstOpenApi } from "./openapi.ts";

export interface Answer {
  status: number;
  headers: Headers;
  // Tests read any member of a response; its shape is checked against the OpenAPI document.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
}

/** Sends requests with one token. Every response is checked against the OpenAPI document. */
export interface TestClient {
  token: string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface TestOrganization {
  id: string;
  administrator: TestClient & { clientId: string; clientSecret: string; memberId: string; userId: string };
  /** The administrator, as a caller of service functions. */
  caller: Administrator;
}

export interface TestService extends AsyncDisposable {
  url: string;
  config: Config;
  keys: Keys;
  db: Db;
  /** Link for the first sign-in, if the test has a web application. */
  firstSignInUrl: string | undefined;
  organization(name: string): Promise<TestOrganization>;
  client(token: string): TestClient;
}

/**
 * Roles of additional processes, such as `api,worker`. These processes are started beside each
 * service that uses PostgreSQL. Each request then goes to a randomly chosen process that serves the
 * API.
 */
const otherRoles = process.env.TEST_OTHER_ROLES?.split(",") ?? [];

export async function openTestService(dialect: Dialect, settings: Record<string, string> = {}): Promise<TestService> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "sheaf-test-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const database = await createDatabase(dialect);
  stack.defer(() => database.drop());
  const environment = {
    SHEAF_DATA_DIR: folder,
    SHEAF_PORT: "0",
    DATABASE_URL: database.url,
    SHEAF_LOG_LEVEL: "silent",
    // Set so that tests do not depend on whether the web application is built.
    SHEAF_WEB_DIR: join(folder, "web"),
    SHEAF_DOCS_DIR: join(folder, "docs"),
    // Starting a process takes half a second of processor time, so only one is started by default.
    // Tests that need more override this setting.
    SHEAF_READING_PROCESSES: "1",
    ...settings,
  };
  const config = readConfig(environment);
  const service = await startService(config, openLog(config.logLevel));
  stack.defer(() => service.close());
  const urls = [urlOf(config, service)];
  if (dialect === "postgres")
    for (const [at, role] of otherRoles.entries()) {
      const beside = readConfig({
        ...environment,
        ...settingsBeside(config, join(folder, `process-${at}`)),
        SHEAF_ROLE: role,
      });
      const other = await startService(beside, openLog(config.logLevel));
      stack.defer(() => other.close());
      if (role !== "worker") urls.push(urlOf(beside, other));
    }
  const urlOfAny = () => urls[Math.floor(Math.random() * urls.length)] as string;
  const keys = await openKeys(config.keysDir);
  const records = openRecords(
    config.database.dialect === "sqlite" ? config.database : { ...config.database, onIdleError: () => {} },
  );
  stack.defer(() => records.close());
  const { db } = records;
  const client = (token: string): TestClient => ({ token, send: sender(urlOfAny, token) });
  const resources = stack.move();
  return {
    url: urlOf(config, service),
    config,
    keys,
    db,
    firstSignInUrl: service.firstSignInUrl,
    client,
    organization: (name) => makeOrganization({ db, keys, tokenLifetimeSeconds: 3600 }, name, client),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/**
 * Returns the local URL of the service. If the test sets a public URL, `url` contains that one, so
 * the local URL is built from the port.
 */
function urlOf({ publicUrl }: Config, { url, app }: Awaited<ReturnType<typeof startService>>): string {
  return publicUrl === undefined ? url : `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** Returns the settings of another process of the same installation, with its own data folder. */
const settingsBeside = ({ keysDir, filesDir, s3 }: Config, folder: string) => ({
  SHEAF_DATA_DIR: folder,
  SHEAF_KEYS_DIR: keysDir,
  ...(s3 === undefined && { SHEAF_FILES_DIR: filesDir }),
});

async function makeOrganization(
  deps: { db: Db; keys: Keys; tokenLifetimeSeconds: number },
  name: string,
  client: (token: string) => TestClient,
): Promise<TestOrganization> {
  const { id } = await createOrganization(
    deps.db,
    { name, administrator: { name, email: `${newId()}@example.com` } },
    { operator: "test" },
  );
  const { clientId, clientSecret } = await createCredential(deps, id, { name: "test" }, { operator: "test" });
  const { accessToken } = await issueToken(deps, clientId, clientSecret);
  const member = await deps.db
    .selectFrom("members")
    .select(["id", "user_id"])
    .where("organization_id", "=", id)
    .executeTakeFirstOrThrow();
  const caller: Administrator = {
    organizationId: id,
    memberId: member.id,
    userId: member.user_id,
    role: "administrator",
    channel: "api",
    credentialId: clientId,
    address: "127.0.0.1",
    requestId: newId(),
  };
  return {
    id,
    caller,
    administrator: { ...client(accessToken), clientId, clientSecret, memberId: member.id, userId: member.user_id },
  };
}

const sender =
  (urlOfAny: () => string, token: string): TestClient["send"] =>
  async (method, path, body, headers = {}) => {
    const url = urlOfAny();
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token ? { "x-api-key": token } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    // `fetch` removes the segments "." and "..", so the response is checked against the path that
    // was actually sent.
    const sent = new URL(url + path).pathname;
    return checkAgainstOpenApi(method, sent, await answerOf(response));
  };

async function answerOf(response: Response): Promise<Answer> {
  if (response.headers.get("content-type")?.startsWith("image/"))
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  const text = await textOf(response);
  const json = response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

/**
 * Returns the body as text. The event stream never ends, so only its first chunk is returned, and
 * the connection is closed.
 */
export async function textOf(response: Response): Promise<string> {
  if (!response.ok || new URL(response.url).pathname !== "/v2/events") return response.text();
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return new TextDecoder().decode(value);
}
