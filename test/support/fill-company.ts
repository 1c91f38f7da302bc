import type { PrismaClient } from "../../src/generated/prisma/client.js";
import {
  delegateName,
  ownerField,
  TENANT_MODELS,
  type ModelName,
} from "../../src/core/scope/tenant-models.js";
import { derivedFiller } from "./derived-filler.js";
import { unique } from "./factories.js";

type Id = number | bigint;
/**
 * Picks the id of another row of the company, of a model that stands further up. For the filler's own model, it is
 * the last row before.
 */
type Pick = (model: ModelName) => Id | null;
type Row = Record<string, unknown>;
/**
 * Returns a row without its company, or several when one cannot refer to all that the model refers to; `n` counts the
 * calls from 0.
 */
export type Filler = (pick: Pick, n: number) => Row | Row[];

interface Delegate {
  findMany(args: { where: Row }): Promise<{ id?: Id }[]>;
  createManyAndReturn(args: { data: Row[]; skipDuplicates: boolean }): Promise<{ id?: Id }[]>;
}

const SOON = new Date("2099-01-01T00:00:00Z");

/** Fillers of all tenant models; a model stands after the models that it refers to. */
const FILLERS: Partial<Record<ModelName, Filler>> = {
  SearchSynonym: (_, n) => ({ texts: [`word${n}`, `synonym${n}`] }),
  GoodRepricing: (_pick, n) => ({
    percentE2: n * 100,
    roundToE2: 5,
    status: "finished",
    total: 1,
    untilId: n + 1,
    finishedAt: new Date("2026-08-01T00:00:00Z"),
  }),
  GoodWord: (_, n) => ({ word: `word${n}` }),
  UsageCount: () => ({ name: "none", amount: 0 }),
  RowCount: () => ({ tableName: "none", live: 0, deleted: 0 }),
  ExternalId: (_pick, n) => ({ tableName: "none", externalId: `E-${n}`, entityId: n }),
  CompanySettings: () => ({ data: { slogan: "Filled", currencyIso: "EUR" } }),
  City: (_, n) => ({ name: `City ${n}`, countryIso: "US", latitudeE6: n, longitudeE6: -n }),
  BranchCategory: (_, n) => ({ name: `Kind ${n}`, inOrder: n }),
  BranchGroup: (pick, n) => ({ name: `Shop ${n}`, branchCategoryId: pick("BranchCategory") }),
  Branch: (pick, n) => ({
    name: `Branch ${n}`,
    branchGroupId: pick("BranchGroup"),
    cityId: pick("City"),
    address: `Street ${n}`,
    latitudeE6: n,
    longitudeE6: -n,
    timeZoneOffset: "-04:00",
    openingHours: { "1": [{ from: "09:00", to: "18:00" }] },
  }),
  Form: (pick, n) => ({
    branchId: pick("Branch"),
    type: 1 + (n % 2),
    name: `Form ${n}`,
    currencyIso: "USD",
    taxFlatE2: n,
    data: [{ boolean: { question: "Paid?", required: true } }],
  }),
  Geofence: (pick, n) => ({
    name: `Area ${n}`,
    type: "delivery",
    data: { shape: "circle", radius: 1000, coordinates: [[-n, n]] },
    branchId: pick("Branch"),
  }),
  Client: (pick, n) => ({
    name: `Client ${n}`,
    email: `${unique()}@example.com`,
    phone: `+1555${n}`,
    cityId: pick("City"),
  }),
  ClientAddress: (pick, n) => ({
    clientId: pick("Client"),
    name: `Address ${n}`,
    type: "delivery",
    latitudeE6: n,
    longitudeE6: -n,
    country: "US",
    city: "Town",
    addressLine1: `Street ${n}`,
    isSelected: false,
  }),
  AdminType: (_, n) => ({
    name: `Type ${n}`,
    defaultKey: "orders",
    content: [{ key: "orders", value: { isVisible: true } }],
    code: n,
  }),
  AdminTypeRole: (pick, n) => ({ adminTypeId: pick("AdminType"), role: `can_do_${n}` }),
  StoredFile: (_, n) => ({
    key:
      `${unique()}${n}`
        .replace(/[^0-9a-f]/gu, "0")
        .padStart(32, "0")
        .slice(-32) + ".png",
    contentType: "image/png",
    bytes: 1000,
    width: 10,
    height: 10,
  }),
  Admin: (pick, n) => ({
    name: `Admin ${n}`,
    displayName: `Admin ${n}`,
    email: `${unique()}@example.com`,
    phone: `+15550000${n}`,
    adminTypeId: pick("AdminType"),
    cityId: pick("City"),
    branchGroupId: pick("BranchGroup"),
    branchId: pick("Branch"),
    clientId: pick("Client"),
  }),
  ApiKey: (pick, n) => ({
    name: `Key ${n}`,
    prefix: `cgk_1_${n}`,
    keyHash: unique(),
    roles: ["access_goods"],
    networks: ["192.0.2.0/24"],
    madeById: pick("Admin"),
    madeByKeyId: pick("ApiKey"),
  }),
  ApiKeyUse: (pick) => ({ apiKeyId: pick("ApiKey"), usedAt: new Date("2026-01-01T00:00:00Z") }),
  PasswordSetupToken: (pick) => ({
    adminId: pick("Admin"),
    issuedById: pick("Admin"),
    tokenHash: unique(),
    expiresAt: SOON,
  }),
  RefreshToken: (pick, n) => ({
    subjectKind: "admin",
    subjectId: n + 1,
    tokenHash: unique(),
    familyId: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
    expiresAt: SOON,
    replacedById: pick("RefreshToken"),
  }),
  SecondFactor: (pick) => ({ adminId: pick("Admin"), secret: unique() }),
  RecoveryCode: (pick) => ({ adminId: pick("Admin"), codeHash: unique() }),
  ClientAdmin: (pick) => ({ clientId: pick("Client"), adminId: pick("Admin") }),
  Provider: (pick, n) => ({
    name: `Provider ${n}`,
    email: `${unique()}@example.com`,
    phone: `+1556${n}`,
    cityId: pick("City"),
  }),
  ProviderBranchGroup: (pick) => ({ providerId: pick("Provider"), branchGroupId: pick("BranchGroup") }),
  Order: (pick, n) => ({
    clientId: pick("Client"),
    branchId: pick("Branch"),
    shopperId: pick("Provider"),
    delivererId: pick("Provider"),
    subtotalE2: 1000 + n,
    totalE2: 1000 + n,
    currencyIso: "USD",
    source: "web",
  }),
  Cart: (pick) => ({ clientId: pick("Client"), branchId: pick("Branch") }),
  CompanyEvent: (_, n) => ({
    name: `Event ${n}`,
    startsAt: SOON,
    config: { couponSeeds: [{ maxCount: 1, winRate: 2, couponValueE2: 100 }], loserMessage: "Try again" },
  }),
  CompanyEventPrize: (pick, n) => ({
    companyEventId: pick("CompanyEvent"),
    place: n,
    maxCount: 1,
    wonCount: 1,
  }),
  CompanyEventPlayer: (pick) => ({
    companyEventId: pick("CompanyEvent"),
    clientId: pick("Client"),
    drawCount: 1,
    wonAt: new Date(),
  }),
  Fleet: (_, n) => ({ name: `Fleet ${n}` }),
  Service: (_, n) => ({ name: `Service ${n}`, type: n }),
  ServiceCharge: (pick, n) => ({ name: `Charge ${n}`, serviceId: pick("Service") }),
  FleetAssociation: (pick, n) => ({
    branchId: pick("Branch"),
    fleetId: pick("Fleet"),
    serviceId: pick("Service"),
    serviceChargeId: pick("ServiceCharge"),
    inOrder: n,
    feeFlatE2: 100 + n,
    feePrc: 0.05,
  }),
  InvoiceDocument: (pick, n) => ({
    type: n === 0 ? "invoice" : "credit_note",
    reference: `R-${n}`,
    issuedAt: new Date(),
    completedAt: new Date(),
    documentId: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
    payload: { result: { number: n }, information: [], success: [], hasErrors: false },
    relatedType: "order",
    relatedId: n + 1,
    targetType: "client",
    targetId: n + 1,
    relatedDocumentId: "00000000-0000-4000-8000-000000000000",
    refundOfId: pick("InvoiceDocument"),
    number: n,
    control: n,
  }),
  ChatRoom: (_, n) => ({ name: `Room ${n}`, channel: unique(), targetType: "order", lastMessageId: n + 1 }),
  Material: (_, n) => ({ name: `Material ${n}`, unit: "g" }),
  GoodType: (_, n) => ({ name: `Good type ${n}` }),
  GoodTag: (_, n) => ({ name: `Tag ${n}` }),
  Category: (pick, n) => ({ name: `Category ${n}`, inOrder: n, parentId: pick("Category") }),
  Property: (pick, n) => ({
    name: `Property ${n}`,
    type: 0x700,
    propertyGroupId: n + 1,
    branchGroupId: pick("BranchGroup"),
  }),
  PropertyOption: (pick, n) => ({
    name: `Option ${n}`,
    priceE2: n,
    inOrder: n,
    propertyId: pick("Property"),
  }),
  PropertyRange: (pick) => ({
    propertyId: pick("Property"),
    min: 1,
    max: 9,
    decimates: 0,
    step: 1,
    default: 5,
    basePriceE2: 0,
    stepPriceE2: 10,
    unit: "cm",
  }),
  PropertyText: (pick) => ({ propertyId: pick("Property"), regex: "^[a-z]+$", hint: "letters" }),
  Good: (pick, n) => ({
    name: `Good ${n}`,
    shortDetails: "Short",
    details: "Long",
    priceE2: 1000 + n,
    type: 0,
    sku: `SKU-${n}`,
    unit: "piece",
    keywords: ["thing"],
    barcodes: [`200000000${n}`],
    goodTypeId: pick("GoodType"),
    branchGroupId: pick("BranchGroup"),
  }),
  GoodPictureSource: (pick, n) => ({
    goodId: pick("Good"),
    isVertical: false,
    urlHash: String(n).padStart(64, "0"),
    url: `https://pictures.example/${n}.jpg`,
    row: n + 2,
    field: "picture_urls",
  }),
  GoodProperty: (pick, n) => ({
    goodId: pick("Good"),
    propertyId: pick("Property"),
    displayName: `Display ${n}`,
    options: 0x100,
    inOrder: n + 1,
  }),
  GoodMaterial: (pick, n) => ({ goodId: pick("Good"), materialId: pick("Material"), quantityReal: n + 1 }),
  GoodTagGood: (pick) => ({ goodTagId: pick("GoodTag"), goodId: pick("Good") }),
  GoodCategory: (pick) => ({ categoryId: pick("Category"), goodId: pick("Good") }),
  ClientFavorite: (pick, n) => ({ clientId: pick("Client"), goodId: pick("Good"), inOrder: n + 1 }),
  // A banner has one target, so there is one for each kind of target.
  PromotedBanner: (pick, n) => {
    const targets = {
      branch_group: { branchGroupId: pick("BranchGroup") },
      good: { goodId: pick("Good") },
      branch_category: { branchCategoryId: pick("BranchCategory") },
      city: { cityId: pick("City") },
    };
    return Object.entries(targets).map(([targetType, column]) => ({
      name: `Banner ${n}`,
      targetType,
      targetId: Object.values<Id | null>(column)[0],
      ...column,
      inOrder: n,
    }));
  },
  PromotedBannerBranchCategory: (pick) => ({
    promotedBannerId: pick("PromotedBanner"),
    branchCategoryId: pick("BranchCategory"),
  }),
  ImportJob: (pick, n) => ({
    branchGroupId: pick("BranchGroup"),
    branchId: pick("Branch"),
    status: "finished",
    fileName: `goods-${n}.csv`,
    format: "csv",
    dryRun: false,
    options: {},
    columns: [{ column: "A", header: "Name", field: "name" }],
    errorCount: 1,
    errorCounts: [{ field: "name", rule: "required", count: 1, firstRow: n + 2 }],
  }),
  ImportError: (pick, n) => ({
    importJobId: pick("ImportJob"),
    place: n,
    row: n + 2,
    column: "A",
    header: "Name",
    field: "name",
    rule: "required",
    message: "is required",
  }),
  ImportChange: (pick, n) => ({
    importJobId: pick("ImportJob"),
    place: n,
    row: n + 2,
    goodId: pick("Good"),
    changes: { price_e2: { before: 100, after: 110 + n } },
  }),
  BranchGood: (pick, n) => ({
    branchId: pick("Branch"),
    goodId: pick("Good"),
    priceE2: 900 + n,
    stock: n,
  }),
  BranchGoodProperty: (pick, n) => ({
    branchGoodId: pick("BranchGood"),
    goodPropertyId: pick("GoodProperty"),
    priceE2: n,
    inOrder: n,
  }),
  CartItem: (pick, n) => ({
    cartId: pick("Cart"),
    goodId: pick("Good"),
    branchGoodId: pick("BranchGood"),
    providerId: pick("Provider"),
    quantity: n + 1,
    stockTaken: n + 1,
    extras: [],
    snapshot: {
      goodId: pick("Good"),
      quantity: n + 1,
      units: n + 1,
      name: `Good ${n}`,
      shortDetails: "Short",
      details: "Long",
      pictureUrls: [],
      basePriceE2: 1000,
      totalPriceE2: 1000,
      originalTotalE2: 1000,
      providerFeeE2: 0,
      quantityReal: n + 1,
      properties: [],
    },
  }),
  Campaign: (_, n) => ({ name: `Campaign ${n}`, budgetE2: 100_000 + n }),
  Coupon: (pick, n) => ({
    name: `Coupon ${n}`,
    // The first coupon has all the codes.
    type: n === 0 ? "personal" : "promo",
    status: "running",
    priceE2: 100 + n,
    totalCount: 1_000,
    startsAt: new Date(),
    branchId: pick("Branch"),
    branchGroupId: pick("BranchGroup"),
    companyEventId: pick("CompanyEvent"),
    campaignId: pick("Campaign"),
    config: { limit: 1, feeRules: [{ name: "Rule", isEnabled: true }] },
  }),
  OrderItem: (pick, n) => ({ orderId: pick("Order"), goodId: pick("Good"), quantity: n + 1 }),
  CouponPause: (pick, n) => ({
    couponId: pick("Coupon"),
    beganAt: new Date(Date.UTC(2026, 6, n + 1)),
    endedAt: new Date(Date.UTC(2026, 6, n + 2)),
  }),
  CouponRank: (pick) => ({ couponId: pick("Coupon"), uses: 0 }),
  CouponBranchGroup: (pick) => ({ couponId: pick("Coupon"), branchGroupId: pick("BranchGroup") }),
  CouponBranch: (pick) => ({ couponId: pick("Coupon"), branchId: pick("Branch") }),
  CouponCode: (pick, n) => ({ couponId: pick("Coupon"), code: `CODE${n}X`, clientId: pick("Client") }),
  CouponRedemption: (pick, n) => ({
    couponId: pick("Coupon"),
    clientId: pick("Client"),
    orderId: pick("Order"),
    code: `USED${n}X`,
    amountE2: 100 + n,
  }),
  // Triggers write one beside each use.
  CouponUseFact: () => [],
  CouponUseSum: (_pick, n) => ({
    fromAt: new Date(Date.UTC(2026, 6, n + 1, 4)),
    untilAt: new Date(Date.UTC(2026, 6, n + 2, 4)),
    ...{
      uses: 2,
      returned: 1,
      discountE2: 100,
      companyDiscountE2: 0,
      subtotalE2: 1_000,
      clients: 1,
      newClients: 0,
    },
  }),
  CouponUseChange: (_pick, n) => ({ usedAt: new Date(Date.UTC(2026, 6, n + 1, 5)) }),
  CouponSimulation: (_pick, n) => ({
    input: { type: "promo", totalCount: n, priceE2: 100 },
    fromAt: new Date("2026-07-01T00:00:00Z"),
    untilAt: new Date("2026-08-01T00:00:00Z"),
    timeZone: "-04:00",
    currencyIso: "USD",
    status: "failed",
    message: "groupBy makes more than 10000 rows",
    total: 1,
  }),
  CouponAttempt: (pick, n) => ({
    action: n % 2 === 0 ? "use" : "hold",
    couponId: pick("Coupon"),
    clientId: pick("Client"),
    orderId: pick("Order"),
    branchId: pick("Branch"),
    code: `LATE${n}X`,
    reason: "COUPON_LIMIT",
    detail: "The coupon limits the uses of each client: needed less than 1 use by the client, was 1 use.",
  }),
  ClientSegment: (_, n) => ({
    name: `Segment ${n}`,
    filter: { name: { startsWith: `Client ${n}` } },
    listedCount: 1,
  }),
  ClientSegmentMember: (pick) => ({ segmentId: pick("ClientSegment"), clientId: pick("Client") }),
  ClientSegmentUpload: (pick, n) => ({
    segmentId: pick("ClientSegment"),
    status: "finished",
    fileName: `clients-${n}.csv`,
    format: "csv",
    total: 2,
    added: 1,
    failed: 1,
    errors: [{ line: 2, rule: "exists", message: "is the id of no client" }],
  }),
  CouponCodeUpload: (pick, n) => ({
    couponId: pick("Coupon"),
    status: "finished",
    fileName: `codes-${n}.csv`,
    format: "csv",
    total: 2,
    added: 1,
    failed: 1,
    errors: [{ line: 2, rule: "min", message: "must have at least 5 characters" }],
  }),
  CouponHold: (pick, n) => ({
    couponId: pick("Coupon"),
    clientId: pick("Client"),
    orderId: pick("Order"),
    amountE2: 100 + n,
    expiresAt: SOON,
  }),
  BalanceHolder: (_, n) => ({
    type: "client",
    key: n + 1,
    currencyIso: "EUR",
    balanceE2: 100,
    // All movements below are of the first holder; the number of one that is posted later comes after theirs.
    movementCount: 1_000,
    lastHash: Buffer.alloc(32),
    lastAt: new Date(),
  }),
  BalanceMovement: (pick, n) => ({
    holderType: "client",
    holderKey: 1,
    currencyIso: "EUR",
    number: n + 1,
    initialBalanceE2: 0,
    amountE2: 100,
    finalBalanceE2: 100,
    type: "adjustment",
    authorId: pick("Admin"),
    relatedType: "order",
    relatedId: pick("Order"),
    hash: Buffer.alloc(32),
  }),
  BalanceAccount: (_, n) => ({
    id: n + 1,
    name: `a_${"abcdefghijklmnopqrstuvwxyz".charAt(n % 26)}${"b".repeat(Math.floor(n / 26) % 28)}`,
  }),
  BalanceTypeFloor: (_, n) => ({
    type: "client",
    currencyIso: `${"ABCDEFGHIJKLMNOPQRSTUVWXYZ".charAt(n % 26)}${"B".repeat(2 + (Math.floor(n / 26) % 6))}`,
    floorE2: -100,
  }),
  BalancePeriod: (pick, n) => ({ id: n + 1, until: new Date(Date.UTC(2020 + n, 0)), adminId: pick("Admin") }),
  BalanceHour: (_, n) => ({
    currencyIso: "EUR",
    hour: new Date(Date.UTC(2020, 0, 1, n)),
    holderType: "client",
    account: 0,
    holders: 1,
    movementCount: 2,
    creditE2: 100,
    amountE2: 50,
  }),
  BalanceHourEnd: () => ({ lastId: 1, movementCount: 2 }),
  CompanyEventDraw: (pick, n) => ({
    companyEventId: pick("CompanyEvent"),
    clientId: pick("Client"),
    number: n + 1,
    drawnAt: new Date(),
    place: n,
    prizeNumber: 1,
    couponId: pick("Coupon"),
  }),
  AuditErasure: (_, n) => ({ kind: "client", subjectId: 1_000_000 + n }),
  AuditEntry: (pick, n) =>
    // An entry has one actor.
    [
      n % 2 === 1
        ? { actorKind: "admin", adminId: pick("Admin") }
        : { actorKind: "client", clientId: pick("Client") },
      { actorKind: "key", apiKeyId: pick("ApiKey") },
    ].map((actor) => ({
      operation: "updateGood",
      requestId: unique(),
      ...actor,
      action: "update",
      targetType: "good",
      targetId: n + 1,
      changes: { name: ["Old", "New"] },
    })),
  JournalEntry: (pick, n) => ({
    transaction: 1,
    at: new Date(),
    type: "Good",
    action: "updated",
    entityId: n + 1,
    fields: ["name"],
    actorKind: "admin",
    actorId: pick("Admin"),
  }),
  Webhook: (_, n) => ({
    url: `https://receiver.example/${n}`,
    types: ["Good"],
    actions: ["updated"],
    query: "query ($companyId: Int!, $id: Int!) { good(companyId: $companyId, id: $id) { name } }",
    isEnabled: false,
    authorKind: "platform",
  }),
  WebhookState: (pick) => ({
    webhookId: pick("Webhook"),
    transaction: 0,
    entryId: 0,
    entryAt: new Date(),
    seenAt: new Date(),
    secret: "sealed",
  }),
  WebhookDelivery: (pick, n) => ({
    webhookId: pick("Webhook"),
    type: "Good",
    action: "updated",
    entityId: n + 1,
    fields: ["name"],
    at: new Date(),
    status: "dead",
    attempts: 1,
    retryUntil: new Date(),
    attemptedAt: new Date(),
    responseStatus: 500,
    responseBody: "Sorry",
    error: "answered 500",
    finishedAt: new Date(),
  }),
};

