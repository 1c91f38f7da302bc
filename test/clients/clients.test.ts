import type { AddressInfo } from "node:net";
import { createAccount, PASSWORD, type Account } from "../auth/accounts.js";
import { createCompany, createGood, createProperty } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { apolloClient } from "./apollo-client.js";
import { curl } from "./curl.js";
import { graphqlRequest } from "./graphql-request.js";
import { openapiFetch } from "./openapi-fetch.js";
import { RefusedError } from "./scenario.js";
import { urql } from "./urql.js";

let gateway: Gateway;
let base: string;
beforeAll(async () => {
  gateway = await startGateway({ own: "service" });
  await gateway.app.listen({ port: 0, host: "127.0.0.1" });
  base = `http://127.0.0.1:${(gateway.app.server.address() as AddressInfo).port}`;
});
afterAll(() => gateway.close());

describe.each([apolloClient, urql, graphqlRequest, openapiFetch, curl])("$name", ({ signIn }) => {
  let companyId: number;
  let admin: Account;
  let good: { id: number };
  beforeEach(async () => {
    ({ id: companyId } = await createCompany(gateway));
    admin = await createAccount(gateway, companyId);
    await gateway.db.admin.update({
      where: { companyId_id: { companyId, id: admin.id } },
      data: { isFullAdmin: true },
    });
    good = await createGood(gateway, companyId, { name: "Coffee", priceE2: 350 });
    await createGood(gateway, companyId, { name: "Tea", priceE2: 2 ** 40 });
    const property = await createProperty(gateway, companyId, { name: "Size" });
    await gateway.db.propertyOption.createMany({
      data: ["Small", "Großer Becher ☕"].map((name, inOrder) => ({
        companyId,
        propertyId: property.id,
        name,
        inOrder,
      })),
    });
    await gateway.db.goodProperty.create({
      data: { companyId, goodId: good.id, propertyId: property.id, displayName: "Size" },
    });
  });

  it("signs in, lists goods with their properties and changes one", async () => {
    const page = await signIn(base, admin.email, PASSWORD);
    const tea = { id: expect.any(Number), name: "Tea", priceE2: 2 ** 40, properties: [] };
    const coffee = { id: good.id, name: "Coffee", priceE2: 350 };
    const properties = [{ name: "Size", options: ["Small", "Großer Becher ☕"] }];

    expect(await page.goods(companyId)).toEqual([{ ...coffee, properties }, tea]);
    expect(await page.changePrice(companyId, good.id, 375)).toBe(375);
    expect(await page.goods(companyId)).toEqual([{ ...coffee, priceE2: 375, properties }, tea]);
  });

  it("learns why it is refused", async () => {
    const page = await signIn(base, admin.email, PASSWORD);

    await expect(signIn(base, admin.email, "wrong password")).rejects.toEqual(
      new RefusedError("UNAUTHENTICATED"),
    );
    await expect(page.changePrice(companyId, good.id, -1)).rejects.toEqual(
      new RefusedError("VALIDATION_FAILED"),
    );
    await expect(page.changePrice(companyId, 2_000_000_000, 1)).rejects.toEqual(
      new RefusedError("NOT_FOUND"),
    );
  });
});
