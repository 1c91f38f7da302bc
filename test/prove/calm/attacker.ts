import { Agent, request } from "node:http";

/** A request over HTTP; a body that is neither text nor bytes is sent as JSON. */
export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  /** The status; that of the first error when a GraphQL answer has errors; 0 when no answer came. */
  readonly status: number;
  /** The rules of the wrong fields. */
  readonly rules: readonly string[];
  readonly bytes: number;
  /** The beginning of the body. */
  readonly text: string;
}

const PATIENCE_MS = 60_000;
const KEPT = 100_000;
const FAULT = /"status":5\d\d|INTERNAL_SERVER_ERROR/u;
const NO_ANSWER: Answer = { status: 0, rules: [], bytes: 0, text: "no answer" };

/** Sends requests with one token, and keeps only the beginning of their answers. */
export class Attacker {
  private readonly agent;

  /**
   * @param token is `null` for a stranger.
   * @param connection names the connections that are open at once, and the address that they come from.
   */
  constructor(
    readonly url: string,
    readonly token: string | null,
    connection: { readonly maxSockets?: number; readonly localAddress?: string } = {},
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: 64, ...connection });
  }

  graphql(query: string, variables: object = {}): Promise<Answer> {
    return this.ask({ method: "POST", path: "/graphql", body: { query, variables } });
  }

  ask({ method = "GET", path, body, headers = {} }: Asked): Promise<Answer> {
    const isWritten = typeof body === "string" || Buffer.isBuffer(body);
    const text = body === undefined ? "" : isWritten ? body : JSON.stringify(body);
    return new Promise((resolve) => {
      const sent = request(
        `${this.url}${path}`,
        {
          method,
          agent: this.agent,
          timeout: PATIENCE_MS,
          headers: {
            ...(this.token !== null && { authorization: `Bearer ${this.token}` }),
            ...(body !== undefined && {
              "content-type": "application/json",
              "content-length": Buffer.byteLength(text),
            }),
            ...headers,
          },
        },
        (response) => {
          let beginning = "";
          let bytes = 0;
          let isFault = false;
          response.setEncoding("utf8");
          response.on("data", (chunk: string) => {
            bytes += chunk.length;
            isFault ||= FAULT.test(chunk);
            if (beginning.length < KEPT) beginning += chunk;
          });
          response.on("error", () => resolve(NO_ANSWER));
          response.on("end", () => {
            const answer = answerOf(response.statusCode ?? 0, beginning, bytes, path.startsWith("/graphql"));
            resolve(isFault ? { ...answer, status: Math.max(answer.status, 500) } : answer);
          });
        },
      );
      sent.on("timeout", () => sent.destroy());
      sent.on("error", () => resolve(NO_ANSWER));
      sent.end(text);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

interface Told {
  readonly errors?: readonly (FieldRule & {
    readonly extensions?: { readonly status?: number; readonly errors?: readonly FieldRule[] };
  })[];
}

interface FieldRule {
  readonly rule?: string;
}

/** Resources of REST may have errors of their own, such as those of an import. */
function answerOf(httpStatus: number, text: string, bytes: number, isGraphql: boolean): Answer {
  const errors = told(text).errors ?? [];
  const [first] = errors;
  const wrong = first?.extensions === undefined ? errors : (first.extensions.errors ?? []);
  return {
    status:
      isGraphql && httpStatus === 200 && first !== undefined ? (first.extensions?.status ?? 500) : httpStatus,
    rules: wrong.flatMap(({ rule }) => rule ?? []),
    bytes,
    text,
  };
}

function told(text: string): Told {
  try {
    return (JSON.parse(text) as Told | null) ?? {};
  } catch {
    return {};
  }
}
