/**
 * A file that is still arriving at a reading process. `writeTo` blocks until the file is complete.
 */
export interface IncomingFile {
  /** Size in bytes. */
  size: number;
  /** Fills `target`, whose length must be `size`. May be called only once. */
  writeTo(target: Uint8Array): void;
}

export function wholeOf(file: IncomingFile): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(file.size);
  file.writeTo(bytes);
  return bytes;
}
