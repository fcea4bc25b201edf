/** `sheaf read`: shows what the service sees of a file. */
import { openUnderstanding } from "../compose.ts";
import { readConfig } from "../config.ts";
import { readableExtensionOf } from "../features/extraction/extraction.service.ts";
import { type Document, pageText } from "../reading/document.ts";

interface ReadCommandOptions {
  json: boolean;
}

/** Prints the text of each page, pages parted by form feeds as `pdftotext` does, or the whole Document as JSON. */
export async function read(path: string, options: ReadCommandOptions): Promise<void> {
  const extension = readableExtensionOf(path);
  await using understanding = openUnderstanding(readConfig());
  const document = await understanding.reader.read(path, extension);
  console.log(options.json ? JSON.stringify(document) : textOf(document));
}

const textOf = (document: Document): string => document.pages.map(pageText).join("\n\f");
