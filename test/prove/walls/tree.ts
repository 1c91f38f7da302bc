/** A node of PostgreSQL's tree of a statement: one key, the kind, with the fields of it; or the fields themselves. */
export type Node = Readonly<Record<string, unknown>>;

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const isEmpty = (node: Node): boolean => Object.keys(node).length === 0;
export const list = (value: unknown): readonly Node[] => (Array.isArray(value) ? (value as Node[]) : []);
export const textOf = (node: Node): string =>
  ((node["String"] as Node | undefined)?.["sval"] ?? "") as string;

/** What a relation is called, and its columns where an alias names them. */
export function aliasOf(alias: unknown): { name: string | undefined; columns: string[] } {
  const fields = alias as Node | undefined;
  return {
    name: fields?.["aliasname"] as string | undefined,
    columns: list(fields?.["colnames"]).map(textOf),
  };
}

/** The name that a column of an answer has. */
export function nameOfTarget(target: Node): string {
  const fields = target["ResTarget"] as Node;
  if (typeof fields["name"] === "string") return fields["name"];
  let value = fields["val"] as Node;
  while (value["TypeCast"] !== undefined) value = (value["TypeCast"] as Node)["arg"] as Node;
  return (
    list((value["ColumnRef"] as Node | undefined)?.["fields"])
      .map(textOf)
      .at(-1) ?? "?column?"
  );
}
