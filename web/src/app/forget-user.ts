/** Entries that stay in the browser after sign-out, because they reveal nothing about documents. */
const kept = new Set(["sheaf.language", "sheaf.theme"]);

/** Removes what screens have kept in this browser, such as names of files and unsaved drafts. */
export function forgetUser(): void {
  const names = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? "");
  for (const name of names) if (name.startsWith("sheaf.") && !kept.has(name)) localStorage.removeItem(name);
}
