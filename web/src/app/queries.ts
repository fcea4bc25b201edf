/** Query cache and the session query that all screens share. */
import { SheafError } from "@sheaf/client";
import { MutationCache, QueryCache, QueryClient, queryOptions } from "@tanstack/react-query";
import { sheaf } from "./api.ts";

/** True if the service refused a request because nobody is signed in, or a password is wrong. */
export const isUnauthorized = (error: unknown) => error instanceof SheafError && error.code === "unauthorized";

/** The session; null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }) => {
    try {
      return (await sheaf.getSession({ signal })).data;
    } catch (error) {
      if (isUnauthorized(error)) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

/**
 * Another request was refused because the session has ended: the shell then asks for the password.
 * Mutations that send a password have `meta: sendsPassword`, because their refusal means a wrong
 * password.
 */
function noticeEndOfSession(error: unknown): void {
  if (isUnauthorized(error)) queryClient.setQueryData(sessionQuery.queryKey, null);
  // The role of the user has changed, or the user was removed from the organization.
  if (isForbidden(error)) void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
}

const isForbidden = (error: unknown) =>
  error instanceof SheafError && (error.code === "forbidden" || error.code === "organization_not_found");

export const sendsPassword = { sendsPassword: true } as const;

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEndOfSession }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, { meta }) => {
      if (meta?.sendsPassword !== true) noticeEndOfSession(error);
    },
  }),
  defaultOptions: {
    // The client retries requests that may be retried.
    queries: { retry: false, staleTime: 5_000 },
    mutations: { retry: false },
  },
});
