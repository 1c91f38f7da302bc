import { Field, Int, ObjectType } from "type-graphql";
import { ToOne } from "../../core/relations/relations.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { Json } from "../../core/scalars/json.js";
import { Material } from "./material.model.js";

@ObjectType({ description: "How much of a material a good needs." })
export class GoodMaterial {
  companyId!: number;

  @Field(() => Int, { description: "The good." })
  goodId!: number;

  @Field(() => Int, { description: "The material." })
  materialId!: number;

  @Field(() => Int, { description: "How much of it one good takes, at least 1, in the material's unit." })
  quantityReal!: number;

  @Field(() => Json, { description: "A list of further values, kept as they were sent." })
  extras!: unknown;

  @Field(() => DateTime, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => DateTime, { description: "When it last changed." })
  updatedAt!: Date;

  @Field(() => Int, { description: "1 at first, one more after each change." })
  version!: number;

  @ToOne(() => Material, {
    model: "Material",
    via: "materialId",
    required: true,
    openTo: "readers",
    description: "The material itself.",
  })
  material!: Material;
}
