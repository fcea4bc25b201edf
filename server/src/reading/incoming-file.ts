/** A file that a reading process is being sent. */
export interface IncomingFile {
  /** In bytes. */
  size: number;
  /** Fills `target`, which is of that size. Called once. */
  writeTo(target: Uint8Array): Promise<void>;
}

export async function wholeOf(file: IncomingFile): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(file.size);
  await file.writeTo(bytes);
  return bytes;
}
