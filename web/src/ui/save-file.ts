/** Saves a Blob as a file of the user. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has to open the address first.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
