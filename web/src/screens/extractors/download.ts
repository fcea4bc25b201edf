/** Files that the browser saves. */

/** Characters that file systems refuse. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused too
const forbidden = /[\\/:*?"<>|\u0000-\u001f]+/g;

export function downloadBlob(filename: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = filename.replace(forbidden, "-");
  link.click();
  // The download has begun by then; revoking at once would end it in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export const downloadText = (filename: string, text: string, type: string): void =>
  downloadBlob(filename, new Blob([text], { type }));
