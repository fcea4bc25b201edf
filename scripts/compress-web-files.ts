/**
 * `node scripts/compress-web-files.ts [FOLDER…]`: compresses the text files of the built web
 * application and documentation with brotli and gzip, so that the service need not do so at each
 * request. Runs after the builds when packages are installed (`prepare`).
 */
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type Coding, codings, isText, listFiles } from "../server/src/http/web-files.ts";

const root = resolve(import.meta.dirname, "..");
/**
 * Brotli quality for all files except those of the application. The application is sent often, so
 * its files are compressed with the highest quality. For the documentation, the highest quality
 * would take 7 s instead of 1 s, and make the files an eighth smaller. Measured 2026-11.
 */
const quickQuality = 9;
const qualities = { "web/dist": constants.BROTLI_MAX_QUALITY, "web/docs-site/dist": quickQuality };
const given = process.argv.slice(2);

const compressors: Record<Coding, (content: Buffer, brotliQuality: number) => Promise<Buffer>> = {
  br: (content, brotliQuality) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gzip: (content) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

if (given.length > 0) for (const path of given) await compressFiles(resolve(path), quickQuality);
else for (const [path, quality] of Object.entries(qualities)) await compressFiles(join(root, path), quality);

async function compressFiles(folder: string, brotliQuality: number): Promise<void> {
  if (!existsSync(folder)) return console.log(`Nothing to compress: ${relative(root, folder)} is not built.`);
  const paths = listFiles(folder).filter(isText);
  const sizes = await Promise.all(paths.map((path) => compressFile(join(folder, path), brotliQuality)));
  const sum = (key: "before" | "after") => sizes.reduce((total, size) => total + size[key], 0);
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`;
  console.log(
    `${paths.length} text files in ${relative(root, folder)}: ${kilobytes(sum("before"))}, ${kilobytes(sum("after"))} with brotli`,
  );
}

/**
 * Writes each compressed variant that is smaller than the file. Deletes variants that are not
 * smaller, because an earlier build may have left them.
 */
async function compressFile(path: string, brotliQuality: number): Promise<{ before: number; after: number }> {
  const content = await readFile(path);
  let after = content.length;
  for (const [coding, suffix] of Object.entries(codings) as [Coding, string][]) {
    const compressed = await compressors[coding](content, brotliQuality);
    if (compressed.length >= content.length) {
      await rm(path + suffix, { force: true });
      continue;
    }
    await writeFile(path + suffix, compressed);
    if (coding === "br") after = compressed.length;
  }
  return { before: content.length, after };
}
