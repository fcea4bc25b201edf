/** Agents: what they are, how they are configured, the endpoints that manage them. */
import type { Static } from "typebox";
import { engineNames } from "./configuration.ts";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { text, timestamp, uuid } from "./formats.ts";
import { limits } from "./limits.ts";
import { list, pageQuery } from "./paging.ts";
import { AgentParamSchema } from "./params.ts";
import { choice, component, documentedAs } from "./schema.ts";
import Type from "./type.ts";

export { configurationIssues, type EngineName } from "./configuration.ts";

export const agentTypes = ["EXTRACTOR", "DOCUMENTALIST", "PERSONAL"] as const;
export type AgentType = (typeof agentTypes)[number];
/** The types of agent that can be created and changed through the interface. */
export const configurableAgentTypes = ["EXTRACTOR", "DOCUMENTALIST"] as const;
export type ConfigurableAgentType = (typeof configurableAgentTypes)[number];

const exampleConfiguration = {
  params: [
    { name: "invoice_number", format: "text", description: "Number of the invoice, as printed", items: [] },
    {
      name: "lines",
      format: "list",
      description: "The lines of the invoice",
      items: [{ name: "amount", format: "number", description: "Amount of the line without tax", items: [] }],
    },
  ],
};

const engine = Type.Union([choice(engineNames), Type.Null()], {
  description:
    "What does the work of this agent: `builtin`, which needs no language model; `model`; or `auto`, the model where the built-in engine is not " +
    "sure. Absent: what the installation is set to. Where the installation has no language model, `model` and `auto` are `invalid_config`; `null` removes the member.",
  examples: ["auto"],
});

export const ExtractorConfiguration = component(
  "ExtractorConfiguration",
  Type.Object(
    {
      params: Type.Array(AgentParamSchema, {
        maxItems: limits.maxParams,
        description: "The fields that the agent extracts. The limit counts those of every level.",
      }),
      engine: Type.Optional(engine),
    },
    {
      additionalProperties: false,
      description: "Configuration of an `EXTRACTOR` agent.",
      examples: [exampleConfiguration],
    },
  ),
);
export type ExtractorConfigurationJson = Static<typeof ExtractorConfiguration>;

const Consigne = Type.Union([
  Type.String({ maxLength: limits.consigneMaxLength }),
  Type.Object(
    { content: Type.String({ maxLength: limits.consigneMaxLength }) },
    { additionalProperties: true, description: "Other members are kept and returned as given." },
  ),
]);

const consignes = Type.Array(Consigne, {
  maxItems: limits.maxConsignes,
  description: "Instructions for the agent, stored and returned as given.",
  examples: [["Answer in one sentence.", { content: "Cite the article of the contract." }]],
});
const sourceVisibility = Type.Boolean({
  default: true,
  description: "Whether answers may carry citations of their sources.",
});
const domains = Type.Array(Type.Unknown(), {
  deprecated: true,
  description: "Deprecated: anything, stored and returned as given, not used.",
});

export const DocumentalistConfiguration = component(
  "DocumentalistConfiguration",
  Type.Object(
    { consignes, sourceVisibility, domains: Type.Optional(domains), engine: Type.Optional(engine) },
    { description: "Configuration of a `DOCUMENTALIST` agent." },
  ),
);
export type DocumentalistConfigurationJson = Static<typeof DocumentalistConfiguration>;

export const DocumentalistConfigurationInput = component(
  "DocumentalistConfigurationInput",
  Type.Object(
    {
      consignes: Type.Optional(consignes),
      sourceVisibility: Type.Optional(sourceVisibility),
      domains: Type.Optional(domains),
      engine: Type.Optional(engine),
    },
    { additionalProperties: false, description: "What to set in the configuration of a `DOCUMENTALIST` agent." },
  ),
);
export type DocumentalistConfigurationInputJson = Static<typeof DocumentalistConfigurationInput>;

export type ConfigurationJson = ExtractorConfigurationJson | DocumentalistConfigurationJson;

/** The configuration of an agent that was made without one. */
export const defaultConfigurations: {
  readonly EXTRACTOR: Readonly<ExtractorConfigurationJson>;
  readonly DOCUMENTALIST: Readonly<DocumentalistConfigurationJson>;
} = { EXTRACTOR: { params: [] }, DOCUMENTALIST: { consignes: [], sourceVisibility: true } };

