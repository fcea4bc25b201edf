/** Kept extractions over HTTP: what is kept, how it is read, and who sees it. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { checkCorpus } from "../src/features/documents/corpus-check.ts";
import { readStoredDocument } from "../src/features/documents/documents.service.ts";
import { placeOf } from "../src/features/kept-extractions/kept-extractions.service.ts";
import { newId } from "../src/lib/ids.ts";
import { corpusOf, sampleBase64 as file, sample } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { dayMs, keptExtractionsOver, params, type Sender } from "./helpers/kept-extractions.ts";
import { join } from "./helpers/people.ts";

describeOverDatabases("kept extractions", (dialect) => {
  const at = keptExtractionsOver(dialect);
  const { makeAgent, extract, keptBy, get, list, ended, keptFiles } = at;

  test("an extraction in the web application is kept with file, words, fields and evidence", async () => {
    const answer = await extract(at.bob, `/${at.agent}`, { include: ["evidence"] });
    const { extraction_id, evidence } = answer.body.metadata;
    const found = await get(extraction_id, at.bob);
    assert.deepEqual([found.data, found.corrected_data], [answer.body.data, answer.body.data]);
    assert.deepEqual(found.evidence, evidence);
    assert.deepEqual([found.params, found.corrections, found.version], [params, [], 1]);
    const { agent_reference, filename, mime, size, pages, status, reviewed_by, reviewed_at } = found;
    assert.deepEqual(
      [agent_reference, filename, mime, size, pages, status, reviewed_by, reviewed_at],
      [at.agent, "Rechnung 5€.pdf", "application/pdf", sample.length, 1, "to_review", null, null],
    );
    assert.equal(found.sha256, createHash("sha256").update(sample).digest("hex"));
    assert.equal(Math.round((Date.parse(found.expires_at) - Date.parse(found.created_at)) / dayMs), 30);
    const place = placeOf({ id: extraction_id, organization_id: at.organization.id, agent_id: at.agent });
    const document = await readStoredDocument(at.files, place);
    assert.ok(document.pages[0]?.words.some(({ text }) => text === "NL-2026-0417"));
    const parts = await corpusOf(at.service, at.organization).parts();
    assert.deepEqual((await checkCorpus(parts, { running: true })).problems, []);
  });

  test("the request decides whether an extraction is kept, otherwise the agent, the organization or the channel; 0 days means never", async () => {
    const api = at.organization.administrator;
    const isKept = async (by: Sender, path?: string, keep?: boolean) =>
      (await keptBy(by, path, { ...(path === undefined && { params }), ...(keep !== undefined && { keep }) })) !==
      undefined;
    const set = async (keep_extractions_days: number | null) => {
      const changed = await at.ada.send("PATCH", "/v2/organization", { keep_extractions_days });
      assert.equal(changed.body.data.keep_extractions_days, keep_extractions_days);
    };
    assert.deepEqual([await isKept(api), await isKept(at.bob)], [false, true]);
    assert.deepEqual([await isKept(api, undefined, true), await isKept(at.bob, undefined, false)], [true, false]);
    await set(0);
    assert.deepEqual([await isKept(at.bob), await isKept(api, undefined, true)], [false, false]);
    const [never, always] = [
      await makeAgent({ keep_extractions_days: 0 }),
      await makeAgent({ keep_extractions_days: 2 }),
    ];
    assert.deepEqual([await isKept(at.bob, `/${at.agent}`), await isKept(at.bob, `/${always}`)], [false, true]);
    await set(7);
    assert.deepEqual([await isKept(api), await isKept(at.bob, `/${never}`)], [true, false]);
    const of = async (path: string) => {
      const { expires_at, created_at } = await get(await keptBy(api, path));
      return Math.round((Date.parse(expires_at) - Date.parse(created_at)) / dayMs);
    };
    assert.deepEqual([await of(`/${at.agent}`), await of(`/${always}`)], [7, 2]);
    await set(null);
    for (const days of [-1, 1.5, "7", 100_000]) {
      const refused = await at.ada.send("PATCH", "/v2/organization", { keep_extractions_days: days });
      assert.deepEqual([refused.status, refused.body.code], [422, "invalid_request"]);
      const configuration = { params, keep_extractions_days: days };
      const changed = await at.ada.send("PATCH", `/v2/agents/${always}`, { configuration });
      assert.deepEqual([changed.status, changed.body.code], [422, "invalid_config"]);
    }
    const cleared = { configuration: { params, keep_extractions_days: null } };
    const changed = await at.ada.send("PATCH", `/v2/agents/${always}`, cleared);
    assert.deepEqual(Object.keys(changed.body.data.configuration), ["params"]);
    assert.equal(await isKept(api, `/${always}`), false);
  });

  test("an asynchronous extraction is found by its extract_id", async () => {
    const { extract_id } = (await extract(at.bob, "/async", { params, callback: "https://callback.invalid/" })).body;
    const outcome = await ended(extract_id, at.bob);
    assert.equal(outcome.metadata.extraction_id, extract_id);
    assert.deepEqual((await get(extract_id, at.bob)).data, outcome.data);
    const [path] = (await keptFiles()).filter((each) => each.includes(extract_id));
    assert.ok(path);
    const api = at.organization.administrator;
    const quiet = (await extract(api, `/async/${at.agent}`, { callback: "https://callback.invalid/" })).body.extract_id;
    assert.equal((await ended(quiet, api)).metadata.extraction_id, undefined);
    assert.equal((await api.send("GET", `/v2/extractions/${quiet}`)).status, 404);
  });

  test("the file is sent as a download, so a browser does not display it", async () => {
    const id = await keptBy(at.bob);
    const answer = await fetch(`${at.service.url}/v2/extractions/${id}/file`, { headers: { cookie: at.bob.cookie } });
    assert.equal(answer.status, 200);
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), sample);
    const name = `attachment; filename="Rechnung 5_.pdf"; filename*=UTF-8''Rechnung%205%E2%82%AC.pdf`;
    assert.equal(answer.headers.get("content-disposition"), name);
    assert.equal(answer.headers.get("content-type"), "application/octet-stream");
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    assert.match(answer.headers.get("content-security-policy") ?? "", /^sandbox;/);
    assert.equal(answer.headers.get("content-length"), String(sample.length));
    // The response is also checked against the OpenAPI document.
    assert.equal((await at.bob.send("GET", `/v2/extractions/${id}/file`)).status, 200);
  });

  test("each page has an image, and words that match the evidence", async () => {
    const answer = await extract(at.bob, `/${at.agent}`, { include: ["evidence"] });
    const { extraction_id: id, evidence } = answer.body.metadata;
    const page = `/v2/extractions/${id}/pages/1`;
    const { words, boxes } = (await at.bob.send("GET", `${page}/words`)).body.data;
    const [[x0, y0, x1, y1]] = evidence[0].number.boxes;
    const inside = words.filter((_: string, i: number) => {
      const [left, top, right, bottom] = boxes[i];
      return left >= x0 - 1 && top >= y0 - 1 && right <= x1 + 1 && bottom <= y1 + 1;
    });
    assert.deepEqual(inside, ["NL-2026-0417"]);
    const image = await at.bob.send("GET", `${page}/image?width=900`);
    assert.deepEqual([image.status, image.headers.get("content-type")], [200, "image/webp"]);
    const again = { "if-none-match": image.headers.get("etag") ?? "" };
    assert.equal((await at.bob.send("GET", `${page}/image`, undefined, again)).status, 304);
    for (const path of ["pages/2/words", "pages/0/image", "pages/x/words"])
      assert.equal((await at.bob.send("GET", `/v2/extractions/${id}/${path}`)).body.code, "page_not_found");
    const other = await at.service.organization("Onlooker");
    for (const kind of ["words", "image"])
      assert.equal((await other.administrator.send("GET", `${page}/${kind}`)).body.code, "not_found");
  });

  test("lists are filtered and paged, oldest first", async () => {
    const other = await makeAgent();
    const ids = [
      await keptBy(at.bob, `/${other}`),
      await keptBy(at.ada, `/${other}`),
      await keptBy(at.bob, `/${other}`),
    ];
    await at.ada.send("PATCH", `/v2/extractions/${ids[1]}`, { status: "reviewed" });
    await at.service.db
      .updateTable("kept_extractions")
      .set({ unsure: 0 })
      .where("id", "=", ids[0] ?? "")
      .execute();
    await at.service.db.updateTable("kept_extractions").set({ unsure: 3 }).where("id", "in", ids.slice(1)).execute();
    const idsOf = async (query: string) => (await list(`?agent=${other.toUpperCase()}${query}`)).map(({ id }) => id);
    assert.deepEqual(await idsOf(""), ids);
    assert.deepEqual(await idsOf("&status=reviewed"), [ids[1]]);
    assert.deepEqual(await idsOf("&status=to_review"), [ids[0], ids[2]]);
    assert.deepEqual(await idsOf("&needs_review=true"), [ids[2]]);
    assert.deepEqual(await idsOf("&needs_review=false"), [ids[0], ids[1]]);
    const first = await at.ada.send("GET", `/v2/extractions?agent=${other}&limit=2`);
    const cursor = first.body.metadata.next_cursor;
    const rest = await at.ada.send("GET", `/v2/extractions?agent=${other}&limit=2&cursor=${cursor}`);
    assert.deepEqual(
      [...first.body.data, ...rest.body.data].map(({ id }) => id),
      ids,
    );
    for (const query of ["?status=done", "?needs_review=1", "?agent=a&agent=b", "?limit=0"])
      assert.equal((await at.ada.send("GET", `/v2/extractions${query}`)).status, 422, query);
    assert.equal("data" in (first.body.data[0] as object), false);
  });

  test("whoever sees an agent sees its extractions; extractions without an agent are seen by their user and administrators", async () => {
    const carol = await join(at.service, at.organization, "member");
    const other = await at.service.organization("Elsewhere");
    const api = at.organization.administrator;
    const hidden = await makeAgent();
    const ofHidden = await keptBy(at.ada, `/${hidden}`);
    const access = { visibility: "private" };
    assert.equal((await at.ada.send("PUT", `/v2/agents/${hidden}/access`, access)).status, 200);
    const [ofBob, ofAgent] = [await keptBy(at.bob), await keptBy(at.bob, `/${at.agent}`)];
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
    assert.deepEqual(await seenBy(at.bob), [true, true, false]);
    assert.deepEqual(await seenBy(carol), [false, true, false]);
    assert.deepEqual(await seenBy(at.ada), [true, true, true]);
    assert.deepEqual(await seenBy(api), [true, true, false]);
    assert.deepEqual(await seenBy(other.administrator), [false, false, false]);
    for (const by of [other.administrator, carol])
      assert.equal((await by.send("DELETE", `/v2/extractions/${ofBob}`)).status, 404);
    assert.equal((await api.send("GET", "/v2/extractions/nothing")).status, 404);
    assert.equal((await api.send("GET", `/v2/extractions/${newId()}`)).status, 404);
  });

  test("a failed or repeated request does not keep a second copy", async () => {
    const before = (await keptFiles()).length;
    const broken = { filename: "a.pdf", file: Buffer.from("%PDF-1.7 but no more").toString("base64"), params };
    assert.equal((await at.bob.send("POST", "/v2/extractor", broken)).status, 502);
    assert.equal((await keptFiles()).length, before);
    const key = { "idempotency-key": newId() };
    const body = { filename: "a.pdf", file, params };
    const first = await at.bob.send("POST", "/v2/extractor", body, key);
    const again = await at.bob.send("POST", "/v2/extractor", body, key);
    assert.deepEqual([again.headers.get("idempotent-replayed"), again.body], ["true", first.body]);
    assert.equal((await keptFiles()).length, before + 2);
  });
});
