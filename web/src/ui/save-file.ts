/** Saves a Blob as a file on the user's device. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Delayed, because the browser must open the URL first.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
