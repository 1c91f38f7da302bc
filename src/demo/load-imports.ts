import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";

/** An import that ended, of a sheet in which one price was no number. */
export async function loadImports({ db, companyId }: DemoTarget): Promise<void> {
  const shop = await db.branchGroup.findFirstOrThrow({ where: { companyId }, orderBy: { id: "asc" } });
  const ended = new Date();
  const [job] = await insertRows(
    db,
    "ImportJob",
    [
      {
        companyId,
        branchGroupId: shop.id,
        status: "finished",
        fileName: "goods.csv",
        format: "csv",
        dryRun: false,
        options: {},
        nextRow: 5,
        totalRows: 3,
        imported: 0,
        updated: 2,
        unchanged: 2,
        failed: 1,
        errorCount: 1,
        errorCounts: [{ field: "price", rule: "type", count: 1, firstRow: 4 }],
        fileRead: 1,
        columns: [
          { column: "A", header: "Product", field: "name" },
          { column: "B", header: "Price", field: "price" },
          { column: "C", header: "Colour", field: null },
        ],
        startedAt: ended,
        finishedAt: ended,
      },
    ],
    ["id"],
  );
  await insertRows(db, "ImportError", [
    {
      companyId,
      importJobId: job?.id ?? 0,
      place: 0,
      row: 4,
      column: "B",
      header: "Price",
      field: "price",
      rule: "type",
      message: "must be an amount such as 12.34 or 1.234,56 €",
    },
  ]);
}
