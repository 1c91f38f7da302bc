import { defineEnum } from "../../core/enums.js";
import { SheetField } from "../../core/files/sheet-field.js";
import type { SheetRule } from "../../core/files/sheet-rule.js";
import type { UploadedFile } from "../../core/files/upload.js";
import {
  BooleanField,
  ChoiceField,
  DateTimeField,
  InputField,
  InputObject,
  ObjectField,
  OffsetField,
  patternSchema,
  TextField,
  TextsField,
} from "../../core/inputs/input-fields.js";
import { SHEET_FORMATS } from "../../core/sheets/sheet.js";

const MAX_HEADER = 400;

/** What an import takes. */
export const SHEET: SheetRule = { formats: SHEET_FORMATS, maxKiB: 51_200 };

export const ImportPreviewEnum = defineEnum("ImportPreview", ["rows", "changes"], {
  description: "What an import that changes no goods shows.",
  values: {
    rows: "The first rows as they would be.",
    changes: "All rows that would change something as well, with the values before and after.",
  },
});
export type ImportPreview = keyof typeof ImportPreviewEnum;

/** A sign that stands between or around values, as it is or as `\t`. */
const SignField = (description: string) =>
  InputField(
    () => String,
    { description, nullable: true },
    { text: "verbatim", ...patternSchema({ source: "^(?:.|\\\\t)$", words: "one character, or \\t" }) },
  );

const EncodingField = (description: string) =>
  TextField({
    description,
    nullable: true,
    max: 40,
    pattern: { source: "^[A-Za-z0-9][A-Za-z0-9._:-]*$", words: "the name of an encoding, such as UTF-8" },
  });

@InputObject({
  description: "How a text with columns is written. What is absent is found out from the file.",
})
export class CsvSettingsInput {
  @SignField("What separates the columns.")
  delimiter?: string | null;

  @SignField("What encloses values.")
  enclosure?: string | null;

  @InputField(
    () => String,
    { description: "What ends a line.", nullable: true },
    {
      text: "verbatim",
      ...patternSchema({ source: "^(?:\\r?\\n|\\r|\\\\r\\\\n|\\\\n|\\\\r)$", words: "\\n, \\r\\n or \\r" }),
    },
  )
  lineEnding?: string | null;

  @SignField("What stands before an enclosure within a value.")
  escapeCharacter?: string | null;

  @EncodingField("Encoding of the file, such as ISO-8859-1.")
  inputEncoding?: string | null;

  @EncodingField("Encoding of the report.")
  outputEncoding?: string | null;

  @BooleanField({ description: "Whether the report begins with a byte-order mark.", nullable: true })
  useBom?: boolean | null;

  @BooleanField({ description: "Whether the first line names the delimiter, as `sep=;`.", nullable: true })
  includeSeparatorLine?: boolean | null;

  @BooleanField({ description: "Whether the report is written as Excel reads it best.", nullable: true })
  excelCompatibility?: boolean | null;

  @BooleanField({
    description: "Whether delimiters that follow one another count as one.",
    nullable: true,
  })
  contiguous?: boolean | null;
}

@InputObject({ description: "A spreadsheet of goods, and how it is read." })
export class ImportGoodsInput {
  @SheetField({ description: "The spreadsheet. Of several sheets the first one counts.", sheet: SHEET })
  file!: UploadedFile;

  @TextField({
    description:
      "Address of each good's picture. `{column}`, or the text in `hostImageVar`, stands for the row's value.",
    nullable: true,
    max: 1024,
  })
  hostImageUrl?: string | null;

  @TextField({
    description: "Text within `hostImageUrl` for which the value of the column of that name stands.",
    nullable: true,
    max: 255,
  })
  hostImageVar?: string | null;

  @DateTimeField({
    description: "When it begins, within a year; at once when absent.",
    nullable: true,
    laterThan: ["now"],
  })
  sendAt?: string | null;

  @OffsetField({ description: "Offset of `sendAt`; the company's zone when absent.", nullable: true })
  sendAtTimezone?: string | null;

  @TextsField({
    description:
      "What columns hold, as `column=field`: a header or the letters of a column, and a field such as `price`. A column " +
      "with no field after `=` is ignored. Columns that are not named go by their headers.",
    optional: true,
    itemMin: 1,
    itemMax: MAX_HEADER,
  })
  mapping?: string[];

  @TextsField({
    description:
      "How it is done, as `key=value`: `create`, `update` and `dry_run` (true or false); `type`, `notes_enabled` and `unit` " +
      "of new goods; `decimal`, the sign before decimals; `profile`, the program that wrote the sheet (shopify, woocommerce, " +
      "prestashop, magento), which its headers say otherwise.",
    optional: true,
    itemMin: 1,
    itemMax: MAX_HEADER,
  })
  config?: string[];

  @TextsField({
    description:
      "Categories for values of the column of categories, as `value=category`: its id or its name.",
    optional: true,
    itemMin: 1,
    itemMax: MAX_HEADER,
  })
  categoryMapping?: string[];

  @ObjectField(() => CsvSettingsInput, {
    description: "How a text with columns is written.",
    nullable: true,
  })
  csvSettings?: CsvSettingsInput | null;

  @BooleanField({
    description: "Whether it only shows what it would do, and changes no goods.",
    nullable: true,
  })
  dryRun?: boolean | null;

  @ChoiceField(ImportPreviewEnum, {
    description: "What it shows and does not do; implies `dryRun`.",
    nullable: true,
  })
  preview?: ImportPreview | null;
}
