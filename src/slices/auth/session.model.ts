import { Field, ObjectType } from "type-graphql";
import { DateTime } from "../../core/scalars/date-time.js";

@ObjectType({
  description:
    "A login that goes on. Once it has ended its refresh token is worth nothing; its access token is good for 15 " +
    "minutes at most.",
})
export class Session {
  @Field(() => String, { description: "Identifier, the same as long as the login goes on." })
  id!: string;

  @Field(() => DateTime, { description: "When it began." })
  createdAt!: Date;

  @Field(() => DateTime, { description: "When its refresh token was traded last; at first when it began." })
  lastUsedAt!: Date;

  @Field(() => DateTime, { description: "When it ends unless its refresh token is traded before." })
  expiresAt!: Date;

  @Field(() => String, { nullable: true, description: "The network from which it was used last." })
  address!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "What the program called itself that used it last (`User-Agent`), at most 200 characters.",
  })
  device!: string | null;

  @Field(() => Boolean, {
    description: "Whether the token of the request belongs to it; false for a token that came from no login.",
  })
  isCurrent!: boolean;
}
