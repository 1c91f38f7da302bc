import DataLoader from "dataloader";
import type { Caller } from "../../core/access/caller.js";
import type { ShopBounds } from "../../core/access/role-directory.js";
import type { Db } from "../../core/db/db.js";
import { unavailable } from "../../core/errors/domain-error.js";
import type { RowBudget } from "../limits/row-budget.js";
import type { ReadPlan } from "./read-plan.js";
import { boundIn } from "../tenancy/bound-operations.js";
import { ownerIn } from "../tenancy/private-rows.js";
import { boundedDb, tableOf } from "../tenancy/bounded-db.js";
import type { ChildrenOf, OneOf, Row } from "../../core/relations/relations.js";
import type { ModelName } from "../../core/scope/tenant-models.js";

interface Delegate {
  findMany(query: object): Promise<Row[]>;
}

type Found = Row | null | readonly Row[];

/**
 * The rows that were found for one kind of relation in one company, by the ids of their parents, and the loader
 * that reads the missing ones.
 */
interface Shelf<T extends Found> {
  readonly found: Map<number, T>;
  readonly read: (ids: readonly number[]) => Promise<unknown>;
  readonly loader: DataLoader<number, T>;
}

/**
 * Loads the related rows of one run: one statement reads all rows that are asked for within a tick, for each
 * company and kind of relation. Rows that are known already are returned without a promise.
 */
export class Loaders {
  /**
   * By company, and then by `model.key` of single rows, which relations share, or by the relation to many: two of them
   * may answer other rows of the same foreign key, or the same rows in another order.
   */
  private readonly shelves = new Map<number, Map<string | ChildrenOf, Shelf<Found>>>();

  /**
   * @param caller whose private rows are read, when it is a client.
   * @param budget counts the rows that are read.
   * @param plan names the columns that the document needs; without a plan all columns are read.
   * @param deadline in milliseconds since 1970. A row that is asked for later is not read, since its answer is
   *   overdue.
   * @param bounds the shops and branches that the caller reaches; `null` for all.
   */
  constructor(
    private readonly client: Db,
    private readonly caller: Caller,
    private readonly budget: RowBudget,
    private readonly plan: ReadPlan | null = null,
    private readonly deadline = Infinity,
    private readonly bounds: ShopBounds | null = null,
  ) {}

  /** Returns the row of the model with this id (or key), `null` when there is none. */
  one(relation: OneOf, companyId: number, id: number): Row | null | Promise<Row | null> {
    return take(this.shelfOfOne(relation, companyId), id);
  }

  /** Returns the rows that belong to the parent, in their order. */
  many(relation: ChildrenOf, companyId: number, parentId: number): readonly Row[] | Promise<readonly Row[]> {
    return take(this.shelfOfMany(relation, companyId), parentId);
  }

  /** Reads the rows that these ids refer to in one statement, before fields ask for them one by one. */
  async readOneAhead(relation: OneOf, companyId: number, ids: readonly number[]): Promise<Row[]> {
    const shelf = this.shelfOfOne(relation, companyId);
    await readMissing(shelf, ids);
    return ids.map((id) => shelf.found.get(id)).filter((row): row is Row => row != null);
  }

  /** Reads the rows that belong to these parents in one statement, before fields ask for them one by one. */
  async readManyAhead(relation: ChildrenOf, companyId: number, parentIds: readonly number[]): Promise<Row[]> {
    const shelf = this.shelfOfMany(relation, companyId);
    await readMissing(shelf, parentIds);
    const rows: Row[] = [];
    // `flatMap` takes several times as long.
    for (const id of parentIds) for (const row of shelf.found.get(id) ?? []) rows.push(row);
    return rows;
  }

  private shelfOfOne({ model, key = "id" }: OneOf, companyId: number): Shelf<Row | null> {
    return this.shelf(companyId, `${model}.${key}`, async (ids, found) => {
      const rows = await this.delegate(model, companyId).findMany({
        where: { companyId, [key]: { in: [...ids] } },
        ...this.selectionOf(model, key),
      });
      for (const id of ids) found.set(id, null);
      for (const row of rows) found.set(row[key] as number, row);
    });
  }

  private shelfOfMany(relation: ChildrenOf, companyId: number): Shelf<readonly Row[]> {
    const { model, foreignKey, order, through, where } = relation;
    return this.shelf(companyId, relation, async (parentIds, found) => {
      const rows = await this.delegate(model, companyId).findMany({
        where: { companyId, [foreignKey]: { in: [...parentIds] }, ...where },
        orderBy: order,
        take: this.budget.mostRows,
        ...(through === undefined
          ? this.selectionOf(model, foreignKey)
          : { select: { [foreignKey]: true, [through.via]: true } }),
      });
      const behind = through === undefined ? null : await this.rowsBehind(rows, through, companyId);
      const groups = new Map<unknown, Row[]>();
      for (const id of parentIds) groups.set(id, []);
      // An iterator of entries would make a list for each row.
      for (let index = 0; index < rows.length; index += 1) {
        const row = rows[index] as Row;
        const answered = behind === null ? row : behind[index];
        if (answered !== undefined) groups.get(row[foreignKey])?.push(answered);
      }
      for (const [id, group] of groups) {
        this.budget.relates(group.length, model);
        found.set(id as number, group);
      }
    });
  }

  /** Reads the rows that links lead to, each once. */
  private async rowsBehind(
    links: readonly Row[],
    { model, via }: NonNullable<ChildrenOf["through"]>,
    companyId: number,
  ): Promise<(Row | undefined)[]> {
    const ids = links.map((link) => link[via] as number);
    const rows = await this.readOneAhead({ model }, companyId, [...new Set(ids)]);
    const byId = new Map(rows.map((row) => [row["id"], row]));
    return ids.map((id) => byId.get(id));
  }

  private selectionOf(model: ModelName, key: string): { select?: Record<string, true> } {
    const select = this.plan?.columnsOf(model);
    return select == null ? {} : { select: { ...select, [key]: true } };
  }

  private delegate(model: ModelName, companyId: number): Delegate {
    const { caller, budget: meter } = this;
    const bound = boundIn(companyId, caller, this.bounds);
    const db = boundedDb(this.client, { companyId, meter, owner: ownerIn(companyId, caller), bound });
    return tableOf<Delegate>(db, model);
  }

  private shelf<T extends Found>(
    companyId: number,
    key: string | ChildrenOf,
    readInto: (ids: readonly number[], found: Map<number, T>) => Promise<void>,
  ): Shelf<T> {
    const ofCompany = this.shelves.get(companyId) ?? new Map<string | ChildrenOf, Shelf<Found>>();
    this.shelves.set(companyId, ofCompany);
    const known = ofCompany.get(key);
    if (known !== undefined) return known as unknown as Shelf<T>;
    const found = new Map<number, T>();
    const read = async (ids: readonly number[]): Promise<T[]> => {
      this.budget.assertWithin();
      if (Date.now() > this.deadline) throw unavailable("The request took too long.");
      await readInto(ids, found);
      return ids.map((id) => found.get(id) as T);
    };
    const shelf: Shelf<T> = { found, read, loader: new DataLoader(read) };
    ofCompany.set(key, shelf);
    return shelf;
  }
}

function take<T extends Found>({ found, loader }: Shelf<T>, id: number): T | Promise<T> {
  const known = found.get(id);
  return known === undefined ? loader.load(id) : known;
}

async function readMissing<T extends Found>(
  { found, read }: Shelf<T>,
  ids: readonly number[],
): Promise<void> {
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0) await read(missing);
}
