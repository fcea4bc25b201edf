/**
 * Builds the image that deploy/Dockerfile describes, without a container engine. Runs the
 * instructions of the Dockerfile in a folder, and starts the result in a private file system with
 * the restrictions of a container. The base image is the root folder of this machine.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { basename, dirname, join, matchesGlob, relative } from "node:path";
import { promisify } from "node:util";

const repository = join(import.meta.dirname, "../../..");
const asRoot = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
const contained = ["unshare", "--mount", "--pid", "--fork", "--kill-child"];

/** Reason why images cannot be started on this machine; false if they can be started. */
export const noContainer =
  spawnSync(asRoot[0] ?? "env", [...asRoot.slice(1), ...contained, "true"]).status !== 0 &&
  process.env.REQUIRE_SERVICES === undefined &&
  "mounting needs root";

export interface Image {
  /** Working directory of the last stage. */
  directory: string;
  /** Folder of this machine that contains the files of the image's working directory. */
  files: string;
  /** Commands that the last stage runs. */
  setUp: string[];
  environment: Record<string, string>;
  user: string;
  volume: string;
  entrypoint: string[];
  command: string[];
  health: string[];
}

/**
 * Returns the files of the working tree that `.dockerignore` does not exclude from the build
 * context.
 */
export async function contextFiles(): Promise<string[]> {
  const rules = (await readFile(join(repository, ".dockerignore"), "utf8"))
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ pattern: line.replace(/^!/, ""), keeps: line.startsWith("!") }));
  const { stdout } = await promisify(execFile)(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"],
    { cwd: repository, maxBuffer: 2 ** 26 },
  );
  const matches = (file: string, pattern: string) => {
    for (let path = file; path !== "."; path = dirname(path)) if (matchesGlob(path, pattern)) return true;
    return false;
  };
  return stdout
    .split("\0")
    .filter((file) => file !== "" && (rules.findLast(({ pattern }) => matches(file, pattern))?.keeps ?? true));
}

interface Instruction {
  keyword: string;
  /** The arguments of the instruction, without flags. */
  text: string;
}

/** Returns the instructions of each stage. */
function readDockerfile(text: string): Instruction[][] {
  const lines = text
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll("\\\n", "")
    .split("\n");
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, keyword = "", text = ""] = /^(\w+) +(?:--\S+ +)*(.*)$/.exec(line) ?? [];
    if (keyword === "FROM") stages.push([]);
    stages.at(-1)?.push({ keyword, text });
  }
  return stages.map((stage) => stage.filter(({ keyword }) => keyword !== ""));
}

/** Executes deploy/Dockerfile in a folder. */
export async function buildImage(folder: string): Promise<Image> {
  const [build = [], run = [], ...others] = readDockerfile(
    await readFile(join(repository, "deploy/Dockerfile"), "utf8"),
  );
  if (others.length > 0) throw new Error("The Dockerfile has more stages than this helper executes.");
  const built = join(folder, "build");
  await executeBuild(build, built);
  const image: Image = {
    ...{ directory: "/", files: join(folder, "files"), setUp: [], environment: {}, user: "", volume: "" },
    ...{ entrypoint: [], command: [], health: [] },
  };
  for (const { keyword, text } of run)
    switch (keyword) {
      case "WORKDIR":
        image.directory = text;
        break;
      case "RUN":
        image.setUp.push(text);
        break;
      case "COPY":
        await copyBuilt(join(built, image.directory), image.directory, image.files, text.split(/ +/));
        break;
      case "ENV":
        for (const [, name = "", value = ""] of text.matchAll(/(\w+)=(\S+)/g)) image.environment[name] = value;
        break;
      case "USER":
        image.user = text;
        break;
      case "VOLUME":
        image.volume = text;
        break;
      case "ENTRYPOINT":
        image.entrypoint = JSON.parse(text);
        break;
      case "CMD":
        image.command = JSON.parse(text);
        break;
      case "HEALTHCHECK":
        image.health = JSON.parse(text.replace(/^CMD /, ""));
        break;
      case "FROM":
      case "EXPOSE":
      case "STOPSIGNAL":
        break;
      default:
        throw new Error(`This helper does not execute ${keyword}.`);
    }
  return image;
}

/** Copies files into a folder, or one folder to a path, as the COPY instruction does. */
async function copyBuilt(from: string, directory: string, to: string, paths: string[]): Promise<void> {
  const last = paths.at(-1) ?? "";
  for (const path of paths.slice(0, -1)) {
    const source = join(from, relative(directory, path));
    const target = join(to, last.endsWith("/") ? join(last, basename(path)) : last);
    await cp(source, target, { recursive: true, verbatimSymlinks: true });
  }
}

