import { Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Kind, type SelectionSetNode } from "graphql";
import { DomainError } from "../../core/errors/domain-error.js";
import { presentError } from "../../engine/errors/present.js";
import { noteExport } from "../../engine/audit/note-export.js";
import type { PreparedOperation } from "../../engine/execution/documents.js";
import { COST_PER_REQUEST, WINDOW_SECONDS } from "../../engine/limits/rate-limiter.js";
import type { Request } from "../../engine/request/request.js";
import { noteFault } from "../../engine/observability/note-fault.js";
import { MAX_PAGE_SIZE } from "../../core/lists/list-page.js";
import { overloaded } from "../http/back-pressure.js";
import { promiseToKeep } from "../http/closing.js";
import { varyBy } from "../http/vary.js";
import { isAbsent, words, type Query } from "./bind-query.js";
import { RestHandler, type RestEngines } from "./rest-handler.js";
import type { RestRoute } from "./rest-route.js";
import { dataOf } from "./result-data.js";
import {
  cellOf,
  columnsOf,
  columnsOfLoaded,
  fieldsShown,
  keyOf,
  type TableCell,
  type TableColumn,
} from "./table-cells.js";
import { TABLE_FORMATS, type TableKind, type TablePage } from "./table-formats.js";
import { tableStyle, type TableStyle } from "./table-style.js";
import { View } from "./view.js";
import { WrongParameters } from "./wrong-parameters.js";

/** An export waits for the next window of the rate limit; only a longer silence means that the caller is gone. */
const IDLE_MS = (WINDOW_SECONDS + 30) * 1_000;

interface Page {
  readonly nodes: readonly object[];
  readonly page_info: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** What is exported: the operation that reads a page, and the columns. */
interface Table {
  readonly operation: PreparedOperation;
  readonly columns: readonly TableColumn[];
}

/** What is selected besides the keys of the whole table, and the names by which the caller asked for it. */
interface Further {
  readonly names: readonly (readonly string[])[];
  readonly selections: SelectionSetNode["selections"];
}

const NOTHING_MORE: Further = { names: [], selections: [] };

/**
 * A page of rows with more characters than this is followed by one with fewer rows: what a page takes of the heap is soon free,
 * and collections of it have little to copy.
 */
const PAGE_CHARACTERS = 1_048_576;
const LEAST_ROWS = 5;
/** Of the first page nobody knows how long its rows are. */
const FIRST_ROWS = 25;

/** One export under way. */
interface Progress {
  readonly table: Table;
  readonly style: TableStyle;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The cost of pages that does not yet count as a request. */
  uncharged: number;
  /** How many rows were written. */
  rows: number;
  /** How many rows the next page has at most. */
  perPage: number;
}

/**
 * Answers a whole list as a table, however long it is, a list that comes at once, or a single row. The list is read by cursor, page by page; each page is a request
 * with its own deadline, and is read only as fast as the caller takes the file. So the memory of one page is
 * enough. All pages together count against the rate limit by their cost; beyond it the export waits.
 */
export class TableExport {
  readonly handler: RestHandler;
  private readonly whole: Table;

  constructor(
    private readonly route: RestRoute,
    private readonly engines: RestEngines,
    publicUrl: (request: FastifyRequest) => string,
    private readonly requestAgain: (request: FastifyRequest) => Promise<Request>,
    parameters: readonly string[],
  ) {
    this.handler = new RestHandler(route, engines, publicUrl, parameters);
    this.whole = this.tableOf(columnsOf(route.selection));
  }

  /** @param more are further keys and what is loaded along; of the own relations only those are read that a column shows. */
  private tableOf(columns: readonly TableColumn[], more: Further = NOTHING_MORE): Table {
    const { route } = this;
    const own = fieldsShown(route.selection, columns);
    const name = JSON.stringify([own.map(keyOf), more.names]);
    const operation = this.engines.documents.ownOperation(`${route.name} table ${name}`, () =>
      route.document(
        { kind: Kind.SELECTION_SET, selections: [...own, ...more.selections] },
        route.isConnection ? "cursor" : null,
      ),
    );
    return { operation, columns };
  }

