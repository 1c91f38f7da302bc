import type { Paging } from "./bind-query.js";

/** Returns `X-Total-Count` and `Link` of a page (RFC 8288; contract §4.2). */
export function pageHeaders(
  url: string,
  paging: Paging,
  total: number | undefined,
  info: { hasNextPage: boolean; endCursor: string | null } | undefined,
): Record<string, string> {
  if (paging.page === null) {
    if (info?.hasNextPage !== true || info.endCursor === null) return {};
    return { link: link(url, "next", { cursor: info.endCursor }) };
  }
  const last = Math.max(1, Math.ceil((total ?? 0) / paging.perPage));
  const links = [link(url, "first", { page: 1 })];
  if (paging.page > 1) links.push(link(url, "prev", { page: Math.min(paging.page - 1, last) }));
  if (paging.page < last) links.push(link(url, "next", { page: paging.page + 1 }));
  links.push(link(url, "last", { page: last }));
  return { "x-total-count": String(total ?? 0), link: links.join(", ") };
}

function link(url: string, relation: string, changes: Record<string, string | number>): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(changes)) target.searchParams.set(name, String(value));
  return `<${target.href}>; rel="${relation}"`;
}
