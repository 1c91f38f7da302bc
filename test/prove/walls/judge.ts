import { aliasOf, isEmpty, isNode, list, nameOfTarget, textOf, type Node } from "./tree.js";

/** What is known of the tables of companies. */
export interface Tables {
  /** The tables whose rows belong to a company. */
  readonly tenant: ReadonlySet<string>;
}

const COMPANY_ID = "company_id";
const COMPANIES = "companies";

/** What stands in the FROM of a query under one name. */
interface Relation {
  readonly alias: string;
  /** The table of companies, or of rows of one; `null` for anything else. */
  readonly table: string | null;
  /** The columns whose values come from values of the statement or from rows that are held; `all` of a function or a list of values. */
  readonly held: ReadonlySet<string> | "all";
}

/** Two columns, or a column and a value, that a condition makes equal. */
type Fact = readonly [string, string];
const VALUE = "a value";

/** Facts that hold of the rows of some relations, by their aliases; `null` for all relations of the query. */
interface Conditions {
  readonly facts: readonly Fact[];
  readonly of: ReadonlySet<string> | null;
}

interface Scope {
  readonly relations: Relation[];
  readonly conditions: Conditions[];
  readonly outer: Scope | null;
  /** The queries of WITH by their names, with the columns that are held. */
  readonly named: Map<string, ReadonlySet<string> | "all">;
}

/**
 * Returns what is wrong with a statement: each table of companies of which it reaches rows that no condition holds to a company which the
 * statement names. Only what has to be true of every row counts: parts of an `AND`, both sides of an `OR`, the condition of a join for
 * the side that it limits; never what stands behind a `NOT`.
 *
 * @param tree is what PostgreSQL's parser makes of the text.
 */
export function looseTables(tree: unknown, tables: Tables): string[] {
  const judge = new Judge(tables);
  for (const { stmt } of (tree as { stmts?: { stmt: Node }[] }).stmts ?? []) judge.statement(stmt, null);
  return judge.problems;
}

/** What else of a query may hold queries. */
const SELECTED = [
  "targetList",
  "havingClause",
  "groupClause",
  "sortClause",
  "limitCount",
  "limitOffset",
  "windowClause",
  "distinctClause",
];

class Judge {
  readonly problems: string[] = [];

  constructor(private readonly tables: Tables) {}

  /** Judges a statement, and returns which of its columns are held. */
  statement(node: Node, outer: Scope | null): ReadonlySet<string> | "all" {
    const [kind = "", value] = Object.entries(node)[0] ?? [];
    const fields = value as Node;
    switch (kind) {
      case "SelectStmt":
        return this.select(fields, outer);
      case "InsertStmt":
        return this.insert(fields, outer);
      case "UpdateStmt":
      case "DeleteStmt":
        return this.change(fields, outer);
      case "ExplainStmt":
        return this.statement(fields["query"] as Node, outer);
      case "MergeStmt":
      case "CopyStmt":
      case "TruncateStmt":
        this.problems.push(`${kind} is not judged`);
        return new Set();
      default:
        return new Set();
    }
  }

  private scopeOf(fields: Node, outer: Scope | null): Scope {
    const scope: Scope = { relations: [], conditions: [], outer, named: new Map() };
    const withClause = fields["withClause"] as Node | undefined;
    for (const each of list(withClause?.["ctes"])) {
      const cte = each["CommonTableExpr"] as Node;
      const name = cte["ctename"] as string;
      const query = cte["ctequery"] as Node;
      const names = list(cte["aliascolnames"]).map(textOf);
      // The first branch of a recursive query says what the others go on with.
      const first = (query["SelectStmt"] as Node | undefined)?.["larg"] as Node | undefined;
      if (withClause?.["recursive"] === true && first !== undefined) {
        const quiet = new Judge(this.tables);
        scope.named.set(
          name,
          renamed(quiet.select(first, scope), quiet.columns({ SelectStmt: first }), names),
        );
      }
      scope.named.set(name, renamed(this.statement(query, scope), this.columns(query), names));
    }
    return scope;
  }

  /**
   * Judges a command twice: what its conditions say has to be known where a query of FROM refers to the tables before it.
   */
  private twice<T>(fields: Node, outer: Scope | null, act: (judge: Judge, scope: Scope) => T): T {
    const quiet = new Judge(this.tables);
    const first = quiet.scopeOf(fields, outer);
    act(quiet, first);
    const scope = this.scopeOf(fields, outer);
    scope.conditions.push(...first.conditions);
    return act(this, scope);
  }

