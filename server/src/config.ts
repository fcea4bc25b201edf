/** Reads and validates the settings. No other code reads the environment. */
import { join } from "node:path";
import type { LogLevel } from "./lib/log.ts";
import type { clamdAddress } from "./lib/setting-values.ts";
import { type McpAccess, type Role, type Setting, settings } from "./settings.ts";

type Parsed = { [Name in keyof typeof settings]: (typeof settings)[Name] extends Setting<infer T> ? T : never };

export interface Config {
  dataDir: string;
  keysDir: string;
  /** Folder of the stored files, unless they are in S3. */
  filesDir: string;
  s3: ReturnType<typeof s3Of>;
  indexDir: string;
  webDir: string;
  docsDir: string;
  trashDays: number;
  database: { dialect: "sqlite"; path: string } | { dialect: "postgres"; url: string; maxConnections: number };
  role: Role;
  host: string;
  port: number;
  stopDelayMs: number;
  publicUrl: string | undefined;
  mcp: McpAccess;
  logLevel: LogLevel;
  metricsToken: string | undefined;
  /** Undefined if tracing is off. */
  traces: { url: string; headers: Record<string, string>; serviceName: string; ratio: number } | undefined;
  tokenLifetimeSeconds: number;
  rateLimits: { ofCredential: number; ofAddress: number };
  trustedProxies: string[];
  /** If `maxPerNetwork` is undefined, a quarter of `max` applies. */
  connections: { max: number; maxPerNetwork: number | undefined };
  maxRequests: number;
  maxUploads: number;
  maxEventStreams: number;
  reading: {
    processes: number;
    maxMemoryBytes: number;
    maxPages: number;
    ocr: { languages: string[]; program: string | undefined };
  };
  engine: { threads: number };
  model: ReturnType<typeof modelOf>;
  embedding: ReturnType<typeof embeddingOf>;
  /** Maximum number of language model tokens per organization per month. Null for no limit. */
  budgetTokens: number | null;
  extraction: { timeoutMs: number; queue: number };
  operations: { timeoutMs: number; maxStarted: number };
  outbound: { allowed: string[]; allowHttp: boolean; dnsServers: string[] | undefined };
  antivirus: { clamd: ReturnType<typeof clamdAddress>; timeoutMs: number };
  knowledge: { timeoutMs: number; queue: number; stream: boolean };
  stripe: { webhookSecret: string | undefined; prices: ReadonlyMap<string, string> };
}

/** Error that lists every problem found in the settings. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: string[];
  constructor(problems: string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** @throws ConfigError if a setting is invalid or a `SHEAF_…` name is unknown */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const problems = Object.keys(environment)
    .filter((name) => name.startsWith("SHEAF_") && !(name in settings))
    .map((name) => `${name} is not a setting of Sheaf`);
  const parsed: Record<string, unknown> = {};
  for (const [name, { alias, default: defaultText, parse }] of Object.entries<Setting<unknown>>(settings)) {
    const value = environment[name] || environment[alias ?? name] || defaultText;
    try {
      parsed[name] = value === undefined ? undefined : parse(value);
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
    }
  }
  for (const name of ["MODEL_URL", "MODEL_NAME"])
    if (parsed.ENGINE !== "builtin" && parsed[name] === undefined)
      problems.push(`${name} must be set if ENGINE is ${parsed.ENGINE}`);
  if (parsed.EMBEDDING_MODEL !== undefined && parsed.EMBEDDING_URL === undefined && parsed.MODEL_URL === undefined)
    problems.push("EMBEDDING_URL or MODEL_URL must be set if EMBEDDING_MODEL is");
  if (parsed.SHEAF_FILES !== undefined && parsed.SHEAF_FILES_DIR !== undefined)
    problems.push("SHEAF_FILES and SHEAF_FILES_DIR cannot both be set: stored files are in S3 or in a folder");
  if (parsed.SHEAF_ROLE !== "all" && parsed.DATABASE_URL === undefined)
    problems.push(`DATABASE_URL must be set if SHEAF_ROLE is ${parsed.SHEAF_ROLE}: processes cannot share SQLite`);
  if (problems.length > 0) throw new ConfigError(problems);
  return shape(parsed as Parsed);
}

function tracesOf(s: Parsed): Config["traces"] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = s;
  const url = whole ?? (collector && `${collector.replace(/(?<!\/)\/+$/, "")}/v1/traces`);
  if (url === undefined) return undefined;
  const { OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_SERVICE_NAME: serviceName, OTEL_TRACES_SAMPLER_ARG: ratio } = s;
  return { url, headers, serviceName, ratio };
}

/** Returns the settings for S3, or undefined if files are stored in a local folder. */
function s3Of(s: Parsed) {
  if (s.SHEAF_FILES === undefined) return undefined;
  return {
    ...s.SHEAF_FILES,
    endpoint: s.SHEAF_S3_ENDPOINT,
    region: s.SHEAF_S3_REGION,
    pathStyle: s.SHEAF_S3_PATH_STYLE === "on",
    encryption: s.SHEAF_S3_ENCRYPTION,
  };
}

