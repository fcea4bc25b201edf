/**
 * Translations of the actions in the audit log. A newer service may record actions that are missing
 * here.
 */
import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

export const auditActions: Record<string, MessageDescriptor> = {
  "agent.access_changed": msg`Visibility changed`,
  "agent.created": msg`Extractor, corpus or assistant created`,
  "agent.deleted": msg`Extractor, corpus or assistant deleted`,
  "agent.updated": msg`Extractor, corpus or assistant changed`,
  "agent.version_named": msg`Version of an extractor, corpus or assistant named`,
  "agent.version_restored": msg`Version of an extractor, corpus or assistant restored`,
  "credential.created": msg`Credential created`,
  "credential.revoked": msg`Credential revoked`,
  "customer.linked": msg`Customer of the payment service linked`,
  "delivery.replayed": msg`Webhook delivery sent again`,
  "document.deleted": msg`Document deleted`,
  "document.uploaded": msg`Document uploaded`,
  "extraction.corrected": msg`Extraction corrected`,
  "extraction.deleted": msg`Extraction deleted`,
  "classification.corrected": msg`Classification corrected`,
  "classification.deleted": msg`Classification deleted`,
  "first_sign_in_link.created": msg`Link for the first sign-in created`,
  "group.changed": msg`Group changed`,
  "group.created": msg`Group created`,
  "group.deleted": msg`Group deleted`,
  "invitation.accepted": msg`Invitation accepted`,
  "invitation.canceled": msg`Invitation withdrawn`,
  "invitation.created": msg`Invitation created`,
  "member.changed": msg`Member changed`,
  "member.removed": msg`Member removed`,
  "organization.changed": msg`Organization changed`,
  "organization.created": msg`Organization created`,
  "password.changed": msg`Password changed`,
  "plan.assigned": msg`Plan assigned`,
  "session.created": msg`Signed in`,
  "session.ended": msg`Signed out`,
  "session.refused": msg`Sign-in refused`,
  "subscription.changed": msg`Subscription changed`,
  "user.email_changed": msg`Email address changed`,
  "webhook.changed": msg`Webhook changed`,
  "webhook.created": msg`Webhook created`,
  "webhook.deleted": msg`Webhook removed`,
  "webhook.tested": msg`Test event sent`,
};
