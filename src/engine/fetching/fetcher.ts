import { lookup as lookUp, type LookupAddress } from "node:dns";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { promisify } from "node:util";
import {
  OutboundFailed,
  type Outbound,
  type OutboundAnswer,
  type OutboundMessage,
} from "../../core/outbound.js";
import { isPublicAddress } from "./public-address.js";

const MOST_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MOST_HEADER_BYTES = 16_384;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** What callers learn of an address that is not sent to: more may reveal the operator's network. */
const NOT_PUBLIC = "is no public address of https";

/** Finds the addresses of a name. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

export interface FetcherOptions {
  /** Hosts that may be fetched from whatever their address and port, as `host:port`. */
  readonly allow: readonly string[];
  /** The operating system's by default. */
  readonly resolve?: Resolve;
}

/** Nothing could be fetched. The reason is for the log alone: it may reveal the operator's network. */
export class FetchFailed extends Error {
  override readonly name = "FetchFailed";
}

/**
 * Fetches from addresses that callers name. It connects to public addresses alone, at every redirect, and to those very
 * addresses that it has looked at: a name is looked up once for each connection, so that it cannot lead elsewhere later.
 * No proxy is asked, and no cookies or credentials are sent.
 */
export class Fetcher implements Outbound {
  private readonly allow: ReadonlySet<string>;
  private readonly resolve: Resolve;

  constructor({ allow, resolve = resolveAll }: FetcherOptions) {
    this.allow = new Set(allow);
    this.resolve = resolve;
  }

  /**
   * Fetches what a URL leads to.
   *
   * @param options.milliseconds is how long all of it may take, reading included.
   * @param options.accept are the types that are asked for; what comes may be anything.
   * @param options.traceParent names the trace of which it is a part; `null` for none.
   * @param read takes the bytes, as they were before any transfer; an error of its own is passed on.
   * @throws FetchFailed.
   */
  async fetch<T>(
    url: string,
    {
      milliseconds,
      accept,
      traceParent = null,
    }: { milliseconds: number; accept: string; traceParent?: string | null },
    read: (body: IncomingMessage) => Promise<T>,
  ): Promise<T> {
    const signal = AbortSignal.timeout(milliseconds);
    let next = url;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const headers = {
        accept,
        "accept-encoding": "identity",
        "user-agent": "PictureFetcher/1",
        ...(traceParent !== null && { traceparent: traceParent }),
      };
      const response = await this.ask(new URL(next), { method: "GET", headers }, signal);
      const { statusCode = 0 } = response;
      if (statusCode === 200) return readWhole(response, signal, read);
      response.destroy();
      const { location } = response.headers;
      if (!REDIRECTS.has(statusCode) || location === undefined)
        throw new FetchFailed(`the answer was ${statusCode}`);
      if (!URL.canParse(location, next)) throw new FetchFailed("the redirect leads nowhere");
      next = new URL(location, next).href;
    }
    throw new FetchFailed("there were too many redirects");
  }

  async objection(text: string, milliseconds: number): Promise<string | null> {
    const url = new URL(text);
    try {
      this.assertSecure(url);
      await within(AbortSignal.timeout(milliseconds), this.addressesOf(url));
      return null;
    } catch (error) {
      // A look-up that finds nothing, or not in time, may find something later, and each message is judged by itself.
      return (error as FetchFailed).cause === undefined ? NOT_PUBLIC : null;
    }
  }

  async post(
    text: string,
    { headers, body, milliseconds, mostBytes, signal: ending }: OutboundMessage,
  ): Promise<OutboundAnswer> {
    const timeout = AbortSignal.timeout(milliseconds);
    const signal = AbortSignal.any([timeout, ending]);
    try {
      const url = new URL(text);
      this.assertSecure(url);
      const request = { method: "POST", headers: { ...headers, "accept-encoding": "identity" }, body };
      const response = await this.ask(url, request, signal);
      return { status: response.statusCode ?? 0, text: await beginningOf(response, mostBytes) };
    } catch (error) {
      if (timeout.aborted) throw new OutboundFailed("timeout", `no answer within ${milliseconds} ms`);
      const { cause } = error as FetchFailed;
      const { code } = (cause ?? {}) as NodeJS.ErrnoException;
      if (cause === undefined) throw new OutboundFailed("address", NOT_PUBLIC);
      throw new OutboundFailed("connection", `no answer came${code === undefined ? "" : ` (${code})`}`);
    }
  }

  /** @throws FetchFailed for what would go over the network as plain text. */
  private assertSecure({ protocol, host }: URL): void {
    if (protocol !== "https:" && !(protocol === "http:" && this.allow.has(host)))
      throw new FetchFailed("only https is sent to");
  }

  private async ask(
    url: URL,
    { method, headers, body }: { method: string; headers: Record<string, string>; body?: string },
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const addresses = await within(signal, this.addressesOf(url));
    const request = url.protocol === "https:" ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const asked = request(url, {
        // An agent of its own keeps no connection, and knows no proxy.
        agent: false,
        method,
        headers,
        lookup: answering(addresses),
        maxHeaderSize: MOST_HEADER_BYTES,
        signal,
      });
      asked.once("response", (response) => {
        // Whoever reads it hears of its error, too.
        response.on("error", () => undefined);
        resolve(response);
      });
      asked.on("error", (error) => reject(failed(error)));
      // Nobody speaks another protocol over the connection.
      asked.once("upgrade", (_response, socket) => {
        socket.destroy();
        reject(new FetchFailed("the answer changes the protocol"));
      });
      asked.end(body);
    });
  }

  /** @throws FetchFailed for a URL that may not be fetched. */
  private async addressesOf(url: URL): Promise<readonly LookupAddress[]> {
    const { protocol, username, password } = url;
    const port = url.port === "" ? DEFAULT_PORTS[protocol] : url.port;
    const host = url.hostname.replace(/^\[|\]$/gu, "");
    if (port === undefined) throw new FetchFailed(`${protocol} is not fetched`);
    if (username !== "" || password !== "") throw new FetchFailed("the URL has credentials");
    const isAllowed = this.allow.has(`${url.hostname}:${port}`);
    if (!isAllowed && url.port !== "") throw new FetchFailed(`the port ${port} is not fetched from`);
    const family = isIP(host);
    const found = family === 0 ? await this.resolve(host) : [{ address: host, family }];
    const usable = isAllowed ? found : found.filter(({ address }) => isPublicAddress(address));
    if (usable.length === 0) throw new FetchFailed(`${host} has no public address`);
    return usable;
  }
}

