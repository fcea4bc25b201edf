/** Sets members of records whose keys users choose. */

/**
 * Sets a member, whatever its name. A plain assignment to `__proto__` would change the prototype of
 * the object instead.
 */
export function define<V>(record: { [name: string]: V }, name: string, value: V): void {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}
