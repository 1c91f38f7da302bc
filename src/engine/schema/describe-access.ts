import type { Access } from "../../core/access/access.js";

/** Says in words who may run an operation: the last paragraph of its description, in GraphQL and in OpenAPI alike. */
export function describeAccess(access: Access): string {
  switch (access.kind) {
    case "open":
      return access.ignoresToken ? "Open to anyone." : "Open to anyone; a token that is sent must be valid.";
    case "signedIn":
      return access.forPeople === true
        ? "For anyone with a token, but for no key."
        : "For anyone with a token.";
    case "platform":
      return "For the platform alone.";
    case "client":
      return access.itself === undefined
        ? "For a client's own token alone."
        : "For the named client's own token alone.";
    case "permission": {
      const { permission, fullAdmins, orAnyClient, orClient, orAdmin, forPeople } = access;
      const needs = `Needs the permission \`${permission}\``;
      if (fullAdmins === true) return `${needs}; for full administrators and the platform alone.`;
      if (forPeople === true) return `${needs}; for no key.`;
      if (orAnyClient === true) return `${needs}; clients need none.`;
      if (orClient !== undefined) return `${needs}; the client itself needs none.`;
      return orAdmin === undefined ? `${needs}.` : `${needs}; the admin itself needs none.`;
    }
  }
}