  private select(fields: Node, outer: Scope | null): ReadonlySet<string> | "all" {
    // The parts of a UNION have their own conditions, so it has none that its parts would have to know before.
    if (fields["op"] !== undefined && fields["op"] !== "SETOP_NONE")
      return this.united(fields, this.scopeOf(fields, outer));
    return this.twice(fields, outer, (judge, scope) => judge.selected(fields, scope));
  }

  private united(fields: Node, scope: Scope): ReadonlySet<string> {
    const [left, right] = [fields["larg"], fields["rarg"]].map((part) => this.select(part as Node, scope));
    const columns = this.columns({ SelectStmt: fields["larg"] });
    const others = this.columns({ SelectStmt: fields["rarg"] });
    return new Set(
      columns.filter((name, place) => isHeldIn(left, name) && isHeldIn(right, others[place] ?? name)),
    );
  }

  private selected(fields: Node, scope: Scope): ReadonlySet<string> | "all" {
    if (fields["valuesLists"] !== undefined) {
      this.walk(fields["valuesLists"], scope);
      return "all";
    }
    for (const item of list(fields["fromClause"])) this.from(item, scope);
    this.where(fields["whereClause"], scope);
    for (const key of SELECTED) this.walk(fields[key], scope);
    this.assertHeld(scope);
    return this.heldTargets(list(fields["targetList"]), scope);
  }

  private insert(fields: Node, outer: Scope | null): ReadonlySet<string> | "all" {
    const scope = this.scopeOf(fields, outer);
    const target = this.relationOf(fields["relation"] as Node, scope);
    const columns = list(fields["cols"]).map((column) => (column["ResTarget"] as Node)["name"] as string);
    const source = (fields["selectStmt"] as Node | undefined)?.["SelectStmt"] as Node | undefined;
    const place = columns.indexOf(COMPANY_ID);
    let isNamed = target.table === null || target.table === COMPANIES;
    if (source?.["valuesLists"] !== undefined) {
      this.walk(source["valuesLists"], scope);
      const rows = list(source["valuesLists"]).map((row) => list((row["List"] as Node)["items"]));
      isNamed ||= place >= 0 && rows.every((row) => this.isHeldValue(row[place], scope));
    } else if (source !== undefined) {
      const held = this.select(source, scope);
      const names = this.columns({ SelectStmt: source });
      isNamed ||= place >= 0 && isHeldIn(held, names[place] ?? COMPANY_ID);
    }
    if (!isNamed) this.problems.push(`${target.table ?? ""} gets rows of no company that is named`);
    // A row in conflict has the key of the new one, of which the company is a part.
    scope.relations.push({ ...target, held: "all" }, { alias: "excluded", table: null, held: "all" });
    const conflict = fields["onConflictClause"] as Node | undefined;
    this.walk(conflict?.["targetList"], scope);
    this.walk(conflict?.["whereClause"], scope);
    return this.returned(fields, scope);
  }

  private change(fields: Node, outer: Scope | null): ReadonlySet<string> | "all" {
    return this.twice(fields, outer, (judge, scope) => judge.changed(fields, scope));
  }

  private changed(fields: Node, scope: Scope): ReadonlySet<string> | "all" {
    const target = this.relationOf(fields["relation"] as Node, scope);
    scope.relations.push(target);
    for (const item of [...list(fields["fromClause"]), ...list(fields["usingClause"])])
      this.from(item, scope);
    this.where(fields["whereClause"], scope);
    this.walk(fields["targetList"], scope);
    const moved = list(fields["targetList"]).find(
      (item) => (item["ResTarget"] as Node | undefined)?.["name"] === COMPANY_ID,
    );
    if (moved !== undefined && target.table !== null)
      this.problems.push(`rows of ${target.table} change their company`);
    this.assertHeld(scope);
    return this.returned(fields, scope);
  }

  private returned(fields: Node, scope: Scope): ReadonlySet<string> | "all" {
    const clause = fields["returningClause"] as Node | undefined;
    const targets = list(clause?.["exprs"] ?? fields["returningList"]);
    this.walk(targets, scope);
    return this.heldTargets(targets, scope);
  }

