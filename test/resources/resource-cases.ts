import type { Area } from "../../src/core/access/permissions.js";
import { createBranch, createGood, createProperty, unique } from "../support/factories.js";
import type { Gateway } from "../support/gateway.js";

/** A plain resource, with everything that the tests of all plain resources need. */
export interface ResourceCase {
  readonly model: string;
  readonly many: string;
  readonly area: Area;
  /** Returns a complete new input, with the rows that it refers to. */
  readonly input: (gateway: Gateway, companyId: number) => Promise<Record<string, unknown>>;
  /** Selections of the row's relations. */
  readonly relations?: string;
  readonly changes: Record<string, unknown>;
  /** An input with wrong values, and the `field:rule` of each, sorted. */
  readonly wrong: Record<string, unknown>;
  readonly refusals: readonly string[];
}

const UNKNOWN_ID = 2_000_000_000;
const LONG = "n".repeat(65);

/** Rows that inputs refer to. */
const rowOf = {
  city: ({ db }: Gateway, companyId: number) => db.city.create({ data: { companyId, name: unique() } }),
  client: ({ db }: Gateway, companyId: number) => db.client.create({ data: { companyId, name: unique() } }),
  provider: ({ db }: Gateway, companyId: number) =>
    db.provider.create({ data: { companyId, name: unique() } }),
  service: ({ db }: Gateway, companyId: number) => db.service.create({ data: { companyId, name: unique() } }),
  category: ({ db }: Gateway, companyId: number) =>
    db.category.create({ data: { companyId, name: unique() } }),
  branchGroup: ({ db }: Gateway, companyId: number) =>
    db.branchGroup.create({ data: { companyId, name: unique() } }),
  branchCategory: ({ db }: Gateway, companyId: number) =>
    db.branchCategory.create({ data: { companyId, name: unique() } }),
};

async function branchGoodRow(gateway: Gateway, companyId: number): Promise<{ id: number; goodId: number }> {
  const [branch, good] = await Promise.all([
    createBranch(gateway, companyId),
    createGood(gateway, companyId),
  ]);
  return gateway.db.branchGood.create({ data: { companyId, branchId: branch.id, goodId: good.id } });
}

/** Returns a resource that has only a name and the fields of `more`. */
const named = (
  model: string,
  many: string,
  area: Area,
  more: Partial<Omit<ResourceCase, "input">> & { input?: ResourceCase["input"] } = {},
): ResourceCase => ({
  model,
  many,
  area,
  changes: { name: "Renamed" },
  ...more,
  input: async (gateway, companyId) => ({ name: unique(), ...(await more.input?.(gateway, companyId)) }),
  wrong: { name: LONG, ...more.wrong },
  refusals: ["name:max_length", ...(more.refusals ?? [])].sort(),
});

const FAR_OFF = { latitudeE6: 90_000_001, longitudeE6: -180_000_001 };

