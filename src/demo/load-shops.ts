import type { ShopsData } from "./demo-company.js";
import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";
import { NameIndex } from "./name-index.js";

/** One branch, as far as other rows need to know it. */
export interface LoadedBranch {
  readonly id: number;
  readonly shopId: number;
}

/** The places of a company and who works for them. */
export interface LoadedShops {
  readonly cities: NameIndex;
  readonly shops: NameIndex;
  readonly branches: readonly LoadedBranch[];
  /** Providers in service, by the id of the shop. */
  readonly providersOf: ReadonlyMap<number, readonly number[]>;
}

/** Cities, shops with their branches and areas, providers, fleets and services. */
export async function loadShops(target: DemoTarget): Promise<LoadedShops> {
  const { db, companyId, data } = target;
  const { cities, branchCategories, shops } = data.shops;
  const cityIds = new NameIndex(
    "city",
    await insertRows(
      db,
      "City",
      cities.map((city) => ({ ...city, companyId, countryIso: data.profile.countryIso })),
      ["id", "name"],
    ),
  );
  const categoryIds = new NameIndex(
    "branch category",
    await insertRows(
      db,
      "BranchCategory",
      branchCategories.map((name, inOrder) => ({ companyId, name, inOrder })),
      ["id", "name"],
    ),
  );
  const shopIds = new NameIndex(
    "shop",
    await insertRows(
      db,
      "BranchGroup",
      shops.map(({ name, category }) => ({
        companyId,
        name,
        branchCategoryId: categoryIds.get(category),
      })),
      ["id", "name"],
    ),
  );
  const branches = await loadBranches(target, cityIds, shopIds);
  const providersOf = await loadProviders(target, cityIds, shopIds);
  await loadFleets(target);
  return { cities: cityIds, shops: shopIds, branches, providersOf };
}

async function loadBranches(
  { db, companyId, data }: DemoTarget,
  cities: NameIndex,
  shops: NameIndex,
): Promise<LoadedBranch[]> {
  const all = data.shops.shops.flatMap((shop) =>
    shop.branches.map((branch) => ({ ...branch, shopId: shops.get(shop.name) })),
  );
  const branchIds = new NameIndex(
    "branch",
    await insertRows(
      db,
      "Branch",
      all.map(({ name, address, latitudeE6, longitudeE6, shopId, city, hours }) => ({
        companyId,
        name,
        address,
        latitudeE6,
        longitudeE6,
        branchGroupId: shopId,
        cityId: cities.get(city),
        timeZoneOffset: data.profile.timeZoneOffset,
        openingHours: hours,
      })),
      ["id", "name"],
    ),
  );
  const ownAreas = all.map(({ name, longitudeE6, latitudeE6, deliveryRadius }) => ({
    companyId,
    branchId: branchIds.get(name),
    name: `${name}, ${deliveryRadius / 1000} km`,
    type: "delivery",
    inverted: false,
    data: { shape: "circle", radius: deliveryRadius, coordinates: [[longitudeE6, latitudeE6]] },
  }));
  const companyAreas = data.shops.geofences.map((area) => ({
    inverted: false,
    ...area,
    companyId,
    data: area.data,
  }));
  await insertRows(db, "Geofence", [...ownAreas, ...companyAreas]);
  return all.map(({ name, shopId }) => ({ id: branchIds.get(name), shopId }));
}

async function loadProviders(
  { db, companyId, data, random }: DemoTarget,
  cities: NameIndex,
  shops: NameIndex,
): Promise<Map<number, number[]>> {
  const { providers } = data.shops;
  const providerIds = new NameIndex(
    "provider",
    await insertRows(
      db,
      "Provider",
      providers.map(({ name, city, enabled = true }, index) => ({
        companyId,
        name,
        enabled,
        cityId: cities.get(city),
        email: `provider${index + 1}@${data.profile.domain}`,
        phone: `${random.pick(data.people.phonePrefixes)}${"0".repeat(data.people.phoneDigits - 2)}${10 + index}`,
      })),
      ["id", "name"],
    ),
  );
  const links = providers.flatMap((provider) =>
    provider.shops.map((shop) => ({
      providerId: providerIds.get(provider.name),
      branchGroupId: shops.get(shop),
    })),
  );
  await insertRows(
    db,
    "ProviderBranchGroup",
    links.map((link) => ({ ...link, companyId })),
  );
  return providersInService(providers, providerIds, shops);
}

function providersInService(
  providers: ShopsData["providers"],
  providerIds: NameIndex,
  shops: NameIndex,
): Map<number, number[]> {
  const inService = providers.filter(({ enabled = true }) => enabled);
  return new Map(
    shops
      .entries()
      .map(([name, shopId]) => [
        shopId,
        inService.filter((provider) => provider.shops.includes(name)).map((one) => providerIds.get(one.name)),
      ]),
  );
}

async function loadFleets({ db, companyId, data }: DemoTarget): Promise<void> {
  const { fleets, services } = data.shops;
  await insertRows(
    db,
    "Fleet",
    fleets.map((name) => ({ companyId, name })),
  );
  const serviceIds = new NameIndex(
    "service",
    await insertRows(
      db,
      "Service",
      services.map(({ name, type }) => ({ companyId, name, type })),
      ["id", "name"],
    ),
  );
  await insertRows(
    db,
    "ServiceCharge",
    services.flatMap((service) =>
      service.charges.map((name) => ({ companyId, name, serviceId: serviceIds.get(service.name) })),
    ),
  );
}
