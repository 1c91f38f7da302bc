import { Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../core/enums.js";
import { AccessKindEnum } from "../admins/permission-explanation.model.js";

export const ApiKeyStateEnum = defineEnum("ApiKeyState", ["good", "revoked", "expired", "maker_gone"], {
  description: "Whether a key is good.",
  values: {
    good: "It is.",
    revoked: "It is revoked.",
    expired: "It has expired.",
    maker_gone: "The admin or the key that made it is suspended, deleted or not good.",
  },
});

@ObjectType({ description: "Why a key may or may not run an operation." })
export class KeyPermissionExplanation {
  @Field(() => String, { description: "Name of the query or mutation." })
  operation!: string;

  @Field(() => Boolean, {
    description: "Whether the key may run it in its company, from one of its networks.",
  })
  allowed!: boolean;

  @Field(() => ApiKeyStateEnum, { description: "Whether the key is good." })
  state!: keyof typeof ApiKeyStateEnum;

  @Field(() => AccessKindEnum, { description: "Who may run it." })
  access!: keyof typeof AccessKindEnum;

  @Field(() => Boolean, { description: "Whether it is for those who have signed in, and so for no key." })
  isForPeople!: boolean;

  @Field(() => String, {
    nullable: true,
    description: "The permission that it needs; null when it needs none.",
  })
  permission!: string | null;

  @Field(() => [String], { description: "The permissions that the key would need besides those it holds." })
  missing!: readonly string[];

  @Field(() => Int, { description: "The key." })
  apiKeyId!: number;

  @Field(() => [String], { description: "Those of its roles that it holds, in alphabetical order." })
  roles!: readonly string[];

  @Field(() => [String], {
    description: "Those of its roles that it does not hold, since whoever made it does not any more.",
  })
  lostRoles!: readonly string[];
}
