/** Operations of the OpenAPI document, with generators for their parameters and bodies. */
import assert from "node:assert/strict";
import { eventNames } from "@sheaf/contract/events.ts";
import { addDomain } from "../../src/features/sign-on/domains.service.ts";
import { describeService } from "../../src/http/openapi.routes.ts";
import { newId, newUlid } from "../../src/lib/ids.ts";
import { onePage } from "../../src/reading/testing/make-pdf.ts";
import { sampleBase64 } from "./corpus.ts";
import { openForgingProvider } from "./forging-provider.ts";
import { PasskeyDevice } from "./passkey-device.ts";
import { credentialOf, join, type Person, password } from "./people.ts";
import type { TestClient, TestOrganization, TestService } from "./service.ts";

interface Schema {
  $ref?: string;
  format?: string;
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

export interface Operation {
  operationId: string;
  method: string;
  path: string;
  /**
   * Alternative ways to authenticate, each with the required roles; empty if no authentication is
   * needed.
   */
  security: Partial<Record<"apiKey" | "session", string[]>>[];
  parameters: { name: string; in: "path" | "query" | "header" }[];
  requestBody: { mediaType: string; schema: Schema } | undefined;
}

const document = describeService(undefined) as {
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: { schemas: Record<string, Schema> };
};

export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { operationId, security, parameters = [], requestBody }]) => {
    const [body] = Object.entries((requestBody as { content: Record<string, { schema: Schema }> })?.content ?? {});
    return {
      operationId,
      method: method.toUpperCase(),
      path,
      security,
      parameters,
      requestBody: body && { mediaType: body[0], schema: body[1].schema },
    } as Operation;
  }),
);

export const namesOf = ({ parameters }: Operation, place: "path" | "query" | "header"): string[] =>
  parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : resolved(document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});

interface IdMember {
  name: string;
  isList: boolean;
}

/**
 * Returns the body members that contain an id or a list of ids. Fails if an id is nested more
 * deeply, because the tests of foreign ids would not cover it.
 */
export function idMembers({ operationId, requestBody }: Operation): IdMember[] {
  const isId = (schema: Schema) => resolved(schema).format === "uuid";
  const hides = (schema: Schema, depth = 0): boolean => {
    if (depth > 6) return false;
    const { properties = {}, items, anyOf = [] } = resolved(schema);
    const inner = [...Object.values(properties), ...(items ? [items] : []), ...anyOf];
    return inner.some((each) => isId(each) || hides(each, depth + 1));
  };
  const members = Object.entries(resolved(requestBody?.schema ?? {}).properties ?? {});
  return members.flatMap(([name, schema]): IdMember[] => {
    const { items } = resolved(schema);
    if (isId(schema)) return [{ name, isList: false }];
    if (items && isId(items)) return [{ name, isList: true }];
    assert.ok(!hides(schema), `${operationId} has an id inside ${name}, which no test would try`);
    return [];
  });
}

/** One way to call the API: with a token or a session, as administrator or member. */
export interface TestCaller {
  scheme: "apiKey" | "session";
  role: "administrator" | "member";
  memberId: string;
  send: TestClient["send"];
}

/**
 * An organization with one caller for each way to call. `mark` is part of every name and text that
 * the tests create in it, so that a response can be searched for it.
 */
export interface World {
  service: TestService;
  organization: TestOrganization;
  mark: string;
  callers: Record<"token" | "session" | "memberToken" | "memberSession", TestCaller>;
}

export async function makeWorld(service: TestService, mark: string): Promise<World> {
  const organization = await service.organization(`House of ${mark}`);
  await addDomain(service.db, organization.id, `${mark}-${newId()}.example.com`);
  const ada = await join(service, organization, "administrator", { name: `Ada ${mark}` });
  const bob = await join(service, organization, "member", { name: `Bob ${mark}` });
  const byToken = async (person: Person) => (await credentialOf(service, person, `of ${mark}`)).send;
  const as = (
    scheme: TestCaller["scheme"],
    role: TestCaller["role"],
    { memberId }: Person,
    send: TestClient["send"],
  ): TestCaller => ({
    scheme,
    role,
    memberId,
    send,
  });
  return {
    service,
    organization,
    mark,
    callers: {
      token: as("apiKey", "administrator", ada, await byToken(ada)),
      session: as("session", "administrator", ada, ada.send),
      memberToken: as("apiKey", "member", bob, await byToken(bob)),
      memberSession: as("session", "member", bob, bob.send),
    },
  };
}

