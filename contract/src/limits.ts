/**
 * All limits of the API, with units in their names. Lengths are in characters (Unicode code
 * points).
 */

/** Definition of one MB in the API. */
export const megabyte = 1_048_576;

/** File name extensions (lower case) that a documentalist's corpus accepts. */
export const documentExtensions = ["pdf", "docx", "jpg", "jpeg", "png", "heic"] as const;
/** File name extensions (lower case) that extraction and classification accept. */
export const extractionExtensions = ["pdf", "png", "jpg", "jpeg", "docx", "xlsx"] as const;

export const limits = {
  /**
   * Maximum size of a JSON body without its file. There is room for 500 params with descriptions of
   * maximum length in any script.
   */
  maxJsonBodyBytes: 5 * megabyte,
  /** Maximum number of issues listed in one response. */
  maxIssues: 20,

  agentNameMaxLength: 200,
  agentDescriptionMaxLength: 2_000,
  /** Maximum number of versions of one agent's configuration that are kept. */
  maxAgentVersions: 200,
  versionNameMaxLength: 200,
  /** Maximum number of reviewed extractions on which one evaluation runs. */
  maxEvaluatedDocuments: 200,
  /** Maximum number of reviewed extractions on which the coverage is measured. */
  maxCoverageDocuments: 1_000,
  /** Maximum number of changed values listed in one response. */
  maxChangedCells: 200,
  /** Length to which the text of a changed value is truncated. */
  changedTextMaxLength: 500,

  /** Maximum number of params, counting every level. */
  maxParams: 500,
  /** Maximum nesting of params. A param that is not a list has depth 1. */
  maxParamDepth: 5,
  paramNameMaxLength: 100,
  paramDescriptionMaxLength: 2_000,
  /** Maximum length of a rule's pattern, in characters. */
  rulePatternMaxLength: 200,
  /** Maximum length of an allowed text of a rule, in characters. */
  ruleValueMaxLength: 200,
  /** Maximum number of rule patterns in a request or an agent. */
  maxRulePatterns: 20,
  /** Maximum number of allowed texts of a rule. */
  maxRuleValues: 1_000,
  /** Maximum number of failed rules in a result. */
  maxFailedRules: 500,
  /** Maximum number of locations of a failed rule. */
  maxRuleEvidence: 100,

  maxConsignes: 100,
  consigneMaxLength: 4_000,
  /**
   * Limits of a consigne (an instruction of a documentalist) that is an object. They apply to its
   * members other than `content`: the number of members at all levels, and the total characters of
   * keys and strings.
   */
  maxConsigneMembers: 50,
  maxConsigneDepth: 4,
  consigneMembersMaxLength: 4_000,

  /** Maximum number of corpora of a personal agent. Each question searches all of them. */
  maxCorpora: 20,

  filenameMaxLength: 255,
  documentPathMaxLength: 512,
  documentPathSegmentMaxLength: 255,
  maxDocumentFileBytes: 60 * megabyte,

  queryMaxLength: 8_000,
  maxInstructions: 50,
  instructionMaxLength: 4_000,
  maxHistoricEntries: 200,
  historicContentMaxLength: 20_000,
  threadTitleMaxLength: 200,

  maxExtractionFileBytes: 36 * megabyte,
  /** Maximum number of files from which fields are inferred. */
  maxSampleFiles: 20,
  /** Maximum total size of the files from which fields are inferred. */
  maxSampleFilesBytes: 72 * megabyte,
  /**
   * File size above which the asynchronous endpoints are recommended. Larger files are not refused.
   */
  asynchronousAboveBytes: 20 * megabyte,
  /** How long the state and result of an asynchronous extraction or classification are kept. */
  resultDays: 7,

  /** Maximum number of days that can be set for keeping extractions. */
  maxKeepExtractionsDays: 3_650,
  /** Number of days for which extractions of the web application are kept by default. */
  keepExtractionsDays: 30,
  /** Maximum number of segments that a person can save for one file. */
  maxCorrectedSegments: 10_000,
  segmentTitleMaxLength: 300,
  /** Confidence below which a value of a kept extraction should be reviewed. */
  reviewBelowConfidence: 0.9,
  maxCorrections: 2_000,
  correctionPathMaxLength: 1_000,
  correctionReasonMaxLength: 500,
  correctedTextMaxLength: 20_000,
  maxCorrectionBoxes: 100,

  /**
   * Maximum number of documents that an extractor remembers. Beyond it, the least recently used
   * document is dropped.
   */
  maxLearnedPapers: 300,
  maxLearnedFacts: 2_000,
  learnedTextMaxLength: 200,
  /** Maximum length of the encoded fixed texts of one learned document, in characters. */
  learnedSkeletonMaxLength: 20_000,

  /** Maximum number of items per page of a list. */
  maxPageSize: 1_000,
  cursorMaxLength: 200,

  maxClasses: 200,
  classLabelMaxLength: 200,
  classDescriptionMaxLength: 2_000,

  organizationNameMaxLength: 200,
  personNameMaxLength: 200,
  emailMaxLength: 254,
  passwordMinLength: 10,
  passwordMaxLength: 128,
  secondFactorCodeMaxLength: 40,
  passkeyNameMaxLength: 100,
  /** Maximum length of each member of a passkey credential, in base64url characters. */
  webAuthnMaxLength: 20_000,
  groupNameMaxLength: 200,
  maxGroupMembers: 1_000,
  credentialNameMaxLength: 200,

  /** Maximum length of names, secrets and values of a sign-on provider. */
  signOnTextMaxLength: 500,
  maxSignOnGroups: 200,
  /**
   * Maximum length of the query string with which a sign-on provider redirects the browser back.
   */
  signOnResponseMaxLength: 8_192,

  scimTokenNameMaxLength: 200,
  /**
   * Maximum number of SCIM tokens of an organization. While one is being replaced, two are needed.
   */
  maxScimTokens: 10,
  /** Maximum number of users or groups per page of SCIM. Also the default page size. */
  scimPageSize: 100,
  /**
   * Maximum number of memberships on a page of SCIM, counted over all its groups or users. A page
   * has at least one resource, even if that resource alone has more memberships.
   */
  scimPageMembers: 50_000,
  /** Maximum length of a filter or path of SCIM, in characters. */
  scimFilterMaxLength: 1_000,
  /** Maximum length of a text that an identity provider sends for a user or group. */
  scimTextMaxLength: 500,
  /** Maximum number of operations of one PATCH request. */
  maxScimOperations: 1_000,
  /** Maximum number of group members that one request names. */
  maxScimMembers: 2_000,

  urlMaxLength: 2_048,
  tokenLifetimeSeconds: 3_600,
} as const;
