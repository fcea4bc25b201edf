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
    id: uuid("The entry."),
    created_at: timestamp("When it was done."),
    action: Type.String({
      description:
        "What was done, as `noun.verb`. The list is open: `agent.created`, `document.deleted`, `credential.revoked`, …",
      examples: ["agent.created"],
    }),
    target: nullable("Id of what was changed; of a webhook its event.", id),
    detail: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          "What helps to understand the change, such as the name of what is gone now. Depends on the action.",
        examples: [{ type: "EXTRACTOR", name: "Invoices" }],
      },
    ),
    actor: Type.Object({
      kind: choice(actorKinds, {
        description: "A credential of the interface, a session of the web application, or whoever runs the service.",
      }),
      user_id: nullable("Whose credential or session it was; null for the operator.", id),
      user_email: nullable("Their e-mail address now; null where they are gone.", "ada@example.com"),
      member_id: nullable("The same as a member of the organization.", id),
      credential_id: nullable("The credential; null for any other kind.", id),
      operator: nullable("Which tool of the operator's it was, such as `cli`; null for any other kind.", "cli"),
    }),
    address: nullable("Address that the request came from; null for the operator.", "203.0.113.7"),
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
    "Every change of the organization's settings, people, credentials, agents, documents and webhooks. Entries are only ever added. " +
    "What merely reads (questions, extractions, lists) is not in it. Comes in pages, of 1,000 where no `limit` is given.",
  tag: "Organization",
  auth: "administrator",
  query: Type.Object({
    ...pageQuery.properties,
    order: Type.Optional(
      choice(auditOrders, { description: "Which entries come first; `oldest` unless told. The same on every page." }),
    ),
    since: Type.Optional(timestamp("Only entries from then on.")),
    action: Type.Optional(Type.String({ maxLength: 100, description: "Only entries of this action." })),
  }),
  responses: { 200: { description: "The entries.", body: list(AuditEntry) } },
  errors: ["invalid_request"],
});

export const auditEndpoints = { listAuditEntries };
