/** Ids of rows by the names that the demo data refers to them with. */
export class NameIndex {
  private readonly ids: ReadonlyMap<string, number>;

  /** @param kind what the rows are, for the message about a name that is not there. */
  constructor(
    private readonly kind: string,
    rows: readonly { id: number; name: string }[],
  ) {
    this.ids = new Map(rows.map(({ id, name }) => [name, id]));
    if (this.ids.size !== rows.length) throw new Error(`demo data: two rows of ${kind} share a name`);
  }

  /** @throws for a name that is not there: a slip in the demo data. */
  get(name: string): number {
    const id = this.ids.get(name);
    if (id === undefined) throw new Error(`demo data: no ${this.kind} is called "${name}"`);
    return id;
  }

  entries(): [name: string, id: number][] {
    return [...this.ids];
  }
}
