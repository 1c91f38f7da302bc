import {
  Arg,
  Ctx,
  Extensions,
  Field,
  Int,
  Mutation,
  ObjectType,
  Resolver,
  type ClassType,
} from "type-graphql";
import { RequirePermission } from "../access/access.js";
import { defineEnum, type Enum } from "../enums.js";
import { DomainError } from "../errors/domain-error.js";
import { isExternalIdTaken } from "../resources/external-id.js";
import type { CompanyScope } from "../scope/company-scope.js";
import { Audited } from "./audited.js";
import { MOST_BULK_IDS, type BulkAccess } from "./bulk-operation.js";
import { BulkError } from "./bulk-result.js";
import { ARGUMENT_SCHEMA, BULK_ROWS, Company, IS_BULK } from "./operation-arguments.js";
import type { OperationContext } from "./operation-context.js";

const BulkModeEnum = defineEnum("BulkMode", ["each", "all"], {
  description: "What becomes of the other rows where one is refused.",
  values: { each: "They are done.", all: "None is done." },
});

/** What came of one row. */
export interface UpsertedRow {
  readonly created: boolean;
  readonly row: object;
}

/** An operation that creates or changes many rows, each with values of its own. */
export interface Upsert<Row extends object> {
  /** Name of the mutation, such as `upsertGoods`. */
  readonly name: string;
  readonly description: string;
  /** The type of the rows that are written, and what a result calls one. */
  readonly type: new () => object;
  readonly field: string;
  /** By what a row is found. */
  readonly by: Enum<string>;
  /** The input of one row. */
  readonly input: ClassType<Row>;
  /**
   * Locks what is there of the rows, in the order of their ids. It is called before the first row is done where all are done in one
   * transaction.
   */
  lock(scope: CompanyScope, rows: readonly Row[], by: string): Promise<void>;
  /** Does one row; what it throws refuses that row. */
  each(scope: CompanyScope, row: Row, by: string): Promise<UpsertedRow>;
}

/** The resolver of an operation that creates or changes many rows; it answers a result for each. */
export function upsertResolver<Row extends object>(
  { name, description, type, field, by, input, lock, each }: Upsert<Row>,
  { permission, orAnyClient = false }: BulkAccess,
): new () => object {
  const Result = resultOf(type, field);

  @Resolver()
  class UpsertResolver {
    @RequirePermission(permission, { orAnyClient })
    @Extensions({ [IS_BULK]: true, [ARGUMENT_SCHEMA + BULK_ROWS]: { maxItems: MOST_BULK_IDS } })
    @Audited()
    @Mutation(() => [Result], { name, description })
    async all(
      @Company() company: CompanyScope,
      @Arg("by", () => by, { description: "By what a row says which one it is." }) key: string,
      @Arg(BULK_ROWS, () => [input], { description: `The rows, at most ${MOST_BULK_IDS}.` }) rows: Row[],
      @Arg("mode", () => BulkModeEnum, {
        nullable: true,
        description: "What becomes of the other rows where one is refused; `each` when absent.",
      })
      mode: string | null | undefined,
      @Ctx() context: OperationContext,
    ): Promise<object[]> {
      const results = await context.forEachRow(company, rows, {
        isWhole: mode === "all",
        lock: (scope, named) => lock(scope, named, key),
        work: (scope, row) => each(scope, row, key),
        mayRepeat: (error) => isGone(error) || isExternalIdTaken(error),
      });
      return results.map(({ index, done, error }) => ({
        index,
        id: (done?.row as { id?: number } | undefined)?.id ?? null,
        ok: error === null,
        created: done?.created ?? false,
        error,
        [field]: done?.row ?? null,
      }));
    }
  }
  return UpsertResolver;
}

/** Whether another request has deleted a row that was found; one that was named by its id is looked for in vain once more. */
function isGone(error: unknown): boolean {
  return error instanceof DomainError && error.code === "NOT_FOUND";
}

function resultOf(type: new () => object, field: string): new () => object {
  @ObjectType(`Upserted${type.name}`, { description: "What came of one row of many." })
  class Result {
    @Field(() => Int, { description: "The place of the row among those that were sent, from 0." })
    index!: number;

    @Field(() => Int, { nullable: true, description: "Id of what was written; null where it was refused." })
    id!: number | null;

    @Field(() => Boolean, { description: "Whether it was done." })
    ok!: boolean;

    @Field(() => Boolean, { description: "Whether it was created; else it was there." })
    created!: boolean;

    @Field(() => BulkError, { nullable: true, description: "Why it was not done; null when it was." })
    error!: BulkError | null;
  }
  Field(() => type, { nullable: true, description: "What was written; null where it was refused." })(
    Result.prototype,
    field,
  );
  return Result;
}
