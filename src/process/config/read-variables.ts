import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { readEcKeys, type EcKey } from "../../core/access/signing-keys.js";
import { readSecretKey } from "../../engine/secrets/secret-keys.js";
import { fileURLToPath, pathToFileURL } from "node:url";
import { hostUrls, TARGET } from "../../engine/connections/hosts.js";
import { replicaName } from "../../engine/connections/replica-link.js";
import { S3_PARAMETERS } from "../../engine/storage/open-storage.js";
import { isUrl, type VariableReader } from "./variable-reader.js";
import { canBeWritten } from "./writable-directory.js";

/** Reads the address to listen on: an IP address, or the name of a host. */
export function readHost(read: VariableReader): string {
  const host = read.text("HOST") ?? "127.0.0.1";
  if (isIP(host) === 0 && !isHostName(host))
    read.wrong("HOST", `must be an IP address or the name of a host, is ${JSON.stringify(host)}`);
  return host;
}

/**
 * Returns whether the text is a name by RFC 1123; underscores are allowed as well, since names of containers have them. A
 * last label of digits alone would make it an IPv4 address.
 */
function isHostName(text: string): boolean {
  const labels = text.split(".");
  return (
    text.length <= 253 &&
    labels.every((label) => /^\w(?:[\w-]{0,61}\w)?$/u.test(label)) &&
    !/^\d+$/u.test(labels.at(-1) as string)
  );
}

const POSTGRES = ["postgresql:", "postgres:"];
const POSTGRES_PARTS = "must name a host and a database, such as postgresql://user@host/database";

/** What `target_session_attrs` may be. */
const TARGETS = ["read-write", "primary"];

/** Returns the URL, which may name several hosts; `null` when the variable is not set. */
export function readDatabaseUrl(
  read: VariableReader,
  name: "DATABASE_URL" | "DATABASE_DIRECT_URL" = "DATABASE_URL",
): string | null {
  const text = read.text(name);
  const urls = hostUrls(text ?? "");
  if (text === null || urls.length === 1) return readOneHost(read, name);
  if (!urls.every((url) => isUrl(url, POSTGRES) && namesDatabase(url))) {
    read.wrong(name, POSTGRES_PARTS);
    return null;
  }
  const target = new URL(urls[0] ?? text).searchParams.get(TARGET);
  if (target !== null && !TARGETS.includes(target))
    read.wrong(name, `is the server that is written to: ${TARGET} must be ${TARGETS.join(" or ")}`);
  return text;
}

function readOneHost(read: VariableReader, name: string): string | null {
  const url = read.url(name, POSTGRES, "secret");
  if (url !== null && !namesDatabase(url)) read.wrong(name, POSTGRES_PARTS);
  return url;
}

/** Returns the URLs of the replicas, none when the variable is not set. */
export function readReplicaUrls(read: VariableReader): string[] {
  const urls = read.urls("DATABASE_REPLICA_URLS", POSTGRES);
  if (!urls.every(namesDatabase)) read.wrong("DATABASE_REPLICA_URLS", `each ${POSTGRES_PARTS}`);
  const names = urls.map(replicaName);
  const twice = names.find((name, place) => names.indexOf(name) < place);
  if (twice !== undefined)
    read.wrong("DATABASE_REPLICA_URLS", `must name each replica once, and ${twice} twice`);
  return urls;
}

/**
 * Returns whether the URL names a database. The host may stand among the parameters, which is how the folder of a socket is
 * named.
 */
function namesDatabase(url: string): boolean {
  const { host, pathname, searchParams } = new URL(url);
  return (host !== "" || Boolean(searchParams.get("host"))) && pathname.length > 1;
}

const WEB = ["https:", "http:"];
const S3_EXAMPLE = "such as s3://bucket?endpoint=https://host&region=us-east-1";

/** Reads the hosts that pictures may be fetched from although they are not public. */
export function readFetchAllow(read: VariableReader): string[] {
  const hosts = (read.text("FETCH_ALLOW")?.split(",") ?? []).map((host) => host.trim().toLowerCase());
  const isHost = (host: string): boolean => {
    const port = Number(/^(?:[\w.-]+|\[[0-9a-f:.]+\]):(\d{1,5})$/u.exec(host)?.[1]);
    return port >= 1 && port <= 65_535;
  };
  if (!hosts.every(isHost))
    read.wrong(
      "FETCH_ALLOW",
      "must be host:port, or several with commas between, such as media.internal:8080",
    );
  return hosts;
}

/**
 * Reads where files are stored.
 *
 * @param directory is for files when the variable is not set.
 */
export function readStorageUrl(read: VariableReader, directory: string): string {
  const url = read.url("STORAGE_URL", ["file:", "s3:"], "secret") ?? pathToFileURL(directory).href;
  const problem = url.startsWith("s3:") ? problemOfBucket(new URL(url)) : problemOfDirectory(url);
  if (problem !== null && read.has("STORAGE_URL")) read.wrong("STORAGE_URL", problem);
  return url;
}

