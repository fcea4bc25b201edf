/** The audit log of an organization: who changed what, when and from where. */
import type { Static } from "typebox";
import { defineEndpoint } from "./endpoint.ts";
import { timestamp, uuid } from "./formats.ts";
import { list, pageQuery } from "./paging.ts";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";

const nullable = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] });

const actorKinds = ["credential", "session", "operator"] as const;
const id = "0198f3a2-7c41-7d3e-9b52-6f0d1c8e4a77";

export const AuditEntry = component(
  "AuditEntry",
  Type.Object({
    id: uuid("Id of the entry."),
    created_at: timestamp("Time of the change."),
    action: Type.String({
      description:
        "The action, as `noun.verb`. New actions may be added: `agent.created`, `document.deleted`, `credential.revoked`, …",
      examples: ["agent.created"],
    }),
    target: nullable("Id of the changed object. For a webhook, the name of its event.", id),
    detail: Type.Object(
      {},
      {
        additionalProperties: true,
        description: "Context of the change, such as the name of a deleted object. Depends on the action.",
        examples: [{ type: "EXTRACTOR", name: "Invoices" }],
      },
    ),
    actor: Type.Object({
      kind: choice(actorKinds, {
        description:
          "How the change was made. `credential`: with a credential of the API. `session`: in a session of the web application. `operator`: by the operator of the service, or by a system that acts without a member, such as the identity provider.",
      }),
      user_id: nullable("User of the credential or session; null for the operator.", id),
      user_email: nullable("Current email address of the user; null if deleted.", "ada@example.com"),
      member_id: nullable("The user's membership in the organization.", id),
      credential_id: nullable("The credential; null if the change was not made with a credential.", id),
      operator: nullable(
        "Tool used by the operator, such as `cli`, or `scim` and the id of the token for the identity provider of the organization; null for credentials and sessions.",
        "cli",
      ),
    }),
    address: nullable("Client address of the request; null for the operator.", "203.0.113.7"),
    request_id: nullable("`x-request-id` of the request; null for the operator.", id),
  }),
);
export type AuditEntryJson = Static<typeof AuditEntry>;

export const auditOrders = ["oldest", "newest"] as const;

const listAuditEntries = defineEndpoint({
  operationId: "listAuditEntries",
  method: "GET",
  path: "/v2/organization/audit",
  summary: "List the audit log",
  description:
    "Lists every change of the organization's settings, people, credentials, agents, documents and webhooks. The log is never altered. " +
    "Reads (questions, extractions, lists) are not recorded. Entries are returned in pages, of 1,000 entries if no `limit` is given.",
  tag: "Organization",
  auth: "administrator",
  query: Type.Object({
    ...pageQuery.properties,
    order: Type.Optional(
      choice(auditOrders, { description: "Order of the entries; default: `oldest`. Must be the same for every page." }),
    ),
    since: Type.Optional(timestamp("Only entries from this time on.")),
    action: Type.Optional(Type.String({ maxLength: 100, description: "Only entries of this action." })),
  }),
  responses: { 200: { description: "The entries.", body: list(AuditEntry) } },
  errors: ["invalid_request"],
});

export const auditEndpoints = { listAuditEntries };
