import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { Audited } from "../../core/operations/audited.js";
import { Company } from "../../core/operations/operation-arguments.js";
import { Json } from "../../core/scalars/json.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { nameOfActor } from "./actor-names.js";
import { AuditChange, AuditEntry, auditEntryList, type StoredAuditEntry } from "./audit-entry.model.js";
import { shownChanges, shownKey } from "./audit-entry.rules.js";
import { listAuditEntries, undoChange } from "./audit-entry.service.js";
import { mayReadValues } from "./audit-values.access.js";

const { Args: AuditEntriesArgs, Connection: AuditEntryConnection } = auditEntryList;
type AuditEntriesArgs = InstanceType<typeof AuditEntriesArgs>;

@Resolver(() => AuditEntry)
export class AuditEntryResolver {
  @RequirePermission("access_audit_entries")
  @Query(() => AuditEntryConnection, {
    description:
      "Who changed what in the company, newest first unless ordered. Entries are kept for as long as the operator of the " +
      "service has set. Filters by `action`, `actorKind` and `field` are looked for entry by entry: in a long trail a kind of row, " +
      "an operation or an actor beside them is faster. `field` takes names as `changes` shows them, or in snake_case; `config` " +
      "stands for all within it, too. Who is bound to shops gets entries about rows of these: those that a row has had stay with it, " +
      "and of a row that has left or is gone for good that one stays by which it went.",
  })
  auditEntries(@Company() company: CompanyScope, @Args(() => AuditEntriesArgs) args: AuditEntriesArgs) {
    return listAuditEntries(company, args);
  }

  @RequirePermission("access_audit_entries")
  @Audited()
  @Mutation(() => AuditEntry, {
    description:
      "Takes back an update of one row: its fields get the values before by the mutation that changes such rows, `updateGood` of a " +
      "good and `updateSettings` of settings, which needs its permission and judges as ever. Answers the entry of the new change, " +
      "which can be undone, too. INVALID_STATE for what is no plain update: other actions, and fields which that mutation does not " +
      "set, such as pictures, secrets and values of which the entry has the beginning alone. CONFLICT when one of the fields has another value by now than the change " +
      "has left. NOT_FOUND also for a row that is deleted.",
  })
  undoChange(
    @Ctx() context: OperationContext,
    @Company() company: CompanyScope,
    @Arg("entryId", () => SafeInt, { description: "Id of the entry in the trail." }) entryId: number,
  ) {
    return undoChange(context, company, entryId);
  }

  @FieldResolver(() => Json, {
    nullable: true,
    description: "Ids of the rows that a link joins, by the names of its fields; null for a row with an id.",
  })
  targetKey(@Root() { targetKey }: StoredAuditEntry): Record<string, unknown> | null {
    return shownKey(targetKey);
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description:
      "Id of the admin, client or key that acted; null for the platform and for somebody without a token.",
  })
  actorId(@Root() { adminId, clientId, apiKeyId }: AuditEntry): number | null {
    return adminId ?? clientId ?? apiKeyId;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      "Name of the admin, client or key that acted, as it is now; null for the platform, for somebody without a token, and for who is " +
      "gone for good.",
  })
  actorName(@Root() entry: AuditEntry, @Ctx() context: OperationContext): Promise<string | null> {
    return nameOfActor(context.companyScope(entry.companyId), entry);
  }

  @FieldResolver(() => [AuditChange], {
    description:
      "The fields that changed; all that were set when the row was created or deleted for good. Their values are for who may " +
      "read such rows.",
  })
  async changes(@Root() entry: StoredAuditEntry, @Ctx() context: OperationContext): Promise<AuditChange[]> {
    const { changes, targetType } = entry;
    const shown = shownChanges(changes, targetType, (key) => context.runtime.files.urlOf(key, "large"));
    if (await mayReadValues(context, entry)) return shown;
    return shown.map(({ field }) => ({ field, before: null, after: null }));
  }
}
