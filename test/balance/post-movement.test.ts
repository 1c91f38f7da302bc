import { postMovement } from "../../src/slices/balance/balance.service.js";
import type { Movement } from "../../src/slices/balance/movement.js";
import { createCompanyScope } from "../../src/engine/data/create-company-scope.js";
import type { CompanyScope } from "../../src/core/scope/company-scope.js";
import { companyFacts } from "../support/company-row.js";
import { createCompany, signedInClient } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

describe("postMovement", () => {
  let gateway: Gateway;
  let scope: CompanyScope;
  let movement: Movement;
  const ofHolder = () =>
    gateway.db.balanceMovement.findMany({
      where: { companyId: scope.companyId, holderKey: movement.holderKey },
      orderBy: { id: "asc" },
    });

  beforeAll(async () => {
    gateway = await startGateway();
  });

  beforeEach(async () => {
    const { id } = await createCompany(gateway);
    const client = await signedInClient(gateway, id);
    scope = createCompanyScope(gateway.db, companyFacts(id), { kind: "platform" }, new Date());
    movement = {
      holderType: "client",
      holderKey: client.id,
      currencyIso: "USD",
      amountE2: 100n,
      type: "adjustment",
      description: "",
      authorId: null,
      relatedType: null,
      relatedId: null,
    };
  });

  afterAll(() => gateway.close());

  it("counts on from the movement before, whatever the sign", async () => {
    const posted = [];
    for (const amountE2 of [500n, -800n, 50n])
      posted.push(await postMovement(scope, { ...movement, amountE2 }));

    expect(
      posted.map(({ number, initialBalanceE2, finalBalanceE2 }) => [
        number,
        initialBalanceE2,
        finalBalanceE2,
      ]),
    ).toEqual([
      [1, 0n, 500n],
      [2, 500n, -300n],
      [3, -300n, -250n],
    ]);
    expect((await ofHolder()).map(({ amountE2 }) => amountE2)).toEqual([500n, -800n, 50n]);
  });

  it("leaves no gap and loses nothing when many post at once", async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => postMovement(scope, { ...movement, amountE2: BigInt(n) })),
    );

    const movements = await ofHolder();
    expect(movements.map(({ number }) => number)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
    movements.forEach(({ initialBalanceE2, amountE2, finalBalanceE2 }, place) => {
      expect(initialBalanceE2).toBe(place === 0 ? 0n : movements[place - 1]?.finalBalanceE2);
      expect(finalBalanceE2).toBe(initialBalanceE2 + amountE2);
    });
    expect(movements.at(-1)?.finalBalanceE2).toBe(1770n);
  });

  it("keeps currencies apart, and is undone with its transaction", async () => {
    await postMovement(scope, movement);
    await postMovement(scope, { ...movement, currencyIso: "EUR" });
    const failing = scope.transaction(async (inside) => {
      await postMovement(inside, movement);
      throw new Error("undone");
    });

    await expect(failing).rejects.toThrow("undone");
    expect((await ofHolder()).map(({ number, currencyIso }) => `${number} ${currencyIso}`)).toEqual([
      "1 USD",
      "1 EUR",
    ]);
  });

  it("refuses what the interfaces could not show, and posts nothing then", async () => {
    await postMovement(scope, { ...movement, amountE2: BigInt(Number.MAX_SAFE_INTEGER) });

    await expect(postMovement(scope, movement)).rejects.toMatchObject({ code: "INVALID_STATE" });
    expect(await ofHolder()).toHaveLength(1);
  });
});
