import DataLoader from "dataloader";
import type { PrismaClient } from "../../generated/prisma/client.js";
import { DomainError } from "../errors/domain-error.js";
import { scopedClient } from "../tenancy/scoped-client.js";
import { delegateName, type ModelName } from "../tenancy/tenant-models.js";

export type Row = Readonly<Record<string, unknown>>;

export type Order = readonly Readonly<Record<string, "asc" | "desc">>[];

/** Rows of `model` whose `foreignKey` is the parent's id. */
export interface ChildrenOf {
  readonly model: ModelName;
  readonly foreignKey: string;
  readonly order: Order;
  /** Follows a link row to what it links, by the name of that relation. */
  readonly through?: string;
  readonly where?: Row;
}

interface Delegate {
  findMany(query: object): Promise<Row[]>;
}

/** DataLoaders of one request: one statement for all keys of a tick, per company and kind of relation. */
export class Loaders {
  private readonly loaders = new Map<string, DataLoader<number, unknown>>();

  /** @param deadline in milliseconds: what is asked for later is not worth a statement, its answer is overdue. */
  constructor(
    private readonly client: PrismaClient,
    private readonly deadline = Infinity,
  ) {}

  /** The row of `model` with this id (or `key`), `null` where absent. */
  one(model: ModelName, companyId: number, id: number, key = "id"): Promise<Row | null> {
    return this.loader(`${model}.${key}`, companyId, async (ids) => {
      const rows = await this.delegate(model, companyId).findMany({
        where: { companyId, [key]: { in: [...ids] } },
      });
      const byKey = new Map(rows.map((row) => [row[key], row]));
      return ids.map((wanted) => byKey.get(wanted) ?? null);
    }).load(id) as Promise<Row | null>;
  }

  /** The rows that belong to the parent, in their order. */
  many(children: ChildrenOf, companyId: number, parentId: number): Promise<Row[]> {
    const { model, foreignKey, order, through, where } = children;
    return this.loader(`${model}.${foreignKey}[]${through ?? ""}`, companyId, async (parentIds) => {
      const rows = await this.delegate(model, companyId).findMany({
        where: { companyId, [foreignKey]: { in: [...parentIds] }, ...where },
        orderBy: order,
        ...(through !== undefined && { include: { [through]: true } }),
      });
      const groups = new Map<unknown, Row[]>(parentIds.map((id) => [id, []]));
      for (const row of rows)
        groups.get(row[foreignKey])?.push(through === undefined ? row : (row[through] as Row));
      return parentIds.map((id) => groups.get(id) ?? []);
    }).load(parentId) as Promise<Row[]>;
  }

  private delegate(model: ModelName, companyId: number): Delegate {
    const db = scopedClient(this.client, companyId);
    return db[delegateName(model) as keyof PrismaClient] as unknown as Delegate;
  }

  private loader(
    kind: string,
    companyId: number,
    batch: (ids: readonly number[]) => Promise<unknown[]>,
  ): DataLoader<number, unknown> {
    const key = `${companyId}:${kind}`;
    let loader = this.loaders.get(key);
    if (loader === undefined) {
      loader = new DataLoader((ids: readonly number[]) => {
        if (Date.now() > this.deadline) throw new DomainError("UNAVAILABLE", "The request took too long.");
        return batch(ids);
      });
      this.loaders.set(key, loader);
    }
    return loader;
  }
}
