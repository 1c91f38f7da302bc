import type { FastifyRequest } from "fastify";
import { DomainError } from "../../core/errors/domain-error.js";
import { MAX_PAGE_SIZE } from "../../core/lists/list-page.js";
import { changesName } from "../../engine/audit/journal-news.js";
import type { PreparedOperation } from "../../engine/execution/documents.js";
import type { Request } from "../../engine/request/request.js";
import { readPaging, type Query } from "./bind-query.js";
import type { Feed, Rights, Seen } from "./event-route.js";
import { dataOf } from "./result-data.js";
import { RestHandler, type RestEngines } from "./rest-handler.js";
import type { RestRoute } from "./rest-route.js";
import { WrongParameters } from "./wrong-parameters.js";

/** The cursor of what comes from now on. */
const NOW = "now";

/** A page of the journal with the place of each change. */
interface Page {
  readonly types: readonly string[];
  readonly edges: readonly { readonly cursor: string; readonly node: object }[];
  readonly page_info: { readonly hasNextPage: boolean; readonly endCursor: string };
}

/** The changes of a company as they are committed. Their ids are cursors, so any instance goes on behind them. */
export class ChangeEvents implements Feed {
  private readonly handler: RestHandler;
  private readonly operation: PreparedOperation;

  /** @param route lists the changes in pages. */
  constructor(
    private readonly route: RestRoute,
    engines: RestEngines,
    parameters: readonly string[],
  ) {
    this.handler = new RestHandler(route, engines, ({ url }) => url, parameters);
    this.operation = engines.documents.ownOperation(`${route.name} events`, () => route.documentOfEdges);
  }

  newsName(companyId: number): string {
    return changesName(companyId);
  }

  async look(
    request: FastifyRequest,
    asked: Request,
    place: string | null,
    rights: Rights = [],
  ): Promise<Seen> {
    const wrong = new WrongParameters();
    const query = request.query as Query;
    const { cursor } = readPaging(query, wrong, true);
    const { variables, inputErrors } = this.handler.variables.bind(request, null, wrong);
    wrong.assertNone();
    const after = place ?? ("cursor" in query ? cursor : NOW);
    const result = await this.operation.run(
      asked,
      { ...variables, after, first: MAX_PAGE_SIZE },
      { inputErrors },
    );
    const { edges, types, page_info: page } = dataOf(result)[this.route.root] as Page;
    // Whoever may read less than before comes back, and learns it then.
    if (rights.some((type) => !types.includes(type)))
      throw new DomainError("FORBIDDEN", "Rights were revoked.");
    return {
      events: edges.map(({ cursor: id, node }) => ({ id, event: "change", data: this.route.named(node) })),
      place: page.endCursor,
      isPlaceSent: true,
      hasMore: page.hasNextPage,
      isOver: false,
      rights: types,
      whenGone: null,
    };
  }
}
