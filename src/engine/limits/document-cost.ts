import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  Kind,
  typeFromAST,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
} from "graphql";
import { EXPECTED_ROWS, type Relation } from "../../core/relations/relations.js";
import { BULK_IDS, BULK_ROWS, IS_BULK, ROWS_NAMED_BY } from "../../core/operations/operation-arguments.js";
import { EXPECTED_WORK } from "../../core/operations/expected-work.js";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../../core/lists/list-page.js";
import { isConnection } from "../schema/connection.js";
import { fieldOf } from "../schema/field-of.js";
import { rootFields } from "../schema/root-operations.js";
import { COST_PER_MS, type RootPoints } from "./learned-costs.js";

type Variables = Readonly<Record<string, unknown>>;

/** The sizes that a page is asked for, by `first` and by `last`: numbers, and the variables that hold numbers. */
interface Sizes {
  readonly most: number | null;
  readonly variables: readonly string[];
}

/** The ids of rows that are named: their number, or the variable that holds them. */
interface Ids {
  readonly ids: number | string;
}

/** The number of rows that a list is expected to have, or what decides the size of a page or how many are named. */
type Rows = number | Sizes | Ids;

/** A selection within another one. */
interface Part {
  readonly plan: number;
  /** Selections as `rows` are repeated for each row of the connection around them. */
  readonly as: "list" | "connection" | "rows" | "fragment";
  readonly rows: Rows;
}

/**
 * The points of a selection without the selections in it, and those selections. Points are tenths, so that sums
 * stay whole.
 */
interface Plan {
  own: number;
  readonly parts: Part[];
  /** The variables that stand in the place of a filter; each value in them counts. */
  readonly filters: string[];
  /** How many values of filters stand in the document. */
  filterValues: number;
  /** Whether it asks a connection how many rows there are. */
  hasTotal: boolean;
}

/** A root field, and the work that its points do not show. */
interface Root {
  readonly name: string;
  readonly plan: number;
  /** The cost of the work that the operation is expected to take. */
  readonly work: number;
  /** The plan with the filter of the rows that are counted; `null` when none are, or all. */
  readonly counted: Plan | null;
}

/** What an operation costs with certain variables. */
interface Price {
  /** The cost by which the operation is judged. */
  readonly cost: number;
  /** That, and the work that its points do not show. */
  readonly withWork: number;
  /** The same of each root field. */
  readonly roots: readonly RootPoints[];
}

const FIELD_POINTS = 1;
const OBJECT_POINTS = 10;
const MUTATION_POINTS = 100;
const FILTER_VALUE_POINTS = 10;
const POINTS_PER_COST = 10;
/** Rows that fit a filter have to be read to be counted. */
const COST_OF_TOTAL = COST_PER_MS;
/** A list without pages is expected to have this many rows; the true number is counted while the operation runs. */
const UNPAGED_ROWS = 200;
/** The lists of a type of the schema (its fields, their arguments, its values) have this many entries on average. */
const ROWS_OF_TYPE = 1;

/**
 * The cost of an operation, known before it runs: 1 for each object that its answer may hold, 0.1 for each plain
 * field of an object, 1 for each value of a filter, 10 for each mutation and for each id of a bulk one. A page
 * counts as many rows as `first` or `last` asks for (the larger, 25 when neither is given, 200 at most), a related list
 * as many as its relation is expected to have, a list of rows that an argument names as many as that has entries, another unpaged
 * list 200, lists of the schema about as many as they have; lists within lists multiply.
 */
export class OperationCost {
  /** The names of the root fields, as often as they stand there. */
  readonly rootNames: readonly string[];
  /** The price whatever the variables are; `null` where they decide it. */
  private readonly fixed: Price | null;

  private constructor(
    private readonly plans: readonly Plan[],
    private readonly roots: readonly Root[],
    private readonly defaults: Variables,
  ) {
    this.rootNames = roots.map(({ name }) => name);
    this.fixed = plans.some(dependsOnVariables) ? null : this.priceWith({});
  }

