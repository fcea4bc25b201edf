/** All settings of the service: description, default and parser of each. */
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import type { LogLevel } from "./lib/log.ts";
import {
  clamdAddress,
  commaSeparated,
  fraction,
  headers,
  integer,
  languages,
  networks,
  oneOf,
  program,
  s3Encryption,
  s3Location,
  stripePrices,
  stripeSecret,
  text,
  token,
  url,
} from "./lib/setting-values.ts";
import { maxTokenLifetimeSeconds } from "./lib/token-keys.ts";

/** Permissions of the MCP server. */
export type McpAccess = "off" | "read" | "write";

/** What a process does: answer requests, run jobs in the background, or both. */
export type Role = "all" | "api" | "worker";

export interface Setting<T> {
  doc: string;
  /** Value if the setting is not given; undefined if the setting has no default. */
  default: string | undefined;
  /**
   * The default as shown in the generated documentation, such as `cores, at most 4`. It must not
   * depend on the machine that generates the documentation.
   */
  shownDefault: string | undefined;
  /**
   * Environment variable that is read if the setting is not given, such as `PORT`, which hosting
   * platforms set.
   */
  alias?: string;
  /**
   * Parses the text. If the text is invalid, throws an Error whose message is appended to the name
   * of the setting to form a sentence.
   */
  parse: (text: string) => T;
}

const setting = <T>(doc: string, value: string, parse: (text: string) => T, shown = value): Setting<T> => ({
  doc,
  default: value,
  shownDefault: shown,
  parse,
});
const optional = <T>(doc: string, parse: (text: string) => T): Setting<T | undefined> => ({
  doc,
  default: undefined,
  shownDefault: undefined,
  parse,
});

const cores = availableParallelism();

