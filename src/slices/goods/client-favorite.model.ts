import { Field, Int, ObjectType } from "type-graphql";
import { ToOne } from "../../core/relations/relations.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { Good } from "./good.model.js";

@ObjectType({ description: "A good that a client marked as favourite." })
export class ClientFavorite {
  companyId!: number;

  @Field(() => Int, { description: "The client." })
  clientId!: number;

  @Field(() => Int, { description: "The good." })
  goodId!: number;

  @Field(() => Int, { description: "Place among the client's favourites, from 1." })
  inOrder!: number;

  @Field(() => DateTime, { description: "When it was marked." })
  createdAt!: Date;

  @ToOne(() => Good, { model: "Good", via: "goodId", required: true, description: "The good itself." })
  good!: Good;
}
