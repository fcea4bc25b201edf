/** Translations of the roles of members. */
import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Member } from "@sheaf/client";

export const roleNames: Record<Member["role"], MessageDescriptor> = {
  administrator: msg`Administrator`,
  member: msg`Member`,
};

export const roles = ["member", "administrator"] as const satisfies readonly Member["role"][];
