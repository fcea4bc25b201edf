/** Query cache and the session query that all screens share. */
import { SheafError } from "@sheaf/client";
import { MutationCache, QueryCache, QueryClient, queryOptions } from "@tanstack/react-query";
import { sheaf } from "./api.ts";

/**
 * True if the service refused a request because nobody is signed in, or because a password is
 * wrong.
 */
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
 * Handles a refused request. If the refusal means that the session has ended, the shell asks for
 * the password. Mutations that send a password are marked with `sendsPassword`, because their
 * refusal means a wrong password.
 */
export function noticeEndOfSession(error: unknown): void {
  if (isUnauthorized(error)) queryClient.setQueryData(sessionQuery.queryKey, null);
  // The user's role has changed, or the user was removed from the organization, so the session is
  // loaded again.
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
    // No retries here, because the client already retries requests that may be repeated.
    queries: { retry: false, staleTime: 5_000 },
    mutations: { retry: false },
  },
});
