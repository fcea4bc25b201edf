/**
 * Recognizes OLE2 containers. They hold office files that are in an older format or encrypted, so
 * they can't be opened as ZIP archives.
 */
import { ReadingError } from "../../reader.ts";

const containerMark = Buffer.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1);
/** Name of the stream in which an OLE2 container stores a password-protected office file. */
const encryptedPackage = Buffer.from("EncryptedPackage", "utf16le");

/** Returns why the file can't be an office archive, or undefined if it may be one. */
export function notAnArchive(bytes: Buffer): ReadingError | undefined {
  if (!bytes.subarray(0, containerMark.length).equals(containerMark)) return undefined;
  return bytes.includes(encryptedPackage)
    ? new ReadingError("encrypted", "The file needs a password.")
    : new ReadingError("corrupt", "The file is in an older format than its name states.");
}
