import { Agent, request } from "node:http";

/** The answer to a request: the codes of its errors, none when it was done. */
export interface Answer {
  readonly httpStatus: number;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly codes: readonly string[];
  /** The messages that belong to the codes. */
  readonly messages: readonly string[];
  /** The statuses that belong to the codes. */
  readonly statuses: readonly number[];
}

/** Sends GraphQL requests to one service process. */
export class Door {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(private readonly url: string) {}

  /** Runs a GraphQL document over HTTP. */
  run(token: string, query: string, variables: object): Promise<Answer> {
    const body = JSON.stringify({ query, variables });
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    };
    return new Promise((resolve, reject) => {
      const sent = request(
        `${this.url}/graphql`,
        { method: "POST", agent: this.agent, headers },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () =>
            resolve(answerOf(response.statusCode ?? 0, Buffer.concat(chunks).toString())),
          );
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

function answerOf(httpStatus: number, text: string): Answer {
  const { errors = [], data = null } = parse(text);
  return {
    httpStatus,
    data,
    codes: errors.map(({ extensions }) => extensions?.code ?? "NO_CODE"),
    messages: errors.map(({ message }) => message ?? ""),
    statuses: errors.map(({ extensions }) => extensions?.status ?? 500),
  };
}

interface Body {
  readonly data?: Answer["data"];
  readonly errors?: readonly {
    readonly message?: string;
    readonly extensions?: { readonly code?: string; readonly status?: number };
  }[];
}

function parse(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return { errors: [{ extensions: { code: "NOT_JSON", status: 500 } }] };
  }
}
