import {
  DomainError,
  invalidState,
  notFound,
  validationFailed,
  type FieldError,
} from "../../../core/errors/domain-error.js";
import { hasValues } from "../../../core/db/has-values.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { copyCoupon } from "../campaigns/coupon-copy.service.js";
import { randomCodes } from "../codes/random-code.js";
import { setFinished } from "../coupon-lifecycle.service.js";
import { statusOf } from "../coupon-lifecycle.rules.js";
import { PROMO_CODE_TAKEN } from "../promo-code.rule.js";
import type {
  CopiedPromoCodeInput,
  CopyCampaignInput,
  CreateCampaignInput,
  UpdateCampaignInput,
} from "./campaign.inputs.js";
import { MOST_COUPONS, type CampaignRow } from "./campaign.model.js";
import { lockCampaign, lockCoupons, noteCoupons } from "./campaign.sql.js";

/**
 * Makes a campaign of coupons.
 *
 * @throws DomainError VALIDATION_FAILED for a coupon that cannot be in it.
 */
export function createCampaign(scope: CompanyScope, input: CreateCampaignInput): Promise<CampaignRow> {
  return scope.transaction(async (inside) => {
    const { name, budgetE2, couponIds } = input;
    const campaign = await newCampaign(inside, name, budgetE2 ?? null);
    await setCoupons(inside, campaign, couponIds ?? []);
    return campaign;
  });
}

/** A budget is in the company's currency of this moment. */
function newCampaign(
  { db, companyId, company: { currencyIso } }: CompanyScope,
  name: string,
  budgetE2: number | bigint | null,
): Promise<CampaignRow> {
  return db.campaign.create({ data: { companyId, name, budgetE2, currencyIso } });
}

/**
 * Changes a campaign, and replaces its coupons where they are sent.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE after it is finished; VALIDATION_FAILED for a coupon that cannot be in it, or
 *   not leave it.
 */
export function updateCampaign(
  scope: CompanyScope,
  id: number,
  { couponIds, name, budgetE2 }: UpdateCampaignInput,
): Promise<CampaignRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, at } = inside;
    const campaign = await lockedCampaign(inside, id);
    assertGoesOn(campaign);
    const own = { ...(name !== undefined && { name }), ...(budgetE2 !== undefined && { budgetE2 }) };
    const others = couponIds === undefined ? [] : await setCoupons(inside, campaign, couponIds);
    if (campaign.budgetE2 === null && budgetE2 != null) await haveUsesJudgedAnew(inside, id, others);
    const changed = await db.campaign.update({
      where: { companyId_id: { companyId, id } },
      data: {
        ...own,
        // Which coupons it has is written in their rows, not in its own.
        ...(others.length > 0 && { version: { increment: 1 } }),
        updatedAt: at,
      },
    });
    if (others.length > 0) await noteCoupons(inside, id, hasValues(campaign, own) ? "update" : "part");
    return changed;
  });
}

/**
 * Pauses all coupons of a campaign that are not finished nor paused yet, those that only begin later too: from now on nothing of
 * them can be used.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE when it is paused or finished.
 */
export function pauseCampaign(scope: CompanyScope, id: number): Promise<CampaignRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, at } = inside;
    const campaign = await lockedCampaign(inside, id);
    assertGoesOn(campaign);
    if (campaign.pausedAt !== null) throw isIn("paused", "The campaign is paused.");
    await lockCoupons(inside, [], id);
    await db.coupon.updateMany({
      where: { companyId, campaignId: id, pausedAt: null, status: { not: "finished" } },
      data: { pausedAt: at },
    });
    return db.campaign.update({ where: { companyId_id: { companyId, id } }, data: { pausedAt: at } });
  });
}

/**
 * Lets the coupons be used again that were paused with their campaign; one that was paused by itself stays so.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE unless it is paused.
 */
export function resumeCampaign(scope: CompanyScope, id: number): Promise<CampaignRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const campaign = await lockedCampaign(inside, id);
    assertGoesOn(campaign);
    const { pausedAt } = campaign;
    if (pausedAt === null) throw isIn("running", "The campaign is not paused.");
    await lockCoupons(inside, [], id);
    await db.coupon.updateMany({ where: { companyId, campaignId: id, pausedAt }, data: { pausedAt: null } });
    return db.campaign.update({ where: { companyId_id: { companyId, id } }, data: { pausedAt: null } });
  });
}

