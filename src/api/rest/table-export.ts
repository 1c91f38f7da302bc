import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { stringify, type Options } from "csv-stringify/sync";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Kind } from "graphql";
import { DomainError } from "../../core/errors/domain-error.js";
import type { PreparedOperation } from "../../engine/execution/documents.js";
import { COST_PER_REQUEST, WINDOW_SECONDS } from "../../engine/limits/rate-limiter.js";
import type { Request } from "../../engine/request/request.js";
import { MAX_PAGE_SIZE } from "../../core/lists/list-page.js";
import { overloaded } from "../http/back-pressure.js";
import { RestHandler, type RestEngines } from "./rest-handler.js";
import type { RestRoute } from "./rest-route.js";
import { dataOf } from "./result-data.js";
import { WrongParameters } from "./wrong-parameters.js";

/** An export waits for the next window of the rate limit; only a longer silence means that the caller is gone. */
const IDLE_MS = (WINDOW_SECONDS + 30) * 1_000;

interface Page {
  readonly nodes: readonly object[];
  readonly page_info: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** One export under way. */
interface Progress {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The cost of pages that does not yet count as a request. */
  uncharged: number;
}

/**
 * Answers a whole list as CSV, however long it is. The list is read by cursor, page by page; each page is a request
 * with its own deadline, and is read only as fast as the caller takes the text. So the memory of one page is
 * enough. All pages together count against the rate limit by their cost; beyond it the export waits.
 */
export class CsvExport {
  readonly handler: RestHandler;
  private readonly operation: PreparedOperation;
  private readonly format: Options;

  constructor(
    private readonly route: RestRoute,
    private readonly engines: RestEngines,
    publicUrl: (request: FastifyRequest) => string,
    private readonly requestOf: (request: FastifyRequest) => Promise<Request>,
    parameters: readonly string[],
  ) {
    this.handler = new RestHandler(route, engines, publicUrl, parameters);
    this.operation = engines.documents.ownOperation(`${route.name} csv`, () =>
      route.document(route.selection, "cursor"),
    );
    this.format = { ...FORMAT, columns: columnsOf(route) };
  }

  async answer(request: FastifyRequest, reply: FastifyReply, asked: Request): Promise<FastifyReply> {
    // The first page shows what is wrong with the request, while another answer can still be given.
    const progress: Progress = { request, reply, uncharged: 0 };
    const first = await this.page(progress, asked, null);
    reply.headers({
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="${fileName(request)}"`,
      "cache-control": "private, no-store",
      vary: "Authorization, Accept",
    });
    if (request.method === "HEAD") return reply.send("");
    // The deadline and the turn of requests end here: they are for requests that are answered at once.
    request.turn?.end();
    reply.hijack();
    reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
    reply.raw.setTimeout(IDLE_MS, () => reply.raw.destroy());
    await pipeline(Readable.from(this.texts(progress, first)), reply.raw).catch((error: unknown) => {
      // The connection is cut off before the end of the body, so no caller takes the part for the whole list.
      if (!isGone(error)) request.log.error({ err: error }, "an export could not be finished");
    });
    return reply;
  }

  private async *texts(progress: Progress, first: Page): AsyncGenerator<string> {
    yield this.text(first.nodes, true);
    let page = first;
    while (page.page_info.hasNextPage) {
      page = await this.pageInTime(progress, page.page_info.endCursor);
      yield this.text(page.nodes, false);
    }
  }

  /** Reads a page as soon as the rate limit allows it and the company has a turn. */
  private async pageInTime(progress: Progress, cursor: string | null): Promise<Page> {
    const { turn } = progress.request;
    for (;;) {
      if (turn?.begin() === false && !(await turn.wait(IDLE_MS))) throw overloaded();
      try {
        return await this.page(progress, await this.requestOf(progress.request), cursor);
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== "RATE_LIMITED") throw error;
        turn?.end();
        await wait((error.retryAfterSeconds ?? 1) * 1_000, undefined, { ref: false });
      } finally {
        turn?.end();
      }
    }
  }

  private async page(progress: Progress, asked: Request, cursor: string | null): Promise<Page> {
    const { request, reply } = progress;
    const paging = { page: null, perPage: MAX_PAGE_SIZE, cursor };
    const wrong = new WrongParameters();
    const { variables, inputErrors } = this.handler.bind(request, paging, wrong);
    wrong.assertNone();
    const cost = progress.uncharged + this.operation.assertAffordable(variables).requested;
    await this.engines.charge(request, reply, cost);
    progress.uncharged = cost % COST_PER_REQUEST;
    const result = await this.operation.run(asked, variables, { inputErrors });
    return dataOf(result)[this.route.root] as Page;
  }

  private text(nodes: readonly object[], header: boolean): string {
    return stringify([...nodes], { ...this.format, header });
  }
}

/** The format of RFC 4180. A text that a spreadsheet would take for a formula gets a ' in front. */
const FORMAT: Options = {
  record_delimiter: "windows",
  quoted_match: /[\r\n]/u,
  escape_formulas: true,
  cast: { boolean: String, object: (value) => JSON.stringify(value) },
};

/** Returns the keys that the document selects, in its order. */
function columnsOf({ selection }: RestRoute): string[] {
  return selection.selections.flatMap((field) =>
    field.kind === Kind.FIELD ? [field.alias?.value ?? field.name.value] : [],
  );
}

/** Names the file after the path: `coupons-7-codes.csv` for `/api/companies/1/coupons/7/codes`. */
function fileName({ url }: FastifyRequest): string {
  const [path = ""] = url.split("?");
  const words = path.split("/").slice(4);
  return `${words.join("-").replace(/[^\w-]/gu, "")}.csv`;
}

function isGone(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ECONNRESET" || code === "EPIPE";
}