/** The messages never repeat the URL, which may hold a password. */
function problemOfBucket({ host, port, pathname, username, password, searchParams }: URL): string | null {
  if (host === "") return `must name a bucket, ${S3_EXAMPLE}`;
  if (port !== "" || pathname.replace("/", "") !== "") return `must name a bucket alone, ${S3_EXAMPLE}`;
  if ((username === "") !== (password === "")) return "must have both parts of the credentials, or none";
  const unknown = [...searchParams.keys()].find((key) => !(S3_PARAMETERS as readonly string[]).includes(key));
  if (unknown !== undefined) return `knows the parameters ${S3_PARAMETERS.join(", ")} alone`;
  const wrong = ["endpoint", "public"].find(
    (key) => searchParams.has(key) && !isWebAddress(searchParams.get(key)),
  );
  if (wrong !== undefined) return `must have a URL that begins with http:// or https:// as ${wrong}`;
  const prefix = searchParams.get("public");
  return prefix === null || mayBeginLinks(prefix) ? null : `must have a URL as public without ${NO_PREFIX}`;
}

function isWebAddress(text: string | null): boolean {
  return text !== null && isUrl(text, WEB);
}

const NO_PREFIX = "a query, a fragment or credentials: links begin with it, such as https://shop.example";

/**
 * Returns the address that callers know, without a slash at its end; `null` when the variable is not set. Messages never repeat
 * credentials.
 */
export function readPublicUrl(read: VariableReader): string | null {
  const url = read.url("PUBLIC_URL", WEB);
  if (url !== null && !mayBeginLinks(url)) read.wrong("PUBLIC_URL", `must be without ${NO_PREFIX}`);
  return url?.replace(/\/+$/u, "") ?? null;
}

