import { getNamedType, Kind, type GraphQLObjectType, type SelectionSetNode } from "graphql";
import type { Permission } from "../../src/core/access/permissions.js";
import { toSnakeCase } from "../../src/api/rest/naming.js";
import { RestRoute } from "../../src/api/rest/rest-route.js";
import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { fillCompany } from "../support/fill-company.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { sharedRestDocuments, sharedSchema } from "../support/schema.js";
import { RELATION_AREAS } from "./relation-areas.js";

/** Names of the tables that the routes below read rows from. */
const READ_TABLES =
  /"(?:branch_goods|coupons|coupon_\w+|orders|clients|branches|branch_groups|cities|company_event\w*|providers|fleets|services|service_charges)"/u;

/** Says whether the row that the path names exists is asked first. */
const PATH_CHECK = /^SELECT "id" FROM "\w+" WHERE "company_id" = \$1 AND "id" = \$2 LIMIT 1$/u;
/** Names who acted to whoever may read the trail, also without the area of the actor. */
const NAMES_OF_ACTORS =
  /^SELECT "id", "name" FROM "clients" WHERE "company_id" = \$1 AND "id" = ANY\(\$2\)$/u;
const ADJUST =
  "mutation ($companyId: Int!, $input: AdjustBalanceInput!) { adjustBalance(companyId: $companyId, input: $input) { id } }";
/** Whose movements a list of them is asked for. */
const SEARCH = "&q=good";
const HOLDER = "&type=client&key=1&currency_iso=EUR";

const finished = sharedSchema();
const restDocuments = sharedRestDocuments();
const routes = restDocuments.routes.map(
  (document) => new RestRoute(document, finished.schema, finished.operations),
);

let gateway: Gateway;
let home: TestCompany;
let ids: Readonly<Record<string, number>>;

beforeAll(async () => {
  gateway = await startGateway();
  home = await createCompany(gateway);
  await fillCompany(gateway.db, home.id, 2);
  const oldest = { where: { companyId: home.id }, select: { id: true }, orderBy: { id: "asc" } } as const;
  const [branch, branchGroup, city, client] = [
    await gateway.db.branch.findFirstOrThrow(oldest),
    await gateway.db.branchGroup.findFirstOrThrow(oldest),
    await gateway.db.city.findFirstOrThrow(oldest),
    await gateway.db.client.findFirstOrThrow(oldest),
  ];
  await gateway.db.admin.updateMany({
    where: { companyId: home.id },
    data: { branchId: branch.id, branchGroupId: branchGroup.id, cityId: city.id, clientId: client.id },
  });
  await gateway.db.client.updateMany({ where: { companyId: home.id }, data: { cityId: city.id } });
  // The city owes, and the client has a movement, both by the owner.
  for (const [type, { id: key }] of [
    ["city", city],
    ["client", client],
  ] as const)
    dataOf(await home.owner.run(ADJUST, { companyId: home.id, input: { type, key, amountE2: -5 } }));
  ids = {
    companyId: home.id,
    adminId: home.ownerId,
    branchId: branch.id,
    cityId: city.id,
    clientId: client.id,
    fleetAssociationId: (await gateway.db.fleetAssociation.findFirstOrThrow(oldest)).id,
    cartId: (await gateway.db.cart.findFirstOrThrow(oldest)).id,
    orderId: (await gateway.db.order.findFirstOrThrow(oldest)).id,
    couponId: (await gateway.db.coupon.findFirstOrThrow(oldest)).id,
    companyEventId: (await gateway.db.companyEvent.findFirstOrThrow(oldest)).id,
    branchGroupId: branchGroup.id,
    categoryId: (await gateway.db.category.findFirstOrThrow(oldest)).id,
    goodId: (await gateway.db.good.findFirstOrThrow(oldest)).id,
    goodTypeId: (await gateway.db.goodType.findFirstOrThrow(oldest)).id,
    propertyId: (await gateway.db.property.findFirstOrThrow(oldest)).id,
  };
});
afterAll(() => gateway.close());

/** Returns an admin with these permissions. */
function admin(...permissions: Permission[]) {
  return adminWith(gateway, home.id, ...new Set(permissions));
}