export const RESOURCES: readonly ResourceCase[] = [
  named("BranchCategory", "branchCategories", "company", {
    input: () => Promise.resolve({ inOrder: 3 }),
    wrong: { inOrder: -1 },
    refusals: ["inOrder:min"],
  }),
  named("BranchGroup", "branchGroups", "company", {
    relations: "branchCategory { id name } branches { id }",
    input: async (gateway, companyId) => ({
      enabled: false,
      branchCategoryId: (await rowOf.branchCategory(gateway, companyId)).id,
    }),
    changes: { enabled: true, branchCategoryId: null },
    wrong: { branchCategoryId: UNKNOWN_ID },
    refusals: ["branchCategoryId:exists"],
  }),
  named("Branch", "branches", "company", {
    relations: "branchGroup { id name } city { id name } geofences { id }",
    input: async (gateway, companyId) => ({
      branchGroupId: (await rowOf.branchGroup(gateway, companyId)).id,
      cityId: (await rowOf.city(gateway, companyId)).id,
      address: "1 Main Street",
      latitudeE6: -90_000_000,
      longitudeE6: 180_000_000,
      timeZoneOffset: "-04:00",
      openingHours: {
        "0": [],
        "1": [
          { from: "08:00", to: "12:30" },
          { from: "14:00", to: "18:00" },
        ],
      },
      enabled: true,
    }),
    changes: { name: "Renamed", openingHours: null, timeZoneOffset: null, cityId: null },
    wrong: {
      ...FAR_OFF,
      timeZoneOffset: "04:00",
      openingHours: { "7": [], "1": [{ from: "24:00", to: "25:00" }, { from: "08:00" }] },
      cityId: UNKNOWN_ID,
      enabled: null,
    },
    refusals: [
      "cityId:exists",
      "enabled:type",
      "latitudeE6:max",
      "longitudeE6:min",
      "openingHours[1][0].from:clock",
      "openingHours[1][0].to:clock",
      "openingHours[1][1].to:required",
      "openingHours[7]:unknown",
      "timeZoneOffset:offset",
    ],
  }),
  named("City", "cities", "company", {
    input: () => Promise.resolve({ countryIso: "US", latitudeE6: 1, longitudeE6: -1, enabled: true }),
    changes: { countryIso: null, enabled: false },
    wrong: { ...FAR_OFF, countryIso: "usa" },
    refusals: ["countryIso:pattern", "latitudeE6:max", "longitudeE6:min"],
  }),
  named("Form", "forms", "forms", {
    relations: "branch { id name }",
    input: async (gateway, companyId) => ({
      type: 1,
      branchId: (await createBranch(gateway, companyId)).id,
      internalName: "bank_pm",
      icon: 2,
    }),
    changes: { icon: 3, internalName: null },
    wrong: { branchId: UNKNOWN_ID, internalName: "bank", form: [{ slider: {} }, {}] },
    refusals: ["branchId:exists", "form[0].slider:unknown", "form[1]:min_items", "internalName:pattern"],
  }),
  named("Geofence", "geofences", "company", {
    relations: "branch { id name }",
    input: async (gateway, companyId) => ({
      type: "delivery",
      data: { shape: "circle", radius: 5000, coordinates: [[-58_381_592, -34_603_722]] },
      enabled: true,
      inverted: false,
      branchId: (await createBranch(gateway, companyId)).id,
    }),
    changes: {
      data: {
        shape: "polygon",
        coordinates: [
          [0, 0],
          [0, 10],
          [10, 10],
        ],
      },
      inverted: true,
    },
    wrong: { type: "", data: { shape: "circle", coordinates: [[0], [0, 90_000_001]] }, branchId: UNKNOWN_ID },
    refusals: [
      "branchId:exists",
      "data.coordinates:max_items",
      "data.coordinates[0]:min_items",
      "data.coordinates[1][1]:max",
      "data.radius:required",
      "type:min_length",
    ],
  }),
  named("Provider", "providers", "company", {
    relations: "city { id name } branchGroups { id name }",
    input: async (gateway, companyId) => ({
      email: "provider@example.com",
      phone: "+15550000003",
      cityId: (await rowOf.city(gateway, companyId)).id,
      enabled: true,
    }),
    changes: { email: null, enabled: false },
    wrong: { email: "nobody", cityId: 0 },
    refusals: ["cityId:exists", "email:email"],
  }),
  named("Client", "clients", "clients", {
    relations: "city { id name } deletedAt",
    input: async (gateway, companyId) => ({
      email: "client@example.com",
      phone: "+15550000004",
      cityId: (await rowOf.city(gateway, companyId)).id,
    }),
    changes: { phone: null, cityId: null },
    wrong: { email: "nobody", phone: "5".repeat(33), cityId: UNKNOWN_ID },
    refusals: ["cityId:exists", "email:email", "phone:max_length"],
  }),
  named("Fleet", "fleets", "fleet", { input: () => Promise.resolve({ enabled: false }) }),
  named("Service", "services", "fleet", {
    relations: "serviceCharges { id name }",
    input: () => Promise.resolve({ type: 2, enabled: true }),
    wrong: { type: -1 },
    refusals: ["type:min"],
  }),
  named("ServiceCharge", "serviceCharges", "fleet", {
    relations: "service { id name }",
    input: async (gateway, companyId) => ({ serviceId: (await rowOf.service(gateway, companyId)).id }),
    wrong: { serviceId: UNKNOWN_ID },
    refusals: ["serviceId:exists"],
  }),
  named("ChatRoom", "chatRooms", "chat_rooms", {
    input: () =>
      Promise.resolve({
        imageUrl: "https://example.com/room.png",
        isEnabled: false,
        isDirect: true,
        isPrivate: true,
        lastMessageId: 9_000_000_000,
        channel: unique(),
        targetType: "order",
      }),
    changes: { name: null, imageUrl: null, isEnabled: true, lastMessageId: 9_000_000_001 },
    wrong: { name: "n".repeat(256), imageUrl: "room.png", channel: "", isPrivate: null, lastMessageId: 0 },
    refusals: ["channel:min_length", "imageUrl:url", "isPrivate:type", "lastMessageId:min"],
  }),
  named("Material", "materials", "goods", {
    input: () => Promise.resolve({ unit: "kg" }),
    changes: { unit: null },
    wrong: { unit: "u".repeat(17) },
    refusals: ["unit:max_length"],
  }),
  named("GoodType", "goodTypes", "goods"),
  named("GoodTag", "goodTags", "goods"),
  named("Category", "categories", "goods", {
    relations: "parent { id name } children { id name }",
    input: async (gateway, companyId) => ({
      inOrder: 2,
      parentId: (await rowOf.category(gateway, companyId)).id,
    }),
    changes: { parentId: null, inOrder: 0 },
    wrong: { inOrder: -1, parentId: UNKNOWN_ID },
    refusals: ["inOrder:min", "parentId:exists"],
  }),
  {
    model: "Order",
    many: "orders",
    area: "carts",
    relations: "client { id name } branch { id name } shopper { id name } deliverer { id name }",
    input: async (gateway, companyId) => ({
      clientId: (await rowOf.client(gateway, companyId)).id,
      branchId: (await createBranch(gateway, companyId)).id,
      shopperId: (await rowOf.provider(gateway, companyId)).id,
      delivererId: (await rowOf.provider(gateway, companyId)).id,
      shopperFeeE2: 100,
      delivererFeeE2: 200,
      subtotalE2: 9_000_000_000_000,
      deliveryE2: 500,
      totalE2: 9_000_000_000_500,
      currencyIso: "EUR",
      source: "web",
      status: "created",
    }),
    changes: { status: "paid", delivererId: null, deliveryE2: 0 },
    wrong: { totalE2: -1, currencyIso: "EU", status: "lost", clientId: UNKNOWN_ID, source: null },
    refusals: ["clientId:exists", "currencyIso:min_length", "status:enum", "totalE2:min"],
  },
  {
    model: "Cart",
    many: "carts",
    area: "carts",
    relations: "client { id name } branch { id name }",
    input: async (gateway, companyId) => ({
      clientId: (await rowOf.client(gateway, companyId)).id,
      branchId: (await createBranch(gateway, companyId)).id,
    }),
    changes: { branchId: null },
    wrong: { clientId: UNKNOWN_ID, branchId: -1 },
    refusals: ["branchId:exists", "clientId:exists"],
  },
  {
    model: "BranchGood",
    many: "branchGoods",
    area: "goods",
    relations: "branch { id name } good { id name } branchGoodProperties { id }",
    input: async (gateway, companyId) => ({
      branchId: (await createBranch(gateway, companyId)).id,
      goodId: (await createGood(gateway, companyId)).id,
      priceE2: 1999,
      stock: 12.125,
      disabled: false,
    }),
    changes: { priceE2: null, stock: 0.001, disabled: true },
    wrong: { branchId: UNKNOWN_ID, goodId: UNKNOWN_ID, priceE2: -1, stock: 0.0001 },
    refusals: ["branchId:exists", "goodId:exists", "priceE2:min", "stock:decimals"],
  },
  {
    model: "BranchGoodProperty",
    many: "branchGoodProperties",
    area: "goods",
    relations: "branchGood { id good { id } } goodProperty { id displayName }",
    input: async (gateway, companyId) => {
      const branchGood = await branchGoodRow(gateway, companyId);
      const property = await createProperty(gateway, companyId);
      const { id: goodPropertyId } = await gateway.db.goodProperty.create({
        data: {
          companyId,
          goodId: branchGood.goodId,
          propertyId: property.id,
          displayName: "Size",
          options: 0,
          disabled: false,
          inOrder: 1,
        },
      });
      return { branchGoodId: branchGood.id, goodPropertyId, priceE2: 50, disabled: false, inOrder: 1 };
    },
    changes: { priceE2: null, disabled: true, inOrder: 4 },
    wrong: { branchGoodId: UNKNOWN_ID, goodPropertyId: UNKNOWN_ID, inOrder: -1 },
    refusals: ["branchGoodId:exists", "goodPropertyId:exists", "inOrder:min"],
  },
];
