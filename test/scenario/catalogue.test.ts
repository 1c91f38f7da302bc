import {
  CataloguePageDocument,
  ChangePriceDocument,
  OfferSizesDocument,
} from "../../src/generated/operations.js";
import { adminWith, createCompany } from "../support/factories.js";
import { startGateway, type Client, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
let companyId: number;
let manager: Client;
beforeAll(async () => {
  gateway = await startGateway();
  companyId = (await createCompany(gateway)).id;
  manager = await adminWith(
    gateway,
    companyId,
    "access_goods",
    "can_edit_goods",
    "access_properties",
    "can_edit_properties",
  );
});
afterAll(() => gateway.close());

it("lets a back-office page and a legacy client work on the same goods", async () => {
  const size = await manager.rest("POST", `/companies/${companyId}/properties`, {
    body: {
      name: "Size",
      type: 256,
      property_options: [
        { name: "S", price_e2: 0 },
        { name: "L", price_e2: 150 },
      ],
    },
  });
  const ids: number[] = [];
  for (const name of ["Espresso", "Americano", "Cortado"]) {
    const good = await manager.rest("POST", `/companies/${companyId}/goods`, {
      body: { name, short_details: "Coffee", details: "Freshly brewed.", price_e2: 250, type: 0 },
    });
    expect(good.status).toBe(201);
    ids.push(good.body.id);
  }
  await manager.request(OfferSizesDocument, { companyId, goodId: ids[0] ?? 0, propertyId: size.body.id });

  const first = await manager.request(CataloguePageDocument, { companyId, first: 2 });
  const second = await manager.request(CataloguePageDocument, {
    companyId,
    first: 2,
    after: first.goods?.pageInfo.endCursor,
  });
  const changed = await manager.request(ChangePriceDocument, { companyId, id: ids[0] ?? 0, priceE2: 275 });
  const legacy = await gateway.anonymous.rest(
    "GET",
    `/companies/${companyId}/goods/${ids[0]}?load=properties&fields=name,price_e2`,
  );

  expect(first.goods?.nodes.map(({ name }) => name)).toEqual(["Americano", "Cortado"]);
  expect(second.goods?.nodes).toMatchObject([
    {
      name: "Espresso",
      properties: [
        {
          displayName: "Size",
          minCount: 1,
          property: { propertyOptions: [{ name: "S" }, { name: "L", priceE2: 150 }] },
        },
      ],
    },
  ]);
  expect(second.goods?.pageInfo.hasNextPage).toBe(false);
  expect(changed.updateGood?.priceE2).toBe(275);
  expect(legacy.body).toMatchObject({
    name: "Espresso",
    price_e2: 275,
    properties: [{ display_name: "Size", property: { name: "Size" } }],
  });
});
