/** Agents: types, access, and the endpoints that manage them. */
import type { Static } from "typebox";
import {
  DocumentalistConfiguration,
  DocumentalistConfigurationInput,
  ExtractorConfiguration,
  exampleConfiguration,
  PersonalConfiguration,
  PersonalConfigurationInput,
} from "./agent-configurations.ts";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { text, timestamp, uuid } from "./formats.ts";
import { limits } from "./limits.ts";
import { list, pageQuery } from "./paging.ts";
import { choice, component, documentedAs } from "./schema.ts";
import Type from "./type.ts";

export { configurationIssues, type EngineName } from "./configuration.ts";

export const agentTypes = ["EXTRACTOR", "DOCUMENTALIST", "PERSONAL"] as const;
export type AgentType = (typeof agentTypes)[number];

const agentFields = {
  reference: uuid("Id of the agent."),
  name: Type.String({ examples: ["Supplier invoices"] }),
  description: Type.Union([Type.String(), Type.Null()], { examples: ["Invoices of suppliers, one per file"] }),
  type: choice(agentTypes),
  created_at: timestamp("Time at which the agent was created."),
  updated_at: timestamp("Time at which the agent was last changed."),
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
            "Corpora that this `PERSONAL` agent no longer searches, because their agent was deleted or is no longer visible to the owner. " +
            "Present only for `PERSONAL` agents, together with `configuration`.",
          examples: [[]],
        }),
      ),
    },
    {
      description:
        "An agent. `configuration` depends on the type. For `PERSONAL` agents, it is returned only to the owner, in the web application.",
    },
  ),
);
export type AgentJson = Static<typeof Agent>;

/**
 * `configurationIssues` validates this member, because errors in it have the code `invalid_config`.
 */
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
    // The service validates this member: PERSONAL is refused with `invalid_agent_type`, but an
    // unknown type with `invalid_request`.
    type: documentedAs(
      Type.String(),
      choice(agentTypes, {
        description: "`PERSONAL` agents can be created in the web application only. They belong to the caller.",
      }),
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
    { description: "Changes to an agent. Absent members keep their values." },
  ),
);
export type UpdateAgentRequestJson = Static<typeof UpdateAgentRequest>;

/** A part of a deleted agent that could not be removed. */
export const Warning = component("Warning", Type.Object({ code: Type.String(), message: Type.String() }));
export type WarningJson = Static<typeof Warning>;

export const AgentDeletion = component(
  "AgentDeletion",
  Type.Object({
    reference: uuid("The deleted agent."),
    warnings: Type.Array(Warning, {
      description: "Parts of the agent that could not be removed. Usually empty.",
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
        "`private`: visible to the owner only, in the web application only. `group`: visible to the members of one group and to administrators. " +
        "`organization`: visible to every member. `public`: anyone may ask it questions.",
    }),
    group_id: Type.Union([uuid("The group that can see the agent."), Type.Null()], {
      description: "The group that can see the agent if the visibility is `group`, otherwise null.",
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
      uuid("The group that can see the agent. Required if the visibility is `group`, not allowed otherwise."),
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
    "Creates an agent of the organization. Without `configuration`, an extractor has no params, and a documentalist has no consignes " +
    "and shows its sources. For an unknown key in `configuration`, the response is 422 `invalid_config`. For the type `PERSONAL`, it is 422 `invalid_agent_type`, " +
    "except in the web application, where any member may create personal agents.",
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
    "The `params` replace all params of an extractor. The configuration of a documentalist or `PERSONAL` agent is merged, field by field, into " +
    "the stored one. A token cannot change `PERSONAL` agents: 422 `invalid_agent_type`.",
  tag: "Agents",
  auth: "administrator",
  app: "member",
  pathParameters: agentParameters,
  requestHeaders: {
    "If-Quality": {
      description:
        "`at-least-current`: a change to the configuration of an extractor is first evaluated on its reviewed extractions. If a field becomes worse, or " +
        "there are no reviewed extractions, the response is 409 `quality_lost`, and nothing changes.",
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
    "Deletes the agent and its documents, and archives its conversations. If parts of the deleted agent could not be removed, " +
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
  responses: { 200: { description: "The access of the agent.", body: success(AgentAccess) } },
  errors: ["agent_not_found"],
});

const putAgentAccess = defineEndpoint({
  operationId: "putAgentAccess",
  method: "PUT",
  path: "/v2/agents/{reference}/access",
  summary: "Set the access of an agent",
  description:
    "An agent that becomes private belongs to the caller. It is then visible only in the web application, and no longer " +
    "through the API. Only the owner of a `PERSONAL` agent can set its access, in the web application.",
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
