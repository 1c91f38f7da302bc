import { Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../core/enums.js";

export const PermissionSourceEnum = defineEnum("PermissionSource", ["owner", "full_administrator", "type"], {
  description: "Why an admin holds a permission.",
  values: {
    owner: "It owns the company.",
    full_administrator: "It is a full administrator.",
    type: "Its admin type has the role.",
  },
});

export const AccessKindEnum = defineEnum(
  "AccessKind",
  ["open", "signed_in", "permission", "full_administrator", "client", "platform"],
  {
    description: "Who may run an operation.",
    values: {
      open: "Everyone.",
      signed_in: "Everyone with a valid token.",
      permission: "Admins who hold the permission, and the platform.",
      full_administrator: "Full administrators, the owner and the platform.",
      client: "A client's own token alone.",
      platform: "The platform alone.",
    },
  },
);

@ObjectType({ description: "Why an admin may or may not run an operation." })
export class PermissionExplanation {
  @Field(() => String, { description: "Name of the query or mutation." })
  operation!: string;

  @Field(() => Boolean, {
    description:
      "Whether the admin may run it in its company, by its permission. What is asked of single rows and roles besides, such as to hold as " +
      "much as the admin who is changed, and what the bounds of its type refuse is decided when it runs.",
  })
  allowed!: boolean;

  @Field(() => AccessKindEnum, { description: "Who may run it." })
  access!: keyof typeof AccessKindEnum;

  @Field(() => String, {
    nullable: true,
    description: "The permission that it needs; null when it needs none.",
  })
  permission!: string | null;

  @Field(() => Boolean, {
    description: "Whether the admin needs no permission where the operation is about itself.",
  })
  isAllowedForItself!: boolean;

  @Field(() => PermissionSourceEnum, {
    nullable: true,
    description: "Why it holds the permission; null when it does not, or none is needed.",
  })
  heldBy!: keyof typeof PermissionSourceEnum | null;

  @Field(() => [String], { description: "The permissions that it would need besides those it has." })
  missing!: readonly string[];

  @Field(() => Int, { description: "The admin." })
  adminId!: number;

  @Field(() => Int, { nullable: true, description: "The admin's type." })
  adminTypeId!: number | null;

  @Field(() => String, { nullable: true, description: "Name of that type." })
  adminTypeName!: string | null;

  @Field(() => [String], { description: "The roles of that type, in alphabetical order." })
  roles!: readonly string[];

  @Field(() => [Int], {
    description:
      "The shops to which that type binds the admin, with all their branches: it runs what it may run on their rows alone, reads rows " +
      "of the whole company besides, and an operation that does not tell shops apart is refused with FORBIDDEN. Empty, as " +
      "`branchIds` is, where nothing binds it, and for full administrators.",
  })
  branchGroupIds!: readonly number[];

  @Field(() => [Int], { description: "The branches to which that type binds the admin besides." })
  branchIds!: readonly number[];

  @Field(() => Boolean, { description: "Whether the admin owns the company." })
  isOwner!: boolean;

  @Field(() => Boolean, { description: "Whether the admin is a full administrator." })
  isFullAdmin!: boolean;
}
