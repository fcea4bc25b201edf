/**
 * Documents with external references to local files, network addresses and paths outside the
 * archive. None of them is opened or contacted, and nothing is written outside the data folder.
 * Needs Linux and strace.
 */
import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { childrenOf } from "../../src/reading/testing/child-processes.ts";
import { entryOf, type HostileEntry, makeHostileZip } from "../../src/reading/testing/make-hostile-zip.ts";
import {
  type DocxParts,
  inlineRows,
  makeDocx,
  makeXlsx,
  makeZip,
  paragraph,
} from "../../src/reading/testing/make-office.ts";
import { makePdfOf, streamOf } from "../../src/reading/testing/make-pdf.ts";
import { clientOf, type Place, placeOver } from "../helpers/killed-service.ts";
import { type Running, start } from "../helpers/process.ts";
import { noStrace, strace } from "../helpers/strace.ts";

const secret = "ZEBRAQUARTZ";
const params = [{ name: "number", format: "text", description: "Invoice number" }];
const line = "Invoice number: 2026-118";

let stack: AsyncDisposableStack;
let place: Place;
let service: Running;
let client: Awaited<ReturnType<typeof clientOf>>;
/** A local file and a network address to which the hostile documents refer. */
let file: string;
let address: string;
const reached: string[] = [];

before(async () => {
  stack = new AsyncDisposableStack();
  place = stack.use(await placeOver("sqlite", { SHEAF_READING_PROCESSES: "1" }));
  file = join(place.folder, "secret.xml");
  await writeFile(file, secret);
  const web = createServer((socket) => {
    reached.push("TCP");
    socket.on("error", () => {}).end(`HTTP/1.1 200 OK\r\n\r\n${secret}`);
  }).listen(0, "127.0.0.1");
  await once(web, "listening");
  stack.defer(() => void web.close());
  const { port } = web.address() as { port: number };
  const names = createSocket("udp4", () => reached.push("UDP")).bind(port, "127.0.0.1");
  stack.defer(() => void names.close());
  address = `http://127.0.0.1:${port}/x`;
  // Disables the compile cache of Node, which would write files beside the data folder.
  service = stack.use(start(["serve"], { ...place.settings, NODE_DISABLE_COMPILE_CACHE: "1" }));
  client = await clientOf(service);
  await startReading();
});
after(() => stack.disposeAsync());

interface Outcome {
  status: number;
  code?: string;
  number?: string | null;
}

async function extract(name: string, bytes: Uint8Array): Promise<Outcome> {
  const body = { filename: name, file: Buffer.from(bytes).toString("base64"), params };
  const answer = await client.send(client.url, "POST", "/v2/extractor", body);
  const { code, data } = answer.body;
  assert.doesNotMatch(JSON.stringify(answer.body), /ZEBRAQUARTZ/);
  return { status: answer.status, ...(code && { code }), ...(data && { number: data[0].number }) };
}

const calls =
  "socket,connect,sendto,openat,open,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink,symlinkat";
/**
 * Matches network connections. Excludes the service's connections to itself, which measure how long
 * connections wait to be accepted. A reading process must not even create a socket.
 */