/**
 * Gives an empty company at least `rows` rows of every tenant model, with all relations filled in. The parents of
 * these rows all differ. Besides, the first parent of each kind has `rows` children: so neither a list of rows with
 * their parents nor the list of one parent's rows is short.
 *
 * @param client must be without tenancy checks, such as `gateway.db`.
 */
export async function fillCompany(client: PrismaClient, companyId: number, rows = 25): Promise<void> {
  const ids = new Map<ModelName, Id[]>();
  for (const [name, filler] of Object.entries(FILLERS)) {
    await fillModel(client, companyId, { model: name as ModelName, filler, rows, ids });
  }
  for (const model of unfilledModels()) {
    const filler = await derivedFiller(client, model);
    // Tests that need rows which the table refuses will miss them.
    await fillModel(client, companyId, { model, filler, rows, ids }).catch(() => undefined);
  }
  await countUses(client, companyId);
  // Movements that were written past the function that posts have no counterparts yet.
  await client.$queryRaw`SELECT complete_movements(${companyId}::int, 10000)`;
}

/** Returns the tenant models that have no filler here; a test names them. */
export function unfilledModels(): ModelName[] {
  return TENANT_MODELS.filter((model) => !(model in FILLERS));
}

/** Gives the coupons the counters that their uses and holds imply. */
async function countUses(client: PrismaClient, companyId: number): Promise<void> {
  await client.$executeRaw`
    UPDATE coupons AS c
       SET (spent_count, spent_amount_e2) = (
             SELECT count(*), coalesce(sum(amount_e2), 0) FROM coupon_redemptions u
              WHERE u.company_id = ${companyId} AND u.coupon_id = c.id),
           (held_count, held_amount_e2) = (
             SELECT count(*), coalesce(sum(amount_e2), 0) FROM coupon_holds h
              WHERE h.company_id = ${companyId} AND h.coupon_id = c.id)
     WHERE c.company_id = ${companyId}`;
}

