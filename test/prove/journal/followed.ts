/** The company that is changed and followed, and the ways to it. */
export interface Followed {
  readonly companyId: number;
  /** The URLs of the instances. */
  readonly urls: readonly string[];
  /** The URL of the owner of the tables. */
  readonly databaseUrl: string;
  readonly shopId: number;
  readonly branchId: number;
  readonly goodIds: readonly number[];
  readonly cityIds: readonly number[];
  /** Returns a token of the owner that is good for some minutes. */
  token(): Promise<string>;
}

/** Sends a request to one of the instances. @throws what `fetch` throws when no answer comes. */
export async function ask(
  { urls, token }: Pick<Followed, "urls" | "token">,
  turn: number,
  path: string,
  {
    body,
    headers = {},
    ...init
  }: { method?: string; body?: object; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  const isForm = body instanceof FormData;
  return fetch(`${urls[turn % urls.length]}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${await token()}`,
      ...(body !== undefined && !isForm && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
}
