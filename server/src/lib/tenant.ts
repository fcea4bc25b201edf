/**
 * The tenant on whose behalf code runs. Queues and semaphores use it to share capacity fairly among
 * tenants. It is kept in an AsyncLocalStorage instead of being passed through every layer.
 */
import { AsyncLocalStorage } from "node:async_hooks";

const context = new AsyncLocalStorage<string>();

/**
 * The tenant of work that is not done on behalf of any tenant, such as maintenance and commands.
 */
const nobody = "";

/**
 * Runs `work`, and everything it starts, on behalf of a tenant.
 * @param tenant id of an organization, or a name for callers without one
 */
export const withTenant = <T>(tenant: string, work: () => T): T => context.run(tenant, work);

/** Returns the tenant on whose behalf the calling code runs. */
export const currentTenant = (): string => context.getStore() ?? nobody;