  /**
   * The table that a request wants: `fields` are columns of the table, by their headers, or further keys of the rows, in the
   * caller's order; `load` adds a column for each key of what is loaded along, such as `author.name`, unless `fields` names some.
   */
  private wanted(view: View, query: Query, wrong: WrongParameters): Table {
    const { route, engines, whole } = this;
    const { load, fields } = view.wanted;
    if (view === View.whole || !wrong.isNone) return whole;
    const { dynamicLoading } = engines;
    const known = new Map(whole.columns.map((column) => [column.header, [column]]));
    const shape = dynamicLoading.shape(route.resource);
    // Names in `load` may stand in `fields`, too.
    const keys = dynamicLoading.keys(route.resource, shape);
    const own = [...known.keys()].filter((name) => !keys.includes(name));
    const named = fields?.filter((name) => !known.has(name)) ?? [];
    const mayBeNamed = new Set([...keys, ...load.map(beginning)]);
    // A header such as `author.name` names one column of a key.
    const further = [
      ...new Set(named.map((name) => (mayBeNamed.has(beginning(name)) ? beginning(name) : name))),
    ];
    const more = dynamicLoading.select(route.resource, shape, { load, fields: further }, wrong, own);
    if (!wrong.isNone) return whole;
    // What `load` names, too, is selected twice.
    const columns = [...new Map(columnsOfLoaded(more).map((column) => [column.header, column])).values()];
    for (const name of named) {
      const ofName = columns.filter(({ header, path: [first] }) => first === name || header === name);
      if (ofName.length === 0)
        wrong.addUnknown("fields", name, [...keys, ...own, ...columns.map(({ header }) => header)]);
      known.set(name, ofName);
    }
    if (!wrong.isNone) return whole;
    const asked = fields === null ? [...known.keys()] : words(query["fields"], "fields", wrong);
    const loaded = columns.filter(({ path: [first] }) => !further.includes(first ?? ""));
    const chosen = new Set([...asked.flatMap((name) => known.get(name) ?? []), ...loaded]);
    return this.tableOf([...chosen], { names: [load, further], selections: more.selections });
  }

  /** Returns the table with the columns that `columns` names, or `fields`, which says the same of JSON. */
  private chosen(query: Query, wrong: WrongParameters): { table: Table; view: View } {
    const { columns } = query;
    if (isAbsent(columns)) return this.viewed(query, wrong);
    if (this.route.rest.dynamic) {
      const own = new WrongParameters();
      if (!isAbsent(query["fields"])) own.add("columns", "forbidden", "does not go with fields");
      const chosen = this.viewed({ ...query, fields: columns }, own);
      wrong.addAll(own, "fields", "columns");
      return chosen;
    }
    const known = new Map(this.whole.columns.map((column) => [column.header, column]));
    const named = [...new Set(words(columns, "columns", wrong))];
    for (const name of named) if (!known.has(name)) wrong.addUnknown("columns", name, [...known.keys()]);
    const table = wrong.isNone ? this.tableOf(named.flatMap((name) => known.get(name) ?? [])) : this.whole;
    return { table, view: View.whole };
  }

  private viewed(query: Query, wrong: WrongParameters): { table: Table; view: View } {
    const view = this.route.rest.dynamic ? View.of(query, wrong) : View.whole;
    return { table: this.wanted(view, query, wrong), view };
  }

  /** @param wrong has the wrong parameters that were found before. */
  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    { asked, kind, wrong }: { asked: Request; kind: TableKind; wrong: WrongParameters },
  ): Promise<FastifyReply> {
    const format = TABLE_FORMATS[kind];
    // The first page shows what is wrong with the request, while another answer can still be given.
    const query = request.query as Query;
    const style = tableStyle(query, wrong);
    const { table, view } = this.chosen(query, wrong);
    await this.handler.assertMayLoad(request, asked, view);
    const progress: Progress = {
      table,
      style,
      request,
      reply,
      uncharged: 0,
      rows: 0,
      perPage: FIRST_ROWS,
    };
    const first = await this.page(progress, asked, null, wrong);
    varyBy(reply, "Authorization, Accept").headers({
      "content-type": format.contentType,
      "content-disposition": `attachment; filename="${fileName(request, kind)}"`,
      "cache-control": "private, no-store",
    });
    // Nobody knows the length of the table yet: of a stream Fastify tells none.
    if (request.method === "HEAD") return reply.send(Readable.from([]));
    // The deadline of requests ends here: it is for requests that are answered at once.
    reply.hijack();
    promiseToKeep(reply);
    reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
    reply.raw.setTimeout(IDLE_MS, () => reply.raw.destroy());
    const body = format.write(this.pages(progress, first), style, request.turn);
    const isWhole = await this.send(body, request, reply);
    request.turn?.end();
    // The trail has it before the file ends.
    await this.note(progress, asked, kind, isWhole);
    if (isWhole) reply.raw.end();
    return reply;
  }

  /** Sends the body, unless that fails or the process ends. @returns whether it was sent as a whole. */
  private async send(body: Readable, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const { tablesEnd } = reply.server;
    // Without chunks, as HTTP/1.0 has none, a connection that ends in order is the end of the body.
    const { socket } = request.raw;
    const cutOff = (): void => {
      if (socket instanceof Socket) socket.resetAndDestroy();
    };
    body.once("error", cutOff);
    let end = (): void => undefined;
    const ended = new Promise<boolean>((resolve) => {
      end = () => {
        cutOff();
        body.destroy(tablesEnd.reason as Error);
        resolve(false);
      };
      tablesEnd.addEventListener("abort", end);
    });
    const sent = pipeline(body, reply.raw, { end: false }).then(
      () => true,
      (error: unknown) => {
        reply.raw.destroy();
        if (!isGone(error)) this.logUnfinished(request, error);
        return false;
      },
    );
    return Promise.race([sent, ended]).finally(() => tablesEnd.removeEventListener("abort", end));
  }

