/**
 * Limits concurrent work. A single tenant cannot use up the limit at the expense of the other
 * tenants. Below the limit, all work is admitted. At the limit, a tenant with less than its share
 * displaces the newest work of the tenant that has the most work. The admission of the displaced
 * work is revoked. Work is never queued.
 */
import { AppError } from "./errors.ts";

export interface Admission extends Disposable {
  /** Aborts if another tenant displaces this work. */
  readonly signal: AbortSignal;
}

export class FairAdmission {
  readonly #limit: number;
  /** Admissions of each tenant, oldest first. */
  readonly #admissions = new Map<string, Set<RevocableAdmission>>();
  #count = 0;

  /** @param limit maximum concurrent work */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Admits work of a tenant. At the limit, returns undefined unless another tenant has at least two
   * more pieces of work than this one.
   */
  admit(tenant: string): Admission | undefined {
    if (this.#count >= this.#limit && !this.#makeRoomFor(tenant)) return undefined;
    const admission = new RevocableAdmission((ended) => this.#remove(tenant, ended));
    this.#add(tenant, admission);
    return admission;
  }

  /** Returns whether `admit` would admit the tenant now. */
  hasRoomFor(tenant: string): boolean {
    return this.#count < this.#limit || this.#canDisplace(tenant, this.#heaviest());
  }

  /**
   * Returns whether another tenant has at least `atLeast` pieces of work under way, and more than
   * twice as many as `tenant`. If so, the other tenant causes the load.
   */
  isOutweighed(tenant: string, atLeast: number): boolean {
    const heaviest = this.#heaviest().size;
    return heaviest >= atLeast && 2 * (this.#admissions.get(tenant)?.size ?? 0) < heaviest;
  }

  #heaviest(): Set<RevocableAdmission> {
    let heaviest: Set<RevocableAdmission> = new Set();
    for (const admissions of this.#admissions.values()) if (admissions.size > heaviest.size) heaviest = admissions;
    return heaviest;
  }

  #makeRoomFor(tenant: string): boolean {
    const heaviest = this.#heaviest();
    if (!this.#canDisplace(tenant, heaviest)) return false;
    [...heaviest].at(-1)?.revoke();
    return true;
  }

  /**
   * Returns whether `tenant` may displace work of the tenant that has the most work. After the
   * displacement, `tenant` must not have more work than the other tenant.
   */
  #canDisplace(tenant: string, heaviest: ReadonlySet<RevocableAdmission>): boolean {
    return heaviest.size >= (this.#admissions.get(tenant)?.size ?? 0) + 2;
  }

  #add(tenant: string, admission: RevocableAdmission): void {
    const admissions = this.#admissions.get(tenant);
    if (admissions) admissions.add(admission);
    else this.#admissions.set(tenant, new Set([admission]));
    this.#count++;
  }

  #remove(tenant: string, admission: RevocableAdmission): void {
    const admissions = this.#admissions.get(tenant);
    if (!admissions?.delete(admission)) return;
    if (admissions.size === 0) this.#admissions.delete(tenant);
    this.#count--;
  }
}

class RevocableAdmission implements Admission {
  readonly #end: (admission: RevocableAdmission) => void;
  readonly #revoked = new AbortController();

  constructor(end: (admission: RevocableAdmission) => void) {
    this.#end = end;
  }

  get signal(): AbortSignal {
    return this.#revoked.signal;
  }

  /** Ends the admission at once, and notifies the running work by its signal. */
  revoke(): void {
    this[Symbol.dispose]();
    const message = "The service is busy; try again later.";
    this.#revoked.abort(new AppError("agent_unavailable", undefined, { message }));
  }

  [Symbol.dispose](): void {
    this.#end(this);
  }
}