export const settings = {
  SHEAF_DATA_DIR: setting(
    "Folder of the database, the stored files and the keys. Created at the first start.",
    "data",
    (value) => resolve(value),
  ),
  SHEAF_KEYS_DIR: optional(
    "Folder of the signing and encryption keys, shared by all processes of one installation. Default: `keys` in the data folder.",
    (value) => resolve(value),
  ),
  SHEAF_FILES_DIR: optional(
    "Folder of the stored documents, shared by all processes of one installation. Default: `files` in the data folder.",
    (value) => resolve(value),
  ),
  SHEAF_FILES: optional(
    "Bucket and prefix of the stored documents in S3 or a compatible store, as in `s3://bucket/prefix`, instead of a folder. Credentials come from where AWS programs look for them: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, a profile, a web identity, the container or the machine. See docs/s3.md.",
    s3Location,
  ),
  SHEAF_S3_ENDPOINT: optional("URL of a store compatible with S3. Default: AWS.", url("http:", "https:")),
  SHEAF_S3_REGION: {
    ...setting("Region of the bucket. If it is not set, `AWS_REGION` is used.", "us-east-1", text),
    alias: "AWS_REGION",
  },
  SHEAF_S3_PATH_STYLE: setting(
    "Whether request URLs contain the bucket in their path instead of in their host name: on or off. Most stores other than AWS need `on`.",
    "off",
    oneOf("on", "off"),
  ),
  SHEAF_S3_ENCRYPTION: setting(
    "Server-side encryption that is requested for each stored file: `bucket` (the default of the bucket), `AES256`, `aws:kms` or `aws:kms:KEY`.",
    "bucket",
    s3Encryption,
  ),
  SHEAF_INDEX_DIR: optional(
    "Folder of the search index. With PostgreSQL each process or machine may have its own index, which is kept up to date from the database. Default: `index` in the data folder.",
    (value) => resolve(value),
  ),
  SHEAF_WEB_DIR: setting(
    "Folder of the built web application, served at `/`. Without an `index.html` in it, only the API is served.",
    resolve(import.meta.dirname, "../../web/dist"),
    (value) => resolve(value),
    "web/dist in the folder of the program",
  ),
  SHEAF_DOCS_DIR: setting(
    "Folder of the built documentation, served at `/docs/`. Without an `index.html` in it, there is no documentation.",
    resolve(import.meta.dirname, "../../web/docs-site/dist"),
    (value) => resolve(value),
    "web/docs-site/dist in the folder of the program",
  ),
  SHEAF_TRASH_DAYS: setting(
    "Days for which stored files without a row in the database are kept in the trash before they are deleted. The trash is `.trash` in the folder of the stored documents.",
    "7",
    integer(1, 3650),
  ),
  DATABASE_URL: optional(
    "PostgreSQL database, `postgres://user:password@host:5432/name`. Default: SQLite in the data folder.",
    url("postgres:", "postgresql:"),
  ),
  SHEAF_ROLE: setting(
    "What this process does: `api` answers requests, `worker` runs jobs such as reading documents and answers only health checks and metrics, `all` does both. `api` and `worker` need PostgreSQL, and stored files and keys that all processes share. See docs/machines.md.",
    "all",
    oneOf("all", "api", "worker"),
  ),
  SHEAF_DATABASE_CONNECTIONS: setting("Maximum PostgreSQL connections of this process.", "10", integer(2, 200)),
  SHEAF_HOST: setting("Address to listen on; `0.0.0.0` for every IPv4 interface, `::` for all.", "127.0.0.1", text),
  SHEAF_PORT: {
    ...setting(
      "Port to listen on; 0 for any free port. If it is not set, `PORT` is used, which many platforms set.",
      "8080",
      integer(0, 65535),
    ),
    alias: "PORT",
  },
  SHEAF_STOP_DELAY_SECONDS: setting(
    "Time between SIGTERM and the closing of the port. Meanwhile requests are served, but `GET /readyz` responds 503, so that a load balancer stops sending requests. 0 if there is no load balancer.",
    "0",
    integer(0, 300),
  ),
  SHEAF_PUBLIC_URL: optional(
    "URL at which clients reach the service. It is printed at the start and used in the OpenAPI document.",
    url("http:", "https:"),
  ),
  SHEAF_MCP: setting(
    "Access of agents to the MCP server at `/mcp`: off, read or write. With `read`, the tools change and store nothing. With `write`, the tool `extract` can also run in the background, which records a thread.",
    "read",
    oneOf<McpAccess>("off", "read", "write"),
  ),
  SHEAF_LOG_LEVEL: setting(
    "Lowest level that is logged: fatal, error, warn, info, debug or silent.",
    "info",
    oneOf<LogLevel>("fatal", "error", "warn", "info", "debug", "silent"),
  ),
  SHEAF_RATE_LIMIT: setting(
    "Maximum requests per minute of one credential, counted by each API process for itself. More are refused with 429 `rate_limited`. 0 for no limit.",
    "6000",
    integer(0, 10_000_000),
  ),
  SHEAF_ADDRESS_RATE_LIMIT: setting(
    "Maximum requests per minute of one address (IPv6: /64 network) to endpoints that need no token, counted by each API process for itself. A failed attempt to get a token or to sign in counts as 10; these attempts are also counted over all processes. 0 for no limit.",
    "600",
    integer(0, 10_000_000),
  ),
  SHEAF_TRUSTED_PROXIES: setting(
    "Trusted proxies in front of the service, whose X-Forwarded-For header is used: IP addresses and networks, separated by commas. All clients behind an unlisted proxy count as one client.",
    "",
    networks,
  ),
  SHEAF_MAX_CONNECTIONS: setting(
    "Maximum connections. At the limit, each new connection closes an older one that has no request in progress. The limit is lower if the system allows fewer open files.",
    "12000",
    integer(1, 1_000_000),
  ),
  SHEAF_MAX_ADDRESS_CONNECTIONS: optional(
    "Maximum connections of one address (IPv6: /64 network). Further connections are closed. Does not apply to trusted proxies. Default: a quarter of the maximum connections.",
    integer(1, 1_000_000),
  ),
  SHEAF_MAX_REQUESTS: setting(
    "Maximum concurrent requests, shared fairly among organizations. More are refused with 503 `agent_unavailable`.",
    "1000",
    integer(1, 1_000_000),
  ),
  SHEAF_MAX_UPLOADS: setting(
    "Maximum uploads being received or processed at once, shared fairly among organizations. More are refused with 503 `agent_unavailable`.",
    "300",
    integer(1, 1_000_000),
  ),
  SHEAF_MAX_EVENT_STREAMS: setting(
    "Maximum streams of `GET /v2/events` at once, shared fairly among organizations. More are refused with 503 `agent_unavailable`.",
    "2000",
    integer(1, 1_000_000),
  ),
  SHEAF_METRICS_TOKEN: optional(
    "Token required for `GET /metrics`, at least 16 characters. Default: a token created at the first start, in the file `metrics.token` of the keys folder.",
    token,
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    "Collector for OpenTelemetry traces (OTLP over HTTP, JSON), as in `http://localhost:4318`. Default: no traces.",
    url("http:", "https:"),
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(
    "Full URL to which traces are sent. Default: `/v1/traces` of the collector.",
    url("http:", "https:"),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: setting(
    "Headers for the collector, as in `authorization=Bearer%20abc,x-tenant=1`.",
    "",
    headers,
  ),
  OTEL_SERVICE_NAME: setting("Name of the service in traces.", "sheaf", text),
  OTEL_TRACES_SAMPLER_ARG: setting(
    "Share (0 to 1) of the traces that start in this service to send. For traces started by a caller, the caller decides.",
    "1",
    fraction,
  ),
  SHEAF_TOKEN_LIFETIME_SECONDS: setting("Lifetime of an access token.", "3600", integer(60, maxTokenLifetimeSeconds)),
  SHEAF_READING_PROCESSES: setting(
    "Child processes that read documents; each reads one document at a time.",
    String(Math.min(cores, 4)),
    integer(1, 64),
    "cores, at most 4",
  ),
  SHEAF_READING_MEMORY_MB: setting("Maximum memory of one reading process.", "1200", integer(256, 65_536)),
  SHEAF_READING_MAX_PAGES: setting("Maximum pages of a document.", "3000", integer(1, 100_000)),
  SHEAF_OCR_LANGUAGES: setting(
    "Languages for OCR as three-letter codes joined by `+`, most frequent first. Each language adds time. Built in: eng, deu, fra, spa, ita, nld, por and pol. If a page turns out to be in another built-in language, it is read again in that language.",
    "eng+deu+fra",
    languages,
  ),
  SHEAF_TESSERACT: optional(
    "Path of a `tesseract` program, version 5, used for OCR instead of the built-in one. It is faster, and supports the languages installed for it.",
    program,
  ),
  SHEAF_ENGINE_THREADS: setting(
    "Threads of the built-in engine.",
    String(Math.min(cores, 4)),
    integer(1, 64),
    "cores, at most 4",
  ),
  ENGINE: setting(
    "Default engine for extraction, answers and classification, unless the configuration of an agent chooses one: `builtin`, which needs no language model; `model`, the language model at MODEL_URL; `auto`, the model only if the built-in engine is not sure. Output of a model is kept only if it is found in the document.",
    "builtin",
    oneOf("builtin", "model", "auto"),
  ),
  MODEL_URL: optional(
    "Base URL of an OpenAI-compatible API, as in `http://localhost:11434/v1`: a vendor, vLLM, Ollama, llama.cpp.",
    url("http:", "https:"),
  ),
  MODEL_NAME: optional("Name of the model at the endpoint.", text),
  MODEL_API_KEY: optional("API key of the endpoint, if it needs one.", text),
  MODEL_VISION: setting(
    "Whether the model accepts images: on or off. If on, extraction sends it images of pages with poor OCR, at most 4 per request and 20 per document. A value read from an image is kept if it is similar to the OCR text.",
    "off",
    oneOf("on", "off"),
  ),
  MODEL_MAX_INPUT_TOKENS: setting(
    "Maximum tokens of one request to the model. Longer documents are sent in parts.",
    "24000",
    integer(1_000, 10_000_000),
  ),
  MODEL_MAX_OUTPUT_TOKENS: setting("Maximum tokens of one response of the model.", "8000", integer(100, 1_000_000)),
  MODEL_CONCURRENCY: setting("Maximum concurrent requests to the model.", "4", integer(1, 1_000)),
  MODEL_TIMEOUT_SECONDS: setting(
    "Maximum time for one response of the model, including retries.",
    "90",
    integer(1, 3600),
  ),
  MODEL_BUDGET_TOKENS: optional(
    "Tokens that an organization may use per calendar month (UTC), including embeddings and failed calls. They are reserved before each call, so that parallel calls and several processes never exceed the budget together. If it is exceeded, requests are refused with 403 `quota_exceeded`, or processed by the built-in engine if ENGINE is auto. Default: no limit.",
    integer(0, Number.MAX_SAFE_INTEGER),
  ),
  MODEL_TRANSCRIPT: optional(
    "Folder in which every request to the model and its response are recorded. The files contain the text of the documents.",
    (value) => resolve(value),
  ),
  MODEL_REPLAY: optional(
    "Folder of recorded requests and responses. They are replayed instead of calling the model.",
    (value) => resolve(value),
  ),
  EMBEDDING_MODEL: optional(
    "Name of an embedding model at its endpoint. If set, passages are found by meaning as well as by keywords. After a change of the model, all vectors are recomputed in the background; the old ones are used until then.",
    text,
  ),
  EMBEDDING_URL: optional(
    "Base URL of the OpenAI-compatible API of the embedding model. Default: MODEL_URL.",
    url("http:", "https:"),
  ),
  EMBEDDING_API_KEY: optional(
    "API key of the embedding endpoint. Default: MODEL_API_KEY if EMBEDDING_URL is not set.",
    text,
  ),
  SHEAF_EXTRACTION_TIMEOUT_SECONDS: setting(
    "Maximum time for one synchronous extraction, including reading.",
    "120",
    integer(1, 3600),
  ),
  SHEAF_EXTRACTION_QUEUE: setting(
    "Maximum synchronous extractions running or waiting. More are refused with 503 `agent_unavailable`.",
    String(50 * Math.min(cores, 4)),
    integer(1, 10_000),
    "50 per core, at most 200",
  ),
  SHEAF_ASYNC_TIMEOUT_SECONDS: setting(
    "Maximum time for one asynchronous extraction or classification, from its start.",
    "3600",
    integer(1, 86_400),
  ),
  SHEAF_ASYNC_QUEUE: setting(
    "Maximum unfinished asynchronous extractions and classifications of one organization. More are refused with 503 `agent_unavailable`.",
    "10000",
    integer(1, 1_000_000),
  ),
  SHEAF_OUTBOUND_ALLOW: setting(
    "Private addresses that webhooks, callbacks and requests to identity providers may reach: IP addresses and networks, separated by commas, as in `10.1.0.0/16,192.168.7.20`.",
    "",
    networks,
  ),
  SHEAF_OUTBOUND_HTTP: setting(
    "Whether the URLs of webhooks, callbacks and identity providers may begin with `http://`: on or off.",
    "off",
    oneOf("on", "off"),
  ),
  SHEAF_OUTBOUND_DNS: optional(
    "DNS servers for the host names of webhooks, callbacks and identity providers, separated by commas. Default: the DNS servers of the system.",
    commaSeparated,
  ),
  SHEAF_ANTIVIRUS: setting(
    "clamd that scans every file before it is stored or read: `clamd://host:port` or `clamd:///path/to/socket`. With `none`, files are not scanned.",
    "none",
    clamdAddress,
  ),
  SHEAF_ANTIVIRUS_TIMEOUT_SECONDS: setting(
    "Maximum time for one scan, including the wait for its turn. After that, the request is refused with 503 `antivirus_unavailable`.",
    "15",
    integer(1, 600),
  ),
  SHEAF_QUESTION_TIMEOUT_SECONDS: setting("Maximum time for one answer.", "60", integer(1, 3600)),
  SHEAF_QUESTION_QUEUE: setting(
    "Maximum concurrent questions. More are refused with 503 `agent_unavailable`.",
    "200",
    integer(1, 10_000),
  ),
  SHEAF_DOCUMENTALIST_STREAM: setting(
    "Whether the deprecated streaming of answers is served: on or off. If off, it responds with 410 `gone`.",
    "on",
    oneOf("on", "off"),
  ),
  SHEAF_STRIPE_WEBHOOK_SECRET: optional(
    "Signing secret of the Stripe webhook for subscriptions: see docs/subscriptions.md. Default: none, and the webhook responds with 404.",
    stripeSecret,
  ),
  SHEAF_STRIPE_PRICES: setting(
    "Plan of each Stripe price, separated by commas, as in `price_123:pro,price_456:team`.",
    "",
    stripePrices,
  ),
};
