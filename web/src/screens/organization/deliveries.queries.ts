/** Queries of the delivery log. Pending deliveries are polled until they end. */
import type { DeliverySummary, EventName } from "@sheaf/client";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { sheaf } from "../../app/api.ts";
import { slowPollMs } from "../../app/live-states.ts";

const shownPerPage = 50;
const pollMs = 2_000;

/**
 * Returns the poll interval while a delivery is pending. It is longer while the event stream works,
 * because the stream reports changes.
 */
const pollOf = (isLive: boolean) => (isLive ? slowPollMs : pollMs);

/** Prefix that the keys of all delivery queries share. */
export const deliveriesKey = ["organization", "deliveries"] as const;

export const deliveriesQuery = (event: EventName, status: DeliverySummary["status"] | undefined, isLive: boolean) =>
  infiniteQueryOptions({
    queryKey: [...deliveriesKey, "list", event, status ?? "all"],
    queryFn: ({ pageParam, signal }) =>
      sheaf.listDeliveries(event, {
        limit: shownPerPage,
        signal,
        ...(pageParam !== undefined && { cursor: pageParam }),
        ...(status !== undefined && { status }),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ metadata }) => metadata?.next_cursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some((each) => each.status === "pending")) === true && pollOf(isLive),
  });

export const deliveryQuery = (id: string, isLive: boolean) =>
  queryOptions({
    queryKey: [...deliveriesKey, "one", id],
    queryFn: async ({ signal }) => (await sheaf.getDelivery(id, { signal })).data,
    refetchInterval: ({ state }) => state.data?.status === "pending" && pollOf(isLive),
  });
