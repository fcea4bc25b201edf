/** Records with user-defined keys. */

/** Sets a key of any name. Plain assignment to `__proto__` would change the object's prototype. */
export function define<V>(record: { [name: string]: V }, name: string, value: V): void {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}
