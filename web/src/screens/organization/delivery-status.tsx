/** Statuses of deliveries, as text and as a badge. */
import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react";
import type { DeliverySummary } from "@sheaf/client";
import { Badge, type Tone } from "../../ui/page.tsx";

type Status = DeliverySummary["status"];

export const deliveryStatuses: Record<Status, { name: MessageDescriptor; tone: Tone }> = {
  pending: { name: msg`Pending`, tone: "accent" },
  delivered: { name: msg`Delivered`, tone: "success" },
  failed: { name: msg`Failed`, tone: "danger" },
};

export function DeliveryStatus({ status }: { status: Status }) {
  const { i18n } = useLingui();
  const { name, tone } = deliveryStatuses[status];
  return <Badge tone={tone}>{i18n._(name)}</Badge>;
}
