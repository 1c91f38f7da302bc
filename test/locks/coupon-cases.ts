import { addJob } from "../../src/core/jobs/jobs.js";
import type { Sheets } from "../../src/core/sheets/sheet.js";
import { createSheets } from "../../src/engine/sheets/sheets.js";
import { createOrder, runningCoupon } from "../coupons/running-coupon.js";
import { sendGraphqlForm } from "../files/uploads.js";
import { createCouponRow, createGeneratingCoupon } from "../support/coupons.js";
import { createGood, signedInClient } from "../support/factories.js";
import { dataOf, type Gateway } from "../support/gateway.js";
import { type Cases, held, inCompany, runs, type LockCase, type Scene, sends } from "./lock-case.js";

const HOUR_MS = 3_600_000;
const UPLOAD = `mutation ($companyId: Int!, $id: Int!, $input: UploadCouponCodesInput!) {
  uploadCouponCodes(companyId: $companyId, couponId: $id, input: $input) { id } }`;

/** Coupons, their codes, uses and holds. */
export const COUPON_CASES: Cases = {
  "slices/coupons/coupon.sql.ts lockAnyCoupon: coupons": inCompany(async ({ gateway, company, keyOf }) => {
    const coupon = await createCouponRow(gateway, company.id);
    const path = `/companies/${company.id}/coupons/${coupon.id}`;
    return held(keyOf(coupon), () => sends(company.owner, "PATCH", path, { name: "Neighbours" }));
  }),
  "slices/coupons/coupon-due.sql.ts lockPlan: coupons": inCompany(async ({ gateway, company, keyOf }) => {
    const startsAt = new Date(Date.now() + HOUR_MS);
    const coupon = await createCouponRow(gateway, company.id, { status: "ready", startsAt });
    const payload = { companyId: company.id, couponId: coupon.id };
    await addJob({ db: gateway.db }, "couponDue", payload);
    return held(keyOf(coupon), () => gateway.runJobs());
  }),
  "slices/coupons/codes/coupon-codes.sql.ts lockCouponInTheMaking: coupons": inCompany(
    async ({ gateway, company, keyOf }) => {
      const coupon = await createGeneratingCoupon(gateway, company.id);
      return held(keyOf(coupon), () => gateway.runJobs());
    },
  ),
  "slices/coupons/campaigns/code-upload.sql.ts lockUpload: coupon_code_uploads": inCompany(async (scene) => {
    const { uploadId, addCodes } = await uploadedCodes(scene);
    return { row: scene.keyOf({ id: uploadId }), act: addCodes };
  }),
  "slices/coupons/campaigns/code-upload.sql.ts lockUpload: coupons": inCompany(async (scene) => {
    const { couponId, addCodes } = await uploadedCodes(scene);
    return { row: scene.keyOf({ id: couponId }), act: addCodes };
  }),
  "slices/coupons/joint-campaigns/lock-campaigns.function.sql: campaigns": inCompany(async (scene) => {
    const { coupon, campaign } = await campaignCoupon(scene);
    const order = await createOrder(scene.gateway, scene.company.id);
    const call = `consumeCoupon(input: { code: "${coupon.codes[0]}", orderId: ${order.id} }) { id }`;
    return held(scene.keyOf(campaign), () => runs(scene.company, call));
  }),
  "slices/coupons/joint-campaigns/campaign.sql.ts lockCampaign: campaigns": inCompany(async (scene) => {
    const { campaign } = await campaignCoupon(scene);
    const call = `updateCampaign(id: ${campaign.id}, input: { name: "Winter" }) { id }`;
    return held(scene.keyOf(campaign), () => runs(scene.company, call));
  }),
  "slices/coupons/joint-campaigns/campaign.sql.ts lockCoupons: coupons": inCompany(async (scene) => {
    const { coupon, campaign } = await campaignCoupon(scene);
    const call = `pauseCampaign(campaignId: ${campaign.id}) { id }`;
    return held(scene.keyOf(coupon), () => runs(scene.company, call));
  }),
  "slices/coupons/uses/purge-coupon-holds.function.sql: coupons": inCompany(async (scene) => {
    const { gateway, keyOf } = scene;
    const { coupon } = await heldCoupon(scene, new Date(Date.now() - HOUR_MS));
    await addJob({ db: gateway.db }, "purgeCouponHolds", {});
    return held(keyOf(coupon), () => gateway.runJobs());
  }),
  "slices/coupons/uses/redeem-gift-card.function.sql: coupons": inCompany(
    async ({ gateway, company, keyOf }) => {
      const { client } = await signedInClient(gateway, company.id);
      const card = await runningCoupon(gateway, company.id, { type: "gift_card", totalCount: 1 });
      const body = { coupon_code: card.codes[0], redeem: true };
      return held(keyOf(card), () => sends(client, "POST", `/companies/${company.id}/coupons/redeem`, body));
    },
  ),
  "slices/coupons/uses/release-coupon.function.sql: coupons": inCompany(async (scene) => {
    const { coupon, order } = await heldCoupon(scene);
    const call = `releaseCoupon(input: { couponId: ${coupon.id}, orderId: ${order.id} }) { id }`;
    return held(scene.keyOf(coupon), () => runs(scene.company, call));
  }),
  "slices/coupons/uses/release-holds-of-order.function.sql: coupons": inCompany(async (scene) => {
    const { coupon, order } = await heldCoupon(scene);
    return held(scene.keyOf(coupon), () => runs(scene.company, `deleteOrder(id: ${order.id}) { id }`));
  }),
  "slices/coupons/uses/fit-coupons-to-order.function.sql: coupons": inCompany(async (scene) => {
    const { coupon, order } = await heldCoupon(scene);
    await scene.gateway.db.order.updateMany({
      where: { ...scene.own, id: order.id },
      data: { couponVersion: 1 },
    });
    const call = `updateOrder(id: ${order.id}, input: { deliveryE2: 1 }) { id }`;
    return held(scene.keyOf(coupon), () => runs(scene.company, call));
  }),
  "slices/coupons/uses/return-coupon-items.function.sql: orders": inCompany(async (scene) => {
    const { order, call } = await returnedUnit(scene);
    return held(scene.keyOf(order), () => runs(scene.company, call));
  }),
  "slices/coupons/uses/return-coupon-items.function.sql: coupons": inCompany(async (scene) => {
    const { coupon, call } = await returnedUnit(scene);
    return held(scene.keyOf(coupon), () => runs(scene.company, call));
  }),
  "slices/coupons/uses/return-coupon.function.sql: coupons": inCompany(
    async ({ gateway, company, keyOf }) => {
      const coupon = await runningCoupon(gateway, company.id);
      const order = await createOrder(gateway, company.id);
      const code = coupon.codes[0] as string;
      await runs(company, `consumeCoupon(input: { code: "${code}", orderId: ${order.id} }) { id }`);
      const call = `returnCoupon(input: { couponId: ${coupon.id}, orderId: ${order.id} }) { id }`;
      return held(keyOf(coupon), () => runs(company, call));
    },
  ),
  "slices/coupons/uses/use-coupon.function.sql: coupons": inCompany(async ({ gateway, company, keyOf }) => {
    const coupon = await runningCoupon(gateway, company.id);
    const order = await createOrder(gateway, company.id);
    const input = `code: "${coupon.codes[0] as string}", orderId: ${order.id}, ttlSeconds: 60`;
    return held(keyOf(coupon), () => runs(company, `holdCoupon(input: { ${input} }) { id }`));
  }),
  "slices/coupons/uses/use-coupons.function.sql: coupons": inCompany(async ({ gateway, company, keyOf }) => {
    const coupon = await runningCoupon(gateway, company.id);
    const order = await createOrder(gateway, company.id);
    const input = `codes: ["${coupon.codes[0] as string}"], orderId: ${order.id}`;
    const call = `consumeCoupons(input: { ${input} }) { companyDiscountE2 }`;
    return { ...held(keyOf(coupon), () => runs(company, call)), writes: true };
  }),
};

