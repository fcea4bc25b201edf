/** A file on its way to a reading process, which has nothing else to do until all of it is there. */
export interface IncomingFile {
  /** In bytes. */
  size: number;
  /** Fills `target`, which is of that size. Called once. */
  writeTo(target: Uint8Array): void;
}

export function wholeOf(file: IncomingFile): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(file.size);
  file.writeTo(bytes);
  return bytes;
}
