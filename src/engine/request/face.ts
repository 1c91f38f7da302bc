import type { FastifyRequest } from "fastify";

/** The face that a request came through; `other` is neither: health checks, metrics, the explorers. */
export type Face = "graphql" | "rest" | "other";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The face that the route belongs to. */
    face?: Face;
  }
}

/** Each face refuses the unknown paths below its prefix by a handler of its own. */
export const FACE_PREFIX = { graphql: "/graphql", rest: "/api" } as const;

const FACES = new Map<string, Face>([
  [FACE_PREFIX.graphql, "graphql"],
  [FACE_PREFIX.rest, "rest"],
]);

/**
 * Returns the face of a request by what the router matched, never by the URL: the same path can be written in many
 * ways (`/%67raphql`).
 */
export function faceOf({ routeOptions, server }: FastifyRequest): Face {
  return routeOptions.config.face ?? FACES.get(server.prefix) ?? "other";
}
