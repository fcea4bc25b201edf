/** Translates errors of the service into text for users: what happened, and what to do next. */

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react";
import { SheafError } from "@sheaf/client";

const words: Record<string, MessageDescriptor> = {
  connection_failed: msg`The service cannot be reached. Check the connection and try again.`,
  timed_out: msg`The service did not respond in time. Try again.`,
  unexpected_answer: msg`The response does not come from Sheaf. A proxy in between may be misconfigured.`,
  unauthorized: msg`Your session has ended. Sign in again.`,
  second_factor_required: msg`The code is wrong, or was used already.`,
  sign_on_required: msg`Your organization requires you to sign in with its provider. Go back, and enter your email address.`,
  sign_on_failed: msg`The sign-in with the provider of your organization failed.`,
  sign_on_unavailable: msg`The provider of the organization does not respond. Try again later.`,
  forbidden: msg`Your role does not allow this. Ask an administrator.`,
  rate_limited: msg`Too many requests. Wait a moment and try again.`,
  agent_unavailable: msg`The service is busy. Try again in a moment.`,
  agent_timeout: msg`This took too long and was stopped. Try a smaller file or a simpler question.`,
  internal_error: msg`Something went wrong in the service. Try again, and tell your administrator if it happens again.`,
  quota_exceeded: msg`The plan of your organization does not allow more.`,
  file_too_large: msg`The file is too large.`,
  unsupported_file_type: msg`Files of this type are not supported.`,
  infected_file: msg`The virus scanner refused this file.`,
  antivirus_unavailable: msg`The virus scanner does not respond, so no file is accepted now. Try again later.`,
  document_already_exists: msg`A document with this name is already there.`,
  agent_not_found: msg`This does not exist any more, or you may not see it.`,
  document_not_found: msg`This document does not exist any more.`,
  thread_not_found: msg`This conversation does not exist any more.`,
  extraction_failed: msg`The file could not be processed.`,
  invalid_config: msg`The extractor has no fields yet. Add at least one.`,
  conflict: msg`This was changed elsewhere in the meantime. Reload and try again.`,
  not_found: msg`This does not exist any more.`,
};

/** Returns a function that translates an error into text in the language of the interface. */
export function useErrorWords(): (error: unknown) => string {
  const { _ } = useLingui();
  return (error) => {
    if (!(error instanceof SheafError)) return _(msg`Something went wrong on this page. Reload it and try again.`);
    const known = words[error.code];
    // For other codes, such as `invalid_request`, the service's own message says what is wrong with
    // the input.
    return known === undefined ? error.message : _(known);
  };
}
