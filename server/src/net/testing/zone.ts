/** Host names for outbound tests, and how DNS responds to each of them. */
import type { Zone } from "./dns-server.ts";

/** Addresses of the test names. */
export const addresses: Record<string, readonly string[]> = {
  "hook.example.com": ["127.0.0.2"],
  "second.example.com": ["127.0.0.5", "127.0.0.2"],
  "inside.example.com": ["127.0.0.1"],
  "inside6.example.com": ["::1"],
  "mapped.example.com": ["::ffff:127.0.0.2"],
  "mixed.example.com": ["127.0.0.2", "127.0.0.1"],
  "mixed6.example.com": ["127.0.0.2", "::1"],
  "many.example.com": [...new Array(20).fill("127.0.0.2"), "127.0.0.3"],
  "empty.example.com": [],
};

export const zone: Zone = (name, family, count) => {
  // Use a different name for each test, because the response depends on how often the name was
  // queried.
  if (name.endsWith("rebinding.example.com"))
    return { addresses: family === 6 ? [] : [`127.0.0.${count === 0 ? 2 : 1}`] };
  if (name.endsWith("silent.example.com")) return { addresses: [], delayMs: Infinity };
  if (name === "half.example.com") return { addresses: ["127.0.0.2"], delayMs: family === 6 ? Infinity : 0 };
  const found = addresses[name];
  return found && { addresses: found };
};
