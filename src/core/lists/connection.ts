import { Field, Int, ObjectType, type ClassType } from "type-graphql";

@ObjectType({ description: "Where a page lies in its list." })
export class PageInfo {
  @Field(() => Boolean, { description: "Whether rows follow this page." })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: "Whether rows precede this page." })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: "Cursor of the first row, null on an empty page." })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: "Cursor of the last row, null on an empty page." })
  endCursor!: string | null;
}

/** One page of a list. Cursors and the total are worked out only when the document selects them. */
export class Connection<T extends object> {
  private total: Promise<number> | null = null;

  constructor(
    readonly nodes: readonly T[],
    private readonly cursorOf: (index: number) => string,
    private readonly more: { readonly next: boolean; readonly previous: boolean },
    private readonly count: (isEstimated: boolean) => Promise<number>,
  ) {}

  get edges(): { cursor: string; node: T }[] {
    return this.nodes.map((node, index) => ({ cursor: this.cursorOf(index), node }));
  }

  get pageInfo(): PageInfo {
    const last = this.nodes.length - 1;
    return {
      hasNextPage: this.more.next,
      hasPreviousPage: this.more.previous,
      startCursor: last < 0 ? null : this.cursorOf(0),
      endCursor: last < 0 ? null : this.cursorOf(last),
    };
  }

  /** The same page with another row in the place of each; a row without another one is left out. */
  map<U extends object>(
    connection: ClassType<Connection<U>>,
    other: (node: T) => U | undefined,
  ): Connection<U> {
    const placed = this.nodes.flatMap((node, place) => {
      const row = other(node);
      return row === undefined ? [] : [{ row, place }];
    });
    return new connection(
      placed.map(({ row }) => row),
      (index: number) => this.cursorOf(placed[index]?.place ?? index),
      this.more,
      this.count,
    );
  }

  totalCount(): Promise<number> {
    return (this.total ??= this.count(false));
  }

  /** Begins to count the rows of the list before a field asks for their number; the field reports the error. */
  countAhead(): void {
    this.totalCount().catch(() => undefined);
  }

  estimatedCount(): Promise<number> {
    return this.count(true);
  }
}

/**
 * The GraphQL types `<name>Connection` and `<name>Edge`.
 *
 * @param describeEdge adds fields to the edge, given its prototype.
 */
export function connectionOf<T extends object>(
  node: ClassType<T>,
  name: string,
  describeEdge?: (edge: object) => void,
): ClassType<Connection<T>> {
  @ObjectType(`${name}Edge`, { description: `A ${name} and its place in the list.` })
  class Edge {
    @Field(() => String, { description: "Opaque place of this row in the list, for `after` and `before`." })
    cursor!: string;

    @Field(() => node, { description: "The row." })
    node!: T;
  }
  describeEdge?.(Edge.prototype);

  @ObjectType(`${name}Connection`, {
    description: `A page of ${name} rows.`,
    // Each getter is called once, since it works; simple resolvers would read it several times.
    simpleResolvers: false,
  })
  class NodeConnection extends Connection<T> {}

  Field(() => [Edge], { description: "The rows with their cursors." })(NodeConnection.prototype, "edges");
  Field(() => [node], { description: "The rows." })(NodeConnection.prototype, "nodes");
  Field(() => PageInfo, { description: "Where the page lies in the list." })(
    NodeConnection.prototype,
    "pageInfo",
  );
  Field(() => Int, { description: "How many rows the whole list has; costs a count." })(
    NodeConnection.prototype,
    "totalCount",
    { value: NodeConnection.prototype.totalCount },
  );
  Field(() => Int, {
    description: "How many rows the whole list has, exact up to 10,000; beyond that as the database expects.",
  })(NodeConnection.prototype, "estimatedCount", { value: NodeConnection.prototype.estimatedCount });
  return NodeConnection;
}
