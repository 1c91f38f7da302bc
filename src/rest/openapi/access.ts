import type { Access } from "../../core/auth/access.js";
import type { JsonSchema } from "../../core/validation/json-schema.js";

export const SECURITY_SCHEMES: Readonly<Record<string, JsonSchema>> = {
  bearerAuth: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "An access token of an admin, a client or the platform.",
  },
};

/** Who may run an operation, for people and for tools. */
export function describeAccess(access: Access): { text: string; keys: JsonSchema } {
  return { text: sentence(access), keys: { security: security(access), ...permissionOf(access) } };
}

function security(access: Access): JsonSchema[] {
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
