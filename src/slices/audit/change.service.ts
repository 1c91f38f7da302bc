import { isRoleHolder } from "../../core/access/caller.js";
import { encodeCursor, isCursorOf, valuesOf, wrongCursor } from "../../core/lists/cursor.js";
import { DEFAULT_PAGE_SIZE } from "../../core/lists/list-page.js";
import type { ListField } from "../../core/lists/list-definition.js";
import { DomainError } from "../../core/errors/domain-error.js";
import { FOLLOWED_MODELS } from "../../core/operations/audited-models.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { mayReadRows } from "./audit-values.access.js";
import { TYPES, type Change, type ChangeConnection, type ChangesArgs } from "./change.model.js";
import { readJournal, type Place } from "./change.sql.js";

type Context = Pick<OperationContext, "caller" | "runtime">;

/** The word that stands for the place behind all that is committed. */
const NOW = "now";
/** The first word of the cursors of the journal, which name the company besides; those of earlier releases do not. */
const JOURNAL = "Journal";
const PLACE: readonly ListField[] = [
  { kind: "safeInt" },
  { kind: "safeInt" },
  { kind: "dateTime" },
  { kind: "dateTime" },
];

/**
 * A page of the journal.
 *
 * @throws DomainError FORBIDDEN for clients and for a type that the caller may not read; BAD_REQUEST for a text that is no
 *   cursor of the company; CURSOR_EXPIRED.
 */
export async function listChanges(
  scope: CompanyScope,
  { after, first, filter }: ChangesArgs,
  context: Context,
): Promise<ChangeConnection> {
  const types = await typesFor(scope, named(filter?.types), context);
  const size = first ?? DEFAULT_PAGE_SIZE;
  const wanted = { types, actions: named(filter?.actions) };
  const place = after == null || after === NOW ? null : placeOf(scope, after);
  const page = await readJournal(scope, place, { ...wanted, most: after === NOW ? 0 : size + 1 });
  if (page.isExpired)
    throw new DomainError(
      "CURSOR_EXPIRED",
      "Not all changes behind the cursor are kept; read all rows anew.",
    );
  const entries = page.entries.slice(0, size);
  const isFull = after !== NOW && page.entries.length > size;
  const hasNextPage = isFull || page.isCut;
  const edges = entries.map(({ transaction, ...entry }) => {
    const cursor = cursorOf(scope, { transaction, id: entry.id, at: entry.at, seenAt: entry.at });
    return { cursor, node: { ...entry, cursor } satisfies Change };
  });
  const endCursor = isFull ? (edges.at(-1)?.cursor ?? null) : cursorOf(scope, page.end);
  return {
    edges,
    types,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage,
      hasPreviousPage: place !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor,
    },
  };
}

/** What a list of the filter names; `null` where it names nothing, which means all. */
const named = (list: readonly string[] | null | undefined): readonly string[] | null =>
  list == null || list.length === 0 ? null : list;

const journalOf = ({ companyId }: CompanyScope): string => `${JOURNAL} of ${companyId}`;

function cursorOf(scope: CompanyScope, { transaction, id, at, seenAt }: Place): string {
  return encodeCursor(journalOf(scope), [transaction, id, at, seenAt]);
}

function placeOf(scope: CompanyScope, cursor: string): Place {
  const signature = isCursorOf(JOURNAL, cursor) ? JOURNAL : journalOf(scope);
  const values = valuesOf(cursor, signature, PLACE);
  if (values === null) throw wrongCursor("after", "is no cursor of the journal of this company");
  const [transaction, id, at, seenAt] = values as [bigint, bigint, Date, Date];
  return { transaction, id, at, seenAt };
}

/** The types that the caller asks for and may read. */
async function typesFor(
  { companyId }: CompanyScope,
  wanted: readonly string[] | null,
  context: Context,
): Promise<string[]> {
  const { caller } = context;
  if (!isRoleHolder(caller) && caller.kind !== "platform")
    throw new DomainError("FORBIDDEN", "Changes are for admins and the platform.");
  const asked = wanted === null ? null : new Set(wanted.map((type) => TYPES.get(type)));
  const readable: string[] = [];
  for (const model of FOLLOWED_MODELS) {
    if (asked?.has(model) === false) continue;
    if (await mayReadRows(context, companyId, model)) readable.push(model);
    else if (wanted !== null)
      throw new DomainError("FORBIDDEN", `You may not read changes of the type ${model}.`);
  }
  return readable;
}
