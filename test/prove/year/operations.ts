import type { Shop } from "./fill.js";

/** Twelve operations of a company, each as the body of its next request. */
export function operationsOf(shop: Shop): Record<string, () => string> {
  const { companyId, couponId, code, goodId, clientId, nextOrder } = shop;
  const body = (query: string): string => JSON.stringify({ query });
  const list = (field: string, more = "", selected = "id"): (() => string) => {
    const text = body(`{ ${field}(companyId: ${companyId}, ${more} first: 25) { nodes { ${selected} } } }`);
    return () => text;
  };
  let price = 0;
  return {
    "a good": () => body(`{ good(companyId: ${companyId}, id: ${goodId}) { id name priceE2 } }`),
    "page of goods": list("goods", "", "id name priceE2"),
    "page of clients": list("clients", "", "id name"),
    "page of orders": list("orders", "", "id status"),
    "page of coupons": list("coupons", "", "id name status"),
    "uses of a coupon": list("couponUsedTickets", `couponId: ${couponId},`, "id amountE2"),
    "movements of a client": list("balanceMovements", `type: client, key: ${clientId},`, "id amountE2"),
    "page of the trail": list("auditEntries", "", "id operation"),
    "attempts of a coupon": list("couponAttempts", `filter: { couponId: { eq: ${couponId} } },`, "id reason"),
    "use of a coupon": () =>
      body(
        `mutation { consumeCoupon(companyId: ${companyId}, input: { code: "${code}", orderId: ${nextOrder()} }) { id } }`,
      ),
    "change of a balance": () =>
      body(
        `mutation { adjustBalance(companyId: ${companyId}, input: { type: client, key: ${clientId + 1}, amountE2: 1 }) { id } }`,
      ),
    "change of a good": () =>
      body(
        `mutation { updateGood(companyId: ${companyId}, id: ${goodId}, input: { priceE2: ${(price += 1)} }) { id } }`,
      ),
  };
}
