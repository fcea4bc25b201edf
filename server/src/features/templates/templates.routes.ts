/** HTTP routes of templates. */
import {
  templatesEndpoints as endpoints,
  type TemplateLanguage,
  templateLanguages,
} from "@sheaf/contract/templates.ts";
import { AppError } from "../../lib/errors.ts";
import { pageReply, pageRequest } from "../../lib/paging.ts";
import { type AnyRoute, type RouteRequest, route, success } from "../../lib/route.ts";
import { getTemplate, listTemplates } from "./templates.service.ts";

export const templatesRoutes = (): AnyRoute[] => [
  route(endpoints.listTemplates, async ({ query }) => pageReply(listTemplates(languageOf(query), pageRequest(query)))),
  route(endpoints.getTemplate, async ({ path: { templateName }, query }) =>
    success(getTemplate(languageOf(query), templateName)),
  ),
];

function languageOf({ lang = "en" }: RouteRequest["query"]): TemplateLanguage {
  const language = templateLanguages.find((each) => each === lang);
  if (language !== undefined) return language;
  const message = `must be one of ${templateLanguages.join(", ")}`;
  throw new AppError("invalid_request", { issues: [{ path: "/lang", message }] });
}
