import { ArgsType, Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../core/enums.js";
import { PictureUrl } from "../../core/files/picture-url.js";
import { defineList } from "../../core/lists/list-definition.js";
import { addMaskFields } from "../../core/masks/mask-fields.js";
import { ToMany, ToOne } from "../../core/relations/relations.js";
import { ResourceRow } from "../../core/resources/resource-row.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { Good } from "../goods/good.model.js";
import { BranchCategory } from "../shops/branch-category.model.js";
import { BranchGroup } from "../shops/branch-group.model.js";
import { City } from "../shops/city.model.js";
import { BANNER_DAYS } from "./promoted-banner.masks.js";

export const BannerActionEnum = defineEnum("PromotedBannerAction", ["view"], {
  description: "What happens when a client chooses a banner.",
  values: { view: "What it leads to is opened." },
});

export const BANNER_TARGET_TYPES = ["company", "branch_group", "good", "branch_category", "city"] as const;
export type BannerTargetType = (typeof BANNER_TARGET_TYPES)[number];

export const BannerTargetTypeEnum = defineEnum("PromotedBannerTargetType", BANNER_TARGET_TYPES, {
  description: "What a banner leads to.",
  values: {
    company: "The company's home; `targetId` is the company.",
    branch_group: "A shop.",
    good: "A good.",
    branch_category: "The shops of a branch category.",
    city: "A city.",
  },
});

@ObjectType({ description: "A banner that clients are shown on some days and hours (contract §16.3)." })
export class PromotedBanner extends ResourceRow {
  @PictureUrl("bannerKey", { description: "URL of its picture; null until there is one." })
  bannerUrl!: string | null;

  @PictureUrl("bannerKey", {
    size: "small",
    description: "URL of its picture with sides of at most 320 pixels.",
  })
  bannerSmallUrl!: string | null;

  @PictureUrl("verticalBannerKey", { description: "URL of its vertical picture; null until there is one." })
  verticalBannerUrl!: string | null;

  @PictureUrl("verticalBannerKey", {
    size: "small",
    description: "URL of its vertical picture with sides of at most 320 pixels.",
  })
  verticalBannerSmallUrl!: string | null;

  @Field(() => BannerActionEnum, { description: "What happens when a client chooses it." })
  action!: string;

  @Field(() => BannerTargetTypeEnum, { description: "What it leads to." })
  targetType!: BannerTargetType;

  @Field(() => Int, {
    description: "Id of what it leads to; for the target type company that of the company.",
  })
  targetId!: number;

  @Field(() => Int, { description: "Place among the banners, the lowest first." })
  inOrder!: number;

  @Field(() => Boolean, { description: "Whether clients are shown it at all." })
  enabled!: boolean;

  @Field(() => String, { description: "Name, at most 64 characters; may be empty." })
  name!: string;

  @Field(() => String, { nullable: true, description: "What it is about, at most 255 characters." })
  description!: string | null;

  @Field(() => String, { description: "Clock time `HH:MM` from which it is shown." })
  hourFrom!: string;

  @Field(() => String, {
    description:
      "Clock time `HH:MM` at which it ends; 23:59 lasts until midnight. Before `hourFrom`: on the next day; the same: " +
      "the whole day.",
  })
  hourTo!: string;

  @Field(() => String, {
    nullable: true,
    description: "Offset such as `-04:00` by which its days and hours are read; null: the company's zone.",
  })
  tz!: string | null;

  @Field(() => Int, {
    description: "Bit mask of the days on which its hours begin: 0x1 Sunday to 0x40 Saturday.",
  })
  days!: number;

  branchGroupId!: number | null;
  goodId!: number | null;
  branchCategoryId!: number | null;
  cityId!: number | null;

  @ToOne(() => BranchGroup, {
    model: "BranchGroup",
    via: "branchGroupId",
    openTo: "readers",
    description: "The shop that it leads to; null for another target.",
  })
  branchGroup!: BranchGroup | null;

  @ToOne(() => Good, {
    model: "Good",
    via: "goodId",
    openTo: "readers",
    description: "The good that it leads to; null for another target.",
  })
  good!: Good | null;

  @ToOne(() => BranchCategory, {
    model: "BranchCategory",
    via: "branchCategoryId",
    openTo: "readers",
    description: "The branch category that it leads to; null for another target.",
  })
  branchCategory!: BranchCategory | null;

  @ToOne(() => City, {
    model: "City",
    via: "cityId",
    openTo: "readers",
    description: "The city that it leads to; null for another target.",
  })
  city!: City | null;

  @ToMany(() => BranchCategory, {
    model: "PromotedBannerBranchCategory",
    foreignKey: "promotedBannerId",
    order: [{ branchCategoryId: "asc" }],
    through: { model: "BranchCategory", via: "branchCategoryId" },
    openTo: "readers",
    description: "The branch categories that it is linked to, on whose pages it is shown.",
  })
  branchCategories!: BranchCategory[];
}

addMaskFields(PromotedBanner, "days", BANNER_DAYS, (name) => `Whether its hours begin on ${name.slice(3)}s`);

const list = defineList(
  PromotedBanner,
  "PromotedBanner",
  {
    name: { kind: "text" },
    targetType: { kind: "enum", enum: BannerTargetTypeEnum, sortable: false },
    targetId: { kind: "int", sortable: false },
    inOrder: { kind: "int" },
    enabled: { kind: "boolean", sortable: false },
    createdAt: { kind: "dateTime" },
    updatedAt: { kind: "dateTime" },
  },
  { defaultOrder: [{ field: "inOrder", direction: "asc" }] },
);

Field(() => DateTime, {
  nullable: true,
  description:
    "The next moment at which what `now` shows changes by itself; null without `now`, and when it stays so.",
})(list.Connection.prototype, "validUntil");

@ArgsType()
export class PromotedBannersArgs extends list.Args {
  @Field(() => Boolean, {
    nullable: true,
    description:
      "`true`: only banners that a client is shown at this moment: enabled, on their days and hours, and not for a good " +
      "that is deleted.",
  })
  now?: boolean | null;

  @Field(() => Int, { nullable: true, description: "Only banners that are linked to this branch category." })
  branchCategoryId?: number | null;
}

export const promotedBannerList = { ...list, Args: PromotedBannersArgs };
