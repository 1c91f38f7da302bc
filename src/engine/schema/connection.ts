/** Returns whether a type is a page of a list: its rows are in `nodes` and `edges`. */
export function isConnection(typeName: string): boolean {
  return typeName.endsWith("Connection");
}
