/** HTTP route that proposes fields from sample files. */
import { inferenceEndpoints as endpoints } from "@sheaf/contract/inference.ts";
import { extractionExtensions } from "@sheaf/contract/limits.ts";
import { type AnyRoute, route } from "../../lib/route.ts";
import { readableExtensionOf } from "../understanding/understanding.service.ts";
import type { Extractor } from "./extraction.service.ts";
import type { Inference } from "./inference.service.ts";

export const inferenceRoutes = ({ extractor }: { extractor: Extractor }): AnyRoute[] => [
  route(
    endpoints.inferFields,
    async ({ caller, body, files, signal, keep }) => {
      const filenames = body.files.map(({ filename }) => filename);
      const samples = files.map(({ path }, index) => {
        const filename = filenames[index] ?? "";
        return { path, filename, extension: readableExtensionOf(filename, extractionExtensions) };
      });
      const reply = ({ fields, pages, durationMs }: Inference) => ({
        body: { status: "success" as const, data: fields, metadata: { filenames, pages, duration: durationMs / 1000 } },
      });
      const input = { files: samples, language: body.lang ?? "en" };
      return reply(await extractor.infer(caller, input, signal, keep(reply)));
    },
    {
      beforeBody: async ({ caller }) => {
        extractor.checkRoom(caller);
        return undefined;
      },
    },
  ),
];
