import type { FastifyInstance, FastifyRequest } from "fastify";
import { DomainError, notFound } from "../../core/errors/domain-error.js";
import { refuse } from "./refuse.js";
import { pathOf } from "./request-target.js";

/** The paths that are served, with their methods. */
export interface KnownPaths {
  /** Returns the sorted methods of all routes whose pattern the path fits; none for an unknown path. */
  methodsOf(path: string): string[];
}

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/** Records every route that is declared after this call. */
export function watchPaths(app: FastifyInstance): KnownPaths {
  const known = new Map<string, KnownPath>();
  app.addHook("onRoute", ({ url, method }) => {
    // The route that answers preflights fits every path, so it makes none known.
    if (url === "*") return;
    const path = known.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    known.set(url, path);
    for (const name of [method].flat()) path.methods.add(name);
  });
  return {
    methodsOf: (path) => {
      const fitting = [...known.values()].filter(({ pattern }) => pattern.test(path));
      return [...new Set(fitting.flatMap(({ methods }) => [...methods]))].sort();
    },
  };
}

function patternOf(url: string): RegExp {
  const source = url
    .replace(/[.+?^$()[\]{}|\\]/gu, "\\$&")
    .replace(/:\w+/gu, "[^/]+")
    .replaceAll("*", ".*");
  return new RegExp(`^${source}$`, "u");
}

/**
 * Refuses a request that no route serves before its body is read (contract §6.3): with 405 and `Allow` when the
 * path is known by other methods, else with 404. The router takes an empty segment for a parameter; no route serves it.
 */
export function refuseUnknown(app: FastifyInstance, paths: KnownPaths): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.is404 && !hasEmptySegment(request)) {
      done();
      return;
    }
    const methods = paths.methodsOf(pathOf(request.url));
    if (methods.length > 0) reply.header("allow", methods.join(", "));
    refuse(methods.length > 0 ? otherMethod() : notFound("Path"), request, reply);
  });
}

/** Returns whether a parameter of the path is empty; what a wildcard stands for may be. */
function hasEmptySegment({ params }: FastifyRequest): boolean {
  const segments = params as Readonly<Record<string, string>>;
  for (const name in segments) if (segments[name] === "" && name !== "*") return true;
  return false;
}

function otherMethod(): DomainError {
  return new DomainError("METHOD_NOT_ALLOWED", "This path does not know the method.");
}
