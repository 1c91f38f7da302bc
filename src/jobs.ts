import "reflect-metadata";
import { companyEventDue } from "./slices/company-events/company-event.jobs.js";
import type { Loop } from "./core/jobs/loop.js";
import type { RecurringJob, Tasks } from "./engine/worker/tasks.js";
import { couponCodes } from "./slices/coupons/codes/coupon-codes.jobs.js";
import { codeUploads, removeOldUploads } from "./slices/coupons/campaigns/code-upload.jobs.js";
import { removeOldSegmentUploads, segmentUploads } from "./slices/clients/segments/segment-upload.jobs.js";
import { couponSimulations, removeOldSimulations } from "./slices/coupons/simulation/simulation.jobs.js";
import { removeOldAttempts } from "./slices/coupons/attempts/coupon-attempt.jobs.js";
import { sumCouponUses } from "./slices/coupons/stats/kept-use-sums.jobs.js";
import { couponDue } from "./slices/coupons/coupon-due.jobs.js";
import { purgeCouponHolds } from "./slices/coupons/uses/coupon-hold.jobs.js";
import { sumMovements } from "./slices/balance/balance-hours.jobs.js";
import { completeMovements } from "./slices/balance/completion.jobs.js";
import { makeRenditions } from "./engine/storage/make-renditions.jobs.js";
import { goodsImports, removeOldImports } from "./slices/imports/import-goods.jobs.js";
import { importPictures } from "./slices/imports/import-pictures.jobs.js";
import { removeFiles } from "./engine/storage/remove-files.jobs.js";
import { removeOldRepricings, repricings } from "./slices/goods/repricing/repricing.jobs.js";
import { removeOldDeliveries } from "./slices/webhooks/webhook-delivery.jobs.js";
import { webhookSender } from "./slices/webhooks/webhook-sender.js";
import { foldCounts, forgetExpired } from "./process/housekeeping.jobs.js";

/** All tasks of the service; the task of a slice has to be listed here. */
export const tasks: Tasks = {
  generateCouponCodes: couponCodes.task,
  addUploadedCodes: codeUploads.task,
  addSegmentClients: segmentUploads.task,
  couponDue,
  companyEventDue,
  purgeCouponHolds,
  forgetExpired,
  foldCounts,
  removeFiles,
  makeRenditions,
  completeMovements,
  sumMovements,
  sumCouponUses,
  importGoods: goodsImports.task,
  fetchImportPictures: importPictures.task,
  removeOldImports,
  removeOldUploads,
  removeOldSegmentUploads,
  removeOldAttempts,
  simulateCoupon: couponSimulations.task,
  removeOldSimulations,
  repriceGoods: repricings.task,
  removeOldRepricings,
  removeOldDeliveries,
};

/** The loops of each process. */
export const loops: readonly Loop[] = [webhookSender];

const ODD_MINUTES = Array.from({ length: 30 }, (_, n) => 2 * n + 1).join(",");

/** The jobs that the clock starts, in UTC: few in the same minute, so that the database hears little of a process without work. */
export const recurringJobs: readonly RecurringJob[] = [
  { task: "purgeCouponHolds", at: "*/2 * * * *" },
  { task: "foldCounts", at: "* * * * *" },
  { task: "removeFiles", at: `${ODD_MINUTES} * * * *` },
  { task: "completeMovements", at: "*/10 * * * *" },
  { task: "sumMovements", at: "3,33 * * * *" },
  { task: "sumCouponUses", at: "7,37 * * * *" },
  { task: "removeOldImports", at: "17 * * * *" },
  { task: "removeOldUploads", at: "19 * * * *" },
  { task: "removeOldSegmentUploads", at: "21 * * * *" },
  { task: "removeOldAttempts", at: "23 * * * *" },
  { task: "removeOldSimulations", at: "27 * * * *" },
  { task: "removeOldRepricings", at: "31 * * * *" },
  { task: "removeOldDeliveries", at: "29 * * * *" },
  { task: "forgetExpired", at: "*/5 * * * *" },
];