async function made(
  who: Pick<TestCaller, "send">,
  method: string,
  path: string,
  body: object,
): Promise<Record<string, string>> {
  const answer = await who.send(method, path, body);
  assert.ok(answer.status >= 200 && answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data ?? answer.body;
}

const isMember = ({ scheme, role }: TestCaller) => scheme === "session" && role === "member";
const params = (mark: string) => [{ name: "total", format: "number", description: `Total ${mark}`, items: [] }];

/**
 * Creates an agent with a corpus that the caller may manage. A member with a session gets a
 * personal agent, because members cannot create other ones.
 */
const corpus = async (world: World, who: TestCaller) => {
  const type = isMember(who) ? "PERSONAL" : "DOCUMENTALIST";
  return (await made(who, "POST", "/v2/agents", { name: `Corpus ${world.mark}`, type })).reference as string;
};
const extractor = async ({ callers, mark }: World) => {
  const body = { name: `Extractor ${mark}`, type: "EXTRACTOR", configuration: { params: params(mark) } };
  return (await made(callers.token, "POST", "/v2/agents", body)).reference as string;
};
const publicAgent = async (world: World) => {
  const agent = await corpus(world, world.callers.token);
  await made(world.callers.token, "PUT", `/v2/agents/${agent}/access`, { visibility: "public" });
  return agent;
};
export const documentOf = async ({ mark }: World, who: TestCaller, agent: string) => {
  const file = Buffer.from(onePage({ text: `The code word is ${mark}.`, x: 72, y: 700 })).toString("base64");
  const body = { filename: `${mark} ${newId()}.pdf`, path: mark, file };
  return (await made(who, "POST", `/v2/agents/${agent}/documents`, body)).document_reference as string;
};
const extraction = async ({ mark }: World, who: TestCaller) => {
  const body = {
    filename: `${mark}.pdf`,
    file: sampleBase64,
    params: params(mark),
    callback: "https://callback.invalid/",
  };
  return (await made(who, "POST", "/v2/extractor/async", body)).extract_id as string;
};
const classification = async ({ mark }: World, who: TestCaller) => {
  const body = { filename: `${mark}.pdf`, file: sampleBase64 };
  return (await made(who, "POST", "/v2/classification/async", body)).classification_id as string;
};
const group = async ({ callers: { token }, mark }: World, members: string[] = []) =>
  (await made(token, "POST", "/v2/organization/groups", { name: `${mark} ${newId()}`, member_ids: members }))
    .id as string;

const learners = new WeakMap<World, Promise<string>>();

/**
 * Returns the extractor agent to be taught. A request to teach it has the agent's id in the path
 * and the extraction's id in the body.
 */
const learner = (world: World): Promise<string> => {
  const made = learners.get(world) ?? extractor(world);
  learners.set(world, made);
  return made;
};

/** Teaches the extractor, and returns the id of what it has learned. */
const learned = async (world: World, who: TestCaller) => {
  const body = await lesson(world, who);
  return (await made(who, "POST", `/v2/extractor/${await learner(world)}/corrections`, body)).id as string;
};
const lesson = async (world: World, who: TestCaller) => ({
  extraction_id: await keptExtraction(world, who, `/${await learner(world)}`),
  corrections: [{ path: "/0/total", value: 1 }],
});

const keptExtraction = async ({ mark }: World, who: TestCaller, agent = "") => {
  const fields = agent === "" ? { params: params(mark) } : {};
  const body = { filename: `${mark}.pdf`, file: sampleBase64, ...fields, keep: true };
  const answer = await who.send("POST", `/v2/extractor${agent}`, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.metadata.extraction_id as string;
};

const keptClassification = async ({ mark }: World, who: TestCaller) => {
  const body = { filename: `${mark}.pdf`, file: sampleBase64, keep: true };
  const id = (await made(who, "POST", "/v2/classification/async", body)).classification_id as string;
  for (let status = "started"; status === "started"; await new Promise((resolve) => setTimeout(resolve, 20)))
    ({ status } = (await who.send("GET", `/v2/classification/async/${id}`)).body);
  return id;
};

/** Creates a delivery that has failed, so that it can be replayed. */
const endedDelivery = async ({ service, organization, mark }: World) => {
  const id = newUlid();
  const [event, at] = ["extraction.completed" as const, new Date().toISOString()];
  const url = `https://${mark}.invalid/`;
  await service.db
    .insertInto("deliveries")
    .values({
      id,
      organization_id: organization.id,
      event,
      callback_url: url,
      data: JSON.stringify({ mark }),
      status: "failed",
      failure: `It failed for ${mark}.`,
      created_at: at,
      ended_at: at,
    })
    .execute();
  return id;
};

let openedProvider: ReturnType<typeof openForgingProvider> | undefined;
const identityProvider = () => {
  openedProvider ??= openForgingProvider();
  return openedProvider;
};

/** Settings of a service on which every operation can succeed. */
export const operationSettings = {
  SHEAF_PUBLIC_URL: "https://sheaf.example.com",
  SHEAF_OUTBOUND_ALLOW: "127.0.0.1",
  SHEAF_OUTBOUND_HTTP: "on",
};

/** Functions by operation id that create what an operation without path parameters needs. */
const preparations: Record<string, (world: World, who: TestCaller) => Promise<unknown>> = {
  deleteSignOn: async (world, who) =>
    made(who, "PUT", "/v2/organization/sign-on", (await bodies.putSignOn?.(world, who)) ?? {}),
};

type Filled = Record<string, string>;

/**
 * Functions by path parameter. Each creates a resource that the caller may name in that parameter,
 * and returns its id.
 */
const makers: Record<string, (world: World, who: TestCaller, filled: Filled, of: Operation) => Promise<string>> = {
  reference: corpus,
  documentReference: (world, who, { reference = "" }) => documentOf(world, who, reference),
  threadId: async (world, who, { reference = "" }) => {
    // Callers who may not ask this agent cannot have a thread with it, so an unknown id is used.
    const asked = await who.send("POST", `/v2/knowledge/${reference}`, question(world));
    return asked.body.metadata?.thread_id ?? newId();
  },
  page: async (_, who, { reference, documentReference, extractionId, classificationId }) => {
    if (extractionId !== undefined || classificationId !== undefined) return "1";
    for (let status = "pending"; status !== "ready"; await new Promise((resolve) => setTimeout(resolve, 20))) {
      ({ status } = (await who.send("GET", `/v2/agents/${reference}/documents/${documentReference}`)).body.data);
      assert.notEqual(status, "error");
    }
    return "1";
  },
  agent_id: corpus,
  agentReference: (world, who, _, { method, path }) => {
    if (path.startsWith("/v2/public/")) return publicAgent(world);
    if (!path.startsWith("/v2/extractor/")) return corpus(world, who);
    if (path.includes("/corrections")) return learner(world);
    const isExtraction = method === "GET" && path.startsWith("/v2/extractor/async/");
    return isExtraction ? extraction(world, who) : extractor(world);
  },
  classification_id: classification,
  classificationId: keptClassification,
  segmentIndex: async () => "0",
  number: async () => "1",
  extractionId: (world, who) => keptExtraction(world, who),
  correctionId: learned,
  deliveryId: endedDelivery,
  templateName: async () => "invoice",
  event: async (_, who) => {
    await made(who, "PUT", "/v2/organization/webhooks/extraction.completed", { url: "https://hook.invalid/" });
    return "extraction.completed";
  },
  memberId: async ({ service, organization, mark }) =>
    (await join(service, organization, "member", { name: mark })).memberId,
  invitationId: async ({ callers: { token }, mark }) =>
    (await made(token, "POST", "/v2/organization/invitations", { email: `${mark}@${newId()}.example` })).id as string,
  groupId: (world) => group(world),
  // A caller with a token has no sessions, so an unknown id is used.
  sessionId: async (_, who) => (await who.send("GET", "/v2/sessions")).body.data?.at(-1)?.id ?? newId(),
  passkeyId: async ({ service, mark }, who) => {
    const headers = { origin: service.url };
    const started = await who.send("POST", "/v2/session/passkeys/start", { password }, headers);
    if (started.status !== 200) return newId();
    const credential = new PasskeyDevice(service.url).create(started.body.data);
    return (await who.send("POST", "/v2/session/passkeys", { name: mark, credential }, headers)).body.data.id;
  },
  clientId: async ({ service, mark }, who) => (await credentialOf(service, who, mark)).clientId,
};

/**
 * Path parameters whose values are fixed words or numbers of the contract, such as an event name,
 * not ids.
 */
export const words = new Set(["event", "page", "segmentIndex", "number", "templateName"]);

/** Returns a value for each path parameter. */
export async function fill(world: World, who: TestCaller, of: Operation): Promise<Filled> {
  const filled: Filled = {};
  await preparations[of.operationId]?.(world, who);
  for (const name of namesOf(of, "path")) {
    const maker = makers[name];
    assert.ok(maker, `no test knows how to make a ${name}, which ${of.operationId} needs`);
    filled[name] = await maker(world, who, filled, of);
  }
  return filled;
}

const upload = ({ mark }: World) => ({ filename: `${mark} ${newId()}.pdf`, file: sampleBase64 });
const question = ({ mark }: World) => ({ query: `What is the code word of ${mark}?` });

const unknownCredential = { id: "AAAA", rawId: "AAAA", type: "public-key" };
/**
 * Response of a passkey that the service does not know. Has the members of both kinds: creation and
 * sign-in.
 */
const unknownResponse = {
  clientDataJSON: "AAAA",
  attestationObject: "AAAA",
  authenticatorData: "AAAA",
  signature: "AAAA",
};

/** Functions by operation id that make a request body for the caller. */
const bodies: Record<string, (world: World, who: TestCaller) => object | Promise<object>> = {
  postToken: () => ({ grant_type: "client_credentials", client_id: newId(), client_secret: "unknown" }),
  createAgent: ({ mark }, who) => ({ name: mark, type: isMember(who) ? "PERSONAL" : "EXTRACTOR" }),
  updateAgent: ({ mark }) => ({ name: `Changed ${mark}` }),
  updateAgentVersion: ({ mark }) => ({ name: `Version ${mark}` }),
  putAgentAccess: async (world, who) => ({ visibility: "group", group_id: await group(world, [who.memberId]) }),
  uploadDocument: upload,
  extract: (world) => ({ ...upload(world), params: params(world.mark) }),
  extractWithAgent: upload,
  inferFields: (world) => ({ files: [upload(world), upload(world)] }),
  startExtraction: (world) => ({ ...upload(world), params: params(world.mark), callback: "https://callback.invalid/" }),
  startExtractionWithAgent: (world) => ({ ...upload(world), callback: "https://callback.invalid/" }),
  evaluateExtractor: () => ({ documents: 1 }),
  startClassification: upload,
  teachExtractor: lesson,
  importLearned: ({ mark }) => ({
    papers: [
      {
        id: newId(),
        filename: `${mark}.pdf`,
        created_at: new Date().toISOString(),
        learned: [],
        skeleton: "",
        fields: {},
        checks: {},
      },
    ],
  }),
  putExtractionCorrections: () => ({ corrections: [{ path: "/0/total", value: 1 }], version: 1 }),
  putClassificationSegments: () => ({
    segments: [{ start: 1, end: 1, label: "invoice", title: "Invoice" }],
    version: 1,
  }),
  updateKeptExtraction: () => ({ status: "reviewed" }),
  askKnowledge: (world) => ({ ...question(world), include: ["citations"] }),
  askStream: (world) => ({ ...question(world), include: ["citations"] }),
  askDocumentalist: question,
  askPublic: question,
  updateThread: ({ mark }) => ({ title: `Title ${mark}`, archived: true }),
  putWebhook: ({ mark }) => ({ url: `https://${mark}.invalid/` }),
  callMcp: () => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "map", arguments: {} } }),
  receiveStripeEvent: () => ({ id: "evt_1", object: "event", type: "invoice.paid", created: 1, data: { object: {} } }),
  updateOrganization: ({ organization: { id }, mark }) => ({ name: `House of ${mark} ${id}` }),
  updateMember: () => ({ status: "disabled" }),
  createInvitation: ({ mark }) => ({ email: `${mark}@${newId()}.example` }),
  acceptInvitation: () => ({ token: "unknown", password: "correct horse battery" }),
  createGroup: ({ mark }) => ({ name: `${mark} ${newId()}`, member_ids: [] }),
  updateGroup: ({ mark }) => ({ name: `${mark} ${newId()}`, member_ids: [] }),
  createCredential: ({ mark }) => ({ name: mark }),
  putSignOn: async (_, { memberId }) => ({
    issuer: (await identityProvider()).issuer,
    client_id: "sheaf",
    client_secret: "unknown",
    enforced: true,
    break_glass_member_id: memberId,
  }),
  startSignOn: () => ({ email: "nobody@example.com" }),
  completeSignOn: ({ organization }) => ({ organization_id: organization.id, response: "code=unknown&state=unknown" }),
  createSession: () => ({ email: "nobody@example.com", password: "unknown password" }),
  createFirstSession: () => ({ token: "unknown" }),
  updateSession: ({ organization }) => ({ organization_id: organization.id }),
  changePassword: () => ({ current_password: "unknown password", new_password: "correct horse battery" }),
  startPasskey: () => ({ password: "unknown password" }),
  createPasskey: () => ({ name: "unknown", credential: { ...unknownCredential, response: unknownResponse } }),
  createPasskeySession: () => ({ credential: { ...unknownCredential, response: unknownResponse } }),
  startTotp: () => ({ password: "unknown password" }),
  confirmTotp: () => ({ code: "000000" }),
  deleteTotp: () => ({ password: "unknown password" }),
};

