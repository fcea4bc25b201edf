/**
 * Imported before the program of a reading process. Node's permission model lets a process that may
 * load native code load it from anywhere, and loaded code is outside that model. This guard allows
 * only files that the process may read, which are those of the program.
 */
const load = process.dlopen.bind(process);
const mayRead = process.permission.has.bind(process.permission);

/**
 * Accepts only plain strings and numbers, because an object could return another path when it is
 * converted again.
 */
function dlopen(module: object, path: unknown, flags?: unknown): void {
  if (typeof path !== "string" || !mayRead("fs.read", path)) {
    throw Object.assign(new Error("Native code can be loaded from the program's own files only."), {
      code: "ERR_ACCESS_DENIED",
    });
  }
  if (typeof flags === "number") load(module, path, flags);
  else load(module, path);
}

Object.defineProperty(process, "dlopen", { value: dlopen, writable: false, configurable: false });