describe("load", () => {
  /** What is for clients alone has no admins with or without an area. */
  const loading = routes.filter(
    ({ rest, resource, isRead, operation }) =>
      rest.dynamic && isRead && operation.access.kind !== "client" && areasBehind(resource).length > 0,
  );

  /** Returns the relations of a type that lead into another area than `own`, by their names in `load`. */
  function areasBehind(resource: string): [string, string][] {
    return Object.entries(RELATION_AREAS).flatMap(([relation, [area]]): [string, string][] =>
      relation.startsWith(`${resource}.`) ? [[toSnakeCase(relation.slice(resource.length + 1)), area]] : [],
    );
  }

  it("is asked of routes whose relations lead into areas", () => {
    expect(loading.map(({ name }) => name)).toEqual([
      "ListAdmins",
      "ShowAdmin",
      "ShowClientOfAdmin",
      "ListAuditEntries",
      "ListBalanceMovements",
      "ListOrderBalanceMovements",
      "ListCityDebts",
      "ListBalanceMovementsOfClient",
      "ListCartItems",
      "ListCompanyEvents",
      "ShowCompanyEvent",
      "ListCoupons",
      "ShowCoupon",
      "ListCouponAvailableTickets",
      "ListCouponUsedTickets",
      "ListCouponUses",
      "ListFleetAssociations",
      "ShowFleetAssociation",
      "ListCompanyFleetAssociations",
      "ListBranchFleetAssociations",
      "ListGoods",
      "SearchGoods",
      "SearchGoodsOfBranchGroup",
      "ListGoodsOfBranch",
      "ListGoodsOfBranchGroup",
      "ListGoodsOfCategory",
      "ListFavorites",
      "ListGoodsOfType",
      "ListGoodsOfProperty",
      "ShowGood",
    ]);
  });

  it.each(loading.map((route) => [route.rest.path, route] as const))(
    "of %s is refused before anything is read",
    async (path, { resource, operation }) => {
      const own = operation.access.kind === "permission" ? [operation.access.permission] : [];
      const url = path.replace(/\{(\w+)\}/gu, (_, name: string) => String(ids[name]));
      const isOfHolder = path.endsWith("}/balance-movements") && !/orders|clients/u.test(path);
      const further = isOfHolder ? HOLDER : path.endsWith("/search") ? SEARCH : "";
      for (const [relation, area] of areasBehind(resource)) {
        const [see, edit] = [`access_${area}`, `can_edit_${area}`] as [Permission, Permission];
        for (const caller of [home.owner, await admin(...own, see), await admin(...own, edit)]) {
          const { status } = await caller.rest("GET", `${url}?load=${relation}${further}`);
          expect([relation, status]).toEqual([relation, 200]);
        }
        // Admins and their types are read with the roles of each caller, too, so they tell nothing.
        // A movement that is taken back is of the list's own table. The entries have no key, and a search may find nothing.
        const shows = !["admin_types", "admins", "balance", "api_keys"].includes(area) && further !== SEARCH;
        if (shows) expect(gateway.statements.some((sql) => READ_TABLES.test(sql))).toBe(true);
        if (own.includes(see)) continue;
        const caller = await admin(...own);
        gateway.statements.length = 0;

        const { status, body } = await caller.rest("GET", `${url}?load=${relation}${further}`);

        expect([relation, status, body.code]).toEqual([relation, 403, "FORBIDDEN"]);
        const read = gateway.statements.filter(
          (sql) => READ_TABLES.test(sql) && !PATH_CHECK.test(sql) && !NAMES_OF_ACTORS.test(sql),
        );
        expect(read).toEqual([]);
      }
    },
  );

  it("is refused wherever on its way it leads into an area", async () => {
    const url = `/companies/${home.id}/coupons/${ids["couponId"]}/used-tickets?load=`;
    const caller = await admin("access_coupons", "access_carts");

    const refused = await caller.rest("GET", `${url}order,order.client`);
    const followed = await caller.rest("GET", `${url}order,coupon`);

    expect([refused.status, refused.body.detail]).toEqual([
      403,
      "This needs the permission access_clients or can_edit_clients.",
    ]);
    expect([followed.status, followed.body[0].order.total_e2]).toEqual([200, expect.any(Number)]);
  });
});

it("embeds in the shapes of REST only what whoever may read the row may read", () => {
  const embedded = (typeName: string, { selections }: SelectionSetNode): string[] =>
    selections.flatMap((field) => {
      if (field.kind !== Kind.FIELD || field.selectionSet === undefined) return [];
      const type = finished.schema.getType(typeName) as GraphQLObjectType;
      const target = getNamedType(type.getFields()[field.name.value]?.type)?.name ?? "";
      return [`${typeName}.${field.name.value}`, ...embedded(target, field.selectionSet)];
    });

  const shapes = [...restDocuments.resources].flatMap(([type, selection]) => embedded(type, selection));

  expect(shapes.filter((relation) => relation in RELATION_AREAS)).toEqual([]);
  expect(shapes).toEqual(expect.arrayContaining(["GoodProperty.property", "Property.propertyOptions"]));
});
