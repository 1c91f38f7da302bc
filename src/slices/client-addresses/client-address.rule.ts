import type { StoredRule } from "../../core/operations/operation-arguments.js";
import { addressErrors } from "./client-address.rules.js";

/** Finds what a new address lacks, together with all else that is wrong. */
export const newAddressIsWhole: StoredRule = (input) => Promise.resolve(addressErrors(null, input));

/**
 * Finds what an address would lack after its changes. One that another change makes wrong at the same time is refused
 * when it is written.
 */
export const changedAddressIsWhole: StoredRule = async (input, context, args) => {
  const [companyId, id] = [args["companyId"] as number, args["id"] as number];
  const { db } = context.companyScope(companyId);
  const stored = await db.clientAddress.findFirst({ where: { companyId, id } });
  return stored === null ? [] : addressErrors(stored, input);
};
