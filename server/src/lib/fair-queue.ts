/**
 * A queue that is fair among tenants. The next item belongs to the waiting tenant that holds the
 * fewest items. Ties are broken in favour of the tenant served longest ago. If only one tenant is
 * waiting, it may hold any number of items, so that no capacity stays idle.
 */
import { currentTenant } from "./tenant.ts";

/** A dequeued item. Its tenant counts as holding it until `release` is called. */
export interface HeldItem<T> {
  item: T;
  /** Releases the item. Returns false if the item was already released. */
  release(): boolean;
}

export class FairQueue<T> {
  /** Waiting items by tenant. The tenant served longest ago comes first. */
  readonly #waiting = new Map<string, Set<T>>();
  readonly #held = new Map<string, number>();
  readonly #tenants = new Map<T, string>();

  /** Number of waiting items. */
  get size(): number {
    return this.#tenants.size;
  }

  add(item: T, tenant: string = currentTenant()): void {
    this.#tenants.set(item, tenant);
    const items = this.#waiting.get(tenant);
    if (items) items.add(item);
    else this.#waiting.set(tenant, new Set([item]));
  }

  /** Removes an item from the queue. Returns false if the item was not waiting. */
  delete(item: T): boolean {
    const tenant = this.#tenants.get(item);
    if (tenant === undefined) return false;
    this.#tenants.delete(item);
    const items = this.#waiting.get(tenant);
    items?.delete(item);
    if (items?.size === 0) this.#waiting.delete(tenant);
    return true;
  }

  /** Removes and returns the next item; undefined if no item is waiting. */
  next(): HeldItem<T> | undefined {
    const tenant = this.#nextTenant();
    const items = tenant === undefined ? undefined : this.#waiting.get(tenant);
    const [item] = items ?? [];
    if (tenant === undefined || items === undefined || item === undefined) return undefined;
    this.delete(item);
    if (items.size > 0) {
      this.#waiting.delete(tenant);
      this.#waiting.set(tenant, items);
    }
    this.#held.set(tenant, this.#heldBy(tenant) + 1);
    return { item, release: this.#releaseOnce(tenant) };
  }

  /** Removes and returns all waiting items. */
  clear(): T[] {
    const items = [...this.#tenants.keys()];
    for (const item of items) this.delete(item);
    return items;
  }

  /**
   * Returns whether one tenant is waiting and holds no item, while another tenant holds at least
   * `count` items.
   */
  isCrowdedOut(count: number): boolean {
    const someoneHolds = [...this.#held.values()].some((held) => held >= count);
    return someoneHolds && [...this.#waiting.keys()].some((tenant) => this.#heldBy(tenant) === 0);
  }

  #nextTenant(): string | undefined {
    let [next, fewest] = [undefined as string | undefined, Number.POSITIVE_INFINITY];
    for (const tenant of this.#waiting.keys()) {
      const held = this.#heldBy(tenant);
      if (held < fewest) [next, fewest] = [tenant, held];
    }
    return next;
  }

  #heldBy(tenant: string): number {
    return this.#held.get(tenant) ?? 0;
  }

  #releaseOnce(tenant: string): () => boolean {
    let isReleased = false;
    return () => {
      if (isReleased) return false;
      isReleased = true;
      const held = this.#heldBy(tenant) - 1;
      if (held > 0) this.#held.set(tenant, held);
      else this.#held.delete(tenant);
      return true;
    };
  }
}