const promisedLookup = promisify(lookUp);

const resolveAll: Resolve = (name) => promisedLookup(name, { all: true });

/** A lookup that answers the addresses that were looked at, whatever the name leads to by now. */
function answering(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, answer) => {
    const [{ address, family }] = addresses as [LookupAddress];
    if (all === true) answer(null, [...addresses]);
    else answer(null, address, family);
  };
}

async function readWhole<T>(
  response: IncomingMessage,
  signal: AbortSignal,
  read: (body: IncomingMessage) => Promise<T>,
): Promise<T> {
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  try {
    if (encoding !== "identity") throw new FetchFailed(`the answer is encoded by ${encoding}`);
    return await read(response);
  } catch (error) {
    throw signal.aborted || isOfConnection(error) ? failed(error) : error;
  } finally {
    response.destroy();
  }
}

/** Reads the first bytes of an answer. It may break off: the status says what there is to know. */
async function beginningOf(response: IncomingMessage, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= mostBytes) break;
    }
  } catch {
    // What has come is answered.
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks).subarray(0, mostBytes).toString();
}

function isOfConnection(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE" || code?.startsWith("HPE_") === true;
}

/** Waits for the work no longer than until the signal. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop: () => void = () => undefined;
  const ends = new Promise<never>((_resolve, reject) => {
    stop = () => reject(failed(signal.reason));
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([work, ends]);
  } catch (error) {
    throw failed(error);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function failed(error: unknown): FetchFailed {
  return error instanceof FetchFailed ? error : new FetchFailed(String(error), { cause: error });
}
