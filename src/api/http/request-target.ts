import type { IncomingMessage } from "node:http";

/** The scheme and the authority of a target in absolute form (RFC 9112 §3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/iu;

/**
 * Returns the target of a request in origin form: `GET http://host/graphql` asks for `/graphql`. So everything that
 * reads the URL reads the same one as the router. A path that cannot be decoded is read literally, so that it is
 * counted and refused like any other unknown path.
 */
export function originForm({ url = "/" }: Pick<IncomingMessage, "url">): string {
  if (url.startsWith("/")) return decodable(url);
  const path = url.replace(ORIGIN, "");
  return path.startsWith("/") || url === "*" ? decodable(path) : `/${decodable(path)}`;
}

function decodable(target: string): string {
  if (!target.includes("%")) return target;
  const end = target.search(/[?#]|$/u);
  const path = target.slice(0, end);
  try {
    decodeURIComponent(path);
    return target;
  } catch {
    return path.replaceAll("%", "%25") + target.slice(end);
  }
}

/** Returns the path of a target as the router reads it: decoded, up to the query. */
export function pathOf(url: string): string {
  return decodeURI(url.split(/[?#]/u, 1)[0] as string);
}
