import { Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../core/enums.js";
import { defineList } from "../../core/lists/list-definition.js";
import { ToMany } from "../../core/relations/relations.js";
import { ResourceRow } from "../../core/resources/resource-row.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { Json } from "../../core/scalars/json.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import { SHEET_FORMATS } from "../../core/sheets/sheet.js";
import type { Row } from "../../core/db/db.js";
import { CHANGES_SHOWN } from "./import-changes.rules.js";
import type { ImportColumn as StoredColumn } from "./import-columns.rules.js";

type ImportJobRow = Row<"ImportJob">;

export const ImportStatusEnum = defineEnum(
  "ImportStatus",
  ["scheduled", "queued", "running", "finished", "failed"],
  {
    description: "How an import stands.",
    values: {
      scheduled: "It begins at `sendAt`.",
      queued: "It waits for its turn.",
      running: "Its rows are being done.",
      finished: "All rows are done, be it with errors.",
      failed:
        "It was canceled, the file cannot be read, its branch has left the shop, or whoever sent it may import no more; `message` says why. What was done by then stays.",
    },
  },
);

export const SheetFormatEnum = defineEnum("SheetFormat", SHEET_FORMATS, {
  description: "Format of a spreadsheet, which is the ending of its name.",
  values: {
    xlsx: "Excel.",
    xlsm: "Excel with macros, which are never run.",
    xltx: "Template of Excel.",
    xltm: "Template of Excel with macros, which are never run.",
    xls: "Excel before 2007.",
    xlt: "Template of Excel before 2007.",
    ods: "OpenDocument.",
    ots: "Template of OpenDocument.",
    slk: "SYLK.",
    xml: "Excel's XML of 2003.",
    gnumeric: "Gnumeric.",
    htm: "The first table of a page.",
    html: "The first table of a page.",
    csv: "Text with columns.",
    tsv: "Text with columns that tabs separate.",
    txt: "Text with columns.",
  },
});

/** At most so many errors are listed with the import itself; the list of errors has all. */
export const ERRORS_TOLD = 1_000;

@ObjectType({ description: "A column of an imported sheet." })
export class ImportColumn {
  @Field(() => String, { description: "Its letters, such as `A`." })
  column!: string;

  @Field(() => String, { description: "Its header in row 1." })
  header!: string;

  @Field(() => String, { nullable: true, description: "The field that it fills; null when it is ignored." })
  field!: string | null;
}

@ObjectType({ description: "What is wrong with a row of an import, or with one of its cells." })
export class ImportError {
  @Field(() => SafeInt, { description: "Identifier, unique among all of its type in all companies." })
  id!: bigint;

  companyId!: number;

  @Field(() => Int, { description: "The row as in the sheet; the headers are row 1." })
  row!: number;

  @Field(() => String, { nullable: true, description: "Letters of the column; null when there is none." })
  column!: string | null;

  @Field(() => String, { nullable: true, description: "Header of the column." })
  header!: string | null;

  @Field(() => String, { nullable: true, description: "The field." })
  field!: string | null;

  @Field(() => String, { description: "The rule that it breaks, as in refusals of inputs." })
  rule!: string;

  @Field(() => String, { description: "What is wrong." })
  message!: string;
}

@ObjectType({ description: "How many errors of an import are of one rule on one field." })
export class ImportErrorCount {
  @Field(() => String, {
    nullable: true,
    description: "The field; null for rows that are refused as a whole.",
  })
  field!: string | null;

  @Field(() => String, { description: "The rule that is broken." })
  rule!: string;

  @Field(() => Int, { description: "How many errors; those that are not kept count too." })
  count!: number;

  @Field(() => Int, { description: "The first row with one, as in the sheet." })
  firstRow!: number;
}

@ObjectType({ description: "A row of an import as it would be." })
export class ImportPreviewRow {
  @Field(() => Int, { description: "The row as in the sheet." })
  row!: number;

  @Field(() => String, { description: "What would be done: `create`, `update` or `keep`." })
  action!: string;

  @Field(() => Json, { description: "The good as it would be, by the keys of REST." })
  good!: unknown;

  @Field(() => String, {
    nullable: true,
    description:
      "That the row would make a second good of the same name, or one whose sku differs from that of another good by case or leading zeros alone; null otherwise.",
  })
  note!: string | null;
}

@ObjectType({ description: "A row of an import that would change something." })
export class ImportChange {
  id!: bigint;

  companyId!: number;

  @Field(() => Int, { description: "The row as in the sheet." })
  row!: number;

  @Field(() => Int, { nullable: true, description: "The good; null for one that would be created." })
  goodId!: number | null;

  @Field(() => Json, {
    description:
      "The fields that would change, by the keys of REST, each as `{before, after}`; of a new good those that hold something.",
  })
  changes!: unknown;

  @Field(() => String, {
    nullable: true,
    description:
      "That the row would make a second good of the same name, or one whose sku differs from that of another good by case or leading zeros alone; that its id is that of no good; null otherwise.",
  })
  note!: string | null;
}

@ObjectType({
  description: "What came of the pictures that rows name; they are fetched after their rows are done.",
})
export class ImportPictures {
  @Field(() => Int, { description: "Pictures that are named and that their goods did not have." })
  wanted!: number;

  @Field(() => Int, { description: "Those that goods have now." })
  fetched!: number;

  @Field(() => Int, { description: "Those that cannot be had; each is listed as an error of its row." })
  failed!: number;
}

@ObjectType({ description: "An import of goods from a spreadsheet." })
export class ImportJob extends ResourceRow {
  @Field(() => ImportStatusEnum, { description: "How it stands." })
  status!: string;

  @Field(() => String, { nullable: true, description: "Why it failed." })
  message!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: "The shop whose goods it creates and changes; null for a branch of no shop.",
  })
  branchGroupId!: number | null;

  @Field(() => Int, { nullable: true, description: "The branch where it puts them on sale." })
  branchId!: number | null;

  @Field(() => String, { description: "Name of the file." })
  fileName!: string;

  @Field(() => SheetFormatEnum, { description: "Format of the file." })
  format!: string;

  @Field(() => Boolean, { description: "Whether it only shows what it would do." })
  dryRun!: boolean;

  @Field(() => DateTime, { nullable: true, description: "When it begins, if it was not to begin at once." })
  sendAt!: Date | null;

  @Field(() => Int, {
    description: "Rows below the headers that are done: `imported`, `updated` and `failed` together.",
  })
  totalRows!: number;

  @Field(() => Int, { description: "Rows of which a good was created." })
  imported!: number;

  @Field(() => Int, { description: "Rows of which the good was there already." })
  updated!: number;

  @Field(() => Int, { description: "Of those that count as updated, rows in which nothing differed." })
  unchanged!: number;

  @Field(() => Int, { description: "Rows that were refused." })
  failed!: number;

  @Field(() => Int, { description: "How many errors there are; a row may have several." })
  errorCount!: number;

  @Field(() => [ImportErrorCount], { description: "All errors by field and rule, the most frequent first." })
  errorCounts!: ImportErrorCount[];

  picturesWanted!: number;
  picturesFetched!: number;
  picturesFailed!: number;

  @Field(() => [ImportColumn], { description: "The columns of the sheet, and what they are taken for." })
  columns!: ImportColumn[];

  @Field(() => [String], {
    description:
      "Values of the column of categories, at most 100, that name no category; nothing is linked for them.",
  })
  unknownCategories!: string[];

  @Field(() => [ImportPreviewRow], { description: "The first 20 rows as they would be, of a dry run." })
  preview!: ImportPreviewRow[];

  @Field(() => Int, { description: "How many rows would change something, of a preview of changes." })
  changeCount!: number;

  @ToMany(() => ImportChange, {
    model: "ImportChange",
    foreignKey: "importJobId",
    order: [{ place: "asc" }],
    where: { place: { lt: CHANGES_SHOWN } },
    openTo: "readers",
    description: `The first ${CHANGES_SHOWN.toLocaleString("en")} rows that would change something, of a preview of changes; \`changesUrl\` has all.`,
  })
  changes!: ImportChange[];

  @Field(() => DateTime, { nullable: true, description: "When it began." })
  startedAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: "When it ended." })
  finishedAt!: Date | null;

  @ToMany(() => ImportError, {
    model: "ImportError",
    foreignKey: "importJobId",
    order: [{ place: "asc" }],
    where: { place: { lt: ERRORS_TOLD } },
    openTo: "readers",
    description: `The first ${ERRORS_TOLD.toLocaleString("en")} errors, in the order of the rows; \`importErrors\` lists all that are kept.`,
  })
  errors!: ImportError[];
}

export type StoredImportJob = ImportJobRow & { readonly columns: readonly StoredColumn[] };

export const importJobList = defineList(ImportJob, "ImportJob", {
  branchGroupId: { kind: "int", nullable: true, sortable: false },
  branchId: { kind: "int", nullable: true, sortable: false },
  status: { kind: "enum", enum: ImportStatusEnum, sortable: false },
  createdAt: { kind: "dateTime" },
});

export const importErrorList = defineList(
  ImportError,
  "ImportError",
  { id: { kind: "safeInt" } },
  { defaultOrder: [{ field: "id", direction: "asc" }] },
);