/** Returns a request body; undefined if the operation has none. */
export async function bodyFor(world: World, who: TestCaller, { operationId, requestBody }: Operation) {
  if (requestBody === undefined) return undefined;
  const maker = bodies[operationId];
  assert.ok(maker, `no test knows a body for ${operationId}`);
  return (await maker(world, who)) as Record<string, unknown>;
}

/** Values of required query parameters by name; null if a parameter is optional. */
const queries: Record<string, string | null> = {
  client_id: "unknown",
  client_secret: "unknown",
  width: null,
  lang: null,
  limit: null,
  cursor: null,
  order: null,
  since: null,
  action: null,
  archived: null,
  agent: null,
  status: null,
  needs_review: null,
  from: null,
};

/** Returns the path with its parameters, and the required query parameters. */
export function urlFor(of: Operation, filled: Filled): string {
  const path = of.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(filled[name] ?? ""));
  const query = namesOf(of, "query").flatMap((name) => {
    const value = queries[name];
    assert.ok(value !== undefined, `no test knows the query parameter ${name} of ${of.operationId}`);
    return value === null ? [] : [[name, value] as [string, string]];
  });
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`;
}

/** Sends a body in the media type of the operation. */
export function request(
  send: TestClient["send"],
  of: Operation,
  url: string,
  body?: object,
  headers: Record<string, string> = {},
) {
  if (body === undefined) return send(of.method, url, undefined, headers);
  const { mediaType = "application/json" } = of.requestBody ?? {};
  if (mediaType === "application/json") return send(of.method, url, body, headers);
  return send(of.method, url, new URLSearchParams(body as Record<string, string>).toString(), {
    "content-type": mediaType,
    ...headers,
  });
}

/**
 * Creates a resource of each kind, and returns their ids. Another organization must not get any of
 * them.
 */
export async function everyKind(world: World): Promise<Record<string, string>> {
  const { callers, organization, service } = world;
  const who = callers.token;
  const agent = await corpus(world, who);
  const document = await documentOf(world, who, agent);
  const asked = await who.send("POST", `/v2/knowledge/${agent}`, { query: `What is ${world.mark}?` });
  const { user_id } = await service.db
    .selectFrom("members")
    .select("user_id")
    .where("id", "=", who.memberId)
    .executeTakeFirstOrThrow();
  for (const event of eventNames)
    await made(who, "PUT", `/v2/organization/webhooks/${event}`, { url: `https://${world.mark}.invalid/` });
  const of = (name: string) => (makers[name] as (typeof makers)[string])(world, who, {}, {} as Operation);
  return {
    organization: organization.id,
    agent,
    document,
    thread: asked.body.metadata.thread_id,
    extractor: await extractor(world),
    personal: await corpus(world, callers.memberSession),
    extraction: await extraction(world, who),
    classification: await classification(world, who),
    keptExtraction: await keptExtraction(world, who),
    learner: await learner(world),
    learned: await learned(world, who),
    keptClassification: await keptClassification(world, who),
    delivery: await endedDelivery(world),
    member: who.memberId,
    user: user_id,
    credential: await of("clientId"),
    invitation: await of("invitationId"),
    group: await group(world, [who.memberId]),
    session: (await callers.session.send("GET", "/v2/sessions")).body.data[0].id,
  };
}
