import { DomainError } from "../../core/errors/domain-error.js";
import type { Rights, Seen } from "./event-route.js";

/** A page of the journal with the place of each change. */
export interface JournalPage {
  /** The types whose changes it may have. */
  readonly types: readonly string[];
  readonly edges: readonly { readonly cursor: string; readonly node: object }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
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
 * @param before are the rights by which the last page was read.
 * @throws DomainError FORBIDDEN when the caller may read less than before.
 */
export function seenOnPage(
  { types, edges, pageInfo }: JournalPage,
  before: Rights,
  { event, dataOf, last }: Sent,
): Seen {
  if (before.some((type) => !types.includes(type)))
    throw new DomainError("FORBIDDEN", "Rights were revoked.");
  return {
    events: edges.map(({ cursor: id, node }) => ({ id, event, data: dataOf(node) })),
    place: pageInfo.endCursor,
    isPlaceSent: true,
    hasMore: pageInfo.hasNextPage,
    isOver: false,
    rights: types,
    last,
  };
}
