import type { CompanyScope } from "../core/tenancy/company-scope.js";
import { type Order, orderList } from "./order.model.js";
import { referenceService, type Values } from "./reference-service.js";

export const orderService = referenceService<Order>("Order", orderList, { prepare: withDefaults });

/** @throws DomainError NOT_FOUND. */
export const getOrder = orderService.get;

function withDefaults({ company }: CompanyScope, input: Values, id: number | null): Values {
  if (id !== null) return input;
  const { subtotalE2 = 0, deliveryE2 = 0 } = input as { subtotalE2?: number; deliveryE2?: number };
  return { currencyIso: company.currencyIso, totalE2: subtotalE2 + deliveryE2, ...input };
}
