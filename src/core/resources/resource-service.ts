import { assertRoom, type StoredQuota } from "../quotas/quota.js";
import { takenIndex } from "../db/taken-index.js";
import { type DomainError, invalidField, notFound } from "../errors/domain-error.js";
import type { Connection } from "../lists/connection.js";
import { listCounts, type ValueCount } from "../lists/list-counts.js";
import type { CountArguments, ListArguments, ListDefinition } from "../lists/list-definition.js";
import { type ListDelegate, listPage } from "../lists/list-page.js";
import type { CompanyScope } from "../scope/company-scope.js";
import { hasWholes, lockWholes } from "./lock-wholes.sql.js";
import { delegateName, isSoftDeleted, type ModelName } from "../scope/tenant-models.js";

/** Column values of a row by their field names. */
export type Values = Readonly<Record<string, unknown>>;

export interface ResourceOptions {
  /** Name of a field with a client's id: a client sees and writes only rows that hold its own. */
  readonly owner?: string;
  /** Name of a field whose values a unique index keeps apart; a value that is taken breaks the rule `unique`. */
  readonly unique?: string;
  /** Returns the refusal of values that another row has in a further unique index; `null` for those of `unique`. */
  readonly refuseTaken?: (index: string) => DomainError | null;
  /** The quota of the company that a new row needs room in. */
  readonly quota?: StoredQuota;
  /**
   * Turns a checked input into column values, inside the transaction that writes them. It adds defaults and checks
   * rules that need other rows.
   *
   * @param id id of the row that changes, which exists; `null` for a new row.
   */
  readonly prepare?: (scope: CompanyScope, input: Values, id: number | null) => Promise<Values> | Values;
  /**
   * Refuses the removal of a row, inside the transaction that removes it. The row is locked by then, and what it throws undoes
   * the removal.
   */
  readonly refuseRemoval?: (scope: CompanyScope, id: number) => Promise<void>;
}

/** Reads and writes of one plain resource. */
export interface ResourceService<Row extends object> {
  readonly list: (scope: CompanyScope, args: ListArguments) => Promise<Connection<Row>>;
  /** Counts the rows by the values of a field. */
  readonly counts: (scope: CompanyScope, args: CountArguments) => Promise<ValueCount[]>;
  /** @throws DomainError NOT_FOUND. */
  readonly get: (scope: CompanyScope, id: number, withDeleted?: boolean) => Promise<Row>;
  /** @throws DomainError VALIDATION_FAILED with rule `unique` for a value that is taken. */
  readonly create: (scope: CompanyScope, input: object) => Promise<Row>;
  /** Changes the fields that the input names. @throws DomainError as `create` and `get`. */
  readonly update: (scope: CompanyScope, id: number, input: object) => Promise<Row>;
  /** @returns the row as it was. @throws DomainError NOT_FOUND; CONFLICT while other rows refer to it. */
  readonly remove: (scope: CompanyScope, id: number) => Promise<Row>;
}

interface Delegate<Row> extends ListDelegate {
  findFirst(query: object): Promise<Row | null>;
  create(query: object): Promise<Row>;
  updateManyAndReturn(query: object): Promise<Row[]>;
  deleteMany(query: object): Promise<{ count: number }>;
}

type Save<Row> = (scope: CompanyScope, values: Values) => Promise<Row>;

/** Makes the service of a plain resource: rows of `model`, listed by `list`. */
export function resourceService<Row extends object>(
  model: ModelName,
  list: ListDefinition<Row>,
  { owner, unique, refuseTaken, quota, prepare, refuseRemoval }: ResourceOptions = {},
): ResourceService<Row> {
  const softDeleted = isSoftDeleted(model);
  const isPart = hasWholes(model);
  const rows = (scope: CompanyScope): Delegate<Row> =>
    scope.db[delegateName(model) as keyof typeof scope.db] as unknown as Delegate<Row>;

  /** Condition for the rows that the caller may know of, deleted ones included. */
  const own = ({ companyId, caller }: CompanyScope): Values => ({
    companyId,
    ...(owner !== undefined && caller.kind === "client" && { [owner]: caller.id }),
  });

  const visible = (scope: CompanyScope, withDeleted = false): Values => ({
    ...own(scope),
    ...(softDeleted && !withDeleted && { deletedAt: null }),
  });

  const get = async (scope: CompanyScope, id: number, withDeleted = false): Promise<Row> => {
    const row = await rows(scope).findFirst({ where: { ...visible(scope, withDeleted), id } });
    if (row === null) throw notFound(model);
    return row;
  };

  const write = (scope: CompanyScope, input: object, id: number | null, save: Save<Row>): Promise<Row> => {
    const needed = id === null ? quota : undefined;
    if (prepare === undefined && needed === undefined && !isPart) return save(scope, { ...input });
    return scope.transaction(async (inside) => {
      if (isPart) await lockWholes(inside, model, id ?? (input as Values));
      if (id !== null) await get(inside, id);
      const values = (await prepare?.(inside, { ...input }, id)) ?? { ...input };
      if (needed !== undefined) await assertRoom(inside, needed);
      return save(inside, values);
    });
  };

  const change = async (scope: CompanyScope, id: number, data: Values): Promise<Row> => {
    const [row] = await rows(scope).updateManyAndReturn({ where: { ...visible(scope), id }, data });
    if (row === undefined) throw notFound(model);
    return row;
  };

  const remove = async (scope: CompanyScope, id: number): Promise<Row> => {
    if (softDeleted) return change(scope, id, { deletedAt: scope.at });
    const row = await get(scope, id);
    const { count } = await rows(scope).deleteMany({ where: { ...visible(scope), id } });
    if (count === 0) throw notFound(model);
    return row;
  };

  const unlessTaken = (writing: Promise<Row>): Promise<Row> =>
    unique === undefined
      ? writing
      : writing.catch((error: unknown) => {
          const index = takenIndex(error);
          if (index === null) throw error;
          throw refuseTaken?.(index) ?? invalidField(unique, "unique", "is already taken");
        });

  return {
    get,
    counts: (scope, args) => listCounts(list, { delegate: rows(scope), where: own(scope) }, args),
    list: (scope, args) => {
      const source = { delegate: rows(scope), where: own(scope), select: scope.selected(model) };
      return listPage(list, source, args);
    },
    create: (scope, input) =>
      unlessTaken(
        write(scope, input, null, (inside, values) =>
          rows(inside).create({ data: { ...values, companyId: inside.companyId } }),
        ),
      ),
    update: (scope, id, input) =>
      unlessTaken(write(scope, input, id, (inside, values) => change(inside, id, values))),
    remove: (scope, id) => {
      if (refuseRemoval === undefined && !isPart) return remove(scope, id);
      return scope.transaction(async (inside) => {
        if (isPart) await lockWholes(inside, model, id);
        const row = await remove(inside, id);
        await refuseRemoval?.(inside, id);
        return row;
      });
    },
  };
}
