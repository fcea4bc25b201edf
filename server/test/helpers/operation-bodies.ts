/** Request bodies by operation of the OpenAPI document. */
import assert from "node:assert/strict";
import { newId } from "../../src/lib/ids.ts";
import { sampleBase64 } from "./corpus.ts";
import { openForgingProvider } from "./forging-provider.ts";
import type { Operation } from "./operations.ts";
import type { TestCaller, World } from "./world.ts";
import { group, isMember, lesson, params } from "./world-resources.ts";

let openedProvider: ReturnType<typeof openForgingProvider> | undefined;
const identityProvider = () => {
  openedProvider ??= openForgingProvider();
  return openedProvider;
};

const upload = ({ mark }: World) => ({ filename: `${mark} ${newId()}.pdf`, file: sampleBase64 });
export const question = ({ mark }: World) => ({ query: `What is the code word of ${mark}?` });

const unknownCredential = { id: "AAAA", rawId: "AAAA", type: "public-key" };
/**
 * Response of an authenticator whose passkey the service does not know. It contains the members of
 * a response to passkey creation and those of a response to sign-in.
 */
const unknownResponse = {
  clientDataJSON: "AAAA",
  attestationObject: "AAAA",
  authenticatorData: "AAAA",
  signature: "AAAA",
};

/** For each operation id, a function that makes a request body for the caller. */
export const bodies: Record<string, (world: World, who: TestCaller) => object | Promise<object>> = {
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
  createScimToken: ({ mark }) => ({ name: mark }),
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