/** Returns undefined if no language model is configured. */
function modelOf(s: Parsed) {
  if (s.MODEL_URL === undefined || s.MODEL_NAME === undefined) return undefined;
  return {
    usual: s.ENGINE,
    settings: {
      url: s.MODEL_URL,
      model: s.MODEL_NAME,
      apiKey: s.MODEL_API_KEY,
      vision: s.MODEL_VISION === "on",
      maxInputTokens: s.MODEL_MAX_INPUT_TOKENS,
      maxOutputTokens: s.MODEL_MAX_OUTPUT_TOKENS,
      concurrency: s.MODEL_CONCURRENCY,
      timeoutMs: s.MODEL_TIMEOUT_SECONDS * 1000,
      transcript: s.MODEL_TRANSCRIPT,
      replay: s.MODEL_REPLAY,
    },
  };
}

/** Returns undefined if no embedding model is configured. Search is then by keywords only. */
function embeddingOf(s: Parsed) {
  const url = s.EMBEDDING_URL ?? s.MODEL_URL;
  if (s.EMBEDDING_MODEL === undefined || url === undefined) return undefined;
  const apiKey = s.EMBEDDING_API_KEY ?? (s.EMBEDDING_URL === undefined ? s.MODEL_API_KEY : undefined);
  return { model: { url, model: s.EMBEDDING_MODEL }, apiKey, timeoutMs: s.MODEL_TIMEOUT_SECONDS * 1000 };
}

function shape(s: Parsed): Config {
  return {
    dataDir: s.SHEAF_DATA_DIR,
    keysDir: s.SHEAF_KEYS_DIR ?? join(s.SHEAF_DATA_DIR, "keys"),
    filesDir: s.SHEAF_FILES_DIR ?? join(s.SHEAF_DATA_DIR, "files"),
    s3: s3Of(s),
    indexDir: s.SHEAF_INDEX_DIR ?? join(s.SHEAF_DATA_DIR, "index"),
    webDir: s.SHEAF_WEB_DIR,
    docsDir: s.SHEAF_DOCS_DIR,
    trashDays: s.SHEAF_TRASH_DAYS,
    database:
      s.DATABASE_URL === undefined
        ? { dialect: "sqlite", path: join(s.SHEAF_DATA_DIR, "sheaf.db") }
        : { dialect: "postgres", url: s.DATABASE_URL, maxConnections: s.SHEAF_DATABASE_CONNECTIONS },
    role: s.SHEAF_ROLE,
    host: s.SHEAF_HOST,
    port: s.SHEAF_PORT,
    stopDelayMs: s.SHEAF_STOP_DELAY_SECONDS * 1000,
    publicUrl: s.SHEAF_PUBLIC_URL?.replace(/(?<!\/)\/+$/, ""),
    mcp: s.SHEAF_MCP,
    logLevel: s.SHEAF_LOG_LEVEL,
    metricsToken: s.SHEAF_METRICS_TOKEN,
    traces: tracesOf(s),
    tokenLifetimeSeconds: s.SHEAF_TOKEN_LIFETIME_SECONDS,
    rateLimits: { ofCredential: s.SHEAF_RATE_LIMIT, ofAddress: s.SHEAF_ADDRESS_RATE_LIMIT },
    trustedProxies: s.SHEAF_TRUSTED_PROXIES,
    connections: { max: s.SHEAF_MAX_CONNECTIONS, maxPerNetwork: s.SHEAF_MAX_ADDRESS_CONNECTIONS },
    maxRequests: s.SHEAF_MAX_REQUESTS,
    maxUploads: s.SHEAF_MAX_UPLOADS,
    maxEventStreams: s.SHEAF_MAX_EVENT_STREAMS,
    reading: {
      processes: s.SHEAF_READING_PROCESSES,
      maxMemoryBytes: s.SHEAF_READING_MEMORY_MB * 1024 * 1024,
      maxPages: s.SHEAF_READING_MAX_PAGES,
      ocr: { languages: s.SHEAF_OCR_LANGUAGES, program: s.SHEAF_TESSERACT },
    },
    engine: { threads: s.SHEAF_ENGINE_THREADS },
    model: modelOf(s),
    embedding: embeddingOf(s),
    budgetTokens: s.MODEL_BUDGET_TOKENS ?? null,
    extraction: { timeoutMs: s.SHEAF_EXTRACTION_TIMEOUT_SECONDS * 1000, queue: s.SHEAF_EXTRACTION_QUEUE },
    operations: { timeoutMs: s.SHEAF_ASYNC_TIMEOUT_SECONDS * 1000, maxStarted: s.SHEAF_ASYNC_QUEUE },
    outbound: {
      allowed: s.SHEAF_OUTBOUND_ALLOW,
      allowHttp: s.SHEAF_OUTBOUND_HTTP === "on",
      dnsServers: s.SHEAF_OUTBOUND_DNS,
    },
    antivirus: { clamd: s.SHEAF_ANTIVIRUS, timeoutMs: s.SHEAF_ANTIVIRUS_TIMEOUT_SECONDS * 1000 },
    knowledge: {
      timeoutMs: s.SHEAF_QUESTION_TIMEOUT_SECONDS * 1000,
      queue: s.SHEAF_QUESTION_QUEUE,
      stream: s.SHEAF_DOCUMENTALIST_STREAM === "on",
    },
    stripe: { webhookSecret: s.SHEAF_STRIPE_WEBHOOK_SECRET, prices: s.SHEAF_STRIPE_PRICES },
  };
}
