/**
 * Kept extractions over HTTP: what is kept, reviews and corrections, visibility, deletion and
 * expiry.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { checkCorpus } from "../src/features/documents/corpus-check.ts";
import { readStoredDocument } from "../src/features/documents/documents.service.ts";
import { placeOf, removeExpired } from "../src/features/kept-extractions/kept-extractions.service.ts";
import { sweep } from "../src/features/maintenance/sweep.service.ts";
import { openFolderFiles } from "../src/files/folder-files.ts";
import type { StoredFiles } from "../src/files/stored-files.ts";
import { newId } from "../src/lib/ids.ts";
import { corpusOf, sampleBase64 as file, sample, samplePath } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { type Browser, join, type Person } from "./helpers/people.ts";
import { type Answer, openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";
import { storedEarlier, withCalls } from "./helpers/stored-files.ts";
import { storedFiles } from "./helpers/stored-rows.ts";

const params = [
  { name: "number", format: "text", description: "Number of the invoice", items: [] },
  { name: "total", format: "number", description: "Total amount including tax", items: [] },
  { name: "paid", format: "boolean", description: "Whether it is paid by barter", items: [] },
  {
    name: "lines",
    format: "list",
    description: "The invoiced items",
    items: [
      { name: "label", format: "text", description: "What was sold", items: [] },
      { name: "amount", format: "number", description: "Amount of the line", items: [] },
    ],
  },
];
const dayMs = 86_400_000;

describeOverDatabases("kept extractions", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  let ada: Person;
  let bob: Person;
  let files: StoredFiles;
  let agent: string;

  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("Review House");
    ada = await join(service, organization, "administrator");
    bob = await join(service, organization, "member");
    files = await openFolderFiles(service.config.filesDir);
    agent = await makeAgent();
  });
  after(() => service?.[Symbol.asyncDispose]());

  type Sender = Pick<Browser, "send">;
  const makeAgent = async (settings: object = {}): Promise<string> => {
    const body = { name: "Invoices", type: "EXTRACTOR", configuration: { params, ...settings } };
    const made = await ada.send("POST", "/v2/agents", body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.data.reference;
  };
  const extract = async (by: Sender, path = "", body: object = path === "" ? { params } : {}): Promise<Answer> => {
    const answer = await by.send("POST", `/v2/extractor${path}`, { filename: "Rechnung 5€.pdf", file, ...body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer;
  };
  const keptBy = async (by: Sender, path?: string, body?: object): Promise<string> =>
    (await extract(by, path, body)).body.metadata.extraction_id;
  const get = async (id: string, by: Sender = ada) => (await by.send("GET", `/v2/extractions/${id}`)).body.data;
  const list = async (query = "", by: Sender = ada): Promise<{ id: string; needs_review: boolean }[]> =>
    (await by.send("GET", `/v2/extractions${query}`)).body.data;
  const correct = (id: string, corrections: object[], version = 1, by: Sender = ada) =>
    by.send("PUT", `/v2/extractions/${id}/corrections`, { corrections, version });
  const ended = async (extractId: string, by: Sender) => {
    for (const deadline = performance.now() + 30_000; ; await sleep(20)) {
      const { body } = await by.send("GET", `/v2/extractor/async/${extractId}`);
      if (body.status !== "started") return body;
      assert.ok(performance.now() < deadline, "it takes too long");
    }
  };
  const keptFiles = async () =>
    (await storedFiles(service)).filter((path) => path.includes("/extractions") && !path.includes("/.trash/"));
  const cleaned = async () => {
    const jobs = service.db.selectFrom("jobs").select("id").where("name", "=", "extraction.clean");
    while ((await jobs.execute()).length > 0) await sleep(20);
  };

  test("an extraction in the web application is kept with file, words, fields and evidence", async () => {
    const answer = await extract(bob, `/${agent}`, { include: ["evidence"] });
    const { extraction_id, evidence } = answer.body.metadata;
    const found = await get(extraction_id, bob);
    assert.deepEqual([found.data, found.corrected_data], [answer.body.data, answer.body.data]);
    assert.deepEqual(found.evidence, evidence);
    assert.deepEqual([found.params, found.corrections, found.version], [params, [], 1]);
    const { agent_reference, filename, mime, size, pages, status, reviewed_by, reviewed_at } = found;
    assert.deepEqual(
      [agent_reference, filename, mime, size, pages, status, reviewed_by, reviewed_at],
      [agent, "Rechnung 5€.pdf", "application/pdf", sample.length, 1, "to_review", null, null],
    );
    assert.equal(found.sha256, createHash("sha256").update(sample).digest("hex"));
    assert.equal(Math.round((Date.parse(found.expires_at) - Date.parse(found.created_at)) / dayMs), 30);
    const place = placeOf({ id: extraction_id, organization_id: organization.id, agent_id: agent });
    const document = await readStoredDocument(files, place);
    assert.ok(document.pages[0]?.words.some(({ text }) => text === "NL-2026-0417"));
    const parts = await corpusOf(service, organization).parts();
    assert.deepEqual((await checkCorpus(parts, { running: true })).problems, []);
  });

  test("the request decides whether an extraction is kept, otherwise the agent, the organization or the channel; 0 days means never", async () => {
    const api = organization.administrator;
    const isKept = async (by: Sender, path?: string, keep?: boolean) =>
      (await keptBy(by, path, { ...(path === undefined && { params }), ...(keep !== undefined && { keep }) })) !==
      undefined;
    const set = async (keep_extractions_days: number | null) => {
      const changed = await ada.send("PATCH", "/v2/organization", { keep_extractions_days });
      assert.equal(changed.body.data.keep_extractions_days, keep_extractions_days);
    };
    assert.deepEqual([await isKept(api), await isKept(bob)], [false, true]);
    assert.deepEqual([await isKept(api, undefined, true), await isKept(bob, undefined, false)], [true, false]);
    await set(0);
    assert.deepEqual([await isKept(bob), await isKept(api, undefined, true)], [false, false]);
    const [never, always] = [
      await makeAgent({ keep_extractions_days: 0 }),
      await makeAgent({ keep_extractions_days: 2 }),
    ];
    assert.deepEqual([await isKept(bob, `/${agent}`), await isKept(bob, `/${always}`)], [false, true]);
    await set(7);
    assert.deepEqual([await isKept(api), await isKept(bob, `/${never}`)], [true, false]);
    const of = async (path: string) => {
      const { expires_at, created_at } = await get(await keptBy(api, path));
      return Math.round((Date.parse(expires_at) - Date.parse(created_at)) / dayMs);
    };
    assert.deepEqual([await of(`/${agent}`), await of(`/${always}`)], [7, 2]);
    await set(null);
    for (const days of [-1, 1.5, "7", 100_000]) {
      const refused = await ada.send("PATCH", "/v2/organization", { keep_extractions_days: days });
      assert.deepEqual([refused.status, refused.body.code], [422, "invalid_request"]);
      const configuration = { params, keep_extractions_days: days };
      const changed = await ada.send("PATCH", `/v2/agents/${always}`, { configuration });
      assert.deepEqual([changed.status, changed.body.code], [422, "invalid_config"]);
    }
    const cleared = { configuration: { params, keep_extractions_days: null } };
    const changed = await ada.send("PATCH", `/v2/agents/${always}`, cleared);
    assert.deepEqual(Object.keys(changed.body.data.configuration), ["params"]);
    assert.equal(await isKept(api, `/${always}`), false);
  });

  test("an asynchronous extraction is found by its extract_id", async () => {
    const { extract_id } = (await extract(bob, "/async", { params, callback: "https://callback.invalid/" })).body;
    const outcome = await ended(extract_id, bob);
    assert.equal(outcome.metadata.extraction_id, extract_id);
    assert.deepEqual((await get(extract_id, bob)).data, outcome.data);
    const [path] = (await keptFiles()).filter((each) => each.includes(extract_id));
    assert.ok(path);
    const api = organization.administrator;
    const quiet = (await extract(api, `/async/${agent}`, { callback: "https://callback.invalid/" })).body.extract_id;
    assert.equal((await ended(quiet, api)).metadata.extraction_id, undefined);
    assert.equal((await api.send("GET", `/v2/extractions/${quiet}`)).status, 404);
  });

  test("the file is sent as a download, so a browser does not display it", async () => {
    const id = await keptBy(bob);
    const answer = await fetch(`${service.url}/v2/extractions/${id}/file`, { headers: { cookie: bob.cookie } });
    assert.equal(answer.status, 200);
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), sample);
    const name = `attachment; filename="Rechnung 5_.pdf"; filename*=UTF-8''Rechnung%205%E2%82%AC.pdf`;
    assert.equal(answer.headers.get("content-disposition"), name);
    assert.equal(answer.headers.get("content-type"), "application/octet-stream");
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    assert.match(answer.headers.get("content-security-policy") ?? "", /^sandbox;/);
    assert.equal(answer.headers.get("content-length"), String(sample.length));
    // The response is also checked against the OpenAPI document.
    assert.equal((await bob.send("GET", `/v2/extractions/${id}/file`)).status, 200);
  });

  test("each page has an image, and words that match the evidence", async () => {
    const answer = await extract(bob, `/${agent}`, { include: ["evidence"] });
    const { extraction_id: id, evidence } = answer.body.metadata;
    const page = `/v2/extractions/${id}/pages/1`;
    const { words, boxes } = (await bob.send("GET", `${page}/words`)).body.data;
    const [[x0, y0, x1, y1]] = evidence[0].number.boxes;
    const inside = words.filter((_: string, i: number) => {
      const [left, top, right, bottom] = boxes[i];
      return left >= x0 - 1 && top >= y0 - 1 && right <= x1 + 1 && bottom <= y1 + 1;
    });
    assert.deepEqual(inside, ["NL-2026-0417"]);
    const image = await bob.send("GET", `${page}/image?width=900`);
    assert.deepEqual([image.status, image.headers.get("content-type")], [200, "image/webp"]);
    const again = { "if-none-match": image.headers.get("etag") ?? "" };
    assert.equal((await bob.send("GET", `${page}/image`, undefined, again)).status, 304);
    for (const path of ["pages/2/words", "pages/0/image", "pages/x/words"])
      assert.equal((await bob.send("GET", `/v2/extractions/${id}/${path}`)).body.code, "page_not_found");
    const other = await service.organization("Onlooker");
    for (const kind of ["words", "image"])
      assert.equal((await other.administrator.send("GET", `${page}/${kind}`)).body.code, "not_found");
  });

  test("corrections change only the corrected data and leave the extracted data; rows can be inserted and removed", async () => {
    const id = await keptBy(bob, `/${agent}`);
    const { data } = await get(id);
    const corrections = [
      { path: "/0/total", value: 12.5, reason: "misread digit", page: 1, boxes: [[10, 10, 50, 20]] },
      { path: "/0/number", confirmed: true },
      { path: "/0/paid", value: null },
      { path: "/0/lines/0", op: "remove" },
      { path: "/0/lines/0", op: "insert", value: { label: "First" } },
      { path: "/0/lines/-", op: "insert", value: { label: "Last", amount: -3 } },
      { path: "/0/lines/1/amount", value: 7 },
    ];
    const answer = await correct(id, corrections);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const [before] = data;
    const lines = before.lines.slice(1);
    const expected = {
      ...before,
      total: 12.5,
      paid: null,
      lines: [
        { label: "First", amount: null },
        { ...lines[0], amount: 7 },
        ...lines.slice(1),
        { label: "Last", amount: -3 },
      ],
    };
    const found = await get(id, bob);
    assert.deepEqual(answer.body.data, found);
    assert.deepEqual([found.data, found.corrected_data], [data, [expected]]);
    assert.deepEqual([found.corrections, found.version, found.status], [corrections, 2, "to_review"]);
    // A later request replaces all earlier corrections.
    const replaced = await correct(id, [{ path: "/0/lines", value: [] }], 2);
    assert.deepEqual(replaced.body.data.corrected_data, [{ ...before, lines: [] }]);
    assert.deepEqual((await correct(id, [], 3)).body.data.corrected_data, data);
  });

  test("a correction that does not fit the result is refused and changes nothing", async () => {
    const id = await keptBy(bob, `/${agent}`);
    const before = await get(id);
    const rows = before.data[0].lines.length;
    const cases: [object, string][] = [
      [{ path: "/0/total", value: "12" }, "/corrections/0/value"],
      [{ path: "/0/number", value: 5 }, "/corrections/0/value"],
      [{ path: "/0/number", value: "a\u0000" }, "/corrections/0/value"],
      [{ path: "/0/paid", value: "yes" }, "/corrections/0/value"],
      [{ path: "/0/lines", value: null }, "/corrections/0/value"],
      [{ path: "/0/lines", value: [{ label: 1 }] }, "/corrections/0/value/0/label"],
      [{ path: "/0/lines/0", value: { nothing: 1 } }, "/corrections/0/value"],
      [{ path: "/0/lines/0", op: "insert" }, "/corrections/0"],
      [{ path: "/0/lines/0", op: "remove", value: null }, "/corrections/0"],
      [{ path: "/0/total", op: "remove" }, "/corrections/0/path"],
      [{ path: `/0/lines/${rows}/amount`, value: 1 }, "/corrections/0/path"],
      [{ path: `/0/lines/${rows}`, value: {} }, "/corrections/0/path"],
      [{ path: "/0/lines/01/amount", value: 1 }, "/corrections/0/path"],
      [{ path: "/0/nothing", value: 1 }, "/corrections/0/path"],
      [{ path: "/0/__proto__", value: 1 }, "/corrections/0/path"],
      [{ path: "/1/total", value: 1 }, "/corrections/0/path"],
      [{ path: "", value: 1 }, "/corrections/0/path"],
      [{ path: "/0", value: {} }, "/corrections/0/path"],
      [{ path: "/0/total/x", value: 1 }, "/corrections/0/path"],
      [{ path: "/0/total" }, "/corrections/0"],
      [{ path: "/0/total", value: 1, confirmed: true }, "/corrections/0"],
      [{ path: "/0/total", value: 1, page: 2 }, "/corrections/0/page"],
      [{ path: "/0/total", value: 1, boxes: [[0, 0, 1, 1]] }, "/corrections/0/page"],
      [{ path: "/0/total", value: 1, page: 1, boxes: [[5, 0, 1, 1]] }, "/corrections/0/boxes"],
      [{ path: "/0/total", value: 1, confirmed: false }, "/corrections/0/confirmed"],
    ];
    for (const [correction, path] of cases) {
      const { status, body } = await correct(id, [correction]);
      assert.deepEqual(
        [status, body.code, body.detail?.issues[0].path],
        [422, "invalid_request", path],
        JSON.stringify(correction),
      );
    }
    assert.equal((await correct(id, Array(2_001).fill({ path: "/0/total", value: 1 }))).status, 422);
    assert.deepEqual(await get(id), before);
  });

  test("a review records who made it and when; a change based on an old version is a conflict", async () => {
    const id = await keptBy(bob, `/${agent}`);
    const patch = (by: Sender, body: object) => by.send("PATCH", `/v2/extractions/${id}`, body);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => correct(id, [{ path: "/0/total", value: i }], 1, i % 2 ? ada : bob)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)]);
    assert.ok(answers.every(({ status, body }) => status === 200 || body.code === "conflict"));
    const won = answers.findIndex(({ status }) => status === 200);
    assert.equal((await get(id)).corrected_data[0].total, won);
    assert.equal((await patch(bob, { status: "reviewed", version: 1 })).status, 409);
    const reviewed = (await patch(bob, { status: "reviewed", version: 2 })).body.data;
    const { user_id } = await service.db
      .selectFrom("members")
      .select("user_id")
      .where("id", "=", bob.memberId)
      .executeTakeFirstOrThrow();
    assert.deepEqual([reviewed.status, reviewed.reviewed_by, reviewed.needs_review], ["reviewed", user_id, false]);
    assert.ok(Math.abs(Date.parse(reviewed.reviewed_at) - Date.now()) < 60_000);
    const corrected = (await correct(id, [], 3)).body.data;
    assert.deepEqual([corrected.status, corrected.reviewed_by, corrected.reviewed_at], ["to_review", null, null]);
    assert.equal((await patch(bob, { status: "reviewed" })).body.data.version, 5);
    assert.equal((await patch(ada, { status: "to_review" })).body.data.status, "to_review");
    assert.equal((await patch(ada, { status: "done" })).status, 422);
    const entries = (await ada.send("GET", "/v2/organization/audit")).body.data as { target: string; action: string }[];
    assert.deepEqual(
      entries.flatMap(({ target, action }) => (target === id ? [action] : [])),
      [
        "extraction.corrected",
        "extraction.reviewed",
        "extraction.corrected",
        "extraction.reviewed",
        "extraction.reopened",
      ],
    );
    assert.ok(!JSON.stringify(entries).includes("/0/total"));
  });

  test("lists are filtered and paged, oldest first", async () => {
    const other = await makeAgent();
    const ids = [await keptBy(bob, `/${other}`), await keptBy(ada, `/${other}`), await keptBy(bob, `/${other}`)];
    await ada.send("PATCH", `/v2/extractions/${ids[1]}`, { status: "reviewed" });
    await service.db
      .updateTable("kept_extractions")
      .set({ unsure: 0 })
      .where("id", "=", ids[0] ?? "")
      .execute();
    await service.db.updateTable("kept_extractions").set({ unsure: 3 }).where("id", "in", ids.slice(1)).execute();
    const idsOf = async (query: string) => (await list(`?agent=${other.toUpperCase()}${query}`)).map(({ id }) => id);
    assert.deepEqual(await idsOf(""), ids);
    assert.deepEqual(await idsOf("&status=reviewed"), [ids[1]]);
    assert.deepEqual(await idsOf("&status=to_review"), [ids[0], ids[2]]);
    assert.deepEqual(await idsOf("&needs_review=true"), [ids[2]]);
    assert.deepEqual(await idsOf("&needs_review=false"), [ids[0], ids[1]]);
    const first = await ada.send("GET", `/v2/extractions?agent=${other}&limit=2`);
    const cursor = first.body.metadata.next_cursor;
    const rest = await ada.send("GET", `/v2/extractions?agent=${other}&limit=2&cursor=${cursor}`);
    assert.deepEqual(
      [...first.body.data, ...rest.body.data].map(({ id }) => id),
      ids,
    );
    for (const query of ["?status=done", "?needs_review=1", "?agent=a&agent=b", "?limit=0"])
      assert.equal((await ada.send("GET", `/v2/extractions${query}`)).status, 422, query);
    assert.equal("data" in (first.body.data[0] as object), false);
  });

  test("whoever sees an agent sees its extractions; extractions without an agent are seen by their user and administrators", async () => {
    const carol = await join(service, organization, "member");
    const other = await service.organization("Elsewhere");
    const api = organization.administrator;
    const hidden = await makeAgent();
    const ofHidden = await keptBy(ada, `/${hidden}`);
    const access = { visibility: "private" };
    assert.equal((await ada.send("PUT", `/v2/agents/${hidden}/access`, access)).status, 200);
    const [ofBob, ofAgent] = [await keptBy(bob), await keptBy(bob, `/${agent}`)];
    const seenBy = async (by: Sender) => {
      const all = (await list("", by)).map(({ id }) => id);
      const seen = [];
      for (const id of [ofBob, ofAgent, ofHidden]) {
        const requests: [string, string, object?][] = [
          ["GET", ""],
          ["GET", "/file"],
          ["PUT", "/corrections", { corrections: [], version: 999 }],
          ["PATCH", "", { status: "reviewed", version: 999 }],
        ];
        const statuses = [];
        for (const [method, path, body] of requests)
          statuses.push((await by.send(method, `/v2/extractions/${id}${path}`, body)).status);
        const isSeen = statuses[0] === 200;
        assert.deepEqual(statuses, isSeen ? [200, 200, 409, 409] : [404, 404, 404, 404]);
        assert.equal(all.includes(id), isSeen);
        seen.push(isSeen);
      }
      return seen;
    };
    assert.deepEqual(await seenBy(bob), [true, true, false]);
    assert.deepEqual(await seenBy(carol), [false, true, false]);
    assert.deepEqual(await seenBy(ada), [true, true, true]);
    assert.deepEqual(await seenBy(api), [true, true, false]);
    assert.deepEqual(await seenBy(other.administrator), [false, false, false]);
    for (const by of [other.administrator, carol])
      assert.equal((await by.send("DELETE", `/v2/extractions/${ofBob}`)).status, 404);
    assert.equal((await api.send("GET", "/v2/extractions/nothing")).status, 404);
    assert.equal((await api.send("GET", `/v2/extractions/${newId()}`)).status, 404);
  });

  test("a deleted extraction, and those of a deleted agent, leave no row and no file", async () => {
    const doomed = await makeAgent();
    const [one, two] = [await keptBy(bob, `/${doomed}`), await keptBy(bob, `/${doomed}`)];
    const ofDoomed = async () => (await keptFiles()).filter((path) => path.includes(doomed));
    assert.equal((await ofDoomed()).length, 4);
    assert.equal((await bob.send("DELETE", `/v2/extractions/${one}`)).status, 200);
    assert.equal((await bob.send("DELETE", `/v2/extractions/${one}`)).status, 404);
    assert.equal((await ofDoomed()).length, 2);
    assert.deepEqual((await ada.send("DELETE", `/v2/agents/${doomed}`)).body.data.warnings, []);
    assert.deepEqual(await ofDoomed(), []);
    assert.equal((await ada.send("GET", `/v2/extractions/${two}`)).status, 404);
    const rows = await service.db.selectFrom("kept_extractions").select("id").where("id", "in", [one, two]).execute();
    assert.deepEqual(rows, []);
  });

  test("an expired extraction is no longer returned, and maintenance removes it with its files", async () => {
    const [expired, young] = [await keptBy(bob), await keptBy(bob)];
    const soon = new Date(Date.now() + 29 * dayMs).toISOString();
    const past = new Date(Date.now() - 1).toISOString();
    assert.equal(await removeExpired(service.db, past), 0);
    await service.db.updateTable("kept_extractions").set({ expires_at: past }).where("id", "=", expired).execute();
    assert.equal((await bob.send("GET", `/v2/extractions/${expired}`)).status, 404);
    assert.equal(await removeExpired(service.db), 1);
    await cleaned();
    const paths = await keptFiles();
    assert.ok(!paths.some((path) => path.includes(expired)) && paths.some((path) => path.includes(young)));
    assert.equal((await removeExpired(service.db, soon)) > 0, true);
    assert.equal((await bob.send("GET", `/v2/extractions/${young}`)).status, 200);
    assert.ok((await removeExpired(service.db, new Date(Date.now() + 31 * dayMs).toISOString())) > 0);
    await cleaned();
    assert.deepEqual(await keptFiles(), []);
    assert.equal((await bob.send("GET", `/v2/extractions/${young}`)).status, 404);
  });

  test("the sweep removes files without a row, but keeps files of kept extractions", async () => {
    const id = await keptBy(bob, `/${agent}`);
    const before = await keptFiles();
    const strays = [
      `${organization.id}/extractions/${newId()}.original`,
      `${organization.id}/extractions.${agent}/${newId()}.document`,
    ];
    for (const key of strays) await files.put(key, samplePath);
    assert.equal((await sweep({ db: service.db, files }, { trashDays: 7 })).moved, 0);
    const old = storedEarlier(files, 2 * dayMs);
    assert.equal((await sweep({ db: service.db, files: old }, { trashDays: 7 })).moved, 2);
    assert.deepEqual(await keptFiles(), before);
    assert.ok(before.some((path) => path.includes(id)));
    await files.trash.empty("9");
  });

  test("the doctor reports a missing file", async () => {
    const id = await keptBy(bob);
    const parts = await corpusOf(service, organization).parts();
    assert.deepEqual((await checkCorpus(parts, { running: false })).problems, []);
    const lacking = withCalls(files, {
      list: async function* (prefix) {
        for await (const each of files.list(prefix)) if (!each.key.endsWith(`${id}.document`)) yield each;
      },
    });
    const { problems } = await checkCorpus({ ...parts, files: lacking }, { running: false });
    assert.deepEqual(problems, [`A file of the kept extraction ${id} is missing.`]);
  });

  test("a failed or repeated request does not keep a second copy", async () => {
    const before = (await keptFiles()).length;
    const broken = { filename: "a.pdf", file: Buffer.from("%PDF-1.7 but no more").toString("base64"), params };
    assert.equal((await bob.send("POST", "/v2/extractor", broken)).status, 502);
    assert.equal((await keptFiles()).length, before);
    const key = { "idempotency-key": newId() };
    const body = { filename: "a.pdf", file, params };
    const first = await bob.send("POST", "/v2/extractor", body, key);
    const again = await bob.send("POST", "/v2/extractor", body, key);
    assert.deepEqual([again.headers.get("idempotent-replayed"), again.body], ["true", first.body]);
    assert.equal((await keptFiles()).length, before + 2);
  });
});
