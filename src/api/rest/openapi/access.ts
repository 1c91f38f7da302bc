import type { Access } from "../../../core/access/access.js";
import type { JsonSchema } from "../../../core/inputs/json-schema.js";
import type { RestRoute } from "../rest-route.js";

/** Each kind of token that some operations require has its own scheme, so that explorers can hold all of them. */
const SECURITY_SCHEMES: Readonly<Record<string, JsonSchema>> = {
  bearerAuth: bearer("An access token, most often of an admin: `POST /auth/login` answers one."),
  clientAuth: bearer("An access token of a client: `issueClientToken` of GraphQL answers one."),
  platformAuth: bearer("An access token of the platform: `npm run -s token -- --platform` prints one."),
};

function bearer(description: string): JsonSchema {
  return { type: "http", scheme: "bearer", bearerFormat: "JWT", description };
}

/** Returns the schemes that the routes use; a scheme that no route uses is left out. */
export function usedSchemes(routes: readonly RestRoute[]): Record<string, JsonSchema> {
  const used = new Set(routes.flatMap(({ operation }) => security(operation.access).flatMap(Object.keys)));
  return Object.fromEntries(Object.entries(SECURITY_SCHEMES).filter(([name]) => used.has(name)));
}

/** Describes who may run an operation, as a text for people and as keys for tools. */
export function describeAccess(access: Access): { text: string; keys: JsonSchema } {
  return { text: sentence(access), keys: { security: security(access), ...permissionOf(access) } };
}

function security(access: Access): JsonSchema[] {
  if (access.kind === "platform") return [{ platformAuth: [] }];
  if (access.kind === "client") return [{ clientAuth: [] }];
  if (access.kind !== "open") return [{ bearerAuth: [] }];
  return access.ignoresToken ? [{}] : [{}, { bearerAuth: [] }];
}

function permissionOf(access: Access): JsonSchema {
  return access.kind === "permission" ? { "x-permission": access.permission } : {};
}

function sentence(access: Access): string {
  switch (access.kind) {
    case "open":
      return access.ignoresToken ? "Open to anyone." : "Open to anyone; a token that is sent must be valid.";
    case "signedIn":
      return "For anyone with a token.";
    case "platform":
      return "For the platform alone.";
    case "client":
      return "For a client's own token alone.";
    case "permission": {
      const needs = `Needs the permission \`${access.permission}\``;
      if (access.orAnyClient === true) return `${needs}; clients need none.`;
      return access.orClient === undefined ? `${needs}.` : `${needs}; the client itself needs none.`;
    }
  }
}