/** Returns whether a path after the URL makes the URL of that path, which shows no password. */
function mayBeginLinks(url: string): boolean {
  const { username, password } = new URL(url);
  return !/[?#]/u.test(url) && username === "" && password === "";
}

function problemOfDirectory(url: string): string | null {
  try {
    if (canBeWritten(fileURLToPath(url))) return null;
  } catch {
    // A URL with a host names no directory.
  }
  return "must name a directory that can be written to, such as file:///var/lib/shop/files";
}

/** A secret of access tokens has at least so many bytes. */
export const LEAST_SECRET_BYTES = 32;

/**
 * Returns the secrets of access tokens, the first of which signs; of several, separated by commas, each is long enough. Messages
 * never repeat them.
 *
 * @param required says whether the variable has to be set.
 */
export function readJwtSecrets(read: VariableReader, required: boolean): string[] {
  const text = read.text("JWT_SECRET");
  if (text === null) {
    if (required)
      read.wrong("JWT_SECRET", `is required when NODE_ENV=production, at least ${LEAST_SECRET_BYTES} bytes`);
    return [];
  }
  const parts = text.split(",").map((part) => part.trim());
  const isList = parts.length > 1;
  for (const [place, part] of parts.entries()) {
    const bytes = Buffer.byteLength(part);
    const where = isList ? ` in part ${place + 1} of ${parts.length}: a secret holds no comma` : "";
    if (bytes < LEAST_SECRET_BYTES)
      read.wrong("JWT_SECRET", `must have at least ${LEAST_SECRET_BYTES} bytes, has ${bytes}${where}`);
  }
  // The whole text goes on as one, too, since it may have been one before there were several.
  return isList ? [...parts, text] : parts;
}

/** Returns the keys of ES256, the first of which signs unless it is a public one. */
export function readJwtPrivateKey(read: VariableReader): EcKey[] {
  const text = read.text("JWT_PRIVATE_KEY");
  const keys = text === null ? [] : readEcKeys(text);
  if (keys === null)
    read.wrong("JWT_PRIVATE_KEY", "must be a private key of the curve P-256 in PEM, and may be several");
  return keys ?? [];
}

const SECRETS_KEY_FORM = "32 bytes in base64 or hexadecimal digits";

/**
 * Returns the keys of stored secrets, the first of which encrypts; `null` when the variable is not set. Messages never
 * repeat them.
 *
 * @param required says whether the variable has to be set.
 */
export function readSecretsKeys(read: VariableReader, required: boolean): Uint8Array[] | null {
  const text = read.text("SECRETS_KEY");
  if (text === null) {
    if (required)
      read.wrong("SECRETS_KEY", `is required in production without JWT_SECRET, ${SECRETS_KEY_FORM}`);
    return null;
  }
  const keys = text.split(",").map((part) => readSecretKey(part.trim()));
  if (keys.includes(null))
    read.wrong("SECRETS_KEY", `must be ${SECRETS_KEY_FORM}, several keys separated by commas`);
  return keys.filter((key): key is Uint8Array => key !== null);
}

/** Returns the token of `/metrics`, `null` when the variable is not set. Messages never repeat it. */
export function readMetricsToken(read: VariableReader): string | null {
  const token = read.text("METRICS_TOKEN");
  if (token !== null && !/^[\w.~+/=-]{16,}$/u.test(token))
    read.wrong("METRICS_TOKEN", "must have at least 16 letters, digits or characters of - . _ ~ + / =");
  return token;
}

/**
 * Returns the origins that browsers may call from: every origin unless the variable is set, none when it is `off`.
 */
export function readCorsOrigin(read: VariableReader): "*" | string[] {
  const text = read.text("CORS_ORIGIN") ?? "*";
  if (text === "*") return "*";
  if (text === "off") return [];
  const origins = text.split(",").map((origin) => origin.trim());
  const wrong = origins.filter((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (wrong.length > 0) {
    read.wrong(
      "CORS_ORIGIN",
      'must be "*", "off" or origins such as https://shop.example separated by commas',
    );
  }
  return origins;
}

/** The variables of OpenTelemetry that say where traces go. */
const TRACES_TO = [
  "OTEL_TRACES_EXPORTER",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
];

const PROTOCOLS = ["grpc", "http/protobuf", "http/json"] as const;
const EXPORTERS = ["otlp", "console", "zipkin", "none"];
const RATIOS = ["traceidratio", "parentbased_traceidratio"];
const SAMPLERS = ["always_on", "always_off", "parentbased_always_on", "parentbased_always_off", ...RATIOS];

/** Returns whether the variables of OpenTelemetry say that traces are sent; it would pass over those that are wrong without a word. */
export function readTracing(read: VariableReader): boolean {
  const isDisabled = read.text("OTEL_SDK_DISABLED")?.toLowerCase() === "true";
  const isNowhere = read.text("OTEL_TRACES_EXPORTER") === "none";
  const isOn = TRACES_TO.some((name) => read.has(name)) && !isDisabled && !isNowhere;
  if (isOn) checkTracing(read);
  return isOn;
}

function checkTracing(read: VariableReader): void {
  const [own, common] = ["TRACES_", ""].map((kind) => ({
    endpoint: `OTEL_EXPORTER_OTLP_${kind}ENDPOINT`,
    protocol: read.oneOf(`OTEL_EXPORTER_OTLP_${kind}PROTOCOL`, PROTOCOLS, "http/protobuf"),
  })) as [TracesTo, TracesTo];
  const { protocol } = read.has("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") ? own : common;
  // gRPC takes other forms as well.
  if (protocol !== "grpc")
    for (const { endpoint } of [own, common]) read.url(endpoint, ["https:", "http:"], "secret");
  const exporters = read.text("OTEL_TRACES_EXPORTER")?.split(",") ?? [];
  if (!exporters.every((exporter) => EXPORTERS.includes(exporter.trim())))
    read.wrong(
      "OTEL_TRACES_EXPORTER",
      `must be one of ${EXPORTERS.join(", ")}, or several with commas between`,
    );
  const sampler = read.oneOf("OTEL_TRACES_SAMPLER", SAMPLERS, "parentbased_always_on");
  const ratio = read.text("OTEL_TRACES_SAMPLER_ARG");
  if (RATIOS.includes(sampler) && ratio !== null && !(Number(ratio) >= 0 && Number(ratio) <= 1))
    read.wrong("OTEL_TRACES_SAMPLER_ARG", `must be a number from 0 to 1, is ${JSON.stringify(ratio)}`);
}

interface TracesTo {
  readonly endpoint: string;
  readonly protocol: (typeof PROTOCOLS)[number];
}

/** Returns the proxies that are trusted, none unless the variable is set. */
export function readTrustProxy(read: VariableReader): boolean | number | string[] {
  const text = read.text("TRUST_PROXY") ?? "off";
  if (text === "on" || text === "off") return text === "on";
  if (/^[1-9]\d?$/u.test(text)) return Number(text);
  const addresses = text.split(",").map((address) => address.trim());
  if (!addresses.every(isAddressOrNetwork)) {
    read.wrong(
      "TRUST_PROXY",
      'must be "off", "on", a number of hops or addresses such as 10.0.0.0/8 separated by commas',
    );
  }
  return addresses;
}

function isAddressOrNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/u.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Returns the absolute path of a file that exists, `null` when the variable is not set. */
export function readSafelist(read: VariableReader): string | null {
  const path = read.text("SAFELIST");
  if (path === null) return null;
  if (!existsSync(path)) read.wrong("SAFELIST", `must be a file, ${JSON.stringify(path)} is not there`);
  return resolve(path);
}
