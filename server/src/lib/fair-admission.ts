/**
 * A limit on work under way that one tenant cannot use up against others. Below the limit everybody is admitted. At the limit a tenant
 * with less than its share takes the place of the newest work of the tenant with the most; that work is revoked. Nobody waits here.
 */
import { AppError } from "./errors.ts";

export interface Admission extends Disposable {
  /** Aborts if the place was given to another tenant. */
  readonly signal: AbortSignal;
}

export class FairAdmission {
  readonly #limit: number;
  /** The places of each tenant, oldest first. */
  readonly #places = new Map<string, Set<Place>>();
  #count = 0;

  /** @param limit work under way at most. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns undefined if the tenant has its share already, or nobody has more. */
  admit(tenant: string): Admission | undefined {
    if (this.#count >= this.#limit && !this.#makeRoomFor(tenant)) return undefined;
    const place = new Place((ended) => this.#remove(tenant, ended));
    this.#add(tenant, place);
    return place;
  }

  /** Returns whether another tenant has more than twice as much under way, and at least `atLeast`: then that one causes the load. */
  isOutweighed(tenant: string, atLeast: number): boolean {
    const heaviest = this.#heaviest().size;
    return heaviest >= atLeast && 2 * (this.#places.get(tenant)?.size ?? 0) < heaviest;
  }

  #heaviest(): Set<Place> {
    let heaviest: Set<Place> = new Set();
    for (const places of this.#places.values()) if (places.size > heaviest.size) heaviest = places;
    return heaviest;
  }

  #makeRoomFor(tenant: string): boolean {
    const own = this.#places.get(tenant)?.size ?? 0;
    const heaviest = this.#heaviest();
    // With one more the newcomer must not hold more than the other has left.
    if (heaviest.size < own + 2) return false;
    [...heaviest].at(-1)?.revoke();
    return true;
  }

  #add(tenant: string, place: Place): void {
    const places = this.#places.get(tenant);
    if (places) places.add(place);
    else this.#places.set(tenant, new Set([place]));
    this.#count++;
  }

  #remove(tenant: string, place: Place): void {
    const places = this.#places.get(tenant);
    if (!places?.delete(place)) return;
    if (places.size === 0) this.#places.delete(tenant);
    this.#count--;
  }
}

class Place implements Admission {
  readonly #end: (place: Place) => void;
  readonly #revoked = new AbortController();

  constructor(end: (place: Place) => void) {
    this.#end = end;
  }

  get signal(): AbortSignal {
    return this.#revoked.signal;
  }

  /** Ends the place at once; whoever works there learns it from the signal. */
  revoke(): void {
    this[Symbol.dispose]();
    const message = "The service is busy; try again later.";
    this.#revoked.abort(new AppError("agent_unavailable", undefined, { message }));
  }

  [Symbol.dispose](): void {
    this.#end(this);
  }
}
