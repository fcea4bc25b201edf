/**
 * Fills the path parameters of each operation of the OpenAPI document, and creates the resources
 * that they name.
 */
import assert from "node:assert/strict";
import { eventNames } from "@sheaf/contract/events.ts";
import { newId } from "../../src/lib/ids.ts";
import { bodies, question } from "./operation-bodies.ts";
import { namesOf, type Operation } from "./operations.ts";
import { PasskeyDevice } from "./passkey-device.ts";
import { credentialOf, join, password } from "./people.ts";
import type { TestCaller, World } from "./world.ts";
import {
  classification,
  corpus,
  documentOf,
  endedDelivery,
  extraction,
  extractor,
  group,
  keptClassification,
  keptExtraction,
  learned,
  learner,
  made,
  publicAgent,
} from "./world-resources.ts";

/**
 * Functions by operation id. Each function creates a resource that must exist for the operation,
 * although no path parameter names it.
 */
const preparations: Record<string, (world: World, who: TestCaller) => Promise<unknown>> = {
  deleteSignOn: async (world, who) =>
    made(who, "PUT", "/v2/organization/sign-on", (await bodies.putSignOn?.(world, who)) ?? {}),
};

type Filled = Record<string, string>;

/**
 * Functions by path parameter. Each function creates a resource that the caller may name in the
 * path parameter, and returns its id.
 */
const makers: Record<string, (world: World, who: TestCaller, filled: Filled, of: Operation) => Promise<string>> = {
  reference: corpus,
  documentReference: (world, who, { reference = "" }) => documentOf(world, who, reference),
  threadId: async (world, who, { reference = "" }) => {
    // Callers who may not ask this agent questions cannot have a thread with it, so an unknown id
    // is used.
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
  // Members may not create SCIM tokens, so the administrator creates one for every caller.
  scimTokenId: async ({ callers: { token }, mark }) => {
    const path = "/v2/organization/sign-on/scim-tokens";
    // The number of SCIM tokens is limited, so tokens that earlier calls created are revoked.
    for (const { id } of (await token.send("GET", path)).body.data) await token.send("DELETE", `${path}/${id}`);
    return (await made(token, "POST", path, { name: mark })).id as string;
  },
  clientId: async ({ service, mark }, who) => (await credentialOf(service, who, mark)).clientId,
};

/** Creates the resources that the operation needs, and returns a value for each path parameter. */
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

/**
 * Creates a resource of each kind and returns the ids by kind. No response to another organization
 * may reveal any of these resources.
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
    scimToken: await of("scimTokenId"),
    group: await group(world, [who.memberId]),
    session: (await callers.session.send("GET", "/v2/sessions")).body.data[0].id,
  };
}
