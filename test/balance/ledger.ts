import type { Gateway } from "../support/gateway.js";
import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";

/** A company with the holders that tests of balances need. */
export interface Ledger {
  readonly company: TestCompany;
  readonly clientId: number;
  readonly cityId: number;
  readonly shopperId: number;
  readonly delivererId: number;
  /** An order of the client, with shopper, deliverer and their fees. */
  readonly orderId: number;
  /** Path of the company's balance movements. */
  readonly movements: string;
  /** Path of the order's balance movements. */
  readonly ofOrder: string;
}

export const SHOPPER_FEE_E2 = 120;
export const DELIVERER_FEE_E2 = 300;

export async function createLedger(gateway: Gateway): Promise<Ledger> {
  const company = await createCompany(gateway, { settings: { currencyIso: "USD" } });
  const { db } = gateway;
  const inCompany = { companyId: company.id };
  const client = await signedInClient(gateway, company.id);
  const city = await db.city.create({ data: { ...inCompany, name: "Town" } });
  const provider = () => db.provider.create({ data: { ...inCompany, name: "Provider", cityId: city.id } });
  const [shopper, deliverer] = [await provider(), await provider()];
  await db.client.update({
    where: { companyId_id: { ...inCompany, id: client.id } },
    data: { cityId: city.id },
  });
  const order = await db.order.create({
    data: {
      ...inCompany,
      clientId: client.id,
      shopperId: shopper.id,
      delivererId: deliverer.id,
      shopperFeeE2: SHOPPER_FEE_E2,
      delivererFeeE2: DELIVERER_FEE_E2,
      totalE2: 2_000,
      currencyIso: "USD",
    },
  });
  return {
    company,
    clientId: client.id,
    cityId: city.id,
    shopperId: shopper.id,
    delivererId: deliverer.id,
    orderId: order.id,
    movements: `/companies/${company.id}/balance-movements`,
    ofOrder: `/companies/${company.id}/orders/${order.id}/balance-movements`,
  };
}

/** All that is stored of a company's balances, to compare before and after. */
export async function storedLedger({ db }: Pick<Gateway, "db">, companyId: number) {
  const where = { companyId };
  return {
    holders: await db.balanceHolder.findMany({
      where,
      orderBy: [{ type: "asc" }, { key: "asc" }, { currencyIso: "asc" }],
    }),
    movements: await db.balanceMovement.findMany({ where, orderBy: { id: "asc" } }),
  };
}

/** The balances of a company's holders, by `type key currency`. */
export async function balancesOf(
  { db }: Pick<Gateway, "db">,
  companyId: number,
): Promise<Record<string, bigint>> {
  const rows = await db.balanceHolder.findMany({ where: { companyId } });
  return Object.fromEntries(
    rows.map(({ type, key, currencyIso, balanceE2 }) => [`${type} ${key} ${currencyIso}`, balanceE2]),
  );
}

/** What is wrong with a company's movements: gaps, balances that do not follow each other, transfers that have a sum. */
export async function faultsOf(gateway: Pick<Gateway, "db">, companyId: number): Promise<string[]> {
  const { movements, holders } = await storedLedger(gateway, companyId);
  const faults: string[] = [];
  for (const { type, key, currencyIso, balanceE2, movementCount } of holders) {
    const own = movements
      .filter((row) => row.holderType === type && row.holderKey === key && row.currencyIso === currencyIso)
      .sort((one, other) => one.number - other.number);
    own.forEach(({ number, initialBalanceE2 }, place) => {
      if (number !== place + 1) faults.push(`${type} ${key}: number ${number} at ${place + 1}`);
      if (initialBalanceE2 !== (own[place - 1]?.finalBalanceE2 ?? 0n))
        faults.push(`${type} ${key}: ${number} does not follow`);
    });
    if (own.length !== movementCount || (own.at(-1)?.finalBalanceE2 ?? 0n) !== balanceE2)
      faults.push(`${type} ${key}: the holder disagrees`);
  }
  const sums = new Map<bigint, bigint>();
  for (const { transferId, amountE2 } of movements)
    if (transferId !== null) sums.set(transferId, (sums.get(transferId) ?? 0n) + amountE2);
  for (const [id, sum] of sums) if (sum !== 0n) faults.push(`transfer ${id} sums to ${sum}`);
  return faults;
}