  /** Plans the cost of the operation. Each fragment is planned once, however often it is spread. */
  static of(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  ): OperationCost {
    const planner = new Planner(schema, fragments);
    const type = schema.getRootType(operation.operation) ?? undefined;
    const roots = rootFields(operation.selectionSet, document).map((field) => planner.root(field, type));
    const defaults = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
      defaultValue?.kind === Kind.INT || defaultValue?.kind === Kind.LIST
        ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const]
        : [],
    );
    return new OperationCost(planner.plans, roots, Object.fromEntries(defaults));
  }

  /** Returns the cost with these variables. */
  withVariables(variables: Variables): Price {
    return this.fixed ?? this.priceWith(variables);
  }

  private priceWith(variables: Variables): Price {
    const costs = this.fixedCosts(variables);
    let points = 0;
    let work = 0;
    const roots: RootPoints[] = [];
    for (const root of this.roots) {
      const own = costs[root.plan] ?? 0;
      const { counted } = root;
      const beside = root.work + (counted !== null && isFiltered(counted, variables) ? COST_OF_TOTAL : 0);
      points += own;
      work += beside;
      roots.push({ name: root.name, points: own / POINTS_PER_COST + beside });
    }
    const cost = Math.min(Math.ceil(points / POINTS_PER_COST), Number.MAX_SAFE_INTEGER);
    return { cost, withWork: cost + work, roots };
  }

  /**
   * Returns the points of each plan. One pass over the plans is enough, since a part stands before the plans that contain
   * it.
   */
  private fixedCosts(variables: Variables): number[] {
    const fixedCosts: number[] = [];
    const costsPerRow: number[] = [];
    for (const { own, parts, filters } of this.plans) {
      let fixed = own;
      for (const name of filters) fixed += valuesIn(variables[name]) * FILTER_VALUE_POINTS;
      let repeated = 0;
      for (const { plan, as, rows } of parts) {
        const inner = fixedCosts[plan] ?? 0;
        const innerPerRow = costsPerRow[plan] ?? 0;
        const count = this.rowsOf(rows, variables);
        if (as === "rows") repeated += inner;
        else if (as === "list") fixed += inner * count;
        else fixed += inner;
        if (as === "connection") fixed += innerPerRow * count;
        if (as === "fragment") repeated += innerPerRow;
      }
      fixedCosts.push(fixed);
      costsPerRow.push(repeated);
    }
    return fixedCosts;
  }

  private rowsOf(expected: Rows, variables: Variables): number {
    if (typeof expected === "number") return expected;
    if ("ids" in expected) {
      if (typeof expected.ids === "number") return expected.ids;
      const ids = variables[expected.ids] ?? this.defaults[expected.ids];
      return Array.isArray(ids) ? ids.length : 1;
    }
    const { most, variables: names } = expected;
    let rows = most;
    for (const name of names) {
      const size = variables[name] === undefined ? this.defaults[name] : variables[name];
      if (typeof size === "number") rows = Math.max(rows ?? 0, pageSize(size));
    }
    return rows ?? DEFAULT_PAGE_SIZE;
  }
}

class Planner {
  readonly plans: Plan[] = [];
  private readonly fragmentPlans = new Map<string, number | null>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  ) {}

  root(node: FieldNode, type: GraphQLNamedType | undefined): Root {
    const plan = newPlan();
    this.addField(plan, node, type);
    const name = node.name.value;
    const milliseconds = (fieldOf(this.schema, type, name)?.extensions[EXPECTED_WORK] ?? 0) as number;
    return {
      name,
      plan: this.plans.push(plan) - 1,
      work: milliseconds * COST_PER_MS,
      counted: plan.parts.some((part) => this.hasTotal(part)) ? plan : null,
    };
  }

  private plan(selectionSet: SelectionSetNode, type: GraphQLNamedType | undefined): number {
    const plan = newPlan();
    this.add(plan, selectionSet, type);
    return this.plans.push(plan) - 1;
  }

  private hasTotal({ plan: index }: Part): boolean {
    const plan = this.plans[index] as Plan;
    return plan.hasTotal || plan.parts.some((part) => part.as === "fragment" && this.hasTotal(part));
  }

  private add(plan: Plan, { selections }: SelectionSetNode, type: GraphQLNamedType | undefined): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) this.addField(plan, selection, type);
      else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition;
        const own = condition === undefined ? type : typeFromAST(this.schema, condition);
        this.add(plan, selection.selectionSet, own);
      } else {
        const fragment = this.planFragment(selection.name.value);
        if (fragment !== null) plan.parts.push({ plan: fragment, as: "fragment", rows: 1 });
      }
    }
  }

  /**
   * Plans a fragment.
   *
   * @returns `null` for an unknown fragment and for one within itself; the validation refuses both.
   */
  private planFragment(name: string): number | null {
    const known = this.fragmentPlans.get(name);
    if (known !== undefined) return known;
    const fragment = this.fragments.get(name);
    this.fragmentPlans.set(name, null);
    if (fragment === undefined) return null;
    const index = this.plan(fragment.selectionSet, typeFromAST(this.schema, fragment.typeCondition));
    this.fragmentPlans.set(name, index);
    return index;
  }

  private addField(plan: Plan, node: FieldNode, parent: GraphQLNamedType | undefined): void {
    const name = node.name.value;
    const field = fieldOf(this.schema, parent, name);
    if (parent === this.schema.getMutationType()) plan.own += MUTATION_POINTS;
    for (const argument of node.arguments ?? [])
      if (argument.name.value === "filter") addFilter(plan, argument.value);
    if (
      field === undefined ||
      node.selectionSet === undefined ||
      !isCompositeType(getNamedType(field.type))
    ) {
      plan.own += FIELD_POINTS;
      if (name === "totalCount" && parent !== undefined && isConnection(parent.name)) plan.hasTotal = true;
      return;
    }
    const type = getNamedType(field.type);
    const inner = this.plan(node.selectionSet, type);
    (this.plans[inner] as Plan).own += OBJECT_POINTS + (isBulk(field) ? MUTATION_POINTS : 0);
    plan.parts.push({ plan: inner, ...this.repetition(node, field, parent as GraphQLNamedType) });
  }

  private repetition(
    node: FieldNode,
    field: GraphQLField<unknown, unknown>,
    parent: GraphQLNamedType,
  ): Pick<Part, "as" | "rows"> {
    const isList = isListType(getNullableType(field.type));
    const naming = argumentsNamingRows(field);
    if (naming.length > 0) return { as: "list", rows: { ids: entriesIn(node, naming) } };
    if (isConnection(parent.name) && isList) return { as: "rows", rows: 1 };
    const as = isConnection(getNamedType(field.type).name) ? "connection" : "list";
    if (as === "list" && !isList) return { as, rows: 1 };
    const sizes = sizesAsked(node);
    if (sizes !== null) return { as, rows: sizes };
    if (as === "connection") return { as, rows: DEFAULT_PAGE_SIZE };
    if (parent.name === "__Schema") return { as, rows: Object.keys(this.schema.getTypeMap()).length };
    if (parent.name.startsWith("__")) return { as, rows: ROWS_OF_TYPE };
    const relation = field.extensions["relation"] as Relation | undefined;
    if (relation?.kind === "many") return { as, rows: relation.expectedRows ?? EXPECTED_ROWS };
    return { as, rows: parent === this.schema.getQueryType() ? UNPAGED_ROWS : EXPECTED_ROWS };
  }
}

