import { Field, Int, ObjectType } from "type-graphql";
import { ToMany, ToOne } from "../../core/relations/relations.js";
import { defineList } from "../../core/lists/list-definition.js";
import { NAMED_FIELDS, NamedRow } from "../../core/resources/resource-row.js";

@ObjectType({ description: "A category of goods, possibly below another." })
export class Category extends NamedRow {
  @Field(() => Int, { nullable: true, description: "The category above it; null at the top." })
  parentId!: number | null;

  @Field(() => Int, { description: "Place among its neighbours, from 0." })
  inOrder!: number;

  @ToOne(() => Category, {
    model: "Category",
    via: "parentId",
    openTo: "readers",
    description: "The category above it.",
  })
  parent!: Category | null;

  @ToMany(() => Category, {
    model: "Category",
    foreignKey: "parentId",
    order: [{ inOrder: "asc" }, { id: "asc" }],
    openTo: "readers",
    description: "The categories right below it, in their order.",
  })
  children!: Category[];
}

export const categoryList = defineList(
  Category,
  "Category",
  { ...NAMED_FIELDS, parentId: { kind: "int", nullable: true, sortable: false }, inOrder: { kind: "int" } },
  { defaultOrder: [{ field: "inOrder", direction: "asc" }] },
);