/**
 * Ends a campaign: its coupons that run are finished, and those that are ready never begin, also when they are deleted now and
 * restored later. Those that are pending cannot be set ready any more.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE when it is finished, and while codes of one of its coupons are made.
 */
export function finishCampaign(scope: CompanyScope, id: number): Promise<CampaignRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, at } = inside;
    assertGoesOn(await lockedCampaign(inside, id));
    await lockCoupons(inside, [], id);
    const coupons = await db.coupon.findMany({
      where: { companyId, campaignId: id },
      orderBy: { id: "asc" },
    });
    for (const coupon of coupons) {
      const isDeleted = coupon.deletedAt !== null;
      const status = isDeleted ? coupon.status : statusOf(coupon, at);
      if (status === "generating" && !isDeleted)
        throw invalidState(`Codes of coupon ${coupon.id} are being made.`, "generating", []);
      if (status === "running") await setFinished(inside, coupon.id);
      if (status === "ready" || status === "generating")
        await db.coupon.update({
          where: { companyId_id: { companyId, id: coupon.id } },
          data: { status: "finished" },
        });
    }
    return db.campaign.update({ where: { companyId_id: { companyId, id } }, data: { finishedAt: at } });
  });
}

/** How often a random promo code is made anew because another coupon has it. */
const MOST_TRIES = 5;
const PROMO_CODE_LENGTH = 10;

/**
 * Makes a campaign with copies of all coupons of another one, which are pending. The copy of a batch coupon gets a random promo
 * code unless one is sent.
 *
 * @throws DomainError NOT_FOUND; VALIDATION_FAILED for a promo code that is taken, or of a coupon that is no batch coupon of it.
 */
export function copyCampaign(
  scope: CompanyScope,
  id: number,
  input: CopyCampaignInput,
): Promise<CampaignRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    const original = await lockedCampaign(inside, id);
    const { name = original.name, budgetE2 = original.budgetE2, promoCodes, ...times } = input;
    const coupons = await db.coupon.findMany({
      where: { companyId, campaignId: id, deletedAt: null },
      orderBy: { id: "asc" },
      select: { id: true, type: true },
    });
    const batches = new Set(coupons.flatMap((coupon) => (coupon.type === "batch" ? [coupon.id] : [])));
    const wrong = (promoCodes ?? []).flatMap(({ couponId }, place) =>
      batches.has(couponId)
        ? []
        : [
            {
              field: `promoCodes[${place}].couponId`,
              rule: "exists",
              message: "is no batch coupon of the campaign",
            },
          ],
    );
    wrong.push(...(await takenCodes(inside, promoCodes ?? [])));
    if (wrong.length > 0) throw validationFailed(wrong);
    const codes = new Map(
      (promoCodes ?? []).map(({ couponId, promoCode }, place) => [couponId, { promoCode, place }]),
    );
    const campaign = await newCampaign(inside, name, budgetE2);
    for (const { id: couponId, type } of coupons) {
      const sent = codes.get(couponId);
      const promoCode = type === "batch" ? (sent?.promoCode ?? (await freeCode(inside))) : null;
      const promoCodeField = sent === undefined ? undefined : promoCodeAt(sent.place);
      const place = { campaignId: campaign.id, promoCodeField };
      await copyCoupon(inside, couponId, { ...times, promoCode }, place);
    }
    return campaign;
  });
}

/**
 * A use that was judged before its campaign had a budget has not been asked for the budget's currency.
 *
 * @param written the coupons that have a new version by now.
 */
async function haveUsesJudgedAnew(
  scope: CompanyScope,
  id: number,
  written: readonly number[],
): Promise<void> {
  const { db, companyId } = scope;
  await lockCoupons(scope, [], id);
  await db.coupon.updateMany({
    where: { companyId, campaignId: id, id: { notIn: [...written] } },
    data: { version: { increment: 1 } },
  });
}

const promoCodeAt = (place: number): string => `promoCodes[${place}].promoCode`;

