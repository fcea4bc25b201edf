/** A file that a reading process is being sent. It has nothing else to do meanwhile, so it waits for it. */
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
