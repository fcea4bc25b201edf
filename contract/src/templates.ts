/**
 * Templates: ready-made fields for common document kinds. They are the same for every organization.
 */
import type { Static } from "typebox";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { list, pageQuery } from "./paging.ts";
import { ExtractionParamSchema } from "./params.ts";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";

/** Languages of titles and descriptions. */
export const templateLanguages = ["en", "de", "fr", "es"] as const;
export type TemplateLanguage = (typeof templateLanguages)[number];

export const TemplateQuality = component(
  "TemplateQuality",
  Type.Object(
    {
      f1: Type.Number({
        minimum: 0,
        maximum: 1,
        description: "F1 score of the built-in engine over single fields and all values in the rows of lists.",
        examples: [0.81],
      }),
      papers: Type.Integer({ minimum: 1, description: "Number of documents measured." }),
      fields: Type.Integer({ minimum: 1, description: "Number of values and list cells in these documents." }),
      measured: Type.String({ description: "Month of the measurement, `YYYY-MM`.", examples: ["2026-11"] }),
    },
    { description: "Quality on documents that were not used to write the template." },
  ),
);
export type TemplateQualityJson = Static<typeof TemplateQuality>;

export const Template = component(
  "Template",
  Type.Object(
    {
      name: Type.String({ description: "Stable name.", examples: ["invoice"] }),
      title: Type.String({ examples: ["Invoice"] }),
      description: Type.String({ examples: ["Number, dates, seller and buyer, totals and lines"] }),
      language: choice(templateLanguages, {
        description: "Language of title and descriptions. Names of params are the same in every language.",
      }),
      params: Type.Array(ExtractionParamSchema, {
        description:
          "The fields, in the format that `POST /v2/extractor` accepts. For an agent, replace the format `date` with `text`.",
      }),
      quality: Type.Union([TemplateQuality, Type.Null()], { description: "null if it was not measured." }),
    },
    { description: "Ready-made fields for one document kind." },
  ),
);
export type TemplateJson = Static<typeof Template>;

const language = {
  lang: Type.Optional(
    choice(templateLanguages, { description: "Language of titles and descriptions. Default: `en`." }),
  ),
};
const common = { method: "GET", tag: "Extraction", auth: "administrator", app: "member" } as const;

const listTemplates = defineEndpoint({
  ...common,
  operationId: "listTemplates",
  path: "/v2/templates",
  summary: "List the templates",
  description: "Ready-made fields for common document kinds, sorted by name.",
  query: Type.Object({ ...language, ...pageQuery.properties }),
  responses: { 200: { description: "The templates.", body: list(Template) } },
  errors: ["invalid_request"],
});

const getTemplate = defineEndpoint({
  ...common,
  operationId: "getTemplate",
  path: "/v2/templates/{templateName}",
  summary: "Get a template",
  pathParameters: Type.Object({ templateName: Type.String({ description: "Name of the template." }) }),
  query: Type.Object(language),
  responses: { 200: { description: "The template.", body: success(Template) } },
  errors: ["invalid_request", "not_found"],
});

export const templatesEndpoints = { listTemplates, getTemplate };