/** Finds each promo code that the company has already, or that stands before it. */
async function takenCodes(
  { db, companyId }: CompanyScope,
  promoCodes: readonly CopiedPromoCodeInput[],
): Promise<FieldError[]> {
  const codes = promoCodes.map(({ promoCode }) => promoCode.toUpperCase());
  const rows = await db.couponCode.findMany({
    where: { companyId, code: { in: codes } },
    select: { code: true },
  });
  const taken = new Set(rows.map(({ code }) => code));
  return codes.flatMap((code, place) => {
    if (taken.has(code)) return [{ ...PROMO_CODE_TAKEN, field: promoCodeAt(place) }];
    if (codes.indexOf(code) === place) return [];
    return [{ field: promoCodeAt(place), rule: "unique", message: "is there twice" }];
  });
}

async function freeCode({ db, companyId }: CompanyScope): Promise<string> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const [code = ""] = randomCodes(1, PROMO_CODE_LENGTH);
    if ((await db.couponCode.count({ where: { companyId, code } })) === 0) return code;
  }
  throw new DomainError("CONFLICT", "No free promo code was found; try again.", { retryAfterSeconds: 1 });
}

/** @throws DomainError NOT_FOUND. */
async function lockedCampaign(scope: CompanyScope, id: number): Promise<CampaignRow> {
  const { db, companyId } = scope;
  if (!(await lockCampaign(scope, id))) throw notFound("Campaign");
  return db.campaign.findFirstOrThrow({ where: { companyId, id } });
}

/** What each state of a campaign allows. */
const ACTIONS = {
  running: ["update", "pause", "finish"],
  paused: ["update", "resume", "finish"],
  finished: [],
} as const;

function isIn(state: keyof typeof ACTIONS, message: string): DomainError {
  return invalidState(message, state, ACTIONS[state]);
}

function assertGoesOn({ finishedAt }: CampaignRow): void {
  if (finishedAt !== null) throw isIn("finished", "The campaign is finished.");
}

/**
 * Makes these the coupons of a campaign that is locked; those that come to a paused one are paused with it.
 *
 * @returns those that came or left.
 */
async function setCoupons(
  scope: CompanyScope,
  { id: campaignId, pausedAt }: CampaignRow,
  ids: readonly number[],
): Promise<readonly number[]> {
  const { db, companyId, at } = scope;
  const wanted = new Set(ids);
  if (wanted.size > MOST_COUPONS)
    throw validationFailed([
      { field: "couponIds", rule: "max_items", message: `must be at most ${MOST_COUPONS}` },
    ]);
  const locked = await lockCoupons(scope, ids, campaignId);
  const wrong = locked.flatMap(({ id, type, campaignId: present, isUsed, deletedAt }) => {
    const field = wanted.has(id) ? `couponIds[${ids.indexOf(id)}]` : "couponIds";
    if (!wanted.has(id))
      return isUsed && deletedAt === null
        ? [{ field, rule: "used", message: `must have ${id}, which has given or holds something` }]
        : [];
    if (type === "gift_card") return [{ field, rule: "type", message: `${id} is a gift card` }];
    if (present !== null && present !== campaignId)
      return [{ field, rule: "unique", message: `${id} is in another campaign` }];
    return [];
  });
  if (wrong.length > 0) throw validationFailed(wrong);
  // A deleted one that has given something stays with the campaign whose budget it has used.
  const leaving = locked.filter(({ id, isUsed }) => !wanted.has(id) && !isUsed).map(({ id }) => id);
  const coming = locked
    .filter(({ id, campaignId: now }) => wanted.has(id) && now === null)
    .map(({ id }) => id);
  // Each coupon is written once: what the first two have done is none of the others' any more.
  if (pausedAt !== null) {
    await db.coupon.updateMany({
      where: { companyId, id: { in: leaving }, pausedAt },
      data: { campaignId: null, pausedAt: null, updatedAt: at },
    });
    await db.coupon.updateMany({
      where: { companyId, id: { in: coming }, pausedAt: null },
      data: { campaignId, pausedAt, updatedAt: at },
    });
  }
  await db.coupon.updateMany({
    where: { companyId, id: { in: leaving }, campaignId },
    data: { campaignId: null, updatedAt: at },
  });
  await db.coupon.updateMany({
    where: { companyId, id: { in: coming }, campaignId: null },
    data: { campaignId, updatedAt: at },
  });
  return [...leaving, ...coming];
}
