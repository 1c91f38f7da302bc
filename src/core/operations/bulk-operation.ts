import { Args, createParameterDecorator, Ctx, Extensions, Int, Mutation, Resolver } from "type-graphql";
import { RequirePermission } from "../access/access.js";
import type { Permission } from "../access/permissions.js";
import { lockWholes } from "../resources/lock-wholes.sql.js";
import type { CompanyScope } from "../scope/company-scope.js";
import { unlessOnlyRead } from "../scope/row-reach.sql.js";
import type { ModelName } from "../scope/tenant-models.js";
import { Audited } from "./audited.js";
import { BulkResult, bulkRowField } from "./bulk-result.js";
import { ARGUMENT_SCHEMA, BULK_IDS, Company, Input, IS_BULK } from "./operation-arguments.js";
import type { OperationContext } from "./operation-context.js";

/** A bulk operation names at most this many rows. */
export const MOST_BULK_IDS = 200;

/** An action on many rows: what an operation on one row does, done for each of them. */
export interface BulkAction {
  /** Name of the mutation, such as `restoreGoods`. */
  readonly name: string;
  readonly description: string;
  /** The type of the rows, one of which each result carries. */
  readonly type: new () => object;
  /** Input that goes for all rows. */
  readonly input?: new () => object;
  /** Arguments beside the ids that go for all rows, in place of an input. */
  readonly args?: new () => object;
  /**
   * Does one row within a transaction of its own; what it throws refuses that row alone. The function is that of the
   * operation on one row, so both keep the same rules, and it returns what that answers.
   */
  each(scope: CompanyScope, id: number, input: object): Promise<object>;
}

/** Who may run a bulk operation: whoever may run the operation on one row. */
export interface BulkAccess {
  readonly permission: Permission;
  readonly orAnyClient?: boolean;
}

const IDS_NOTE = `Ids of the rows, at most ${MOST_BULK_IDS}; one that is named twice is done once.`;

/** The resolver of a bulk operation, which answers a result for each row. */
export function bulkResolver(
  { name, description, type, input, args, each }: BulkAction,
  { permission, orAnyClient = false }: BulkAccess,
): new () => object {
  const field = bulkRowField(type);

  @Resolver()
  class BulkResolver {
    @RequirePermission(permission, { orAnyClient })
    @Extensions({ [IS_BULK]: true, [ARGUMENT_SCHEMA + BULK_IDS]: { maxItems: MOST_BULK_IDS } })
    @Audited()
    @Mutation(() => [BulkResult], { name, description })
    async all(
      @Company() company: CompanyScope,
      @Ids() ids: readonly number[],
      @Ctx() context: OperationContext,
      values: object = {},
    ): Promise<object[]> {
      const model = type.name as ModelName;
      const outcomes = await context.forEach(company, ids, {
        lock: (scope, named) => lockWholes(scope, model, named),
        work: (scope, id) => unlessOnlyRead(scope, { model, id }, () => each(scope, id, values)),
      });
      return outcomes.map(({ row, ...outcome }) => ({ ...outcome, [field]: row }));
    }
  }
  if (input !== undefined)
    Input(() => input, { description: "What goes for all of them." })(BulkResolver.prototype, "all", 3);
  if (args !== undefined) Args(() => args)(BulkResolver.prototype, "all", 3);
  return BulkResolver;
}

function Ids() {
  return createParameterDecorator<OperationContext>(({ args }) => args[BULK_IDS] as unknown, {
    arg: { name: BULK_IDS, typeFunc: () => [Int], options: { description: IDS_NOTE } },
  });
}