  /** Adds what an item of FROM names, and returns the relations that it adds. */
  private from(item: Node, scope: Scope): Relation[] {
    const add = (relation: Relation): Relation[] => {
      scope.relations.push(relation);
      return [relation];
    };
    const [kind = "", value] = Object.entries(item)[0] ?? [];
    const fields = value as Node;
    const alias = aliasOf(fields["alias"]);
    switch (kind) {
      case "RangeVar":
        return add(this.relationOf(fields, scope));
      case "RangeSubselect": {
        const query = fields["subquery"] as Node;
        const held = this.statement(query, scope);
        return add({
          alias: alias.name ?? "",
          table: null,
          held: renamed(held, this.columns(query), alias.columns),
        });
      }
      case "RangeFunction": {
        this.walk(fields["functions"], scope);
        const called = list(fields["functions"]).flatMap((each) =>
          list((each["List"] as Node | undefined)?.["items"]),
        );
        const isHeld = called.every((call) => isEmpty(call) || this.isHeldValue(call, scope));
        const name = list((called[0]?.["FuncCall"] as Node | undefined)?.["funcname"])
          .map(textOf)
          .at(-1);
        return add({ alias: alias.name ?? name ?? "", table: null, held: isHeld ? "all" : new Set() });
      }
      case "JoinExpr":
        return this.join(fields, scope);
      case "RangeTableSample":
        return this.from(fields["relation"] as Node, scope);
      default:
        this.problems.push(`${kind} is not judged`);
        return [];
    }
  }

  private join(fields: Node, scope: Scope): Relation[] {
    const left = this.from(fields["larg"] as Node, scope);
    const right = this.from(fields["rarg"] as Node, scope);
    this.walk(fields["quals"], scope);
    const facts = [...this.factsIn(fields["quals"], scope)];
    for (const column of list(fields["usingClause"]).map(textOf)) {
      const columns = (arm: readonly Relation[]) =>
        arm.filter((one) => this.mayHave(one, column)).map((one) => nameOf(one, column));
      for (const one of columns(left)) for (const other of columns(right)) facts.push([one, other]);
    }
    // Rows of the other side are there without one that fits, and so are all rows of a full join.
    const limited = { JOIN_INNER: null, JOIN_LEFT: right, JOIN_RIGHT: left }[fields["jointype"] as string];
    if (limited === null) scope.conditions.push({ facts, of: null });
    else if (limited !== undefined)
      scope.conditions.push({ facts, of: new Set(limited.map(({ alias }) => alias)) });
    return [...left, ...right];
  }

  private where(condition: unknown, scope: Scope): void {
    if (condition === undefined) return;
    this.walk(condition, scope);
    scope.conditions.push({ facts: this.factsIn(condition, scope), of: null });
  }

  /** The relation that a name of a table stands for. */
  private relationOf(fields: Node, scope: Scope): Relation {
    const name = fields["relname"] as string;
    const alias = aliasOf(fields["alias"]).name ?? name;
    if (fields["schemaname"] === undefined || fields["schemaname"] === null)
      for (let one: Scope | null = scope; one !== null; one = one.outer) {
        const held = one.named.get(name);
        if (held !== undefined) return { alias, table: null, held };
      }
    const isOurs = fields["schemaname"] === undefined || fields["schemaname"] === "public";
    const isLimited = isOurs && this.tables.tenant.has(name);
    return { alias, table: isLimited || (isOurs && name === COMPANIES) ? name : null, held: new Set() };
  }

  private mayHave({ table, held }: Relation, column: string): boolean {
    if (table !== null) return column === keyOf(table);
    return held === "all" || held.has(column);
  }

  /** The facts that have to be true of each row for which a condition is. */
  private factsIn(condition: unknown, scope: Scope): Fact[] {
    if (!isNode(condition)) return [];
    const {
      BoolExpr: bool,
      A_Expr: expression,
      SubLink: link,
    } = condition as Record<string, Node | undefined>;
    if (bool !== undefined) {
      const parts = list(bool["args"]).map((part) => this.factsIn(part, scope));
      if (bool["boolop"] === "AND_EXPR") return parts.flat();
      return bool["boolop"] === "OR_EXPR" ? inAll(parts) : [];
    }
    if (link !== undefined) return this.factsOfLink(link, scope);
    if (expression === undefined) return [];
    const operator = list(expression["name"]).map(textOf).at(-1);
    const [left, right] = [expression["lexpr"] as Node, expression["rexpr"] as Node];
    switch (expression["kind"]) {
      case "AEXPR_OP":
        return operator === "=" ? this.equal(left, right, scope) : [];
      case "AEXPR_NOT_DISTINCT":
        return this.equal(left, right, scope);
      case "AEXPR_OP_ANY":
        return operator === "=" && this.isHeldValue(right, scope) ? this.valued(left, scope) : [];
      case "AEXPR_IN": {
        if (operator !== "=") return [];
        const items = list((right["List"] as Node | undefined)?.["items"]);
        const all = items.map((item) => this.equal(left, item, scope));
        return inAll(all);
      }
      default:
        return [];
    }
  }

