import type { Access } from "../../../core/access/access.js";
import { describeAccess } from "../../../engine/schema/describe-access.js";
import type { JsonSchema } from "../../../core/inputs/json-schema.js";

const SCHEME = "bearerAuth";

/** The one scheme: tools that send requests keep one token for all operations. */
export const SECURITY_SCHEMES: Readonly<Record<string, JsonSchema>> = {
  [SCHEME]: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "An access token. Of an admin, `POST /auth/login` answers one; of a client, `issueClientToken` of GraphQL; of " +
      "the platform, `npm run -s token -- --platform` prints one. A machine has a key in its place, which `createApiKey` answers.",
  },
};

/** What operations ask for that say nothing else. */
export const SECURITY: readonly JsonSchema[] = [{ [SCHEME]: [] }];

/** Describes who may run an operation, as a text for people and as keys for tools. */
export function accessOf(access: Access): { text: string; keys: JsonSchema } {
  const keys = { ...securityOf(access), "x-callers": callers(access), ...permissionOf(access) };
  return { text: describeAccess(access), keys };
}

function securityOf(access: Access): JsonSchema {
  if (access.kind !== "open") return {};
  return { security: access.ignoresToken ? [] : [{}, ...SECURITY] };
}

/** Returns the kinds of callers that an operation takes; `anyone` needs no token. */
function callers(access: Access): string[] {
  switch (access.kind) {
    case "open":
      return ["anyone"];
    case "signedIn":
      return ["admin", "client", "platform"];
    case "platform":
      return ["platform"];
    case "client":
      return ["client"];
    case "permission": {
      const takesClients = access.orAnyClient === true || access.orClient !== undefined;
      return takesClients ? ["admin", "client", "platform"] : ["admin", "platform"];
    }
  }
}

function permissionOf(access: Access): JsonSchema {
  return access.kind === "permission" ? { "x-permission": access.permission } : {};
}
