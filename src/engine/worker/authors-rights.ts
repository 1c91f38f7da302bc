import type { ReadRows, StoredCallers } from "../../core/access/role-directory.js";
import type { JobContext } from "../../core/jobs/jobs.js";
import { boundIn } from "../tenancy/bound-operations.js";
import { reachOf } from "../tenancy/create-company-scope.js";

const ALL = { all: true, roles: new Set<string>() };

/** Looks up what authors of jobs may do now. Nothing is remembered: whoever lost a right a moment ago goes on no longer. */
export function authorsRights(callers: StoredCallers): JobContext["rightsOf"] {
  return async (db, author, companyId) => {
    if (author.kind === "platform") return { grant: ALL, ...reachOf(null) };
    const read: ReadRows = (statement) => db.$queryRaw(statement);
    const { id } = author;
    const grant =
      author.kind === "key"
        ? (await callers.keyOf(read, { companyId, id }))?.grant
        : await callers.grantOf(read, { companyId, id });
    return grant == null ? null : { grant, ...reachOf(boundIn(companyId, author, grant.bounds ?? null)) };
  };
}
