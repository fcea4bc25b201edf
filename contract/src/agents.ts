/** Agents: types, configuration, and the endpoints that manage them. */
import type { Static } from "typebox";
import { engineNames } from "./configuration.ts";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { text, timestamp, uuid } from "./formats.ts";
import { limits } from "./limits.ts";
import { list, pageQuery } from "./paging.ts";
import { AgentParamSchema } from "./params.ts";
import { wantedPrecision } from "./precision.ts";
import { keepExtractionsDays } from "./retention.ts";
import { choice, component, documentedAs } from "./schema.ts";
import Type from "./type.ts";

export { configurationIssues, type EngineName } from "./configuration.ts";

export const agentTypes = ["EXTRACTOR", "DOCUMENTALIST", "PERSONAL"] as const;
export type AgentType = (typeof agentTypes)[number];

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

/** Schema of the engine of an agent. */
export const agentEngine = Type.Union([choice(engineNames), Type.Null()], {
  description:
    "Engine of this agent: `builtin`, which needs no language model; `model`; or `auto`, the model if the built-in engine is not " +
    "sure. Absent: the default of the installation. If the installation has no language model, `model` and `auto` are `invalid_config`; `null` removes the member.",
  examples: ["auto"],
});

export const ExtractorConfiguration = component(
  "ExtractorConfiguration",
  Type.Object(
    {
      params: Type.Array(AgentParamSchema, {
        maxItems: limits.maxParams,
        description: "The fields that the agent extracts. The limit counts fields of every level.",
      }),
      engine: Type.Optional(agentEngine),
      keep_extractions_days: Type.Optional(
        keepExtractionsDays("Absent: the setting of the organization applies; `null` removes the member."),
      ),
      wanted_precision: Type.Optional(wantedPrecision),
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
  description: "Whether answers may include citations.",
});
const domains = Type.Array(Type.Unknown(), {
  deprecated: true,
  description: "Deprecated: any value, stored and returned as given, not used.",
});

export const DocumentalistConfiguration = component(
  "DocumentalistConfiguration",
  Type.Object(
    { consignes, sourceVisibility, domains: Type.Optional(domains), engine: Type.Optional(agentEngine) },
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
      engine: Type.Optional(agentEngine),
    },
    { additionalProperties: false, description: "Changes to the configuration of a `DOCUMENTALIST` agent." },
  ),
);
export type DocumentalistConfigurationInputJson = Static<typeof DocumentalistConfigurationInput>;

const personalFields = {
  instructions: Type.Array(Type.String({ maxLength: limits.instructionMaxLength }), {
    maxItems: limits.maxInstructions,
    description: "Instructions for every answer.",
    examples: [["Answer in one sentence."]],
  }),
  corpora: Type.Array(Type.String(), {
    maxItems: limits.maxCorpora,
    description:
      "References of the documentalist agents whose corpora it searches, besides documents of its own. Each must be visible to the owner.",
    examples: [["0198f3a2-7c41-7d3e-9b52-6f0d1c8e4a77"]],
  }),
  engine: Type.Optional(agentEngine),
};

export const PersonalConfiguration = component(
  "PersonalConfiguration",
  Type.Object(personalFields, {
    additionalProperties: false,
    description: "Configuration of a `PERSONAL` agent. Only in the web application, and only for its owner.",
  }),
);
export type PersonalConfigurationJson = Static<typeof PersonalConfiguration>;

export const PersonalConfigurationInput = component(
  "PersonalConfigurationInput",
  Type.Object(
    {
      instructions: Type.Optional(personalFields.instructions),
      corpora: Type.Optional(personalFields.corpora),
      engine: Type.Optional(agentEngine),
    },
    { additionalProperties: false, description: "Changes to the configuration of a `PERSONAL` agent." },
  ),
);

export type ConfigurationJson = ExtractorConfigurationJson | DocumentalistConfigurationJson | PersonalConfigurationJson;

/** Configuration of an agent created without one. */
export const defaultConfigurations: {
  readonly EXTRACTOR: Readonly<ExtractorConfigurationJson>;
  readonly DOCUMENTALIST: Readonly<DocumentalistConfigurationJson>;
  readonly PERSONAL: Readonly<PersonalConfigurationJson>;
} = {
  EXTRACTOR: { params: [] },
  DOCUMENTALIST: { consignes: [], sourceVisibility: true },
  PERSONAL: { instructions: [], corpora: [] },
};

const agentFields = {
  reference: uuid("Id of the agent."),
  name: Type.String({ examples: ["Supplier invoices"] }),
  description: Type.Union([Type.String(), Type.Null()], { examples: ["Invoices of suppliers, one per file"] }),
  type: choice(agentTypes),
  created_at: timestamp("When the agent was created."),
  updated_at: timestamp("When the agent was last changed."),
};

export const AgentSummary = component(
  "AgentSummary",
  Type.Object(agentFields, { description: "An agent in a list, without its configuration." }),
);
export type AgentSummaryJson = Static<typeof AgentSummary>;

export const Agent = component(
  "Agent",
  Type.Object(
    {
      ...agentFields,
      configuration: Type.Optional(
        Type.Union([ExtractorConfiguration, DocumentalistConfiguration, PersonalConfiguration], {
          examples: [exampleConfiguration],
        }),
      ),
      unavailable_corpora: Type.Optional(
        Type.Array(Type.String(), {
          description:
            "Corpora of a `PERSONAL` agent that questions leave out, because the agent was deleted or its owner no longer sees it. " +
            "Present with the configuration of a `PERSONAL` agent only.",
          examples: [[]],
        }),
      ),
    },
    {
      description:
        "An agent. `configuration` depends on the type. It is absent for `PERSONAL` agents, except for their owner in the web application.",
    },
  ),
);
export type AgentJson = Static<typeof Agent>;

