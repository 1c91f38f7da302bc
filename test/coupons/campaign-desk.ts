import { adminWith, createCompany } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway } from "../support/gateway.js";

type Body = Record<string, unknown>;

/**
 * A company as its people use it: a manager who may edit coupons and events sets campaigns up, and the order service makes
 * orders and takes their discounts.
 */
export async function openDesk(gateway: Gateway) {
  const company = await createCompany(gateway, {
    timeZoneOffset: "-04:00",
    settings: { currencyIso: "USD" },
  });
  const manager = await adminWith(
    gateway,
    company.id,
    ...(["access_coupons", "can_edit_coupons", "access_company_events", "can_edit_company_events"] as const),
  );

  /** Sends a request of the manager, and answers what it made. */
  const made = async (method: "POST" | "PUT", path: string, body?: Body) => {
    const answer = await manager.rest(method, `/companies/${company.id}/${path}`, { body: body ?? {} });
    expect([answer.status, answer.body.errors]).toEqual([path.includes("/") ? 200 : 201, undefined]);
    return answer.body;
  };
  /** Creates a coupon, links its targets, sets it ready and has its codes made. */
  const campaign = async (terms: Body, targets: readonly { id: number }[] = []) => {
    const { id } = await made("POST", "coupons", { name: "Campaign", total_count: 1000, ...terms });
    for (const target of targets) await made("PUT", `coupons/${id}/targets/${target.id}`);
    await made("POST", `coupons/${id}/set-ready`);
    await gateway.runJobs();
    const { body: codes, headers } = await manager.rest(
      "GET",
      `/companies/${company.id}/coupons/${id}/codes`,
    );
    return {
      ...{ id: id as number, codeCount: Number(headers["x-total-count"]) },
      codes: codes.map(({ code }: { code: string }) => code) as string[],
    };
  };
  const send = (document: string, variables: Body) =>
    company.owner.run(document, { companyId: company.id, ...variables });
  /** Runs a mutation, and answers what it did or the code of its refusal. */
  const mutation = (name: string, fields: string) => async (input: Body) => {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`;
    const answer = await send(
      `mutation ($companyId: Int!, $input: ${type}) { answer: ${name}(companyId: $companyId, input: $input) { ${fields} } }`,
      { input },
    );
    return answer.errors === undefined ? dataOf(answer)["answer"] : errorCodes(answer)[0];
  };
  const checked = mutation("checkCoupon", "discountE2 companyDiscountE2");
  const consumed = mutation("consumeCoupon", "amountE2 companyAmountE2");
  const consumedAll = mutation("consumeCoupons", "totalDiscountE2 uses { couponId amountE2 }");
  const held = mutation("holdCoupon", "amountE2");
  const returned = mutation("returnCoupon", "amountE2");
  const orderId = mutation("createOrder", "id");
  const order = async (subtotalE2: number, more: Body = {}): Promise<number> =>
    (await orderId({ subtotalE2, ...more })).id;
  const together = async (input: Body) => {
    const { discounts } = dataOf(
      await send(
        `query ($companyId: Int!, $input: DiscountsInput!) { discounts(companyId: $companyId, input: $input) {
          totalDiscountE2 applied { coupon { id } discountE2 } refused { coupon { id } reason } } }`,
        { input },
      ),
    );
    return discounts as {
      totalDiscountE2: number;
      applied: { coupon: { id: number }; discountE2: number }[];
      refused: { coupon: { id: number }; reason: string }[];
    };
  };
  const shown = async (id: number, fields: string) =>
    dataOf(
      await send(
        `query ($companyId: Int!, $id: Int!) { coupon(companyId: $companyId, id: $id) { ${fields} } }`,
        { id },
      ),
    ).coupon;

  return {
    ...{ company, manager, made, campaign, shown, order, checked, consumed, consumedAll, held, returned },
    together,
  };
}
