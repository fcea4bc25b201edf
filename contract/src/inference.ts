/** Inference of fields: proposes what to extract, based on sample files. */
import type { Static } from "typebox";
import { defineEndpoint, type UploadsSpec } from "./endpoint.ts";
import { success } from "./envelope.ts";
import type { Issue } from "./errors.ts";
import {
  Evidence,
  EvidenceRecord,
  type EvidenceValueJson,
  ExtractedRecord,
  type ExtractedValueJson,
} from "./extraction-result.ts";
import { filenameIssues } from "./filename.ts";
import { isRecord } from "./issues.ts";
import { extractionExtensions, limits, megabyte } from "./limits.ts";
import { ExtractionParamSchema } from "./params.ts";
import { choice, component, withIssues } from "./schema.ts";
import { templateLanguages } from "./templates.ts";
import Type from "./type.ts";
import { base64File, filename } from "./upload.ts";

/**
 * Checks the file names of all files at once, because checks in code run for members of the body
 * but not for members of array elements.
 */
function fileNameIssues(files: unknown, path: string): Issue[] {
  if (!Array.isArray(files)) return [];
  return files.flatMap((file, index) =>
    isRecord(file) ? filenameIssues(file.filename, `${path}/${index}/filename`) : [],
  );
}

export const InferRequest = component(
  "InferRequest",
  Type.Object({
    files: withIssues(
      Type.Array(Type.Object({ filename, file: base64File }), {
        minItems: 1,
        maxItems: limits.maxSampleFiles,
        description: `Sample files of one document kind, at most ${limits.maxSampleFilesBytes / megabyte} MB in total.`,
      }),
      fileNameIssues,
    ),
    lang: Type.Optional(
      choice(templateLanguages, { description: "Language of descriptions that come from a template. Default: `en`." }),
    ),
  }),
);
export type InferRequestJson = Static<typeof InferRequest>;

const value = Type.Unsafe<ExtractedValueJson>(
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(ExtractedRecord)], {
    description: "The value in the file, as extraction would return it.",
  }),
);
const evidence = Type.Unsafe<EvidenceValueJson>(
  Type.Union([Evidence, Type.Array(EvidenceRecord)], {
    description: "Location of the value. Its `confidence` is that of the proposal.",
  }),
);

export const ProposedField = component(
  "ProposedField",
  Type.Object(
    {
      param: ExtractionParamSchema,
      found_in: Type.Integer({ minimum: 1, description: "Number of files in which the field was found." }),
      usefulness: Type.Number({
        minimum: 0,
        maximum: 1,
        description: "How likely it is that the field is worth extracting. The list is sorted by this, highest first.",
      }),
      values: Type.Array(
        Type.Object({
          file: Type.Integer({ minimum: 0, description: "Index of the file in the request." }),
          value,
          evidence,
        }),
        { description: "The values found, one for each file that has the field." },
      ),
    },
    { description: "A field that the samples seem to have." },
  ),
);
export type ProposedFieldJson = Static<typeof ProposedField>;

const InferredFields = component(
  "InferredFields",
  Type.Object({
    nearest_template: Type.Union([Type.String({ examples: ["invoice"] }), Type.Null()], {
      description: "Name of the template that fits most files; null if none fits.",
    }),
    fields: Type.Array(ProposedField, { description: "The proposed fields, most useful first." }),
  }),
);
export type InferredFieldsJson = Static<typeof InferredFields>;

const InferMetadata = Type.Object({
  filenames: Type.Array(Type.String(), { description: "Names of the uploaded files." }),
  pages: Type.Integer({ minimum: 0, description: "Total number of pages of all files." }),
  duration: Type.Number({ minimum: 0, description: "Duration in seconds, to the millisecond." }),
});

const uploads: UploadsSpec = {
  extensions: extractionExtensions,
  maxFileBytes: limits.maxExtractionFileBytes,
  maxFiles: limits.maxSampleFiles,
  maxTotalBytes: limits.maxSampleFilesBytes,
};

const inferFields = defineEndpoint({
  operationId: "inferFields",
  method: "POST",
  path: "/v2/extractor/infer",
  summary: "Propose fields from samples",
  description:
    "Reads 1 to 20 files of one document kind and returns the fields that they seem to have: fields of the best-fitting template, " +
    "labelled values, check boxes and tables. Nothing is stored. If one file fails, the request fails.",
  tag: "Extraction",
  auth: "administrator",
  app: "member",
  body: InferRequest,
  uploads,
  responses: { 200: { description: "The proposed fields.", body: success(InferredFields, InferMetadata) } },
  errors: [
    "file_too_large",
    "unsupported_file_type",
    "infected_file",
    "antivirus_unavailable",
    "extraction_failed",
    "agent_unavailable",
    "agent_timeout",
  ],
});

export const inferenceEndpoints = { inferFields };