/**
 * Executes the build stage in the folder `root`: copies the build context and runs the commands.
 */
async function executeBuild(stage: readonly Instruction[], root: string): Promise<void> {
  let directory = root;
  for (const { keyword, text } of stage) {
    if (keyword === "WORKDIR") directory = join(root, text);
    else if (keyword === "COPY" && text === ". .")
      for (const file of await contextFiles()) await cp(join(repository, file), join(directory, file));
    else if (keyword === "RUN")
      await promisify(execFile)("sh", ["-c", text], { cwd: directory, env: environmentOfBuild() });
    else if (keyword !== "FROM") throw new Error(`This helper does not execute ${keyword} ${text} in the build stage.`);
  }
}

/**
 * Returns the environment of this process, but without the variables that npm sets for the test
 * script, because they describe a different folder.
 */
const environmentOfBuild = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?:package|lifecycle)|^NODE_COMPILE_CACHE$/.test(name)),
  );

export interface Container extends AsyncDisposable {
  url: string;
  process: ChildProcess;
  /** Runs a command in the container, as its user. */
  execute(command: string[]): Promise<{ code: number; output: string }>;
  /** Sends a signal to the first process of the container. */
  signal(name: NodeJS.Signals): Promise<void>;
  ended: Promise<{ code: number | null; output: string }>;
}

/**
 * Combines the root folder of this machine and the files of the image into a new root folder, and
 * sets it up. Everything in it is read-only except the volume and `/tmp`. Then executes the program
 * as the first process of its own process namespace. Arguments: a folder to mount in, the folder
 * with the files of the image, the working directory, the volume, the command that sets the image
 * up, and the command to run.
 */
const startScript = `
set -e
root="$1/root"
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$root"
chroot "$root" sh -ec "$5"
mkdir -p "$root$3"
cp -a "$root$4" "$1/volume"
mount -o remount,ro "$root"
mount --bind "$2" "$root$3"
mount -o remount,bind,ro "$root$3"
mount --bind "$1/volume" "$root$4"
mount -t tmpfs -o size=64m tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
shift 5
exec chroot "$root" "$@"
`;

/** Starts the command of an image, as `docker run --read-only --cap-drop ALL` does. */
export async function startContainer(image: Image, folder: string): Promise<Container> {
  const port = await freePort();
  const mounts = join(folder, "mounts");
  await mkdir(mounts);
  const environment = { ...image.environment, SHEAF_PORT: String(port), SHEAF_STOP_DELAY_SECONDS: "1" };
  const [user, group] = image.user.split(":");
  const restricted = [
    ...["setpriv", `--reuid=${user}`, `--regid=${group}`, "--clear-groups"],
    ...["--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"],
    ...["env", "-i", ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)],
  ];
  const [program = "", ...words] = [
    ...[...asRoot, ...contained, "sh", "-c", startScript, "sh"],
    ...[mounts, image.files, image.directory, image.volume, image.setUp.join("\n")],
    ...[...restricted, ...image.entrypoint, ...image.command],
  ];
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, output }));
  const ready = new Promise<void>((resolve) => {
    child.stdout.on("data", () => /Sheaf is ready at /.test(output) && resolve());
  });
  await Promise.race([ready, ended.then(({ output }) => Promise.reject(new Error(output)))]);
  const first = await firstProcess(child.pid as number);
  const run = async (command: string[]) => {
    const [name = "", ...rest] = [...asRoot, ...command];
    const { status, stdout, stderr } = await new Promise<{ status: number; stdout: string; stderr: string }>(
      (resolve) =>
        execFile(name, rest, (error, stdout, stderr) =>
          resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
        ),
    );
    return { code: status, output: stdout + stderr };
  };
  return {
    url: `http://127.0.0.1:${port}`,
    process: child,
    execute: (command) =>
      run(["nsenter", `--target=${first}`, "--mount", "--pid", "--root", "--wd", ...restricted, ...command]),
    signal: async (name) => void (await run(["kill", `-${name}`, String(first)])),
    ended,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null) await run(["kill", "-KILL", String(first)]);
      await ended;
    },
  };
}

/**
 * Returns the id of the process that `unshare` started. `pid` is the id of `unshare`, or of `sudo`
 * if `sudo` started `unshare`.
 */
async function firstProcess(pid: number): Promise<number> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim();
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  // The last number is the id in the innermost process namespace.
  return /^NSpid:.*\t1$/m.test(status) || children === "" ? pid : firstProcess(Number(children.split(" ")[0]));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