const agentFields = {
  reference: uuid("Identifier of the agent."),
  name: Type.String({ examples: ["Supplier invoices"] }),
  description: Type.Union([Type.String(), Type.Null()], { examples: ["Invoices of suppliers, one per file"] }),
  type: choice(agentTypes),
  created_at: timestamp("When the agent was made."),
  updated_at: timestamp("When the agent was last changed."),
};

export const AgentSummary = component(
  "AgentSummary",
  Type.Object(agentFields, { description: "An agent in a list: without its configuration." }),
);
export type AgentSummaryJson = Static<typeof AgentSummary>;

export const Agent = component(
  "Agent",
  Type.Object(
    {
      ...agentFields,
      configuration: Type.Optional(
        Type.Union([ExtractorConfiguration, DocumentalistConfiguration], { examples: [exampleConfiguration] }),
      ),
    },
    { description: "An agent. `configuration` goes by type and is absent for `PERSONAL` agents." },
  ),
);
export type AgentJson = Static<typeof Agent>;

/** Validated by `configurationIssues`: its errors are `invalid_config`. */
const configuration = documentedAs(
  Type.Unknown(),
  Type.Union([ExtractorConfiguration, DocumentalistConfigurationInput], {
    description: "By type of the agent.",
    examples: [exampleConfiguration],
  }),
);
const name = text({ minLength: 1, maxLength: limits.agentNameMaxLength, examples: ["Supplier invoices"] });
const description = Type.Union([text({ maxLength: limits.agentDescriptionMaxLength }), Type.Null()]);
const newDescription = Type.Union(description.anyOf, { description: "null clears it." });

export const CreateAgentRequest = component(
  "CreateAgentRequest",
  Type.Object({
    name,
    // PERSONAL is `invalid_agent_type` and an unknown word `invalid_request`: the service tells them apart.
    type: documentedAs(Type.String(), choice(configurableAgentTypes)),
    description: Type.Optional(description),
    configuration: Type.Optional(configuration),
  }),
);
export type CreateAgentRequestJson = Static<typeof CreateAgentRequest>;

export const UpdateAgentRequest = component(
  "UpdateAgentRequest",
  Type.Object(
    {
      name: Type.Optional(name),
      description: Type.Optional(newDescription),
      configuration: Type.Optional(configuration),
    },
    { description: "What to change; what is absent stays." },
  ),
);
export type UpdateAgentRequestJson = Static<typeof UpdateAgentRequest>;

/** Something of a deleted agent that could not be removed with it. */
export const Warning = component("Warning", Type.Object({ code: Type.String(), message: Type.String() }));
export type WarningJson = Static<typeof Warning>;

export const AgentDeletion = component(
  "AgentDeletion",
  Type.Object({
    reference: uuid("The agent that was deleted."),
    warnings: Type.Array(Warning, {
      description: "What could not be removed with the agent; usually empty.",
      examples: [[]],
    }),
  }),
);
export type AgentDeletionJson = Static<typeof AgentDeletion>;

export const agentVisibilities = ["private", "group", "organization", "public"] as const;

export const AgentAccess = component(
  "AgentAccess",
  Type.Object({
    visibility: choice(agentVisibilities, {
      description:
        "`private`: its owner's alone, and in the web application only. `group`: the members of one group, and administrators. " +
        "`organization`: every member. `public`: anybody may ask it.",
    }),
    group_id: Type.Union([uuid("The group that sees it."), Type.Null()], {
      description: "The group that sees it, with visibility `group`; else null.",
    }),
    owner_user_id: Type.Union([uuid("The user that it belongs to."), Type.Null()], {
      description: "The user that a private or `PERSONAL` agent belongs to; else null.",
    }),
  }),
);
export type AgentAccessJson = Static<typeof AgentAccess>;

export const PutAgentAccessRequest = component(
  "PutAgentAccessRequest",
  Type.Object({
    visibility: choice(agentVisibilities),
    group_id: Type.Optional(uuid("The group that sees it: with visibility `group`, and only then.")),
  }),
);
export type PutAgentAccessRequestJson = Static<typeof PutAgentAccessRequest>;

