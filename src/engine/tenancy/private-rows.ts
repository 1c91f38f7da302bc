import type { Caller } from "../../core/access/caller.js";

/** The id of the client whose private rows the caller reaches in the company; `null` when it reaches none. */
export function ownerIn(companyId: number, caller: Caller): number | null {
  return caller.kind === "client" && caller.companyId === companyId ? caller.id : null;
}
