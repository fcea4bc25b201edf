/** HTTP route of state changes. */
import { liveStatesEndpoints as endpoints, type LiveEventJson } from "@sheaf/contract/live-states.ts";
import { type AnyRoute, route } from "../../lib/route.ts";
import { eventStreamHeaders, eventText } from "../../lib/server-sent-events.ts";
import type { LiveStates } from "./live-states.service.ts";

export const liveStatesRoutes = ({ liveStates }: { liveStates: LiveStates }): AnyRoute[] => [
  route(endpoints.watchStates, async (request) => ({
    body: textOf(await liveStates.open(request)),
    headers: eventStreamHeaders,
  })),
];

async function* textOf(events: AsyncIterable<LiveEventJson>): AsyncGenerator<string> {
  for await (const event of events) yield eventText(event);
}
