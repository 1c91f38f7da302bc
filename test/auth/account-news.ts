import type { TestCompany } from "../support/factories.js";
import { dataOf, type Gateway } from "../support/gateway.js";
import { journalShowsAll } from "../support/journal.js";
import type { Account } from "./accounts.js";

const CHANGES = `query ($companyId: Int!) {
  changes(companyId: $companyId, first: 100, filter: { types: ["Admin"], actions: [updated] }) {
    nodes { entityId fields actorKind actorId }
  }
}`;
const ENTRIES = `query ($companyId: Int!, $targetId: SafeInt!, $action: AuditAction!) {
  auditEntries(companyId: $companyId, filter: { targetId: { eq: $targetId }, action: { eq: $action } }, orderBy: [{ field: ID, direction: ASC }]) {
    nodes { operation actorKind adminId address device changes { field before after } }
  }
}`;

/** What the journal tells of an account, without its creation, once there is so much. */
export async function newsOf(
  gateway: Gateway,
  { owner, id: companyId }: TestCompany,
  account: Account,
  count = 0,
): Promise<Record<string, unknown>[]> {
  for (;;) {
    await journalShowsAll(gateway);
    const { nodes } = dataOf(await owner.run(CHANGES, { companyId }))["changes"];
    const about = (nodes as Record<string, unknown>[]).flatMap(({ entityId, ...change }) =>
      entityId === account.id ? [change] : [],
    );
    if (about.length >= count) return about;
  }
}

/** The entries of the trail about an account with this action. */
export async function entriesOf(
  { owner, id: companyId }: TestCompany,
  account: Account,
  action: string,
): Promise<Record<string, unknown>[]> {
  const answer = await owner.run(ENTRIES, { companyId, targetId: account.id, action });
  return dataOf(answer)["auditEntries"].nodes as Record<string, unknown>[];
}

/** The version of the row of an account. */
export async function versionOf(gateway: Gateway, { companyId, id }: Account): Promise<number> {
  return (await gateway.db.admin.findFirstOrThrow({ where: { companyId, id } })).version;
}
