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
   * Maximum JSON body without its file: room for 500 params with descriptions of maximum length in
   * any script.
   */
  maxJsonBodyBytes: 5 * megabyte,
  /** Maximum issues listed in one response. */
  maxIssues: 20,

  agentNameMaxLength: 200,
  agentDescriptionMaxLength: 2_000,
  /** Maximum versions kept of the configuration of one agent. */
  maxAgentVersions: 200,
  versionNameMaxLength: 200,
  /** Maximum reviewed extractions that one evaluation runs over. */
  maxEvaluatedDocuments: 200,
  /** Maximum reviewed extractions that the coverage is measured on. */
  maxCoverageDocuments: 1_000,
  /** Maximum changed values listed in one response. */
  maxChangedCells: 200,
  /** Length at which the text of a changed value is cut off. */
  changedTextMaxLength: 500,

  /** Maximum params, counting every level. */
  maxParams: 500,
  /** Maximum nesting of params; one that is not a list has depth 1. */
  maxParamDepth: 5,
  paramNameMaxLength: 100,
  paramDescriptionMaxLength: 2_000,
  /** Maximum characters of the pattern of a rule, and of one allowed text. */
  rulePatternMaxLength: 200,
  ruleValueMaxLength: 200,
  /** Maximum patterns of a request or an agent. */
  maxRulePatterns: 20,
  /** Maximum allowed texts of a rule. */
  maxRuleValues: 1_000,
  /** Maximum failed rules of a result, and maximum locations of each. */
  maxFailedRules: 500,
  maxRuleEvidence: 100,

  maxConsignes: 100,
  consigneMaxLength: 4_000,
  /**
   * Limits of an object consigne besides `content`: members at all levels, and characters of keys
   * and strings in all.
   */
  maxConsigneMembers: 50,
  maxConsigneDepth: 4,
  consigneMembersMaxLength: 4_000,

  /** Maximum corpora of a personal agent. Each question searches all of them. */
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
  /** Maximum files, and their size in all, that fields are inferred from. */
  maxSampleFiles: 20,
  maxSampleFilesBytes: 72 * megabyte,
  /** Size above which the asynchronous endpoints are recommended; nothing is refused. */
  asynchronousAboveBytes: 20 * megabyte,
  /** How long the state and result of an asynchronous extraction or classification are kept. */
  resultDays: 7,

  /** Maximum days for which a kept extraction can be set to be kept. */
  maxKeepExtractionsDays: 3_650,
  /** How long extractions of the web application are kept unless a setting says otherwise. */
  keepExtractionsDays: 30,
  /** Maximum segments that a person can save for one file. */
  maxCorrectedSegments: 10_000,
  segmentTitleMaxLength: 300,
  /** Confidence below which a value of a kept extraction is to be reviewed. */
  reviewBelowConfidence: 0.9,
  maxCorrections: 2_000,
  correctionPathMaxLength: 1_000,
  correctionReasonMaxLength: 500,
  correctedTextMaxLength: 20_000,
  maxCorrectionBoxes: 100,

  /** Maximum papers that an extractor learns from. Then the one that was unused longest is dropped. */
  maxLearnedPapers: 300,
  maxLearnedFacts: 2_000,
  learnedTextMaxLength: 200,
  /** Longest list of fixed texts of one paper, encoded. */
  learnedSkeletonMaxLength: 20_000,

  /** Maximum items per page of a list. */
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
  /** Longest part of a credential of the Web Authentication API, in base64url. */
  webAuthnMaxLength: 20_000,
  groupNameMaxLength: 200,
  maxGroupMembers: 1_000,
  credentialNameMaxLength: 200,

  urlMaxLength: 2_048,
  tokenLifetimeSeconds: 3_600,
} as const;
