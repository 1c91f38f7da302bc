import { Field, Int, ObjectType } from "type-graphql";
import { ToOne } from "../../core/relations/relations.js";
import { PictureUrl } from "../../core/files/picture-url.js";
import { FromMask } from "../../core/masks/mask-fields.js";
import { defineList } from "../../core/lists/list-definition.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { Client } from "../clients/client.model.js";
import { Branch } from "../shops/branch.model.js";
import { BranchGroup } from "../shops/branch-group.model.js";
import { City } from "../shops/city.model.js";
import { AdminType } from "./admin-type.model.js";
import { ADMIN_STATUS } from "./admin.masks.js";

@ObjectType({ description: "Who runs a company: one of its administrators." })
export class Admin {
  @Field(() => Int, { description: "Identifier, unique among all of its type in all companies." })
  id!: number;

  companyId!: number;

  @Field(() => String, { description: "Name, at most 64 characters." })
  name!: string;

  @Field(() => String, { description: "Name to show: the name." })
  displayName!: string;

  @Field(() => String, { description: "E-mail to sign in with, unique in the company in any case." })
  email!: string;

  @Field(() => String, { description: "Phone number." })
  phone!: string;

  avatarKey!: string | null;

  @PictureUrl("avatarKey", { description: "URL of the avatar." })
  avatarUrl!: string | null;

  @PictureUrl("avatarKey", {
    size: "small",
    description: "URL of the avatar with sides of at most 320 pixels.",
  })
  avatarSmallUrl!: string | null;

  @Field(() => Int, { description: "Bit mask: 0x1 online." })
  status!: number;

  @FromMask("status", ADMIN_STATUS.isStatusOnline, "Whether it is online")
  isStatusOnline!: boolean;

  @Field(() => Int, { description: "Its account." })
  accountId!: number;

  @Field(() => Int, { nullable: true, description: "The admin type, which gives it its permissions." })
  adminTypeId!: number | null;

  @Field(() => Int, { nullable: true, description: "The city it works in." })
  cityId!: number | null;

  @Field(() => Int, { nullable: true, description: "The shop that it was created for." })
  branchGroupId!: number | null;

  @Field(() => Int, { nullable: true, description: "The branch that it was created for." })
  branchId!: number | null;

  @Field(() => Int, { nullable: true, description: "The client that is the same person." })
  clientId!: number | null;

  @Field(() => Boolean, { description: "Whether it owns the company, as its first admin does." })
  isOwner!: boolean;

  @Field(() => Boolean, {
    description: "Whether it is a full administrator, who has every permission; the owner has too.",
  })
  isFullAdmin!: boolean;

  @Field(() => DateTime, {
    nullable: true,
    description: "Since when it is suspended and may do nothing; null unless it is.",
  })
  suspendedAt!: Date | null;

  @Field(() => DateTime, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => DateTime, { description: "When it last changed." })
  updatedAt!: Date;

  @Field(() => Int, { description: "1 at first, one more after each change." })
  version!: number;

  @Field(() => DateTime, { nullable: true, description: "When it was deleted; null unless it was." })
  deletedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description:
      "One-time token for `setPassword`, valid for seven days. Shown only in the answer that creates the admin, unless " +
      "that gave a password, and to `issuePasswordSetupToken`.",
  })
  passwordSetupToken?: string | null;

  @ToOne(() => AdminType, { model: "AdminType", via: "adminTypeId", description: "Its admin type." })
  adminType!: AdminType | null;

  @ToOne(() => City, { model: "City", via: "cityId", description: "The city it works in." })
  city!: City | null;

  @ToOne(() => BranchGroup, {
    model: "BranchGroup",
    via: "branchGroupId",
    description: "The shop that it was created for.",
  })
  branchGroup!: BranchGroup | null;

  @ToOne(() => Branch, {
    model: "Branch",
    via: "branchId",
    description: "The branch that it was created for.",
  })
  branch!: Branch | null;

  @ToOne(() => Client, {
    model: "Client",
    via: "clientId",
    description: "The client that is the same person.",
  })
  client!: Client | null;
}

export const adminList = defineList(
  Admin,
  "Admin",
  {
    name: { kind: "text" },
    email: { kind: "text", sortable: false },
    phone: { kind: "text", sortable: false },
    status: { kind: "int", sortable: false },
    adminTypeId: { kind: "int", nullable: true, sortable: false },
    cityId: { kind: "int", nullable: true, sortable: false },
    createdAt: { kind: "dateTime" },
  },
  { deletedRowsOf: "admins" },
);
