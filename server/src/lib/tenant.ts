/** The tenant that work under way belongs to. Queues and slots share fairly by it, without a parameter through every layer. */
import { AsyncLocalStorage } from "node:async_hooks";

const context = new AsyncLocalStorage<string>();

/** Tenant of work that nobody has claimed, such as maintenance and commands. */
const nobody = "";

/** Runs `work`, and everything it starts, on behalf of a tenant: the id of an organization, or a name for callers without one. */
export const withTenant = <T>(tenant: string, work: () => T): T => context.run(tenant, work);

/** Returns the tenant on whose behalf the calling code runs. */
export const currentTenant = (): string => context.getStore() ?? nobody;
