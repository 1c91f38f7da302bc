import { Field, Int, ObjectType } from "type-graphql";

@ObjectType({
  description: "A sku that several goods of one shop have, from before all skus were kept apart.",
})
export class SharedSku {
  companyId!: number;

  @Field(() => String, { description: "The sku." })
  sku!: string;

  @Field(() => Int, { nullable: true, description: "The shop; null: goods of the whole company." })
  branchGroupId!: number | null;

  @Field(() => [Int], { description: "The goods that have it, by ascending ids, at most 100." })
  goodIds!: readonly number[];
}
