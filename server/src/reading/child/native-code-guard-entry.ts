/**
 * Imported before the program of a reading process. Node's permission model lets a process that may load native code load it from
 * anywhere, and what is loaded is outside of that model: here it has to be a file that the process may read, which is one of the program.
 */
const load = process.dlopen.bind(process);
const mayRead = process.permission.has.bind(process.permission);

/** Takes plain arguments alone: whatever else could be another path at the second look. */
function dlopen(module: object, path: unknown, flags?: unknown): void {
  if (typeof path !== "string" || !mayRead("fs.read", path)) {
    throw Object.assign(new Error("Native code is loaded from the program's own files only."), {
      code: "ERR_ACCESS_DENIED",
    });
  }
  if (typeof flags === "number") load(module, path, flags);
  else load(module, path);
}

Object.defineProperty(process, "dlopen", { value: dlopen, writable: false, configurable: false });