/** An order with a use of a coupon for a good, and the call that gives one unit back. */
async function returnedUnit({ gateway, company, own }: Scene) {
  const coupon = await runningCoupon(gateway, company.id);
  const order = await createOrder(gateway, company.id);
  const { id: goodId } = await createGood(gateway, company.id);
  await gateway.db.orderItem.create({
    data: { ...own, orderId: order.id, goodId, quantity: 2, totalPriceE2: 10_000 },
  });
  await runs(company, `consumeCoupon(input: { code: "${coupon.codes[0]}", orderId: ${order.id} }) { id }`);
  const items = `[{ goodId: ${goodId}, quantity: 1 }]`;
  return {
    coupon,
    order,
    call: `returnCouponItems(input: { orderId: ${order.id}, items: ${items} }) { amountE2 }`,
  };
}

/** A coupon of which an order holds a use. */
async function heldCoupon(
  { gateway, company, own }: Scene,
  expiresAt = new Date(Date.now() + HOUR_MS),
): Promise<{ coupon: { id: number }; order: { id: number } }> {
  const coupon = await runningCoupon(gateway, company.id, { heldCount: 1, heldAmountE2: 100 });
  const order = await createOrder(gateway, company.id);
  await gateway.db.couponHold.create({
    data: { ...own, couponId: coupon.id, orderId: order.id, amountE2: 100, expiresAt },
  });
  return { coupon, order };
}

/** A list of codes that is uploaded. */
async function uploadedCodes({
  gateway,
  company,
}: Scene): Promise<{ couponId: number; uploadId: number; addCodes: LockCase["act"] }> {
  const { id: couponId } = await runningCoupon(gateway, company.id, { type: "personal", totalCount: 1 });
  const uploadId = await uploaded({ gateway, company }, { query: UPLOAD, id: couponId, text: "LOCKED-CODE" });
  return { couponId, uploadId, addCodes: readingSheet(gateway) };
}

/** Uploads a list for a row. @returns the id of the upload. */
export async function uploaded(
  { gateway, company }: Pick<Scene, "gateway" | "company">,
  { query, id, text }: { query: string; id: number; text: string },
): Promise<number> {
  const { body } = await sendGraphqlForm(gateway, company.owner, {
    operations: JSON.stringify({ query, variables: { companyId: company.id, id, input: { file: null } } }),
    map: JSON.stringify({ file: ["variables.input.file"] }),
    file: { bytes: Buffer.from(text), name: "list.csv", type: "text/csv" },
  });
  return (Object.values(dataOf(body))[0] as { id: number }).id;
}

/** Does the work on a list; the row is held as soon as the job reads it, as it has begun the upload before. */
export function readingSheet(gateway: Gateway): LockCase["act"] {
  return async (hold) => {
    const sheets = createSheets(gateway.database.pool);
    const read: Sheets["read"] = async function* (...sheet) {
      await hold();
      yield* sheets.read(...sheet);
    };
    await gateway.runJobs({ sheets: { ...sheets, read } });
  };
}

/** A running coupon in a campaign. */
async function campaignCoupon({ gateway, company }: Scene) {
  const coupon = await runningCoupon(gateway, company.id);
  const campaign = await gateway.db.campaign.create({
    data: { companyId: company.id, name: "Autumn", budgetE2: 5_000 },
  });
  await gateway.db.coupon.update({
    where: { companyId_id: { companyId: company.id, id: coupon.id } },
    data: { campaignId: campaign.id },
  });
  return { coupon, campaign };
}
