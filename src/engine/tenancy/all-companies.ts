import { RowsOf } from "../../core/lists/rows-of.js";
import type { ListDelegate } from "../../core/lists/list-page.js";
import type { Where } from "../../core/lists/compile-filter.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import type { Db } from "../../core/db/db.js";
import type { ReadMeter } from "../limits/read-meter.js";
import type { RowReader } from "../reads/row-reader.js";
import { rowReaderOf } from "./bounded-db.js";

/** The condition on rows of all companies that are not deleted: the guard of statements wants the company named. */
export const OF_ALL_COMPANIES: Where = {
  companyId: { in: new RowsOf<Where>("Company", "id", { deletedAt: null }) },
};

/** Reads a list of rows of all companies; only the engine calls it, for the platform. */
export function allCompanies(client: Db, model: ModelName, meter: ReadMeter): ListDelegate {
  const reader = rowReaderOf(client) as RowReader;
  return {
    findMany: (query) =>
      meter.inTurn(async () => [...(await simple(reader.read(model, query as Where, meter)))]),
    count: (query) =>
      meter.inTurn(async () => {
        const [row] = await simple(reader.count(model, query));
        return row?.["count"] as number;
      }),
  };
}

function simple<T>(reading: Promise<T> | null): Promise<T> {
  if (reading === null) throw new Error("a list over all companies has a condition on other tables");
  return reading;
}
