/**
 * `node scripts/write-sbom.ts FOLDER`: writes the software bills of materials of a release, in
 * CycloneDX format, from package-lock.json.
 *
 * - `sheaf.cdx.json`: the packages that the service runs with
 * - `sheaf-web.cdx.json`: the packages from which the web application and the documentation are
 *   built, and the build tools
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the folder to write to.");

interface Bill {
  metadata: { component: { "bom-ref": string; name: string } };
  components: { "bom-ref": string; purl: string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/**
 * An entry of package-lock.json: a package, or a link to a workspace. In a link, `resolved` is the
 * folder of the workspace.
 */
interface Locked {
  /** Present if it differs from the name under which the package is installed. */
  name?: string;
  version?: string;
  dev?: true;
  resolved?: string;
}

/** Workspaces that are not part of the running service. */
const notRun = new Set(["web", "examples"]);

const readJson = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8"));

const installedAs = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

mkdirSync(folder, { recursive: true });
write("sheaf.cdx.json", runtimeOf(billOf()));
write("sheaf-web.cdx.json", billOf("--workspace", "web"));

function billOf(...options: string[]): Bill {
  const command = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only", ...options];
  const text = execFileSync("npm", command, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const bill: Bill = JSON.parse(text);
  // npm names the root component after its folder, not after the package.
  bill.metadata.component.name = readJson("package.json").name;
  return bill;
}

/**
 * Omits packages that are only for development. `npm sbom --omit dev` would also omit packages that
 * the service needs, if another workspace has them as development dependencies.
 */
function runtimeOf(bill: Bill): Bill {
  const { packages } = readJson("package-lock.json") as { packages: Record<string, Locked> };
  const runtime = new Set(
    Object.entries(packages)
      .filter(([path, { dev, resolved = "" }]) => path.includes("node_modules/") && !dev && !notRun.has(resolved))
      .map(([path, { name, version, resolved = "" }]) => {
        return `${name ?? installedAs(path)}@${version ?? packages[resolved]?.version}`;
      }),
  );
  const components = bill.components.filter(({ purl }) =>
    runtime.has(purl.slice("pkg:npm/".length).replace("%40", "@")),
  );
  const kept = new Set([bill.metadata.component, ...components].map((component) => component["bom-ref"]));
  const dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
  return { ...bill, components, dependencies };
}

function write(file: string, bill: Bill): void {
  writeFileSync(join(resolve(folder as string), file), `${JSON.stringify(bill, null, 2)}\n`);
  console.log(`${file}: ${bill.components.length} packages`);
}
