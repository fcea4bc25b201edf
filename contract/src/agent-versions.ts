/** Versions of an agent's configuration: listed, named, compared and restored. */
import type { Static } from "typebox";
import {
  type ConfigurationJson,
  DocumentalistConfiguration,
  ExtractorConfiguration,
  PersonalConfiguration,
} from "./agent-configurations.ts";
import { agentParameters } from "./agents.ts";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import type { ErrorCode } from "./errors.ts";
import { text, timestamp, uuid } from "./formats.ts";
import { limits } from "./limits.ts";
import { list, pageQuery } from "./paging.ts";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";

const number = (description: string) => Type.Integer({ minimum: 1, description, examples: [3] });
const orNull = <T extends ReturnType<typeof Type.Integer> | ReturnType<typeof Type.String>>(
  schema: T,
  description: string,
) => Type.Union([schema, Type.Null()], { description });

const versionFields = {
  number: number("Number of the version, starting at 1. Numbers of removed versions are not reused."),
  name: Type.Union([Type.String(), Type.Null()], {
    description: "Name of the version; null if it has none.",
    examples: ["before the new supplier"],
  }),
  created_at: timestamp("Time at which the configuration was set."),
  created_by: orNull(uuid("The user who set it."), "The user who set it; null if unknown."),
  restored_from: orNull(
    number("The restored version."),
    "The version whose configuration was restored; null if this version does not come from a restore.",
  ),
  is_current: Type.Boolean({ description: "True if the agent uses this version." }),
};

export const AgentVersionSummary = component(
  "AgentVersionSummary",
  Type.Object(versionFields, { description: "A version in a list, without its configuration." }),
);
export type AgentVersionSummaryJson = Static<typeof AgentVersionSummary>;

export const AgentVersion = component(
  "AgentVersion",
  Type.Object(
    {
      ...versionFields,
      configuration: Type.Unsafe<ConfigurationJson>(
        Type.Union([ExtractorConfiguration, DocumentalistConfiguration, PersonalConfiguration]),
      ),
    },
    { description: "A version of an agent's configuration." },
  ),
);
export type AgentVersionJson = Static<typeof AgentVersion>;

const fieldState = Type.Object(
  { format: Type.String({ examples: ["text"] }), description: Type.String() },
  { additionalProperties: true, description: "The definition of the field, without its name and its `items`." },
);

export const FieldChange = component(
  "FieldChange",
  Type.Object(
    {
      path: Type.String({
        description: "Path to the field: the names of its lists, outermost first, and then its own name.",
        examples: ["/lines/amount"],
      }),
      change: choice(["added", "removed", "changed"]),
      before: Type.Optional(fieldState),
      after: Type.Optional(fieldState),
    },
    { description: "A difference in one field. `before` is absent if it was added, `after` if it was removed." },
  ),
);
export type FieldChangeJson = Static<typeof FieldChange>;

export const ConfigurationChanges = component(
  "ConfigurationChanges",
  Type.Object({
    from: orNull(number("The former version."), "The earlier version; null if there is none."),
    to: number("The version."),
    fields: Type.Array(FieldChange, {
      description: "Differences of the `params`. A renamed field appears as one removed and one added field.",
    }),
    reordered: Type.Boolean({ description: "True if the fields that both versions have are in a different order." }),
    settings: Type.Array(
      Type.Object({
        name: Type.String({ examples: ["engine"] }),
        before: Type.Unknown({ description: "Value in the earlier version; null if it had none." }),
        after: Type.Unknown({ description: "Value in this version; null if it has none." }),
      }),
      { description: "Differences of the configuration's other members." },
    ),
  }),
);
export type ConfigurationChangesJson = Static<typeof ConfigurationChanges>;

export const UpdateAgentVersionRequest = component(
  "UpdateAgentVersionRequest",
  Type.Object({
    name: Type.Union([text({ minLength: 1, maxLength: limits.versionNameMaxLength }), Type.Null()], {
      description: "The new name; null removes it.",
      examples: ["before the new supplier"],
    }),
  }),
);
export type UpdateAgentVersionRequestJson = Static<typeof UpdateAgentVersionRequest>;

const common = { tag: "Agents", auth: "administrator", app: "member" } as const;
const ofOne = {
  ...common,
  pathParameters: Type.Object({
    ...agentParameters.properties,
    number: Type.String({ description: "Number of the version." }),
  }),
} as const;
const errors = ["agent_not_found", "invalid_agent_type", "not_found"] as const satisfies ErrorCode[];

const listAgentVersions = defineEndpoint({
  ...common,
  operationId: "listAgentVersions",
  method: "GET",
  path: "/v2/agents/{reference}/versions",
  summary: "List the versions of an agent",
  description:
    `Lists the versions, oldest first. Each change to the configuration creates a version. At most ${limits.maxAgentVersions} are kept. Older versions are removed first, but versions ` +
    "with a name are removed only if there are no others left. Versions of a `PERSONAL` agent are visible to its owner only, in the web application.",
  pathParameters: agentParameters,
  query: pageQuery,
  responses: { 200: { description: "The versions.", body: list(AgentVersionSummary) } },
  errors: ["agent_not_found", "invalid_agent_type", "invalid_request"],
});

const getAgentVersion = defineEndpoint({
  ...ofOne,
  operationId: "getAgentVersion",
  method: "GET",
  path: "/v2/agents/{reference}/versions/{number}",
  summary: "Get a version of an agent",
  responses: { 200: { description: "The version, including its configuration.", body: success(AgentVersion) } },
  errors,
});

const getAgentVersionChanges = defineEndpoint({
  ...ofOne,
  operationId: "getAgentVersionChanges",
  method: "GET",
  path: "/v2/agents/{reference}/versions/{number}/changes",
  summary: "Compare two versions of an agent",
  description: "Returns the differences between two versions: fields added, removed and changed, and other settings.",
  query: Type.Object({
    from: Type.Optional(
      Type.Integer({ minimum: 1, description: "Number of the version to compare with. Default: the preceding one." }),
    ),
  }),
  responses: { 200: { description: "The differences.", body: success(ConfigurationChanges) } },
  errors: [...errors, "invalid_request"],
});

const updateAgentVersion = defineEndpoint({
  ...ofOne,
  operationId: "updateAgentVersion",
  method: "PATCH",
  path: "/v2/agents/{reference}/versions/{number}",
  summary: "Name a version of an agent",
  body: UpdateAgentVersionRequest,
  responses: { 200: { description: "The named version.", body: success(AgentVersionSummary) } },
  errors,
});

const restoreAgentVersion = defineEndpoint({
  ...ofOne,
  operationId: "restoreAgentVersion",
  method: "POST",
  path: "/v2/agents/{reference}/versions/{number}/restore",
  summary: "Restore a version of an agent",
  description:
    "Sets the configuration of the agent to that of an earlier version, which creates a new version. If the agent already has this configuration, nothing changes.",
  responses: { 200: { description: "The version that the agent now uses.", body: success(AgentVersion) } },
  errors: [...errors, "invalid_config"],
});

export const agentVersionsEndpoints = {
  listAgentVersions,
  getAgentVersion,
  getAgentVersionChanges,
  updateAgentVersion,
  restoreAgentVersion,
};
