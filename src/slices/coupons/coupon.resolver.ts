import { resourceResolvers } from "../../core/resources/resource-resolver.js";
import * as lifecycle from "./coupon-lifecycle.service.js";
import { pauseCoupon, resumeCoupon } from "./campaigns/coupon-pause.service.js";
import { CopyCouponInput, CouponPriceInput } from "./campaigns/campaign.inputs.js";
import { copyCoupon } from "./campaigns/coupon-copy.service.js";
import {
  CouponTimesArgs,
  CreateCouponInput,
  UpdateCouponInput,
  UpdateRunningCouponInput,
} from "./coupon.inputs.js";
import { newCouponFits } from "./new-coupon.rule.js";
import { excludedPlacesExist } from "./target-blacklist.rule.js";
import { Ctx, FieldResolver, Float, Int, Resolver, Root } from "type-graphql";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { hasPermission } from "../../core/access/has-permission.js";
import { batched } from "../../core/relations/batched.js";
import { writesOf } from "../../core/scope/row-reach.sql.js";
import { couponCodesJobId } from "./codes/coupon-codes-progress.service.js";
import { actionsIn, type CouponAction } from "./coupon-actions.rules.js";
import { CouponConfigView, type CouponConfig } from "./coupon-config.model.js";
import { describeConfig } from "./coupon-config.rules.js";
import { codesToMake, statusOf, stateOf } from "./coupon-lifecycle.rules.js";
import {
  Coupon,
  CouponActionEnum,
  CouponGeneration,
  CouponStatusEnum,
  couponList,
  type CouponRow,
} from "./coupon.model.js";
import * as couponService from "./coupon.service.js";
import { finishedCampaigns } from "./joint-campaigns/campaign.sql.js";

/** Lists, shows, creates, changes and deletes coupons. */
export const couponCrud = resourceResolvers({
  model: "Coupon",
  type: Coupon,
  list: couponList,
  plural: "coupons",
  area: "coupons",
  create: CreateCouponInput,
  createRule: newCouponFits,
  update: UpdateCouponInput,
  updateRule: excludedPlacesExist,
  descriptions: {
    create: "Creates a coupon, which is pending until it is set ready.",
    update: "Changes a coupon. INVALID_STATE unless it is pending.",
    delete: "Deletes a coupon; it can be restored. INVALID_STATE while it runs: it has to be finished first.",
  },
  bulk: [
    {
      name: "restoreCoupons",
      description: "Brings deleted coupons back, each as `restoreCoupon` does.",
      each: lifecycle.restoreCoupon,
    },
    {
      name: "setCouponsReady",
      description:
        "Sets coupons ready, each as `setReady` does: at the times that are sent, else at its own.",
      args: CouponTimesArgs,
      each: (scope, id, times) => lifecycle.setReady(scope, id, times),
    },
    {
      name: "setCouponsFinished",
      description: "Ends coupons, each as `setFinished` does.",
      each: lifecycle.setFinished,
    },
    {
      name: "pauseCoupons",
      description: "Pauses coupons, each as `pauseCoupon` does.",
      each: pauseCoupon,
    },
    {
      name: "resumeCoupons",
      description: "Lets paused coupons run again, each as `resumeCoupon` does.",
      each: resumeCoupon,
    },
    {
      name: "updateRunningCoupons",
      description: "Changes running coupons alike, each as `updateRunning` does.",
      input: UpdateRunningCouponInput,
      each: (scope, id, input) => lifecycle.updateRunning(scope, id, input),
    },
    {
      name: "copyCoupons",
      description:
        "Makes pending copies of coupons, each as `copyCoupon` does. One of a batch coupon needs a promo code of its own.",
      input: CopyCouponInput,
      each: (scope, id, input) => copyCoupon(scope, id, input),
    },
    {
      name: "setCouponPrices",
      description: "Gives coupons the same discount, each as `updateCoupon` does: they have to be pending.",
      input: CouponPriceInput,
      each: (scope, id, input) => couponService.updateCoupon(scope, id, input),
    },
  ],
  service: {
    list: couponService.listCoupons,
    counts: couponService.countCoupons,
    get: (scope, id, withDeleted) => couponService.getCoupon(scope, id, { withDeleted }),
    create: couponService.createCoupon,
    update: couponService.updateCoupon,
    remove: lifecycle.deleteCoupon,
  },
});

