import type { FastifyReply, FastifyRequest } from "fastify";
import type { ExecutionResult } from "graphql";
import { DomainError } from "../../core/errors/domain-error.js";
import { MAX_PAGE_SIZE } from "../../core/lists/list-page.js";
import { changesName } from "../../engine/audit/journal-news.js";
import { rootCause } from "../../engine/errors/present.js";
import type { PreparedOperation } from "../../engine/execution/documents.js";
import type { FollowedQuery } from "../../engine/execution/followed-query.js";
import type { Request } from "../../engine/request/request.js";
import type { Variables } from "../../engine/schema/root-operations.js";
import {
  EventRoute,
  type EventRouteOptions,
  type Feed,
  type Rights,
  type Seen,
} from "../http/event-route.js";
import { seenOnPage, type JournalPage } from "../http/journal-page.js";
import { dataOf } from "../rest/result-data.js";
import { graphqlError } from "./graphql-refusal.js";
import { nameOperation } from "./trace-operations.js";

/** The cursor of what comes from now on. */
const NOW = "now";

/** A subscription that somebody asks for. */
interface Asked {
  readonly operation: PreparedOperation;
  readonly followed: FollowedQuery;
  readonly variables: Variables;
}

/**
 * What a subscription sends: events as the protocol "GraphQL over Server-Sent Events" has them in its distinct connections mode
 * (https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md), with the cursor of each change as id.
 */
class Subscription implements Feed {
  constructor(private readonly options: Asked) {}

  newsName(companyId: number): string {
    return changesName(companyId);
  }

  async look(
    request: FastifyRequest,
    asked: Request,
    place: string | null,
    before: Rights | null = null,
  ): Promise<Seen> {
    const { operation, followed, variables } = this.options;
    const { after } = followed.argumentsOf(variables);
    const begin = place ?? (typeof after === "string" ? after : NOW);
    const pageOf = (first: number): Variables => followed.page(variables, { after: begin, first });
    const result = await operation.run(asked, pageOf(MAX_PAGE_SIZE));
    const page = pageIn(result, followed);
    const { length } = page.edges;
    if (length > 0)
      await request.account.charge(operation.assertAffordable(pageOf(length), request.turn).requested);
    return seenOnPage(
      page,
      { bounds: asked.admissions.boundsOfCaller(), before },
      {
        event: "next",
        dataOf: (node) => ({ data: { [followed.key]: node } }),
        last: (refusal) => [
          { id: null, event: "next", data: { errors: [graphqlError(refusal)] } },
          { id: null, event: "complete", data: null },
        ],
      },
    );
  }
}

/** @throws the first error of the result, with its fields under the names that they have as arguments of the subscription. */
function pageIn(result: ExecutionResult, { key }: FollowedQuery): JournalPage {
  try {
    return dataOf(result)[key] as JournalPage;
  } catch (error) {
    const cause = rootCause(error);
    if (!(cause instanceof DomainError) || cause.errors === undefined) throw error;
    const errors = cause.errors.map((wrong) => ({ ...wrong, field: wrong.field.replace(/^filter\./u, "") }));
    throw new DomainError(cause.code, cause.message, { errors, cause });
  }
}

/** Answers a subscription by events. */
export function answerSubscription(
  request: FastifyRequest,
  reply: FastifyReply,
  { asked, subscription, streaming }: { asked: Request; subscription: Asked; streaming: EventRouteOptions },
): Promise<FastifyReply> {
  const { operation, followed, variables } = subscription;
  nameOperation(request.trace, operation.rootNames, operation.name);
  const companyId = Number(followed.argumentsOf(variables)["companyId"]);
  return new EventRoute(new Subscription(subscription), streaming).answer(request, reply, {
    asked,
    companyId,
  });
}
