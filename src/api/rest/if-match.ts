import type { FastifyRequest } from "fastify";
import { presentError } from "../../engine/errors/present.js";
import type { PreparedOperation } from "../../engine/execution/documents.js";
import type { Request } from "../../engine/request/request.js";
import type { Precondition, Run } from "../../engine/request/run.js";
import type { Query } from "./bind-query.js";
import { etagOf, tagsOf, viewOf } from "./conditional-reply.js";
import type { RestRoute } from "./rest-route.js";
import { dataOf } from "./result-data.js";
import type { WrongParameters } from "./wrong-parameters.js";

/** Answers one resource. */
interface Show {
  readonly route: RestRoute;
  pathVariables(request: FastifyRequest): Record<string, unknown>;
  answering(query: Query): PreparedOperation;
}

/** The most ETags of a header that are looked at; each may take a read. */
const MOST_VIEWS = 4;

/** `*`, or ETags with commas between (RFC 9110 §8.8.3). */
const READABLE = /^\s*(?:\*|(?:W\/)?"[^"\s]*"(?:\s*,\s*(?:W\/)?"[^"\s]*")*)\s*$/u;

/** Notes an `If-Match` that holds no ETags: no resource could ever fit it. */
export function noteUnreadable({ headers }: FastifyRequest, wrong: WrongParameters): void {
  const header = headers["if-match"];
  if (header !== undefined && !READABLE.test(header))
    wrong.add("If-Match", "format", 'must be * or ETags as they were answered, such as W/"…"');
}

/**
 * Returns what `If-Match` asks for: that the resource is answered as it was when one of the ETags was made.
 *
 * @param show answers the resource that the request changes.
 * @param includesDeleted whether the change is of a deleted row.
 */
export function ifMatch(
  show: Show,
  { request, asked, includesDeleted }: { request: FastifyRequest; asked: Request; includesDeleted: boolean },
): Precondition | null {
  const header = request.headers["if-match"];
  const tags = header === undefined ? null : tagsOf(header);
  const target = show.route.shownRow;
  if (tags === null || target === null) return null;
  const variables = show.pathVariables(request);
  if (includesDeleted && show.route.variables.has("withDeleted")) variables["withDeleted"] = true;
  const views = new Set(tags.map(viewOf).filter((view) => view !== null));
  const id = show.route.argumentsOf(variables)[target.argument] as number;
  return {
    model: target.model,
    idOf: () => id,
    holds: async (inside) => {
      for (const view of [...views].slice(0, MOST_VIEWS)) {
        const body = await answerAgain(show, { asked, inside, variables, view });
        if (body !== null && tags.includes(etagOf(body, view).slice(2))) return true;
      }
      return false;
    },
  };
}

/** Refusals of a view that the caller may not have, or that no resource has. */
const NOT_TO_HAVE: ReadonlySet<string> = new Set(["FORBIDDEN", "BAD_REQUEST"]);

/** Answers the resource over the transaction of the change; `null` when the caller may not have it. */
async function answerAgain(
  show: Show,
  {
    asked,
    inside,
    variables,
    view,
  }: { asked: Request; inside: Run; variables: Readonly<Record<string, unknown>>; view: string },
): Promise<string | null> {
  const { runtime, admissions } = inside;
  try {
    const query = queryOf(view);
    if (query === null) return null;
    const operation = show.answering(query);
    operation.assertAffordable(variables);
    const result = await operation.run({ ...asked, runtime, admissions }, variables);
    return JSON.stringify(show.route.flattened(dataOf(result)[show.route.root]));
  } catch (error) {
    if (!NOT_TO_HAVE.has(presentError(error).code)) throw error;
    return null;
  }
}

/** Writes what a request wants of a resource, as its ETag names it; empty for the whole resource. */
export function viewOfQuery({ load, fields }: Query): string {
  return load === undefined && fields === undefined ? "" : JSON.stringify([load ?? null, fields ?? null]);
}

/** Reads a view; `null` for a text that this service has not written. */
function queryOf(view: string): Query | null {
  if (view === "") return {};
  try {
    const [load, fields] = JSON.parse(view) as unknown[];
    return { ...(load != null && { load }), ...(fields != null && { fields }) };
  } catch {
    return null;
  }
}
