/** Columns that clients know by another name than that of the column. */
const SHOWN_NAMES: Readonly<Record<string, string>> = {
  password_hash: "password",
  label_key: "label",
  avatar_key: "avatar",
};

/** The name of a field by which clients know a column: `price_e2` → `priceE2`. */
export function shownColumn(column: string): string {
  return (
    SHOWN_NAMES[column] ??
    column.replace(/_(?<letter>[a-z0-9])/gu, (_, letter: string) => letter.toUpperCase())
  );
}
