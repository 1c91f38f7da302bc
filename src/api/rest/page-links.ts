import { unescape } from "node:querystring";
import { MOST_COUNTED } from "../../engine/reads/compile-read.js";
import { QUERY_BEGIN } from "../http/parse-query.js";
import type { Paging } from "./bind-query.js";

/** Characters that may not stand in a link as they are: those that would end it, and all but what a query may hold. */
const UNSAFE = /[^\w!$%&'()*+,./:;=?@~-]/gu;

type Parameters = Readonly<Record<string, string | number>>;

/** What is known of a list beyond the page. */
export interface Extent {
  readonly total_count?: number;
  /** Is there where the total is none, or may be an estimate. */
  readonly page_info?: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/**
 * Returns `X-Total-Count` and `Link` of a page (RFC 8288; contract §4.2).
 *
 * @param options.isEndless says whether rows may follow each page, an empty one too.
 * @param options.carried has parameters that links to pages by number have besides.
 * @param url is the URL of the request as callers know it: absolute, or from the path on. The host that a request
 *   names never stands in it, since others may get the same answer from a cache.
 */
export function pageHeaders(
  url: string,
  paging: Paging,
  { total_count: total, page_info: info }: Extent,
  { isEndless = false, carried = {} }: { isEndless?: boolean; carried?: Parameters } = {},
): Record<string, string> {
  if (paging.page === null) {
    if (info?.endCursor == null || !(info.hasNextPage || isEndless)) return {};
    return { link: link(url, "next", { cursor: info.endCursor }) };
  }
  const hasNext = info?.hasNextPage === true;
  const toPage = (relation: string, page: number): string => link(url, relation, { page, ...carried });
  if (total === undefined) return { link: uncounted(toPage, paging.page, hasNext) };
  if (info !== undefined && !isExact(total, paging.page, { perPage: paging.perPage, hasNext }))
    return { "x-total-count": String(total), link: uncounted(toPage, paging.page, hasNext) };
  const last = Math.max(1, Math.ceil(total / paging.perPage));
  const links = [toPage("first", 1)];
  if (paging.page > 1) links.push(toPage("prev", Math.min(paging.page - 1, last)));
  if (paging.page < last) links.push(toPage("next", paging.page + 1));
  links.push(toPage("last", last));
  return { "x-total-count": String(total), link: links.join(", ") };
}

/** Whether an estimate is the true total: that of a short list, or one that a last page with rows shows. */
function isExact(
  estimate: number,
  page: number,
  { perPage, hasNext }: { perPage: number; hasNext: boolean },
): boolean {
  return estimate <= MOST_COUNTED || (!hasNext && estimate > (page - 1) * perPage);
}

/** Returns the links of a page whose list nobody has counted: by the rows that are there. */
function uncounted(
  toPage: (relation: string, page: number) => string,
  page: number,
  hasNext: boolean,
): string {
  const links = [toPage("first", 1)];
  if (page > 1) links.push(toPage("prev", page - 1));
  if (hasNext) links.push(toPage("next", page + 1));
  return links.join(", ");
}

/** Changes parameters of the URL, where they stand; those that it does not have come last. */
function link(url: string, relation: string, changes: Parameters): string {
  const start = url.search(QUERY_BEGIN);
  const parameters = start < 0 ? [] : url.slice(start + 1).split("&");
  const shown: string[] = [];
  const left = new Set(Object.keys(changes));
  for (const parameter of parameters) {
    const name = nameOf(parameter);
    if (!Object.hasOwn(changes, name)) shown.push(parameter);
    else if (left.delete(name)) shown.push(`${name}=${changes[name]}`);
  }
  for (const name of left) shown.push(`${name}=${changes[name]}`);
  const target = `${start < 0 ? url : url.slice(0, start)}?${shown.join("&")}`;
  return `<${target.replace(UNSAFE, encodeURIComponent)}>; rel="${relation}"`;
}

/** The name of a parameter as the parser of queries reads it. */
function nameOf(parameter: string): string {
  const end = parameter.indexOf("=");
  const name = end < 0 ? parameter : parameter.slice(0, end);
  return /[%+]/u.test(name) ? unescape(name.replaceAll("+", " ")) : name;
}