  /** A database that has no time is no fault of the service. */
  private logUnfinished(request: FastifyRequest, error: unknown): void {
    const { unexpected, code } = presentError(error);
    const message = "an export could not be finished";
    if (unexpected) noteFault(request, error, message);
    else request.log.warn({ code }, message);
  }

  /** Writes to the trail what was taken out, as much as it was. */
  private async note(
    { request, rows }: Progress,
    asked: Request,
    format: TableKind,
    isWhole: boolean,
  ): Promise<void> {
    const { operation, resource } = this.route;
    const companyId = request.rest?.company?.id;
    if (companyId === undefined) return;
    const file = { companyId, operation: operation.name, type: resource, format, rows, isWhole };
    await noteExport(asked, file).catch((error: unknown) => {
      noteFault(request, error, "the trail has nothing of an export");
    });
  }

  /**
   * A page is read and written in one turn, and sent without one: so few pages of a company are in the heap at once, and a slow
   * caller takes no turns.
   */
  private async *pages(progress: Progress, first: Page): AsyncGenerator<TablePage> {
    const { table, request } = progress;
    const written = () => request.turn?.end();
    try {
      let { nodes, page_info: read } = first;
      yield { rows: after(headersOf(table), this.rowsOf(progress, nodes)), written };
      while (read.hasNextPage) {
        ({ nodes, page_info: read } = await this.pageInTime(progress, read.endCursor));
        yield { rows: this.rowsOf(progress, nodes), written };
      }
    } finally {
      request.turn?.end();
    }
  }

  /**
   * Makes the rows of a page one by one, while they are written: a row is kept until the next is taken. When the last is taken, the
   * length of the next page is known.
   */
  private *rowsOf(progress: Progress, nodes: Page["nodes"]): Generator<readonly TableCell[]> {
    const {
      table: { columns },
      style: { decimal },
    } = progress;
    const row = new Array<TableCell>(columns.length);
    let characters = 1;
    for (const node of this.route.named(nodes)) {
      for (let index = 0; index < columns.length; index += 1) {
        const cell = cellOf(node, columns[index] as TableColumn, decimal);
        if (typeof cell === "string") characters += cell.length;
        row[index] = cell;
      }
      progress.rows += 1;
      yield row;
    }
    progress.perPage = nextLength(nodes.length, characters);
  }

  /** Reads a page as soon as the rate limit allows it and the company has a turn, which is to be ended. */
  private async pageInTime(progress: Progress, cursor: string | null): Promise<Page> {
    const { turn } = progress.request;
    for (;;) {
      if ((await turn?.take(IDLE_MS)) === false) throw overloaded();
      try {
        return await this.page(progress, await this.requestAgain(progress.request), cursor);
      } catch (error) {
        turn?.end();
        if (!(error instanceof DomainError) || error.code !== "RATE_LIMITED") throw error;
        await wait((error.retryAfterSeconds ?? 1) * 1_000, undefined, { ref: false });
      }
    }
  }

  private async page(
    progress: Progress,
    asked: Request,
    cursor: string | null,
    wrong = new WrongParameters(),
  ): Promise<Page> {
    const {
      request,
      table: { operation },
    } = progress;
    const paging = this.route.isConnection ? { page: null, perPage: progress.perPage, cursor } : null;
    const bound = this.handler.variables.bind(request, paging, wrong);
    wrong.assertNone(() => this.handler.variables.wrongValues(request.query as Query, bound, asked));
    const { variables, inputErrors } = bound;
    const cost = progress.uncharged + operation.assertAffordable(variables, request.turn).requested;
    await request.account.charge(cost);
    progress.uncharged = cost % COST_PER_REQUEST;
    const result = await operation.run(asked, variables, { inputErrors });
    const { [this.route.root]: data } = dataOf(result);
    return this.route.isConnection ? (data as Page) : pageOf(data as object | null);
  }
}

/** How many rows the next page has, if they are as long as so many rows with so many characters. */
function nextLength(rows: number, characters: number): number {
  return Math.min(MAX_PAGE_SIZE, Math.max(LEAST_ROWS, Math.floor((rows * PAGE_CHARACTERS) / characters)));
}

/** The key that a name such as `author.name` begins with. */
const beginning = (name: string): string => name.split(".", 1)[0] as string;

const headersOf = ({ columns }: Table): readonly TableCell[] => columns.map(({ header }) => header);

function* after<Item>(first: Item, others: Iterable<Item>): Generator<Item> {
  yield first;
  yield* others;
}

/** The only page of a list without pages, or of a single row, which has none when there is no row. */
function pageOf(data: object | null): Page {
  const nodes: readonly object[] = Array.isArray(data) ? data : data === null ? [] : [data];
  return { nodes, page_info: { hasNextPage: false, endCursor: null } };
}

/** Names the file after the path: `coupons-7-codes.csv` for `/api/companies/1/coupons/7/codes`. */
function fileName({ url }: FastifyRequest, kind: TableKind): string {
  const [path = ""] = url.split("?");
  const words = path.split("/").slice(4);
  return `${words.join("-").replace(/[^\w-]/gu, "")}.${kind}`;
}

function isGone(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ECONNRESET" || code === "EPIPE";
}
