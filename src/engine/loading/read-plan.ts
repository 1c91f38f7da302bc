import {
  getNamedType,
  isObjectType,
  isUnionType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import type { GuardedRelation } from "./relation-access.js";
import type { PictureSource } from "../../core/files/picture-url.js";
import type { MaskSource } from "../../core/masks/mask-fields.js";
import { scalarFields } from "../reads/model-fields.js";
import { isConnection } from "../schema/connection.js";
import { isModel, type ModelName } from "../../core/scope/tenant-models.js";

/** The rows of a field, with the relations that the document surely wants of them. */
export interface PlannedRows {
  readonly relations: ReadonlyMap<GuardedRelation, PlannedRows>;
}

/** The same of a root field. */
interface PlannedRoot extends PlannedRows {
  /** Whether the document surely wants the number of all rows of its list. */
  readonly hasTotal: boolean;
}

interface Rows extends PlannedRows {
  readonly relations: Map<GuardedRelation, Rows>;
}

interface Root extends Rows {
  hasTotal: boolean;
}

/**
 * Finds which rows an operation will read: the columns of each model, and the relations of the rows that each root
 * field answers. It is made once per document.
 */
export class ReadPlan {
  private readonly columns = new Map<string, Record<string, true> | null>();
  private readonly roots = new Map<string, Root>();
  /** Of which models the rows of a union are shows when it is run, so all columns are read. */
  private readsAll = false;
  private readonly fragments = new Map<string, FragmentDefinitionNode>();

  private constructor({ definitions }: DocumentNode) {
    for (const definition of definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(definition.name.value, definition);
    }
  }

  /** Makes the plan of a validated document. */
  static of(schema: GraphQLSchema, document: DocumentNode, definition: OperationDefinitionNode): ReadPlan {
    const plan = new ReadPlan(document);
    const type = schema.getRootType(definition.operation);
    if (type != null) {
      plan.visit(definition.selectionSet, false, (node) => plan.planRoot(node, type));
    }
    for (const columns of plan.columns.values()) Object.freeze(columns);
    return plan;
  }

  /**
   * Returns the columns that the document needs of the model's rows, as Prisma's `select`; `null` means all
   * columns.
   */
  columnsOf(model: ModelName): Readonly<Record<string, true>> | null {
    return this.readsAll ? null : (this.columns.get(model) ?? null);
  }

  /** Returns the relations that the document wants of the rows of the root field with this key in the answer. */
  rowsOf(responseKey: string): PlannedRoot | undefined {
    return this.roots.get(responseKey);
  }

  private planRoot(node: FieldNode, root: GraphQLObjectType): void {
    const type = getNamedType(root.getFields()[node.name.value]?.type);
    if (isUnionType(type)) this.readsAll = true;
    if (!isObjectType(type) || node.selectionSet === undefined) return;
    const key = node.alias?.value ?? node.name.value;
    const rows = this.roots.get(key) ?? { relations: new Map(), hasTotal: false };
    this.roots.set(key, rows);
    if (isConnection(type.name)) this.planConnection(node.selectionSet, type, rows);
    else this.planRows(node.selectionSet, type, type.name, rows, false);
  }

  /** Plans the rows of a page, which stand in `nodes` and in `edges { node }`. */
  private planConnection(selectionSet: SelectionSetNode, type: GraphQLObjectType, rows: Root): void {
    this.visit(selectionSet, false, (node, isConditional) => {
      const target = getNamedType(type.getFields()[node.name.value]?.type);
      if (node.name.value === "totalCount") rows.hasTotal ||= !isConditional;
      if (node.selectionSet === undefined || !isObjectType(target)) return;
      if (node.name.value === "nodes") {
        this.planRows(node.selectionSet, target, target.name, rows, isConditional);
      } else if (node.name.value === "edges") {
        this.visit(node.selectionSet, isConditional, (edge, edgeIsConditional) => {
          const row = getNamedType(target.getFields()[edge.name.value]?.type);
          if (edge.name.value !== "node" || edge.selectionSet === undefined || !isObjectType(row)) return;
          this.planRows(edge.selectionSet, row, row.name, rows, edgeIsConditional);
        });
      }
    });
  }

  /**
   * Plans the rows of a selection.
   *
   * @param model is the model of these rows; its columns are collected.
   */
  private planRows(
    selectionSet: SelectionSetNode,
    type: GraphQLObjectType,
    model: string,
    rows: Rows,
    isConditional: boolean,
  ): void {
    this.visit(selectionSet, isConditional, (node, fieldIsConditional) => {
      const field = type.getFields()[node.name.value];
      if (field === undefined) return;
      const relation = field.extensions["relation"] as GuardedRelation | undefined;
      const mask = field.extensions["maskSource"] as MaskSource | undefined;
      const picture = field.extensions["pictureSource"] as PictureSource | undefined;
      if (relation !== undefined) this.need(model, relation.via);
      else if (mask !== undefined) this.need(model, mask.mask);
      else if (picture !== undefined) this.need(model, picture.column);
      else if (field.resolve === undefined) this.need(model, field.name);
      else this.needAll(model);
      const target = getNamedType(field.type);
      if (relation === undefined || node.selectionSet === undefined || !isObjectType(target)) return;
      // A relation that a condition may leave out is read when its field asks for it.
      const related = fieldIsConditional ? { relations: new Map() } : nested(rows, relation);
      const isLink = relation.kind === "many" && relation.through !== undefined;
      this.planRows(
        node.selectionSet,
        target,
        isLink ? target.name : relation.model,
        related,
        fieldIsConditional,
      );
    });
  }

  private need(model: string, field: string): void {
    if (!isModel(model)) return;
    if (!scalarFields(model).has(field)) return this.needAll(model);
    const needed = this.columns.get(model);
    if (needed === null) return;
    if (needed === undefined) this.columns.set(model, { companyId: true, [field]: true });
    else needed[field] = true;
  }

  private needAll(model: string): void {
    this.columns.set(model, null);
  }

  private visit(
    { selections }: SelectionSetNode,
    isConditional: boolean,
    plan: (node: FieldNode, isConditional: boolean) => void,
  ): void {
    for (const selection of selections) {
      const conditional = isConditional || hasCondition(selection);
      if (selection.kind === Kind.FIELD) plan(selection, conditional);
      else if (selection.kind === Kind.INLINE_FRAGMENT) this.visit(selection.selectionSet, conditional, plan);
      else {
        const fragment = this.fragments.get(selection.name.value);
        if (fragment !== undefined) this.visit(fragment.selectionSet, conditional, plan);
      }
    }
  }
}

function nested(rows: Rows, relation: GuardedRelation): Rows {
  let related = rows.relations.get(relation);
  if (related === undefined) rows.relations.set(relation, (related = { relations: new Map() }));
  return related;
}

function hasCondition({ directives = [] }: SelectionNode): boolean {
  return directives.length > 0;
}
