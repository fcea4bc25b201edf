/** Files beside the pages. Their names contain a hash, so that browsers can cache them forever. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { build } from "esbuild";
import { base } from "./page.ts";

/** Writes assets into the built site. Each method returns the URL path of the file. */
export class Assets {
  readonly #folder: string;
  readonly #copied = new Map<string, string>();

  /** @param folder of the built site */
  constructor(folder: string) {
    this.#folder = join(folder, "assets");
    mkdirSync(this.#folder, { recursive: true });
  }

  write(name: string, content: string | Buffer): string {
    const hash = createHash("sha256").update(content).digest("hex").slice(0, 10);
    const file = `${basename(name, extname(name))}-${hash}${extname(name)}`;
    writeFileSync(join(this.#folder, file), content);
    return `${base}assets/${file}`;
  }

  /** Copies a file, but only once even if it is requested repeatedly. */
  copy(path: string): string {
    const url = this.#copied.get(path) ?? this.write(path, readFileSync(path));
    this.#copied.set(path, url);
    return url;
  }

  /** Bundles a script or style sheet with everything that it imports. */
  async bundle(path: string): Promise<string> {
    const result = await build({
      entryPoints: [path],
      bundle: true,
      minify: true,
      write: false,
      format: path.endsWith("theme.ts") ? "iife" : "esm",
      target: "es2023",
      legalComments: "inline",
    });
    const [output] = result.outputFiles;
    return this.write(path.replace(/\.ts$/, ".js"), Buffer.from(output?.contents ?? []));
  }
}
