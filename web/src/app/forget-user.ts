/** Keys in local storage that stay after sign-out, because they reveal nothing about documents. */
const kept = new Set(["sheaf.language", "sheaf.theme"]);

/**
 * Removes everything that screens have stored in this browser, such as file names and unsaved
 * drafts, except the keys in `kept`.
 */
export function forgetUser(): void {
  const names = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? "");
  for (const name of names) if (name.startsWith("sheaf.") && !kept.has(name)) localStorage.removeItem(name);
}