interface Task {
  readonly model: ModelName;
  readonly filler: Filler;
  readonly rows: number;
  readonly ids: Map<ModelName, Id[]>;
}

async function fillModel(
  client: PrismaClient,
  companyId: number,
  { model, filler, rows, ids }: Task,
): Promise<void> {
  const delegate = client[delegateName(model) as keyof PrismaClient] as unknown as Delegate;
  const field = ownerField(model);
  const owner = field === null ? {} : { [field]: { in: ids.get("Client") } };
  const own = idsOf(await delegate.findMany({ where: { companyId, ...owner } }));
  ids.set(model, own);
  let n = 0;
  const parents = new Set<ModelName>();
  /** Fills a row with row `i` of each parent, but with the first row of `hub`. */
  const row = (i: number, hub?: ModelName): Row[] => {
    const pick: Pick = (parent) => {
      parents.add(parent);
      const known = ids.get(parent);
      if (known === undefined) throw new Error(`${parent} has to stand before ${model} in fill-company.ts`);
      if (parent === hub) return known[0] ?? null;
      return (parent === model ? known.at(-1) : known[i]) ?? null;
    };
    return [filler(pick, n++)].flat().map((filled) => ({ ...filled, companyId }));
  };
  const insert = async (data: Row[]) => {
    own.push(...idsOf(await delegate.createManyAndReturn({ data, skipDuplicates: true })));
  };

  await insert(row(0));
  const refersToItself = parents.has(model);
  if (refersToItself) for (let i = 0; i < rows; i += 1) await insert(row(i));
  const others = (hub?: ModelName) => Array.from({ length: rows - 1 }, (_, i) => row(i + 1, hub)).flat();
  await insert([...(refersToItself ? [] : others()), ...[...parents].flatMap(others)]);
}

function idsOf(rows: readonly { id?: Id }[]): Id[] {
  return rows.flatMap(({ id }) => (id === undefined ? [] : [id])).sort((a, b) => (a < b ? -1 : 1));
}
