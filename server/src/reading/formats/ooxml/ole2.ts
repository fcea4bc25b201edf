/** Recognizes files that should be an office archive but are an older container or no archive. */
import { ReadingError } from "../../reader.ts";

const containerMark = Buffer.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1);
/** Name of the stream that holds a password-protected office file, in the container's directory. */
const encryptedPackage = Buffer.from("EncryptedPackage", "utf16le");

/** Returns why this can't be an office archive; undefined if it may be one. */
export function notAnArchive(bytes: Buffer): ReadingError | undefined {
  if (!bytes.subarray(0, containerMark.length).equals(containerMark)) return undefined;
  return bytes.includes(encryptedPackage)
    ? new ReadingError("encrypted", "The file needs a password.")
    : new ReadingError("corrupt", "The file is in an older format than its name states.");
}
