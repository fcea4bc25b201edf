/** The signed-in user, for screens within the shell. */
import type { Session } from "@sheaf/client";
import { createContext, use } from "react";

export const SessionContext = createContext<Session | undefined>(undefined);

/** Returns the session. Only for components within the shell. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error("useSession is used outside of the shell.");
  return session;
}

/** Returns the current organization with the user's role; undefined if the user belongs to none. */
export function useMembership() {
  const { organization_id, organizations } = useSession();
  return organizations.find((each) => each.organization_id === organization_id);
}

export const useIsAdministrator = (): boolean => useMembership()?.role === "administrator";
