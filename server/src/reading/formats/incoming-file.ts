/** A file that is arriving at a reading process, which waits until it is complete. */
export interface IncomingFile {
  /** Size in bytes. */
  size: number;
  /** Fills `target`, which has that size. Called once. */
  writeTo(target: Uint8Array): void;
}

export function wholeOf(file: IncomingFile): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(file.size);
  file.writeTo(bytes);
  return bytes;
}
