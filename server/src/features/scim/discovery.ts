/** Describes this service to SCIM clients, as defined by SCIM (RFC 7643, sections 5 to 7). */
import { limits } from "@sheaf/contract/limits.ts";
import type { Resource } from "./patch.ts";
import { groupSchema, userSchema } from "./scim-resources.ts";

const off = { supported: false };

export const serviceProviderConfig = (base: string): Resource => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: limits.scimPageSize },
  changePassword: off,
  sort: off,
  etag: off,
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "OAuth Bearer Token",
      description: "A SCIM token of the organization.",
      primary: true,
    },
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
});

const resourceType = (name: string, schema: string, base: string): Resource => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
  id: name,
  name,
  endpoint: `/${name}s`,
  schema,
  meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${name}` },
});

export const resourceTypes = (base: string): Resource[] => [
  resourceType("User", userSchema, base),
  resourceType("Group", groupSchema, base),
];

interface AttributeOptions {
  type?: "string" | "boolean" | "reference" | "complex";
  multiValued?: boolean;
  required?: boolean;
  caseExact?: boolean;
  mutability?: "readWrite" | "readOnly" | "immutable";
  uniqueness?: "none" | "server";
  subAttributes?: object[];
}

const attribute = (name: string, description: string, options: AttributeOptions = {}): object => ({
  name,
  type: "string",
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: "readWrite",
  returned: "default",
  uniqueness: "none",
  ...options,
});

const readOnly = { mutability: "readOnly" } as const;
const externalId = attribute("externalId", "Id of the identity provider.", { caseExact: true });

const userAttributes = [
  attribute("userName", "Name of the user at the identity provider.", { required: true, uniqueness: "server" }),
  externalId,
  attribute("displayName", "Name of the user, as it is shown."),
  attribute("name", "Parts of the name.", {
    type: "complex",
    subAttributes: [
      attribute("formatted", "The whole name."),
      attribute("givenName", "Given name."),
      attribute("familyName", "Family name."),
    ],
  }),
  attribute("emails", "The email address. One is stored: the primary one, that of type work, or the first.", {
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute("value", "Address, of a domain of the organization."),
      attribute("type", "Always work."),
      attribute("primary", "Always true.", { type: "boolean" }),
    ],
  }),
  attribute("active", "True if the user has access to the organization.", { type: "boolean" }),
  attribute("groups", "Groups of the user.", {
    ...readOnly,
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute("value", "Id of the group.", readOnly),
      attribute("$ref", "URL of the group.", { ...readOnly, type: "reference" }),
      attribute("display", "Name of the group.", readOnly),
    ],
  }),
];

const groupAttributes = [
  attribute("displayName", "Name of the group. The group mapping of sign-on refers to it.", {
    required: true,
    caseExact: true,
    uniqueness: "server",
  }),
  externalId,
  attribute("members", "Users of the group.", {
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute("value", "Id of the user.", { mutability: "immutable" }),
      attribute("$ref", "URL of the user.", { ...readOnly, type: "reference" }),
      attribute("type", "Always User.", readOnly),
      attribute("display", "Name of the user.", readOnly),
    ],
  }),
];

const schema = (id: string, name: string, attributes: object[], base: string): Resource => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
  id,
  name,
  description: `${name} of the organization.`,
  attributes,
  meta: { resourceType: "Schema", location: `${base}/Schemas/${id}` },
});

export const schemas = (base: string): Resource[] => [
  schema(userSchema, "User", userAttributes, base),
  schema(groupSchema, "Group", groupAttributes, base),
];
