/** Checks files for a corpus before anything is sent. */

/** Extensions that a corpus accepts. Must equal `documentExtensions` of the API contract. */
export const documentExtensions = ["pdf", "docx", "jpg", "jpeg", "png", "heic"] as const;
/**
 * Maximum size of a document in bytes. Must equal `limits.maxDocumentFileBytes` of the API
 * contract.
 */
export const maxDocumentBytes = 60 * 1_048_576;
/** Maximum length of a path, in characters. */
export const maxPathLength = 512;
/** Maximum length of a name within a path, in characters. */
export const maxSegmentLength = 255;

/** Files that operating systems create in folders, such as `Thumbs.db`. They are not uploaded. */
const systemFiles: ReadonlySet<string> = new Set([".ds_store", "thumbs.db", "desktop.ini"]);

export type Refusal = "unsupported_file_type" | "file_too_large" | "empty_file" | "name_too_long" | "invalid_name";

export interface FileFacts {
  name: string;
  /** Folder in the corpus; empty for the top folder. */
  path: string;
  size: number;
}

export const isSystemFile = (name: string): boolean =>
  systemFiles.has(name.toLowerCase()) || name.startsWith("._") || name.startsWith("~$");

/** Returns the extension in lower case; empty if there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}

/** Returns why the service would refuse a file; undefined if it may be sent. */
export function refusalOf({ name, path, size }: FileFacts, maxBytes: number): Refusal | undefined {
  if (!documentExtensions.some((extension) => extension === extensionOf(name))) return "unsupported_file_type";
  if (size === 0) return "empty_file";
  if (size > maxBytes) return "file_too_large";
  const segments = path === "" ? [] : path.split("/");
  if (lengthOf(path) > maxPathLength || [name, ...segments].some((each) => lengthOf(each) > maxSegmentLength))
    return "name_too_long";
  // Refuses control characters. Also refuses characters that reverse the direction of text, because
  // they can disguise an extension.
  if (/[\p{Cc}\p{Cs}\\\u202A-\u202E\u2066-\u2069]/u.test(`${path}${name}`)) return "invalid_name";
  return segments.some((each) => each === "." || each === ".." || each === "") ? "invalid_name" : undefined;
}

const lengthOf = (text: string): number => [...text.normalize("NFC")].length;

/** Joins folder paths, leaving out empty segments. */
export const joinPath = (...parts: readonly string[]): string =>
  parts
    .flatMap((part) => part.split("/"))
    .filter((part) => part !== "")
    .join("/")
    .normalize("NFC");
