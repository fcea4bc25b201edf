/** Functions that create a resource of each kind in an organization, and return its id. */
import assert from "node:assert/strict";
import { newId, newUlid } from "../../src/lib/ids.ts";
import { onePage } from "../../src/reading/testing/make-pdf.ts";
import { sampleBase64 } from "./corpus.ts";
import type { TestCaller, World } from "./world.ts";

export async function made(
  who: Pick<TestCaller, "send">,
  method: string,
  path: string,
  body: object,
): Promise<Record<string, string>> {
  const answer = await who.send(method, path, body);
  assert.ok(answer.status >= 200 && answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data ?? answer.body;
}

export const isMember = ({ scheme, role }: TestCaller) => scheme === "session" && role === "member";
export const params = (mark: string) => [{ name: "total", format: "number", description: `Total ${mark}`, items: [] }];

/**
 * Creates an agent with a corpus that the caller may manage. A member with a session gets a
 * personal agent, because members cannot create agents of other types.
 */
export const corpus = async (world: World, who: TestCaller) => {
  const type = isMember(who) ? "PERSONAL" : "DOCUMENTALIST";
  return (await made(who, "POST", "/v2/agents", { name: `Corpus ${world.mark}`, type })).reference as string;
};
export const extractor = async ({ callers, mark }: World) => {
  const body = { name: `Extractor ${mark}`, type: "EXTRACTOR", configuration: { params: params(mark) } };
  return (await made(callers.token, "POST", "/v2/agents", body)).reference as string;
};
export const publicAgent = async (world: World) => {
  const agent = await corpus(world, world.callers.token);
  await made(world.callers.token, "PUT", `/v2/agents/${agent}/access`, { visibility: "public" });
  return agent;
};
export const documentOf = async ({ mark }: World, who: TestCaller, agent: string) => {
  const file = Buffer.from(onePage({ text: `The code word is ${mark}.`, x: 72, y: 700 })).toString("base64");
  const body = { filename: `${mark} ${newId()}.pdf`, path: mark, file };
  return (await made(who, "POST", `/v2/agents/${agent}/documents`, body)).document_reference as string;
};
export const extraction = async ({ mark }: World, who: TestCaller) => {
  const body = {
    filename: `${mark}.pdf`,
    file: sampleBase64,
    params: params(mark),
    callback: "https://callback.invalid/",
  };
  return (await made(who, "POST", "/v2/extractor/async", body)).extract_id as string;
};
export const classification = async ({ mark }: World, who: TestCaller) => {
  const body = { filename: `${mark}.pdf`, file: sampleBase64 };
  return (await made(who, "POST", "/v2/classification/async", body)).classification_id as string;
};
export const group = async ({ callers: { token }, mark }: World, members: string[] = []) =>
  (await made(token, "POST", "/v2/organization/groups", { name: `${mark} ${newId()}`, member_ids: members }))
    .id as string;

const learners = new WeakMap<World, Promise<string>>();

/**
 * Returns the id of the extractor agent that the tests teach. A request that teaches it has the
 * agent's id in the path and an extraction's id in the body.
 */
export const learner = (world: World): Promise<string> => {
  const made = learners.get(world) ?? extractor(world);
  learners.set(world, made);
  return made;
};

/** Sends a correction to the extractor, and returns the id of the learned correction. */
export const learned = async (world: World, who: TestCaller) => {
  const body = await lesson(world, who);
  return (await made(who, "POST", `/v2/extractor/${await learner(world)}/corrections`, body)).id as string;
};
export const lesson = async (world: World, who: TestCaller) => ({
  extraction_id: await keptExtraction(world, who, `/${await learner(world)}`),
  corrections: [{ path: "/0/total", value: 1 }],
});

export const keptExtraction = async ({ mark }: World, who: TestCaller, agent = "") => {
  const fields = agent === "" ? { params: params(mark) } : {};
  const body = { filename: `${mark}.pdf`, file: sampleBase64, ...fields, keep: true };
  const answer = await who.send("POST", `/v2/extractor${agent}`, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.metadata.extraction_id as string;
};

export const keptClassification = async ({ mark }: World, who: TestCaller) => {
  const body = { filename: `${mark}.pdf`, file: sampleBase64, keep: true };
  const id = (await made(who, "POST", "/v2/classification/async", body)).classification_id as string;
  for (let status = "started"; status === "started"; await new Promise((resolve) => setTimeout(resolve, 20)))
    ({ status } = (await who.send("GET", `/v2/classification/async/${id}`)).body);
  return id;
};

/** Creates a delivery that has failed, so that it can be replayed. */
export const endedDelivery = async ({ service, organization, mark }: World) => {
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
