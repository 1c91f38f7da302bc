import type { FastifyRequest } from "fastify";
import { MAX_PAGE_SIZE } from "../../core/lists/list-page.js";
import { changesName } from "../../engine/audit/journal-news.js";
import type { PreparedOperation } from "../../engine/execution/documents.js";
import type { Request } from "../../engine/request/request.js";
import type { Feed, Rights, Seen } from "../http/event-route.js";
import { seenOnPage, type JournalPage } from "../http/journal-page.js";
import { readPaging, type Query } from "./bind-query.js";
import { dataOf } from "./result-data.js";
import { RestHandler, type RestEngines } from "./rest-handler.js";
import type { RestRoute } from "./rest-route.js";
import { WrongParameters } from "./wrong-parameters.js";

/** The cursor of what comes from now on. */
const NOW = "now";

/** A page of the journal under its names of REST. */
interface Page extends Omit<JournalPage, "pageInfo"> {
  readonly page_info: JournalPage["pageInfo"];
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
    before: Rights | null = null,
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
    const { page_info: pageInfo, ...page } = dataOf(result)[this.route.root] as Page;
    return seenOnPage(
      { ...page, pageInfo },
      { bounds: asked.admissions.boundsOfCaller(), before },
      {
        event: "change",
        dataOf: (node) => this.route.named(node),
        // Whoever may read less than before comes back, and learns it then.
        last: () => [],
      },
    );
  }
}