@Resolver(() => Coupon)
export class CouponResolver {
  @FieldResolver(() => CouponStatusEnum, { description: "Where it stands, by its exact times." })
  status(@Root() coupon: CouponRow, @Ctx() { at }: OperationContext): string {
    return statusOf(coupon, at);
  }

  @FieldResolver(() => CouponConfigView, {
    description: "Its conditions and bounds. Clients do not see `amountLimitE2`.",
  })
  config(@Root() { config }: CouponRow, @Ctx() context: OperationContext) {
    const { amountLimitE2, ...told } = config as CouponConfig;
    return describeConfig(isForClient(context) ? told : { amountLimitE2, ...told });
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: "How many uses there are in all; null for clients, who may not know.",
  })
  totalCount(@Root() { totalCount }: CouponRow, @Ctx() context: OperationContext): number | null {
    return isForClient(context) ? null : totalCount;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description:
      "Uses so far, never more than `totalCount`; null for clients, who may not know. Lists are ordered by it alone, and " +
      "from 100 on by its two leading digits: 1,210 and 1,290 come in the order of the ids.",
  })
  spentCount(@Root() { spentCount }: CouponRow, @Ctx() context: OperationContext): number | null {
    return isForClient(context) ? null : spentCount;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description:
      "Codes that were voided: they count in `totalCount` and cannot be used; null for clients, who may not know.",
  })
  voidedCount(@Root() { voidedCount }: CouponRow, @Ctx() context: OperationContext): number | null {
    return isForClient(context) ? null : voidedCount;
  }

  @FieldResolver(() => Boolean, {
    description: "Whether it is paused: nothing of it can be used until it is resumed.",
  })
  isPaused(@Root() { pausedAt }: CouponRow): boolean {
    return pausedAt !== null;
  }

  @FieldResolver(() => [Int], { nullable: true, description: "Clients who may use it; null: all." })
  whitelist(@Root() { whitelist }: CouponRow): readonly number[] | null {
    return whitelist.length === 0 ? null : whitelist;
  }

  @FieldResolver(() => Float, { description: "`priceE2` as a decimal number." })
  humanPriceE2(@Root() { priceE2 }: CouponRow): number {
    return Number(priceE2) / 100;
  }

  @FieldResolver(() => Float, { description: "`pricePrc` as a percentage, 0 to 100." })
  humanPricePrc(@Root() { pricePrc }: CouponRow): number {
    // A fraction has at most four decimals, so its nearest ten-thousandth is the exact value.
    return Math.round(Number(pricePrc) * 10_000) / 100;
  }

  @FieldResolver(() => Float, { description: "`minPurchaseE2` as a decimal number." })
  humanMinPurchaseE2(@Root() { minPurchaseE2 }: CouponRow): number {
    return Number(minPurchaseE2) / 100;
  }

  @FieldResolver(() => CouponGeneration, {
    description: "How far the making of its codes has come; clients see none.",
  })
  generation(@Root() coupon: CouponRow, @Ctx() context: OperationContext): CouponGeneration {
    if (isForClient(context)) return { generated: 0, total: 0, jobId: null };
    return {
      generated: coupon.generatedCount,
      total: codesToMake(coupon),
      jobId: couponCodesJobId(coupon),
    };
  }

  @FieldResolver(() => [CouponActionEnum], {
    description: "What its state and the caller's permissions allow to do with it.",
  })
  async allowedActions(
    @Root() coupon: CouponRow,
    @Ctx() context: OperationContext,
  ): Promise<readonly CouponAction[]> {
    const mayEdit = await hasPermission(context, coupon.companyId, "can_edit_coupons");
    const { id, companyId, campaignId } = coupon;
    const scope = context.companyScope(companyId);
    if (!mayEdit || !(await isWritten(scope, id))) return [];
    const state = stateOf(coupon, context.at);
    const isAsked = state === "pending" && campaignId !== null;
    const isCampaignOver = isAsked && (await isOver(scope, campaignId)) === true;
    return actionsIn(state, { ...coupon, isCampaignOver });
  }
}

const isWritten = writesOf("Coupon");

/** Whether a campaign is finished. */
const isOver = batched<true>(finishedCampaigns);

/** Whether a client asks: how much a coupon may give, and how often, is the company's business. */
function isForClient({ caller }: OperationContext): boolean {
  return caller.kind === "client";
}
