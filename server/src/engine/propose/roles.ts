/**
 * Defines fields that documents of any kind may have, such as the sender. Their values are found by
 * role, not by label.
 */
import type { ExtractionParam } from "@sheaf/contract/params.ts";

const text = (name: string, description: string): ExtractionParam => ({ name, format: "text", description });

export const roles: readonly ExtractionParam[] = [
  text("title", "Title of the document"),
  text("document_number", "Number of the document"),
  { name: "document_date", format: "date", description: "Date of the document" },
  text("sender_name", "Name of the company or person that issued the document"),
  text("sender_address", "Address of the company or person that issued the document"),
  text("recipient_name", "Name of the company or person that the document is addressed to"),
  text("recipient_address", "Address of the company or person that the document is addressed to"),
  text("contact_person", "Name of the person to contact"),
  text("signed_by", "Name of the person who signed"),
  text("place", "Place or location"),
];
