import { holdsBounds } from "../../core/access/compare-grants.js";
import type { ShopBounds } from "../../core/access/role-directory.js";
import { DomainError } from "../../core/errors/domain-error.js";
import type { Rights, Seen } from "./event-route.js";

/** A page of the journal with the place of each change. */
export interface JournalPage {
  /** The types whose changes it may have. */
  readonly types: readonly string[];
  readonly edges: readonly { readonly cursor: string; readonly node: object }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

/** By which rights a page was read. */
interface Read {
  /** The caller's, as they are now. */
  readonly bounds: ShopBounds | null;
  /** Those by which the last page was read; `null` for the first one. */
  readonly before: Rights | null;
}

/** How a face sends the changes of a page. */
interface Sent extends Pick<Seen, "last"> {
  /** The name of their events. */
  readonly event: string;
  readonly dataOf: (node: object) => object;
}

/**
 * Returns what a page has shown.
 *
 * @throws DomainError FORBIDDEN when the caller may read less than before.
 */
export function seenOnPage(
  { types, edges, pageInfo }: JournalPage,
  { bounds, before }: Read,
  { event, dataOf, last }: Sent,
): Seen {
  if (
    before !== null &&
    !(holdsBounds(bounds, before.bounds) && before.types.every((type) => types.includes(type)))
  )
    throw new DomainError("FORBIDDEN", "Rights were revoked.");
  return {
    events: edges.map(({ cursor: id, node }) => ({ id, event, data: dataOf(node) })),
    place: pageInfo.endCursor,
    isPlaceSent: true,
    hasMore: pageInfo.hasNextPage,
    isOver: false,
    rights: { types, bounds },
    last,
  };
}