/** The path parameter of the endpoints of one agent. */
export const agentParameters = Type.Object({ reference: Type.String({ description: "Reference of the agent." }) });

const listAgents = defineEndpoint({
  operationId: "listAgents",
  method: "GET",
  path: "/v2/agents",
  summary: "List the agents",
  description: "Every agent of the organization whose visibility is not private.",
  tag: "Agents",
  auth: "administrator",
  app: "member",
  responses: { 200: { description: "The agents.", body: list(AgentSummary) } },
  query: pageQuery,
  errors: ["invalid_request"],
});

const createAgent = defineEndpoint({
  operationId: "createAgent",
  method: "POST",
  path: "/v2/agents",
  summary: "Create an agent",
  description:
    "The agent belongs to the organization. Without `configuration` an extractor has no params, and a documentalist no consignes " +
    "and visible sources. An unknown key in `configuration` is 422 `invalid_config`; type `PERSONAL` is 422 `invalid_agent_type`.",
  tag: "Agents",
  auth: "administrator",
  app: "member",
  body: CreateAgentRequest,
  responses: { 201: { description: "The agent was created.", body: success(Agent) } },
  errors: ["quota_exceeded", "organization_not_found", "invalid_config", "invalid_agent_type"],
});

const getAgent = defineEndpoint({
  operationId: "getAgent",
  method: "GET",
  path: "/v2/agents/{reference}",
  summary: "Get an agent",
  tag: "Agents",
  auth: "administrator",
  app: "member",
  pathParameters: agentParameters,
  responses: { 200: { description: "The agent.", body: success(Agent) } },
  errors: ["agent_not_found"],
});

const updateAgent = defineEndpoint({
  operationId: "updateAgent",
  method: "PATCH",
  path: "/v2/agents/{reference}",
  summary: "Change an agent",
  description:
    "The `params` of an extractor replace all that it has; the configuration of a documentalist is merged, field by field, into " +
    "what it has. `PERSONAL` agents cannot be changed: 422 `invalid_agent_type`.",
  tag: "Agents",
  auth: "administrator",
  app: "member",
  pathParameters: agentParameters,
  body: UpdateAgentRequest,
  responses: { 200: { description: "The agent as it is now.", body: success(Agent) } },
  errors: ["agent_not_found", "invalid_config", "invalid_agent_type"],
});

const deleteAgent = defineEndpoint({
  operationId: "deleteAgent",
  method: "DELETE",
  path: "/v2/agents/{reference}",
  summary: "Delete an agent",
  description:
    "Removes the agent and its documents and archives its conversations. Where the agent is gone and something of it could not be " +
    "removed, the answer is 200 all the same and `warnings` tells.",
  tag: "Agents",
  auth: "administrator",
  app: "member",
  pathParameters: agentParameters,
  responses: { 200: { description: "The agent was deleted.", body: success(AgentDeletion) } },
  errors: ["agent_not_found", "invalid_agent_type"],
});

const getAgentAccess = defineEndpoint({
  operationId: "getAgentAccess",
  method: "GET",
  path: "/v2/agents/{reference}/access",
  summary: "Get who sees an agent",
  tag: "Agents",
  auth: "administrator",
  app: "member",
  pathParameters: agentParameters,
  responses: { 200: { description: "Who sees the agent.", body: success(AgentAccess) } },
  errors: ["agent_not_found"],
});

const putAgentAccess = defineEndpoint({
  operationId: "putAgentAccess",
  method: "PUT",
  path: "/v2/agents/{reference}/access",
  summary: "Set who sees an agent",
  description:
    "An agent that is made private belongs to the caller from then on and is gone from the API: its owner finds it in the web " +
    "application. Of a `PERSONAL` agent its owner decides, in the web application alone.",
  tag: "Agents",
  auth: "administrator",
  app: "member",
  pathParameters: agentParameters,
  body: PutAgentAccessRequest,
  responses: { 200: { description: "Who sees the agent now.", body: success(AgentAccess) } },
  errors: ["agent_not_found", "invalid_agent_type", "group_not_found"],
});

export const agentsEndpoints = {
  listAgents,
  createAgent,
  getAgent,
  updateAgent,
  deleteAgent,
  getAgentAccess,
  putAgentAccess,
};
