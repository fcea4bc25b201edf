/** Every setting of the service with its doc string, its default and what it may be. */
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
  stripePrices,
  stripeSecret,
  text,
  token,
  url,
} from "./lib/setting-values.ts";
import { maxTokenLifetimeSeconds } from "./lib/token-keys.ts";

export interface Setting<T> {
  doc: string;
  /** Its value where it is not given. Undefined: none. */
  default: string | undefined;
  /** The default as the reference shows it, the same on every machine. */
  shownDefault: string | undefined;
  /** Another name that is read where it is not given: one that platforms set. */
  alias?: string;
  /** Throws an Error whose message completes "NAME …". */
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
    "Folder of the database, the stored files and the keys. Made at first start.",
    "data",
    (value) => resolve(value),
  ),
  SHEAF_KEYS_DIR: optional(
    "Folder of the signing and encryption keys, the same for every process of one installation. Default: `keys` in the data folder.",
    (value) => resolve(value),
  ),
  SHEAF_FILES_DIR: optional(
    "Folder of the stored documents, the same for every process of one installation. Default: `files` in the data folder.",
    (value) => resolve(value),
  ),
  SHEAF_INDEX_DIR: optional(
    "Folder of the search index, the same for every process of one installation. Default: `index` in the data folder.",
    (value) => resolve(value),
  ),
  SHEAF_TRASH_DAYS: setting(
    "Days that stored files without a row in the database are kept in the trash, the folder `.trash` in that of the stored documents, before they are removed.",
    "7",
    integer(1, 3650),
  ),
  DATABASE_URL: optional(
    "PostgreSQL database, `postgres://user:password@host:5432/name`. Default: SQLite in the data folder.",
    url("postgres:", "postgresql:"),
  ),
  SHEAF_DATABASE_CONNECTIONS: setting("PostgreSQL connections of this process at most.", "10", integer(2, 200)),
  SHEAF_HOST: setting("Address to listen on; `0.0.0.0` for every IPv4 interface, `::` for all.", "127.0.0.1", text),
  SHEAF_PORT: {
    ...setting(
      "Port to listen on; 0 for any free one. Where it is not set `PORT` is read, which many platforms give.",
      "8080",
      integer(0, 65535),
    ),
    alias: "PORT",
  },
  SHEAF_PUBLIC_URL: optional(
    "Address at which clients reach the service, as printed and in the OpenAPI document.",
    url("http:", "https:"),
  ),
  SHEAF_LOG_LEVEL: setting(
    "Least level that is logged: fatal, error, warn, info, debug or silent.",
    "info",
    oneOf<LogLevel>("fatal", "error", "warn", "info", "debug", "silent"),
  ),
  SHEAF_RATE_LIMIT: setting(
    "Requests a minute of one credential, at each process of the API; further ones answer 429 `rate_limited`. 0: no limit.",
    "6000",
    integer(0, 10_000_000),
  ),
  SHEAF_ADDRESS_RATE_LIMIT: setting(
    "Requests a minute of one address (IPv6: /64 network) where no token is needed, at each process of the API. A failed try to get a token or to sign in counts as 10. 0: no limit.",
    "600",
    integer(0, 10_000_000),
  ),
  SHEAF_TRUSTED_PROXIES: setting(
    "Proxies in front of the service, whose X-Forwarded-For header is believed: IP addresses and networks, joined by commas. Without it all clients behind a proxy count as one.",
    "",
    networks,
  ),
  SHEAF_MAX_CONNECTIONS: setting(
    "Connections at most. At the limit a new one takes the place of one without a request. Less where the system allows fewer open files.",
    "12000",
    integer(1, 1_000_000),
  ),
  SHEAF_MAX_ADDRESS_CONNECTIONS: optional(
    "Connections of one address (IPv6: /64 network) at most; further ones are closed. Trusted proxies may have more. Default: a quarter of all.",
    integer(1, 1_000_000),
  ),
  SHEAF_MAX_REQUESTS: setting(
    "Requests under way at most, shared fairly by organization; further ones answer 503 `agent_unavailable`.",
    "1000",
    integer(1, 1_000_000),
  ),
  SHEAF_MAX_UPLOADS: setting(
    "Uploads that are received or worked on at most, shared fairly by organization; further ones answer 503 `agent_unavailable`.",
    "300",
    integer(1, 1_000_000),
  ),
  SHEAF_METRICS_TOKEN: optional(
    "Token that has to be sent for `GET /metrics`, of 16 characters at least. Default: one that is made at first start, in the file `metrics.token` in the folder of the keys.",
    token,
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    "Collector that OpenTelemetry traces are sent to, by OTLP over HTTP as JSON, as in `http://localhost:4318`. Default: no traces.",
    url("http:", "https:"),
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(
    "The same with its whole path. Default: `/v1/traces` of the collector.",
    url("http:", "https:"),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: setting(
    "Headers for the collector, as in `authorization=Bearer%20abc,x-tenant=1`.",
    "",
    headers,
  ),
  OTEL_SERVICE_NAME: setting("Name of the service in traces.", "sheaf", text),
  OTEL_TRACES_SAMPLER_ARG: setting(
    "Part of the traces that begin at this service which is sent, 0 to 1. Those that a caller began go by its decision.",
    "1",
    fraction,
  ),
  SHEAF_TOKEN_LIFETIME_SECONDS: setting(
    "How long an access token is valid.",
    "3600",
    integer(60, maxTokenLifetimeSeconds),
  ),
  SHEAF_READING_PROCESSES: setting(
    "Child processes that read documents, one document at a time each.",
    String(Math.min(cores, 4)),
    integer(1, 64),
    "cores, at most 4",
  ),
  SHEAF_READING_MEMORY_MB: setting("Memory that one reading process may use.", "1200", integer(256, 65_536)),
  SHEAF_READING_MAX_PAGES: setting("Pages that a document may have.", "3000", integer(1, 100_000)),
  SHEAF_OCR_LANGUAGES: setting(
    "Languages of scans and pictures by their codes of three letters, joined by `+`, the most frequent first. Each one takes its time. Built in are eng, deu and fra.",
    "eng+deu+fra",
    languages,
  ),
  SHEAF_TESSERACT: optional(
    "Path of a `tesseract` program, version 5, that recognizes scans in place of the built-in one: faster, and with the languages that are installed for it.",
    program,
  ),
  SHEAF_ENGINE_THREADS: setting(
    "Threads of the built-in engine.",
    String(Math.min(cores, 4)),
    integer(1, 64),
    "cores, at most 4",
  ),
  ENGINE: setting(
    "What extracts data, answers questions and classifies, where the configuration of an agent does not say: `builtin`, which needs no language model; `model`, the language model of MODEL_URL alone; `auto`, the model where the built-in engine is not sure. What a model says is found again in the document or left out.",
    "builtin",
    oneOf("builtin", "model", "auto"),
  ),
  MODEL_URL: optional(
    "Base of an OpenAI-compatible API, as in `http://localhost:11434/v1`: a vendor's, vLLM, Ollama, llama.cpp.",
    url("http:", "https:"),
  ),
  MODEL_NAME: optional("The model, as the endpoint names it.", text),
  MODEL_API_KEY: optional("Key of the endpoint, where it wants one.", text),
  MODEL_VISION: setting(
    "Whether the model sees images: on or off. On, an extraction shows it pages whose text was recognized poorly, at most 4 a request and 20 a document. What it reads there counts where it is like the words that were recognized.",
    "off",
    oneOf("on", "off"),
  ),
  MODEL_MAX_INPUT_TOKENS: setting(
    "Tokens that one request to the model may hold; longer documents are sent in parts.",
    "24000",
    integer(1_000, 10_000_000),
  ),
  MODEL_MAX_OUTPUT_TOKENS: setting("Tokens that one answer of the model may have.", "8000", integer(100, 1_000_000)),
  MODEL_CONCURRENCY: setting("Requests to the model under way at once.", "4", integer(1, 1_000)),
  MODEL_TIMEOUT_SECONDS: setting(
    "Time that one answer of the model may take, with all attempts.",
    "90",
    integer(1, 3600),
  ),
  MODEL_BUDGET_TOKENS: optional(
    "Tokens that an organization may use per calendar month (UTC), embeddings and failed calls included. They are reserved before each call, so that parallel calls and several processes never exceed the budget together. Beyond it: 403 `quota_exceeded`, or the built-in engine if ENGINE is auto. Default: no limit.",
    integer(0, Number.MAX_SAFE_INTEGER),
  ),
  MODEL_TRANSCRIPT: optional(
    "Folder that every request to the model and its answer are written to. They hold what the documents hold.",
    (value) => resolve(value),
  ),
  MODEL_REPLAY: optional(
    "Folder of such a transcript: the model is answered for from there, without network.",
    (value) => resolve(value),
  ),
  EMBEDDING_MODEL: optional(
    "An embedding model, as its endpoint names it: passages are then found by their meaning too, beside their words. Another model makes all vectors anew in the background; those of the one before serve meanwhile.",
    text,
  ),
  EMBEDDING_URL: optional(
    "Base of the OpenAI-compatible API of the embedding model. Default: MODEL_URL.",
    url("http:", "https:"),
  ),
  EMBEDDING_API_KEY: optional("Key of that endpoint. Default: MODEL_API_KEY where EMBEDDING_URL is not set.", text),
  SHEAF_EXTRACTION_TIMEOUT_SECONDS: setting(
    "Time that one synchronous extraction may take, reading included.",
    "120",
    integer(1, 3600),
  ),
  SHEAF_EXTRACTION_QUEUE: setting(
    "Synchronous extractions under way or waiting at most; further ones answer 503 `agent_unavailable`.",
    String(50 * Math.min(cores, 4)),
    integer(1, 10_000),
    "50 for each core, at most 200",
  ),
  SHEAF_ASYNC_TIMEOUT_SECONDS: setting(
    "Time that one asynchronous extraction or classification may take, once it has begun.",
    "3600",
    integer(1, 86_400),
  ),
  SHEAF_ASYNC_QUEUE: setting(
    "Asynchronous extractions and classifications of one organization that have not ended at most; further ones answer 503 `agent_unavailable`.",
    "10000",
    integer(1, 1_000_000),
  ),
  SHEAF_OUTBOUND_ALLOW: setting(
    "Addresses that webhooks and callbacks may reach although they are not public: IP addresses and networks, joined by commas, as in `10.1.0.0/16,192.168.7.20`.",
    "",
    networks,
  ),
  SHEAF_OUTBOUND_HTTP: setting(
    "Whether webhooks and callbacks may be `http://` URLs: on or off.",
    "off",
    oneOf("on", "off"),
  ),
  SHEAF_OUTBOUND_DNS: optional(
    "DNS servers for the names of webhooks and callbacks, joined by commas. Default: those of the system.",
    commaSeparated,
  ),
  SHEAF_ANTIVIRUS: setting(
    "The clamd that scans every file before it is kept or read: `clamd://host:port` or `clamd:///path/to/socket`. With `none` files are not scanned.",
    "none",
    clamdAddress,
  ),
  SHEAF_ANTIVIRUS_TIMEOUT_SECONDS: setting(
    "Time that one scan may take, with the waiting before it; then 503 `antivirus_unavailable` is answered.",
    "15",
    integer(1, 600),
  ),
  SHEAF_QUESTION_TIMEOUT_SECONDS: setting("Time that one answer may take.", "60", integer(1, 3600)),
  SHEAF_QUESTION_QUEUE: setting(
    "Questions under way at most; further ones answer 503 `agent_unavailable`.",
    "200",
    integer(1, 10_000),
  ),
  SHEAF_DOCUMENTALIST_STREAM: setting(
    "Whether the deprecated stream of answers is served: on or off. Off, it answers 410 `gone`.",
    "on",
    oneOf("on", "off"),
  ),
  SHEAF_STRIPE_WEBHOOK_SECRET: optional(
    "Signing secret of the webhook through which Stripe tells of subscriptions: see docs/subscriptions.md. Default: none, and the webhook answers 404.",
    stripeSecret,
  ),
  SHEAF_STRIPE_PRICES: setting(
    "The plan that each price of Stripe stands for, joined by commas, as in `price_123:pro,price_456:team`.",
    "",
    stripePrices,
  ),
};
