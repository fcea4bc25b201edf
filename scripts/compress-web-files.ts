/**
 * `node scripts/compress-web-files.ts [FOLDER]`: compresses the text files of the built web
 * application with brotli and gzip, so that the service need not do so at each request. Runs after
 * the build when packages are installed (`prepare`).
 */
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type Coding, codings, isText, listFiles } from "../server/src/http/web-files.ts";

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, "../web/dist"));

/** Compression with the highest levels, because files are compressed once and sent often. */
const compressors: Record<Coding, (content: Buffer) => Promise<Buffer>> = {
  br: (content) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gzip: (content) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

if (existsSync(folder)) await compressFiles();
else console.log(`Nothing to compress: the web application is not built (there is no ${folder}).`);

async function compressFiles(): Promise<void> {
  const paths = listFiles(folder).filter(isText);
  const sizes = await Promise.all(paths.map((path) => compressFile(join(folder, path))));
  const sum = (key: "before" | "after") => sizes.reduce((total, size) => total + size[key], 0);
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`;
  console.log(
    `${paths.length} files of the web application: ${kilobytes(sum("before"))}, ${kilobytes(sum("after"))} with brotli`,
  );
}

/**
 * Writes each compressed variant that is smaller than the file. Removes those of an earlier build.
 */
async function compressFile(path: string): Promise<{ before: number; after: number }> {
  const content = await readFile(path);
  let after = content.length;
  for (const [coding, suffix] of Object.entries(codings) as [Coding, string][]) {
    const compressed = await compressors[coding](content);
    if (compressed.length >= content.length) {
      await rm(path + suffix, { force: true });
      continue;
    }
    await writeFile(path + suffix, compressed);
    if (coding === "br") after = compressed.length;
  }
  return { before: content.length, after };
}
