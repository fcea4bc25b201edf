/** All agents that the user sees. */
import { queryOptions } from "@tanstack/react-query";
import { sheaf } from "../../app/api.ts";

export const agentsQuery = queryOptions({
  queryKey: ["agents"],
  queryFn: async ({ signal }) => (await sheaf.listAgents({ signal })).data,
});
