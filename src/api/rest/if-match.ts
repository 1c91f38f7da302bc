import type { FastifyRequest } from "fastify";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { presentError } from "../../engine/errors/present.js";
import type { PreparedOperation } from "../../engine/execution/documents.js";
import type { Request } from "../../engine/request/request.js";
import type { Precondition, Run } from "../../engine/request/run.js";
import type { Query } from "./bind-query.js";
import { etagOf, readBody, rowTag, tagsOf } from "./conditional-reply.js";
import type { RestRoute } from "./rest-route.js";
import { dataOf } from "./result-data.js";
import { markOf, queryOf, textOf } from "./view.js";
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
 * Returns what `If-Match` asks for: that the row is as it was when an ETag was made of it, or that the resource is answered
 * as it was then.
 *
 * @param model the model of the row that the request changes.
 * @param show answers the resource that the request changes; `null` when no route does.
 * @param includesDeleted whether the change is of a deleted row.
 */
export function ifMatch(
  { request, asked }: { request: FastifyRequest; asked: Request },
  { model, show, includesDeleted }: { model: ModelName; show: Show | null; includesDeleted: boolean },
): Precondition | null {
  const header = request.headers["if-match"];
  const tags = header === undefined ? null : tagsOf(header);
  if (tags === null) return null;
  const views = new Set(tags.map(textOf).filter((view) => view !== null));
  const fields = show === null ? null : fieldsToName(show.route, request);
  return {
    fields: [...(fields?.values() ?? [])],
    holds: async (inside, row) => {
      if (tags.includes(rowTag(model, row).slice(2))) return true;
      if (show === null) return false;
      const variables: Record<string, unknown> =
        fields === null
          ? show.pathVariables(request)
          : Object.fromEntries([...fields].map(([parameter, field]) => [parameter, row[field]]));
      if (includesDeleted && show.route.variables.has("withDeleted")) variables["withDeleted"] = true;
      for (const view of [...views].slice(0, MOST_VIEWS)) {
        const body = await answerAgain(show, {
          asked,
          inside,
          variables,
          view,
          isElsewhere: fields !== null,
        });
        if (body !== null && tags.includes(etagOf(readBody(body), markOf(view)).slice(2))) return true;
      }
      return false;
    },
  };
}

/** The fields of the row that name it to the route which shows it; `null` when the path of the request does so already. */
function fieldsToName(route: RestRoute, { params }: FastifyRequest): ReadonlyMap<string, string> | null {
  const isNamed = route.pathParameters.every((name) => name in (params as object));
  return isNamed ? null : route.rowFields;
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
    isElsewhere,
  }: {
    asked: Request;
    inside: Run;
    variables: Readonly<Record<string, unknown>>;
    view: string;
    isElsewhere: boolean;
  },
): Promise<string | null> {
  const { runtime, admissions } = inside;
  try {
    const query = queryOf(view);
    if (query === null) return null;
    const operation = show.answering(query);
    operation.assertAffordable(variables, asked.turn);
    const result = await operation.run({ ...asked, runtime, admissions }, variables);
    return JSON.stringify(show.route.flattened(dataOf(result)[show.route.root]));
  } catch (error) {
    const { code } = presentError(error);
    // A row that is shown under another path is there, as it is locked: a deleted company has no domain any more.
    if (!NOT_TO_HAVE.has(code) && !(isElsewhere && code === "NOT_FOUND")) throw error;
    return null;
  }
}