const isOutgoing = (call: string) =>
  /\bsocket\(.*= -1/.test(call) ||
  (/\b(?:connect|sendto)\(.*AF_(?:INET|UNIX)/.test(call) && !call.includes(`htons(${new URL(client.url).port})`));
const isWriting = (call: string) =>
  /\b(?:creat|mkdir|mkdirat|rename\w*|link|linkat|symlink\w*)\(|\bopen(?:at)?\(.*O_(?:WRONLY|RDWR|CREAT)/.test(call);
/**
 * Matches paths that the service itself may open: files of the program and system libraries, and
 * what Node reads about the machine and the processor time of a process.
 */
const isOwn = (path: string) =>
  path.startsWith(join(import.meta.dirname, "../../..")) ||
  path.includes("/node_modules/") ||
  /^\/(?:lib|usr\/lib|proc\/(?:self\/(?:stat|maps|cgroup)|\d+\/stat$|meminfo|stat|cpuinfo|sys\/vm)|sys|dev\/null|etc\/ld\.so\.cache)/.test(
    path,
  );

/** Runs `act` and returns the system calls that the service made during it. */
async function callsDuring(act: () => Promise<unknown>): Promise<string[]> {
  const pid = service.child.pid ?? 0;
  await using watch = await strace([pid, ...childrenOf(pid)], "-e", `trace=${calls}`);
  await act();
  return (await watch.end()).split("\n").filter((call) => /\w\(/.test(call));
}

/**
 * Returns the path and flags of an `open` or `openat` call, without the parts that differ between
 * processes.
 */
const openedBy = (call: string): string | undefined =>
  /\bopen(?:at)?\([^"]*("[^"]+", [A-Z_|]+)/.exec(call)?.[1]?.replace(/\/proc\/\d+/, "/proc/N");

/**
 * Files that a reading process opens while it starts, before its sandbox is active. They are
 * allowed later too, because a new process may start at any time, for example after a read that
 * exceeded its limits on a busy machine.
 */
let openedAtStart: ReadonlySet<string> = new Set();

/** Starts a reading process, ends it, and records what its replacement opens while it starts. */
async function startReading(): Promise<void> {
  const first = () => extract("first.docx", makeDocx({ body: paragraph(line) }));
  await first();
  if (noStrace) return;
  const seen = await callsDuring(async () => {
    for (const pid of childrenOf(service.child.pid ?? 0)) process.kill(pid, "SIGKILL");
    await first();
  });
  openedAtStart = new Set(seen.flatMap((call) => openedBy(call) ?? []));
}

const isAtStart = (call: string): boolean => openedAtStart.has(openedBy(call) ?? "");

/**
 * Runs `act`, and fails if the service meanwhile accesses a file or a network address that is not
 * allowed.
 */
async function watched(act: () => Promise<void>): Promise<void> {
  const seen = await callsDuring(act);
  assert.ok(
    seen.some((call) => call.includes(place.data)),
    "no system call was recorded",
  );
  assert.deepEqual(seen.filter(isOutgoing), []);
  const foreign = seen.filter((call) => {
    const path = /\b(?:open|creat|mkdir|rename|link|symlink)\w*\([^"]*"([^"]+)"/.exec(call)?.[1] ?? place.data;
    return !path.startsWith(place.data) && !isOwn(path) && !isAtStart(call);
  });
  assert.deepEqual(foreign, []);
  assert.deepEqual(
    seen.filter((call) => isWriting(call) && !call.includes(place.data) && !isAtStart(call)),
    [],
  );
  assert.deepEqual(reached, []);
}

/**
 * Lists the files and folders beside the data folder, and those one level above whose names contain
 * `escaped`.
 */
const around = async (): Promise<string[]> => {
  const own = (await readdir(place.folder, { recursive: true })).filter((name) => !name.startsWith("data"));
  const above = await readdir(dirname(place.folder));
  return [...own, ...above.filter((name) => /escaped/.test(name))].sort();
};

const package_ = "http://schemas.openxmlformats.org/package/2006/relationships";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const relationshipsTo = (
  targets: readonly (readonly [type: string, target: string, mode?: string | undefined])[],
): string =>
  `<Relationships xmlns="${package_}">${targets
    .map(([type, target, mode], index) => {
      const where = mode === undefined ? "" : ` TargetMode="${mode}"`;
      return `<Relationship Id="r${index}" Type="${office}/${type}" Target="${target}"${where}/>`;
    })
    .join("")}</Relationships>`;

const field = (instruction: string) => `<w:p><w:fldSimple w:instr="${instruction}"/></w:p>`;

test("a docx that refers to external templates, images, links and parts is read without them", {
  skip: noStrace,
}, async () => {
  const kinds =
    "attachedTemplate image hyperlink aFChunk oleObject subDocument frame header footer styles settings numbering footnotes fontTable customXml";
  const targets = [address, `file://${file}`, file, "../".repeat(20) + file.slice(1), "\\\\127.0.0.1\\share\\x.xml"];
  const all = (mode?: string) =>
    relationshipsTo(kinds.split(" ").flatMap((kind) => targets.map((target) => [kind, target, mode] as const)));
  const picture = '<a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" r:link="r1" r:embed="r2"/>';
  const body = [
    paragraph(line),
    field(`INCLUDEPICTURE &quot;${address}&quot; \\d`),
    field(`INCLUDETEXT &quot;${file}&quot;`),
    field(`DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe &quot;/k calc&quot;`),
    `<w:p><w:hyperlink r:id="r2"><w:r><w:t>link</w:t></w:r></w:hyperlink><w:r><w:drawing>${picture}</w:drawing></w:r></w:p>`,
    '<w:altChunk r:id="r3"/><w:subDoc r:id="r4"/>',
    `<w:sectPr><w:headerReference w:type="default" r:id="r35"/><w:headerReference w:type="even" r:id="r37"/></w:sectPr>`,
  ].join("");
  await watched(async () => {
    for (const mode of ["External", "Internal", undefined]) {
      const others = {
        "word/_rels/document.xml.rels": all(mode),
        "word/_rels/settings.xml.rels": all(mode),
        "word/_rels/header1.xml.rels": all(mode),
      };
      const made = makeDocx({ body, settings: '<w:attachedTemplate r:id="r0"/>', others });
      assert.deepEqual(await extract("a.docx", made), { status: 200, number: "2026-118" });
    }
    const led = { "_rels/.rels": relationshipsTo(targets.map((target) => ["officeDocument", target])) };
    assert.equal((await extract("b.docx", makeDocx({ body, others: led }))).status, 200);
  });
});

const page = (entries: string) =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F0 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /X 5 0 R /I 6 0 R >> >> ${entries} >>`;

test("a pdf that refers to external addresses, programs and files is read without them", {
  skip: noStrace,
}, async () => {
  const content = streamOf(`BT /F0 12 Tf 60 700 Td (${line}) Tj ET /X Do q 500 0 0 500 50 50 cm /I Do Q`);
  const files = [`<< /Type /Filespec /F (${file}) /UF (${file}) >>`, `<< /FS /URL /F (${address}) >>`];
  const actions = files.flatMap((target) => [
    `<< /S /URI /URI (${address}) >>`,
    `<< /S /GoToR /F ${target} /D [0 /Fit] >>`,
    `<< /S /GoToE /F ${target} /D [0 /Fit] >>`,
    `<< /S /Launch /F ${target} /Win << /F (cmd.exe) >> /Unix (/bin/true) >>`,
    `<< /S /JavaScript /JS (app.launchURL\\("${address}"\\); this.submitForm\\("${address}"\\)) >>`,
    `<< /S /SubmitForm /F << /FS /URL /F (${address}) >> >>`,
    `<< /S /ImportData /F ${target} >>`,
    `<< /S /Movie /T (x) >>`,
    `<< /S /Rendition /OP 0 /R << /S /MR /C << /S /MCD /D ${target} >> >> >>`,
  ]);
  const remote = (target: string, entries: string) =>
    streamOf("", `/F ${target} /FFilter /FlateDecode /FDecodeParms null ${entries}`);
  await watched(async () => {
    for (const [index, action] of actions.entries()) {
      const target = files[index % 2] ?? "";
      const annotation = `<< /Type /Annot /Subtype /Link /Rect [0 0 595 842] /A ${action} /AA << /PO ${action} /E ${action} >> >>`;
      const pdf = makePdfOf([
        `<< /Type /Catalog /Pages 2 0 R /OpenAction ${action} /AA << /WC ${action} >> /Names << /JavaScript << /Names [(a) ${action}] >> /EmbeddedFiles << /Names [(a) ${target}] >> >> /AcroForm << /Fields [] /XFA 7 0 R >> /Collection << /D (a) >> >>`,
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        page(`/AA << /O ${action} >> /Annots [${annotation}] /Thumb 6 0 R`),
        content,
        remote(target, `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Ref << /F ${target} /Page 0 >>`),
        remote(
          target,
          "/Type /XObject /Subtype /Image /Width 900 /Height 900 /BitsPerComponent 8 /ColorSpace /DeviceGray",
        ),
        streamOf(`<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template href="${address}"/></xdp:xdp>`),
      ]);
      assert.deepEqual(await extract("a.pdf", pdf), { status: 200, number: "2026-118" }, action);
    }
  });
});

test("entry names that lead out of the archive, and links, have no effect", { skip: noStrace }, async () => {
  const sound = makeDocx({ body: paragraph(line) });
  const parts: Record<string, string> = {
    "_rels/.rels": relationshipsTo([["officeDocument", "word/document.xml"]]),
    "word/document.xml": `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraph(line)}</w:body></w:document>`,
  };
  const usual = Object.entries(parts).map(([name, text]) => entryOf(name, text));
  const [relationships, main] = usual as [HostileEntry, HostileEntry];
  const named = (name: string) => makeHostileZip([...usual, entryOf(name, "escaped")]);
  const link = (name: string, target: string) => ({ ...entryOf(name, target), mode: 0o120777 });
  const files: [string, Uint8Array, number][] = [
    "../escaped",
    `${"../".repeat(30)}tmp/escaped`,
    "word/../../../escaped.xml",
    join(place.folder, "escaped"),
    `//${join(place.folder, "escaped")}`,
    "..\\..\\escaped",
    "C:\\escaped",
    "\\\\127.0.0.1\\share\\escaped",
    "word/escaped\0.xml",
    "word/\u202eescaped",
    `${"a/".repeat(20_000)}escaped`,
    "..",
    "",
    "/",
  ].map((name) => [name, named(name), 200]);
  await mkdir(join(place.folder, "target"), { recursive: true });
  files.push(
    ["a link beside", makeHostileZip([...usual, link("word/media/x.xml", file)]), 200],
    [
      "a link and a file below it",
      makeHostileZip([...usual, link("up", place.folder), entryOf("up/escaped", "x")]),
      200,
    ],
    ["a link for the main part", makeHostileZip([relationships, link("word/document.xml", file)]), 502],
    ["a link for the folder of the main part", makeHostileZip([relationships, link("word", place.folder), main]), 200],
    ["a link for the relationships", makeHostileZip([link("_rels/.rels", file), main]), 502],
    ["a device", makeHostileZip([...usual, { ...entryOf("word/styles.xml", ""), mode: 0o020666 }]), 200],
    ["another archive", makeZip({ ...parts, "../../escaped.docx": sound }), 200],
  );
  const before = await around();
  await watched(async () => {
    for (const [name, bytes, status] of files) {
      const outcome = await extract("a.docx", bytes);
      const expected = status === 200 ? { status, number: "2026-118" } : { status, code: "extraction_failed" };
      assert.deepEqual(outcome, expected, name.slice(0, 80));
    }
  });
  assert.deepEqual(await around(), before);
});

/**
 * Returns XML character references such as `&#65;` in irregular order, so that they compress about
 * as well as real text.
 */
const letters = (count: number) =>
  Array.from({ length: count }, (_, i) => `&#${65 + (((i * i * 7919) % 8191) % 26)};`).join("");

/**
 * Returns an XML part with a document type declaration. `content` is the text of the root element,
 * or a reference to an entity.
 */
const typed = (type: string, root: string, content: string) =>
  `<?xml version="1.0"?><!DOCTYPE ${root} ${type}><${root} xmlns="x">${content}</${root}>`;

test("entities are neither fetched nor expanded, in any part", { skip: noStrace }, async () => {
  const laughs = Array.from({ length: 12 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join("");
  const types: Record<string, [type: string, content: string]> = {
    "a file": [`[<!ENTITY e SYSTEM "file://${file}">]`, "&e;"],
    "a path": [`[<!ENTITY e SYSTEM "${file}">]`, "&e;"],
    "an address": [`[<!ENTITY e SYSTEM "${address}">]`, "&e;"],
    "a public name": [`[<!ENTITY e PUBLIC "-//x//y" "${address}">]`, "&e;"],
    "a parameter entity": [`[<!ENTITY % p SYSTEM "${address}"> %p;]`, "x"],
    "entities in entities": [`[<!ENTITY % f SYSTEM "file://${file}"><!ENTITY % d SYSTEM "${address}"> %d;]`, "&out;"],
    "an outer type": [`SYSTEM "${address}"`, "x"],
    "an outer type with a name": [`PUBLIC "-//W3C//DTD XHTML 1.0//EN" "${address}"`, "x"],
    "a billion laughs": [`[<!ENTITY e0 "lol">${laughs}]`, "&e12;"],
    "a large entity that is used often": [`[<!ENTITY e "${"x".repeat(100_000)}">]`, "&e;".repeat(100_000)],
    "an entity in itself": ['[<!ENTITY e "&f;"><!ENTITY f "&e;">]', "&e;"],
  };
  const word = (content: string) => `<w:p><w:r><w:t>${content}</w:t></w:r></w:p>`;
  const inclusion = `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${file}" parse="text"/>`;
  const refused = { status: 502, code: "extraction_failed" };
  const read = { status: 200, number: "2026-118" };
  const others = (parts: DocxParts["others"] = {}) => makeDocx({ body: paragraph(line), others: parts });
  await watched(async () => {
    for (const [name, [type, content]] of Object.entries(types)) {
      const main = typed(type, "w:document", word(content)).replace(
        'xmlns="x"',
        'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
      );
      assert.deepEqual(await extract("a.docx", others({ "word/document.xml": main })), refused, name);
      const sheets = makeXlsx({
        sheets: { S: inlineRows([["Invoice number:", "2026-118"]]) },
        others: { "xl/workbook.xml": typed(type, "workbook", content) },
      });
      assert.deepEqual(await extract("a.xlsx", sheets), refused, name);
      // Parts that are not needed to read a document are skipped, so their content does not matter.
      const beside = others({
        "docProps/core.xml": typed(type, "coreProperties", content),
        "word/theme.xml": typed(type, "t", content),
      });
      assert.deepEqual(await extract("a.docx", beside), read, name);
      const [upper, wide] = [main.replace("DOCTYPE", "doctype"), Buffer.from(`\ufeff${main}`, "utf16le")];
      for (const spelled of [upper, wide])
        assert.deepEqual(await extract("a.docx", others({ "word/document.xml": spelled })), refused, name);
    }
    assert.deepEqual(await extract("a.docx", makeDocx({ body: paragraph(line) + inclusion })), read);
    const processed = { "word/document.xml": `<?xml-stylesheet href="${address}"?><x/>` };
    assert.equal((await extract("a.docx", others(processed))).status, 502);
    const flood = (count: number) => makeDocx({ body: paragraph(line) + paragraph(letters(count)) });
    assert.deepEqual(await extract("a.docx", flood(1_000_000)), read);
    assert.deepEqual(await extract("a.docx", flood(4_000_000)), refused);
    const inOne = makeDocx({ body: paragraph(line) + paragraph(`&#${"0".repeat(1_000_000)}88;`) });
    assert.deepEqual(await extract("a.docx", inOne), refused);
  });
});
