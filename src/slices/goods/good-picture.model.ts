import { Field, Float, Int, ObjectType } from "type-graphql";
import { ToOne } from "../../core/relations/relations.js";
import { Good } from "./good.model.js";

@ObjectType({ description: "A picture of a good that may show another one as well." })
export class GoodImageSuggestion {
  @Field(() => String, { description: "URL of the picture." })
  url!: string;

  companyId!: number;

  @Field(() => Int, { description: "The good that has it." })
  goodId!: number;

  @Field(() => String, { description: "Name of that good." })
  name!: string;

  @Field(() => Float, {
    description:
      "How alike both are: 1 for the same barcode, else the likeness of their names from 0.3 to 1.",
  })
  score!: number;

  @ToOne(() => Good, {
    model: "Good",
    via: "goodId",
    openTo: "readers",
    description: "The good that has it.",
  })
  good!: Good | null;
}
