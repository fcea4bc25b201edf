/** Records whose keys are whatever a user wrote. */

/** Sets a key whatever its name is; `__proto__` must not change the object's prototype. */
export function define<V>(record: { [name: string]: V }, name: string, value: V): void {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}
