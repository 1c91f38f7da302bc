import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { stringify, type Options } from "csv-stringify/sync";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Kind } from "graphql";
import type { PreparedOperation } from "../../engine/execution/documents.js";
import type { Request } from "../../engine/request/request.js";
import { MAX_PAGE_SIZE } from "../../core/lists/list-page.js";
import { dataOf, RestHandler, type RestEngines } from "./rest-handler.js";
import type { RestRoute } from "./rest-route.js";

/** A caller who has read nothing for this long is taken for gone. */
const IDLE_MS = 60_000;

interface Page {
  readonly nodes: readonly object[];
  readonly page_info: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/**
 * Answers a whole list as CSV, however long it is. The list is read by cursor, page by page; each page is a request
 * with its own deadline, and is read only as fast as the caller takes the text. So the memory of one page is
 * enough.
 */
export class CsvExport {
  readonly handler: RestHandler;
  private readonly operation: PreparedOperation;
  private readonly format: Options;

  constructor(
    private readonly route: RestRoute,
    engines: RestEngines,
    publicUrl: (request: FastifyRequest) => string,
    private readonly requestOf: (request: FastifyRequest) => Promise<Request>,
  ) {
    this.handler = new RestHandler(route, engines, publicUrl);
    this.operation = engines.documents.ownOperation(`${route.name} csv`, () =>
      route.document(route.selection, "cursor"),
    );
    this.format = { ...FORMAT, columns: columnsOf(route) };
  }

  async answer(request: FastifyRequest, reply: FastifyReply, asked: Request): Promise<FastifyReply> {
    // The first page shows what is wrong with the request, while another answer can still be given.
    const first = await this.page(request, asked, null);
    reply.headers({
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="${fileName(request)}"`,
      "cache-control": "private, no-store",
      vary: "Authorization, Accept",
    });
    if (request.method === "HEAD") return reply.send("");
    // The deadline of requests ends here: it is for requests that are answered at once.
    reply.hijack();
    reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
    reply.raw.setTimeout(IDLE_MS, () => reply.raw.destroy());
    await pipeline(Readable.from(this.texts(request, first)), reply.raw).catch((error: unknown) => {
      // The connection is cut off before the end of the body, so no caller takes the part for the whole list.
      if (!isGone(error)) request.log.error({ err: error }, "an export could not be finished");
    });
    return reply;
  }

  private async *texts(request: FastifyRequest, first: Page): AsyncGenerator<string> {
    yield this.text(first.nodes, true);
    let page = first;
    while (page.page_info.hasNextPage) {
      page = await this.page(request, await this.requestOf(request), page.page_info.endCursor);
      yield this.text(page.nodes, false);
    }
  }

  private async page(request: FastifyRequest, asked: Request, cursor: string | null): Promise<Page> {
    const paging = { page: null, perPage: MAX_PAGE_SIZE, cursor };
    const { variables, inputErrors } = this.handler.bind(request, paging);
    this.operation.assertAffordable(variables);
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