  private equal(left: Node, right: Node, scope: Scope): Fact[] {
    const [lefts, rights] = [left, right].map((side) =>
      list((side["RowExpr"] as Node | undefined)?.["args"]),
    );
    if (lefts !== undefined && rights !== undefined && lefts.length > 0 && rights.length > 0)
      return lefts.flatMap((one, place) =>
        rights[place] === undefined ? [] : this.equal(one, rights[place], scope),
      );
    const [one, other] = [this.columnOf(left, scope), this.columnOf(right, scope)];
    if (one !== null && other !== null) return [[one, other]];
    if (one !== null && this.isHeldValue(right, scope)) return [[one, VALUE]];
    if (other !== null && this.isHeldValue(left, scope)) return [[other, VALUE]];
    return [];
  }

  private valued(node: Node, scope: Scope): Fact[] {
    const column = this.columnOf(node, scope);
    return column === null ? [] : [[column, VALUE]];
  }

  /** The facts of `… IN (SELECT …)` and `… = ANY (SELECT …)`; all else that a query answers says nothing of the rows around it. */
  private factsOfLink(link: Node, scope: Scope): Fact[] {
    if (link["subLinkType"] !== "ANY_SUBLINK") return [];
    const operator = list(link["operName"]).map(textOf).at(-1);
    if (operator !== undefined && operator !== "=") return [];
    const query = link["subselect"] as Node;
    const held = new Judge(this.tables).statement(query, scope);
    const names = this.columns(query);
    const tested = link["testexpr"] as Node;
    const row = list((tested["RowExpr"] as Node | undefined)?.["args"]);
    return (row.length > 0 ? row : [tested]).flatMap((one, place) =>
      isHeldIn(held, names[place] ?? "") ? this.valued(one, scope) : [],
    );
  }

  /** The column that an expression is; `null` for anything else. A cast of a column is the column. */
  private columnOf(node: Node, scope: Scope): string | null {
    const cast = node["TypeCast"] as Node | undefined;
    if (cast !== undefined) return this.columnOf(cast["arg"] as Node, scope);
    const fields = list((node["ColumnRef"] as Node | undefined)?.["fields"]).map(textOf);
    const column = fields.at(-1);
    if (column === undefined) return null;
    const qualifier = fields.at(-2);
    for (let one: Scope | null = scope; one !== null; one = one.outer) {
      const meant = one.relations.filter((relation) =>
        qualifier === undefined ? this.mayHave(relation, column) : relation.alias === qualifier,
      );
      const [first] = meant;
      if (first === undefined) continue;
      if (one === scope) return nameOf(first, column);
      // What the query around it says of its rows is true in here, too.
      return this.isHeldColumn(nameOf(first, column), one) ? VALUE : `${nameOf(first, column)} around`;
    }
    return null;
  }

  /** Whether an expression is a value that the statement names, or one of a row that is held. */
  private isHeldValue(node: Node | undefined, scope: Scope): boolean {
    if (node === undefined) return false;
    const [kind = "", value] = Object.entries(node)[0] ?? [];
    const fields = value as Node;
    const all = (...keys: string[]): boolean =>
      keys.every((key) => list(fields[key]).every((each) => this.isHeldValue(each, scope)));
    switch (kind) {
      case "ParamRef":
      case "A_Const":
      case "SQLValueFunction":
        return true;
      case "TypeCast":
        return this.isHeldValue(fields["arg"] as Node, scope);
      case "FuncCall":
      case "CoalesceExpr":
        return all("args");
      case "A_ArrayExpr":
        return all("elements");
      case "A_Expr":
        return ["lexpr", "rexpr"].every(
          (key) => fields[key] === undefined || this.isHeldValue(fields[key] as Node, scope),
        );
      case "SubLink": {
        const query = fields["subselect"] as Node;
        if (!["EXPR_SUBLINK", "ARRAY_SUBLINK"].includes(fields["subLinkType"] as string)) return false;
        return isHeldIn(new Judge(this.tables).statement(query, scope), this.columns(query)[0] ?? "");
      }
      case "ColumnRef": {
        const column = this.columnOf(node, scope);
        return column !== null && this.isHeldColumn(column, scope);
      }
      default:
        return false;
    }
  }

