/** SCIM errors (RFC 7644, section 3.12). */

/** Detail error keywords of RFC 7644. */
export type ScimType =
  | "invalidFilter"
  | "invalidPath"
  | "invalidSyntax"
  | "invalidValue"
  | "mutability"
  | "tooMany"
  | "uniqueness";

export class ScimError extends Error {
  override readonly name = "ScimError";
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

export const invalidValue = (detail: string): ScimError => new ScimError(400, detail, "invalidValue");
export const notUnique = (detail: string): ScimError => new ScimError(409, detail, "uniqueness");

/** Returns the body of an error response. */
export const scimErrorJson = (status: number, detail: string, scimType?: ScimType): object => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
  status: String(status),
  ...(scimType !== undefined && { scimType }),
  detail,
});
