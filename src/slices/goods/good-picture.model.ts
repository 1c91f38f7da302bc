import { Field, Float, Int, ObjectType } from "type-graphql";

@ObjectType({ description: "A picture of a good that may show another one as well." })
export class GoodImageSuggestion {
  @Field(() => String, { description: "URL of the picture." })
  url!: string;

  @Field(() => Int, { description: "The good that has it." })
  goodId!: number;

  @Field(() => String, { description: "Name of that good." })
  name!: string;

  @Field(() => Float, {
    description:
      "How alike both are: 1 for the same barcode, else the likeness of their names from 0.3 to 1.",
  })
  score!: number;
}
