import { Field, Int, ObjectType } from "type-graphql";
import { ToMany } from "../../core/relations/relations.js";
import { defineList } from "../../core/lists/list-definition.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { SafeInt } from "../../core/scalars/safe-int.js";

@ObjectType({ description: "How an entry of the interface shows." })
export class AdminTypeContentValue {
  @Field(() => Boolean, { description: "Whether it is visible." })
  isVisible!: boolean;
}

@ObjectType({ description: "An entry within an entry of the interface." })
export class AdminTypeNestedContent {
  @Field(() => String, { description: "Key, at most 32 characters." })
  key!: string;

  @Field(() => AdminTypeContentValue, { description: "How it shows." })
  value!: AdminTypeContentValue;
}

@ObjectType({ description: "An entry of the interface." })
export class AdminTypeContent extends AdminTypeNestedContent {
  @Field(() => String, {
    nullable: true,
    description: "Key of the entry to open first, at most 32 characters.",
  })
  defaultKey!: string | null;

  @Field(() => [AdminTypeNestedContent], { nullable: true, description: "Entries within it." })
  content!: AdminTypeNestedContent[] | null;
}

@ObjectType({ description: "A permission of an admin type." })
export class AdminTypeRole {
  @Field(() => Int, { description: "Identifier, unique among all of its type in all companies." })
  id!: number;

  companyId!: number;

  @Field(() => String, { description: "The permission, such as `can_edit_coupons`." })
  role!: string;

  @Field(() => DateTime, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => DateTime, { description: "When it last changed." })
  updatedAt!: Date;

  @Field(() => Int, { description: "1 at first, one more after each change." })
  version!: number;

  @Field(() => Int, { description: "The admin type." })
  adminTypeId!: number;
}

@ObjectType({ description: "A kind of administrator: the interface it sees and the permissions it has." })
export class AdminType {
  @Field(() => Int, { description: "Identifier, unique among all of its type in all companies." })
  id!: number;

  companyId!: number;

  @Field(() => String, { description: "Name, at most 32 characters." })
  name!: string;

  @Field(() => String, { description: "Key of the entry to open first, at most 32 characters." })
  defaultKey!: string;

  @Field(() => [AdminTypeContent], { description: "Entries of the interface, in their order." })
  content!: AdminTypeContent[];

  @Field(() => Int, { nullable: true, description: "The company's own code for it." })
  code!: number | null;

  @Field(() => SafeInt, {
    nullable: true,
    description:
      "The largest amount that its admins post at once by adjusting, transferring, giving change or reversing, in hundredths of " +
      "any currency; null for any. Full administrators have no such limit.",
  })
  mostPostedE2!: bigint | null;

  @Field(() => Boolean, {
    description:
      "Whether its admins may do nothing after a login but what is open, and enrol a second factor, until they have one. Tokens of an identity " +
      "provider are good without.",
  })
  requiresSecondFactor!: boolean;

  @Field(() => [Int], {
    description:
      "The shops that its admins reach, with all their branches; none and no `branchIds` for all. Full administrators reach all.",
  })
  branchGroupIds!: number[];

  @Field(() => [Int], { description: "Branches that its admins reach besides." })
  branchIds!: number[];

  @Field(() => [Int], {
    description:
      "Admin types that its admins may give to others, and take from them, although these types hold more. Full administrators " +
      "assign all.",
  })
  assignableTypeIds!: number[];

  @Field(() => Int, { description: "Number of the admin type." })
  uid!: number;

  @ToMany(() => AdminTypeRole, {
    model: "AdminTypeRole",
    foreignKey: "adminTypeId",
    order: [{ id: "asc" }],
    openTo: "readers",
    description: "Its permissions, oldest first.",
  })
  roles!: AdminTypeRole[];

  @Field(() => DateTime, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => DateTime, { description: "When it last changed." })
  updatedAt!: Date;

  @Field(() => Int, { description: "1 at first, one more after each change." })
  version!: number;
}

export const adminTypeList = defineList(AdminType, "AdminType", {
  name: { kind: "text" },
  defaultKey: { kind: "text", sortable: false },
  code: { kind: "int", nullable: true, sortable: false },
  createdAt: { kind: "dateTime" },
});