function newPlan(): Plan {
  return { own: 0, parts: [], filters: [], hasTotal: false, filterValues: 0 };
}

/** Whether variables decide what a selection costs, without the selections in it. */
function dependsOnVariables({ filters, parts }: Plan): boolean {
  return filters.length > 0 || parts.some(({ rows }) => isDecidedByVariables(rows));
}

function isDecidedByVariables(rows: Rows): boolean {
  if (typeof rows === "number") return false;
  return "ids" in rows ? typeof rows.ids === "string" : rows.variables.length > 0;
}

/** Whether a value of a filter stands in the document or in its variables. */
function isFiltered({ filterValues, filters }: Plan, variables: Variables): boolean {
  return filterValues > 0 || filters.some((name) => valuesIn(variables[name]) > 0);
}

function isBulk({ extensions }: GraphQLField<unknown, unknown>): boolean {
  return extensions[IS_BULK] === true;
}

/** The arguments that may name each row of the field's answer. */
function argumentsNamingRows(field: GraphQLField<unknown, unknown>): readonly string[] {
  const argument = field.extensions[ROWS_NAMED_BY] as string | undefined;
  if (argument !== undefined) return [argument];
  return isBulk(field) ? [BULK_IDS, BULK_ROWS] : [];
}

/** Counts the ids or rows that stand in the document; a variable that holds them is named instead. */
function entriesIn({ arguments: given = [] }: FieldNode, names: readonly string[]): number | string {
  const value = given.find(({ name }) => names.includes(name.value))?.value;
  if (value?.kind === Kind.VARIABLE) return value.name.value;
  return value?.kind === Kind.LIST ? value.values.length : 1;
}

function sizesAsked({ arguments: given = [] }: FieldNode): Sizes | null {
  const values = given
    .filter(({ name }) => name.value === "first" || name.value === "last")
    .map(({ value }) => value);
  if (values.length === 0) return null;
  const literals = values.flatMap((value) =>
    value.kind === Kind.INT ? [pageSize(Number(value.value))] : [],
  );
  const variables = values.flatMap((value) => (value.kind === Kind.VARIABLE ? [value.name.value] : []));
  return { most: literals.length === 0 ? null : Math.max(...literals), variables };
}

/** Adds the values of a filter that stands in the document, and the variables in it. */
function addFilter(plan: Plan, value: ValueNode): void {
  if (value.kind === Kind.VARIABLE) plan.filters.push(value.name.value);
  else if (value.kind === Kind.LIST) for (const item of value.values) addFilter(plan, item);
  else if (value.kind === Kind.OBJECT) for (const field of value.fields) addFilter(plan, field.value);
  else {
    plan.own += FILTER_VALUE_POINTS;
    plan.filterValues += 1;
  }
}

function valuesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return value === undefined ? 0 : 1;
  let values = 0;
  for (const item of Object.values(value)) values += valuesIn(item);
  return values;
}

/** Returns the page size. A size that the list will refuse counts as the nearest size that it takes. */
function pageSize(value: number): number {
  if (Number.isNaN(value)) return DEFAULT_PAGE_SIZE;
  return Math.min(Math.max(value, 1), MAX_PAGE_SIZE);
}
