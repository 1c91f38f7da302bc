import { addJob } from "../../src/core/jobs/jobs.js";
import { keepProperty, lockGoodProperties } from "../../src/slices/properties/good-variants.sql.js";
import { takePictures } from "../../src/slices/goods/good-picture-source.sql.js";
import { add, goShopping } from "../carts/carts.js";
import { csv, importAll, openShop } from "../imports/imports.js";
import { createBranch, createGood, createProperty, unique } from "../support/factories.js";
import { type Cases, expectSuccess, held, inCompany, runs, type Scene, sends } from "./lock-case.js";

/** Goods, their categories, properties, pictures and imports, and carts. */
export const GOODS_CASES: Cases = {
  "slices/carts/cart-item.sql.ts lockCart: carts": async (gateway) => {
    const shopping = await goShopping(gateway);
    const { company, cartId } = shopping;
    return held({ company_id: company.id, id: cartId }, async () =>
      expectSuccess(await add(shopping, {}, company.owner)),
    );
  },
  "slices/carts/cart-item.sql.ts lockOwnCart: carts": async (gateway) => {
    const shopping = await goShopping(gateway);
    const { company, cartId } = shopping;
    return held({ company_id: company.id, id: cartId }, async () => expectSuccess(await add(shopping)));
  },
  "slices/carts/cart-item.sql.ts lockOwnCart: clients": async (gateway) => {
    const shopping = await goShopping(gateway);
    const { company, clientId } = shopping;
    return held({ company_id: company.id, id: clientId }, async () => expectSuccess(await add(shopping)));
  },
  "slices/carts/cart-item.sql.ts lockClient: clients": async (gateway) => {
    const shopping = await goShopping(gateway, { good: { maxQuantity: 5, limitType: "per_day" } });
    const { company, clientId } = shopping;
    return held({ company_id: company.id, id: clientId }, async () =>
      expectSuccess(await add(shopping, {}, company.owner)),
    );
  },
  "core/resources/lock-wholes.sql.ts lockRows: table": inCompany(async ({ gateway, company, own, keyOf }) => {
    const good = await createGood(gateway, company.id);
    const branch = await createBranch(gateway, company.id);
    const { id } = await gateway.db.branchGood.create({
      data: { ...own, branchId: branch.id, goodId: good.id },
    });
    const call = `updateBranchGood(id: ${id}, input: { priceE2: 100 }) { id }`;
    return held(keyOf(good), () => runs(company, call), "goods");
  }),
  "slices/goods/good.service.ts changePartOf: goods": inCompany(async ({ gateway, company, own, keyOf }) => {
    const good = await createGood(gateway, company.id);
    const material = await gateway.db.material.create({ data: { ...own, name: unique() } });
    const call = `linkGoodMaterial(goodId: ${good.id}, materialId: ${material.id}, input: { quantityReal: 1 }) { quantityReal }`;
    return held(keyOf(good), () => runs(company, call));
  }),
  "slices/goods/good-links.sql.ts lockGoods: goods": inCompany(async ({ gateway, company, own, keyOf }) => {
    const good = await createGood(gateway, company.id);
    const category = await gateway.db.category.create({ data: { ...own, name: unique() } });
    const call = `addGoodsToCategory(categoryId: ${category.id}, input: [${good.id}]) { id }`;
    return held(keyOf(good), () => runs(company, call));
  }),
  "slices/goods/good-links.sql.ts lockGoodsOfTag: goods": inCompany(
    async ({ gateway, company, own, keyOf }) => {
      const good = await createGood(gateway, company.id);
      const tag = await gateway.db.goodTag.create({ data: { ...own, name: unique() } });
      const call = `replaceGoodsOfTag(goodTagId: ${tag.id}, input: [${good.id}]) { id }`;
      return held(keyOf(good), () => runs(company, call));
    },
  ),
  "slices/goods/good-links.sql.ts lockTag: good_tags": inCompany(async ({ gateway, company, own, keyOf }) => {
    const good = await createGood(gateway, company.id);
    const tag = await gateway.db.goodTag.create({ data: { ...own, name: unique() } });
    const call = `replaceGoodsOfTag(goodTagId: ${tag.id}, input: [${good.id}]) { id }`;
    return held(keyOf(tag), () => runs(company, call));
  }),
  "slices/goods/category.sql.ts lockCategoryTree: categories": inCompany(
    async ({ gateway: { db }, company, own, keyOf }) => {
      const [parent, child] = [
        await db.category.create({ data: { ...own, name: unique() } }),
        await db.category.create({ data: { ...own, name: unique() } }),
      ];
      const call = `updateCategory(id: ${child.id}, input: { parentId: ${parent.id} }) { id }`;
      return held(keyOf(parent), () => runs(company, call));
    },
  ),
  "slices/goods/good-batch.sql.ts findGoods: goods": async (gateway) => {
    const shop = await openShop(gateway);
    const good = { branchGroupId: shop.shopId, sku: "A-1" };
    const { id } = await createGood(gateway, shop.company.id, good);
    return held({ company_id: shop.company.id, id }, async () => {
      const { status, updated } = await importAll(shop, csv(["sku", "price"], ["A-1", "3"]));
      expect([status, updated]).toEqual(["finished", 1]);
    });
  },
  "slices/goods/good-picture-source.sql.ts takePictures: good_picture_sources": inCompany(async (scene) => {
    const { importJobId, sourceId } = await wantedPicture(scene);
    const { gateway, company, keyOf } = scene;
    const job = { companyId: company.id, importJobId };
    return held(keyOf({ id: sourceId }), async () =>
      expect(await gateway.db.$transaction((db) => takePictures(db, job, 5))).toEqual([]),
    );
  }),
  "slices/goods/good-picture.sql.ts lockPictures: goods": inCompany(async ({ gateway, company, keyOf }) => {
    const good = await createGood(gateway, company.id);
    const path = `/companies/${company.id}/goods/${good.id}/fix-images`;
    return held(keyOf(good), () => sends(company.owner, "POST", path));
  }),
  "slices/goods/good.service.ts lockMerged: goods": inCompany(async ({ gateway, company, keyOf }) => {
    const good = await createGood(gateway, company.id);
    const path = `/companies/${company.id}/goods/${good.id}`;
    return held(keyOf(good), () => sends(company.owner, "PATCH", path, { price_e2: 990 }));
  }),
  "slices/imports/import-job.sql.ts lockImport: import_jobs": inCompany(async (scene) => {
    const { importJobId } = await wantedPicture(scene);
    const { gateway, company, keyOf } = scene;
    await addJob({ db: gateway.db }, "fetchImportPictures", { companyId: company.id, importJobId });
    return held(keyOf({ id: importJobId }), () => gateway.runJobs());
  }),
  "slices/properties/good-variants.sql.ts lockGoodProperties: properties": inCompany(
    async ({ gateway, company, own, keyOf }) => {
      const property = await createProperty(gateway, company.id);
      const { id: goodId } = await createGood(gateway, company.id);
      await gateway.db.goodProperty.create({
        data: { ...own, goodId, propertyId: property.id, displayName: "Size" },
      });
      return held(keyOf(property), () => lockGoodProperties(gateway.db, company.id, [goodId]));
    },
  ),
  "slices/properties/good-variants.sql.ts keepProperty: properties": inCompany(
    async ({ gateway, company, keyOf }) => {
      const property = await createProperty(gateway, company.id);
      const named = { propertyId: property.id, version: 1 };
      return held(keyOf(property), () => keepProperty(gateway.db, company.id, named));
    },
  ),
  "slices/properties/property.service.ts lockProperty: properties": inCompany(
    async ({ gateway, company, keyOf }) => {
      const property = await createProperty(gateway, company.id);
      const path = `/companies/${company.id}/properties/${property.id}`;
      return held(keyOf(property), () => sends(company.owner, "PATCH", path, { name: "Size" }));
    },
  ),
};

/** A picture that a finished import wants; nothing can be fetched by its URL. */
async function wantedPicture({
  gateway,
  company,
  own,
}: Scene): Promise<{ importJobId: number; sourceId: bigint }> {
  const { db } = gateway;
  const { id: importJobId } = await db.importJob.create({
    data: {
      ...own,
      status: "finished",
      fileName: "goods.csv",
      format: "csv",
      dryRun: false,
      options: {},
      picturesWanted: 1,
    },
  });
  const { id: goodId } = await createGood(gateway, company.id);
  const cell = { row: 2, field: "picture_urls" };
  const { id: sourceId } = await db.goodPictureSource.create({
    data: { ...own, ...cell, goodId, isVertical: false, urlHash: unique(), url: "no URL", importJobId },
  });
  return { importJobId, sourceId };
}
