import { DomainError } from "../../core/errors/domain-error.js";
import type { StoredRule } from "../../core/operations/operation-arguments.js";
import { findTakenNames } from "./company-domains.js";
import { PLATFORM_KEYS } from "./company.inputs.js";

/**
 * Finds names that lead to another company.
 *
 * @throws DomainError FORBIDDEN for keys that the platform alone may send, before wrong fields are reported.
 */
export const mayChangeCompany: StoredRule = async (input, { client, caller }, { companyId }) => {
  const kept = PLATFORM_KEYS.filter((key) => input[key] !== undefined);
  if (kept.length > 0 && caller.kind !== "platform") {
    const errors = kept.map((field) => ({ field, rule: "forbidden", message: "is for the platform alone" }));
    throw new DomainError("FORBIDDEN", "Only the platform may change these fields; see errors.", {
      errors,
      lack: { principal: "platform" },
    });
  }
  return findTakenNames(client, input, companyId as number);
};
