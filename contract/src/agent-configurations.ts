/** Configurations of the types of agents. */
import type { Static } from "typebox";
import { engineNames } from "./configuration.ts";
import { limits } from "./limits.ts";
import { AgentParamSchema } from "./params.ts";
import { wantedPrecision } from "./precision.ts";
import { keepExtractionsDays } from "./retention.ts";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";

export const exampleConfiguration = {
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
    "Engine of this agent: `builtin`, which needs no language model; `model`; or `auto`, which uses the model if the built-in engine is not " +
    "sure. If absent, the default of the installation applies. If the installation has no language model, `model` and `auto` are refused with `invalid_config`. `null` removes the member.",
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
        keepExtractionsDays("If absent, the setting of the organization applies. `null` removes the member."),
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
    { additionalProperties: true, description: "Other members are stored and returned unchanged." },
  ),
]);

const consignes = Type.Array(Consigne, {
  maxItems: limits.maxConsignes,
  description: "Instructions for the agent. They are stored and returned unchanged.",
  examples: [["Answer in one sentence.", { content: "Cite the article of the contract." }]],
});
const sourceVisibility = Type.Boolean({
  default: true,
  description: "True if answers may include citations.",
});
const domains = Type.Array(Type.Unknown(), {
  deprecated: true,
  description: "Deprecated. Any value is stored and returned unchanged, but not used.",
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
      "References of the documentalist agents whose corpora this agent searches in addition to its own documents. Each must be visible to the owner.",
    examples: [["0198f3a2-7c41-7d3e-9b52-6f0d1c8e4a77"]],
  }),
  engine: Type.Optional(agentEngine),
};

export const PersonalConfiguration = component(
  "PersonalConfiguration",
  Type.Object(personalFields, {
    additionalProperties: false,
    description: "Configuration of a `PERSONAL` agent. Available in the web application only, and only to the owner.",
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

/**
 * Default configurations by type of agent. They are used if an agent is created without a
 * configuration.
 */
export const defaultConfigurations: {
  readonly EXTRACTOR: Readonly<ExtractorConfigurationJson>;
  readonly DOCUMENTALIST: Readonly<DocumentalistConfigurationJson>;
  readonly PERSONAL: Readonly<PersonalConfigurationJson>;
} = {
  EXTRACTOR: { params: [] },
  DOCUMENTALIST: { consignes: [], sourceVisibility: true },
  PERSONAL: { instructions: [], corpora: [] },
};