/** Validated by `configurationIssues`: its errors are `invalid_config`. */
const configuration = documentedAs(
  Type.Unknown(),
  Type.Union([ExtractorConfiguration, DocumentalistConfigurationInput, PersonalConfigurationInput], {
    description: "Depends on the type of the agent.",
    examples: [exampleConfiguration],
  }),
);
const name = text({ minLength: 1, maxLength: limits.agentNameMaxLength, examples: ["Supplier invoices"] });
const description = Type.Union([text({ maxLength: limits.agentDescriptionMaxLength }), Type.Null()]);
const newDescription = Type.Union(description.anyOf, { description: "null removes the description." });

export const CreateAgentRequest = component(
  "CreateAgentRequest",
  Type.Object({
    name,
    // PERSONAL is `invalid_agent_type`, an unknown type `invalid_request`; the service
    // distinguishes them.
    type: documentedAs(
      Type.String(),
      choice(agentTypes, { description: "`PERSONAL` in the web application only, for the caller alone." }),
    ),
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
    { description: "Changes. Absent members keep their value." },
  ),
);
export type UpdateAgentRequestJson = Static<typeof UpdateAgentRequest>;

/** A part of a deleted agent that could not be removed with it. */
export const Warning = component("Warning", Type.Object({ code: Type.String(), message: Type.String() }));
export type WarningJson = Static<typeof Warning>;

export const AgentDeletion = component(
  "AgentDeletion",
  Type.Object({
    reference: uuid("The deleted agent."),
    warnings: Type.Array(Warning, {
      description: "Parts of the agent that could not be removed; usually empty.",
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
        "`private`: visible to its owner only, in the web application only. `group`: visible to the members of one group and to administrators. " +
        "`organization`: visible to every member. `public`: anyone may ask it questions.",
    }),
    group_id: Type.Union([uuid("The group that sees the agent."), Type.Null()], {
      description: "The group that sees the agent if the visibility is `group`, otherwise null.",
    }),
    owner_user_id: Type.Union([uuid("The user that owns the agent."), Type.Null()], {
      description: "The user that owns a private or `PERSONAL` agent, otherwise null.",
    }),
  }),
);
export type AgentAccessJson = Static<typeof AgentAccess>;

export const PutAgentAccessRequest = component(
  "PutAgentAccessRequest",
  Type.Object({
    visibility: choice(agentVisibilities),
    group_id: Type.Optional(
      uuid("The group that sees the agent. Required with visibility `group`, not allowed otherwise."),
    ),
  }),
);
export type PutAgentAccessRequestJson = Static<typeof PutAgentAccessRequest>;

/** Path parameters of the endpoints of one agent. */
export const agentParameters = Type.Object({ reference: Type.String({ description: "Reference of the agent." }) });

const listAgents = defineEndpoint({
  operationId: "listAgents",
  method: "GET",
  path: "/v2/agents",
  summary: "List the agents",
  description: "Lists the agents of the organization whose visibility is not private.",
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
    "The agent belongs to the organization. Without `configuration`, an extractor has no params, and a documentalist has no consignes " +
    "and visible sources. An unknown key in `configuration` is 422 `invalid_config`; type `PERSONAL` is 422 `invalid_agent_type`, " +
    "except in the web application, where any member may create personal agents of their own.",
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
    "what it has, and so is that of a `PERSONAL` agent. A token cannot change `PERSONAL` agents: 422 `invalid_agent_type`.",
  tag: "Agents",
  auth: "administrator",
  app: "member",
  pathParameters: agentParameters,
  requestHeaders: {
    "If-Quality": {
      description:
        "`at-least-current`: the change of an extractor's configuration is evaluated over its reviewed extractions first. If a field loses, or " +
        "there are no reviewed extractions, it is 409 `quality_lost`, and nothing changes.",
      example: "at-least-current",
    },
  },
  body: UpdateAgentRequest,
  responses: { 200: { description: "The changed agent.", body: success(Agent) } },
  errors: [
    "agent_not_found",
    "invalid_config",
    "invalid_agent_type",
    "quality_lost",
    "conflict",
    "extraction_failed",
    "agent_timeout",
    "quota_exceeded",
  ],
});

const deleteAgent = defineEndpoint({
  operationId: "deleteAgent",
  method: "DELETE",
  path: "/v2/agents/{reference}",
  summary: "Delete an agent",
  description:
    "Deletes the agent and its documents and archives its conversations. If parts of a deleted agent could not be removed, " +
    "the response is still 200, and `warnings` lists them.",
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
  summary: "Get the access of an agent",
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
  summary: "Set the access of an agent",
  description:
    "An agent that becomes private belongs to the caller and is no longer visible through the API: its owner finds it in the web " +
    "application. Access to a `PERSONAL` agent can only be set by its owner, in the web application.",
  tag: "Agents",
  auth: "administrator",
  app: "member",
  pathParameters: agentParameters,
  body: PutAgentAccessRequest,
  responses: { 200: { description: "The new access.", body: success(AgentAccess) } },
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