  /** Whether the conditions of a query hold a column to a value. */
  private isHeldColumn(column: string, scope: Scope, seen: ReadonlySet<string> = new Set()): boolean {
    if (column === VALUE) return true;
    if (seen.has(column)) return false;
    const relation = scope.relations.find(({ alias }) => column.startsWith(`${alias}.`));
    if (relation === undefined) return false;
    if (isHeldIn(relation.held, column.slice(relation.alias.length + 1))) return true;
    const facts = scope.conditions
      .filter(({ of }) => of === null || of.has(relation.alias))
      .flatMap((one) => one.facts);
    const next = new Set([...seen, column]);
    return facts.some(([one, other]) => {
      const opposite = one === column ? other : other === column ? one : null;
      return opposite !== null && this.isHeldColumn(opposite, scope, next);
    });
  }

  private assertHeld(scope: Scope): void {
    for (const relation of scope.relations) {
      const { table, alias } = relation;
      // The rows of companies are what they are of; only those of tenants are held.
      if (table === null || table === COMPANIES) continue;
      if (!this.isHeldColumn(nameOf(relation, COMPANY_ID), scope))
        this.problems.push(`${table} (${alias}) is held to no company`);
    }
  }

  /** The columns of a query that are held, by their names. */
  private heldTargets(targets: readonly Node[], scope: Scope): ReadonlySet<string> {
    const held = targets.flatMap((target) => {
      const fields = target["ResTarget"] as Node;
      const value = fields["val"] as Node;
      const reference = list((value["ColumnRef"] as Node | undefined)?.["fields"]);
      if (reference.at(-1)?.["A_Star"] !== undefined) return this.heldOfStar(reference, scope);
      return this.isHeldValue(value, scope) ? [nameOfTarget(target)] : [];
    });
    return new Set(held);
  }

  private heldOfStar(reference: readonly Node[], scope: Scope): string[] {
    const alias = reference.length > 1 ? textOf(reference[0] as Node) : null;
    return scope.relations
      .filter((relation) => alias === null || relation.alias === alias)
      .flatMap((relation) => {
        const { table, held } = relation;
        if (table !== null)
          return this.isHeldColumn(nameOf(relation, keyOf(table)), scope) ? [keyOf(table)] : [];
        return held === "all" ? [COMPANY_ID] : [...held];
      });
  }

  /** The names of the columns that a query answers. */
  columns(query: Node): string[] {
    const [kind, value] = Object.entries(query)[0] ?? [];
    const fields = value as Node;
    if (kind !== "SelectStmt") {
      const clause = fields["returningClause"] as Node | undefined;
      return list(clause?.["exprs"] ?? fields["returningList"]).map(nameOfTarget);
    }
    if (fields["larg"] !== undefined) return this.columns({ SelectStmt: fields["larg"] });
    return list(fields["targetList"]).map(nameOfTarget);
  }

  /** Judges the queries within an expression. */
  private walk(node: unknown, scope: Scope): void {
    if (Array.isArray(node)) for (const each of node) this.walk(each, scope);
    if (!isNode(node)) return;
    for (const [kind, value] of Object.entries(node)) {
      if (kind === "SubLink") {
        const link = value as Node;
        this.walk(link["testexpr"], scope);
        this.statement(link["subselect"] as Node, scope);
      } else this.walk(value, scope);
    }
  }
}

const keyOf = (table: string): string => (table === COMPANIES ? "id" : COMPANY_ID);
const nameOf = ({ alias }: Relation, column: string): string => `${alias}.${column}`;
const isHeldIn = (held: ReadonlySet<string> | "all" | undefined, name: string): boolean =>
  held === "all" || held?.has(name) === true;

/** The held columns by the names that an alias gives them. */
function renamed(
  held: ReadonlySet<string> | "all",
  columns: readonly string[],
  names: readonly string[],
): ReadonlySet<string> | "all" {
  if (held === "all" || names.length === 0) return held;
  return new Set(columns.flatMap((column, place) => (held.has(column) ? [names[place] ?? column] : [])));
}

/** The facts that follow from each of several lists. */
function inAll(parts: readonly (readonly Fact[])[]): Fact[] {
  const [first, ...others] = parts;
  if (first === undefined) return [];
  const has = (facts: readonly Fact[], [one, other]: Fact): boolean =>
    facts.some(([a, b]) => (a === one && b === other) || (a === other && b === one));
  return first.filter((fact) => others.every((facts) => has(facts, fact)));
}
