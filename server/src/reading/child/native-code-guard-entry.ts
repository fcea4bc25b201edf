/**
 * Imported before the program of a reading process. Under Node's permission model, a process that
 * may load native code can load it from anywhere, and the model does not restrict loaded code. This
 * guard allows native code only from files that the process may read. These are the files of the
 * program.
 */
const load = process.dlopen.bind(process);
const mayRead = process.permission.has.bind(process.permission);

/**
 * Accepts only plain strings and numbers. An object could return one path for the check and another
 * one when it is converted again.
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
