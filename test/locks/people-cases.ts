import { SEALED_SOURCES } from "../../src/sealed-sources.js";
import { rotateSecrets } from "../../src/slices/companies/rotate-secrets.service.js";
import { createAdminRow, createType } from "../admins/people.js";
import { createLedger } from "../balance/ledger.js";
import { storeEvent } from "../company-events/events.js";
import { signedInClient } from "../support/factories.js";
import { dataOf, type Gateway } from "../support/gateway.js";
import { readingSheet, uploaded } from "./coupon-cases.js";
import { type Cases, held, inCompany, runs, type Scene, sends } from "./lock-case.js";

const REVOKE = "mutation { revokeMySessions }";
const UPLOAD_CLIENTS = `mutation ($companyId: Int!, $id: Int!, $input: UploadClientSegmentInput!) {
  uploadClientSegment(companyId: $companyId, segmentId: $id, input: $input) { id } }`;
const createSegment = ({ gateway, own }: Scene) =>
  gateway.db.clientSegment.create({ data: { ...own, name: "Segment" } });

/** Companies, their admins, clients and balances. */
export const PEOPLE_CASES: Cases = {
  "slices/admins/admin.sql.ts lockAdminsOfType: admins": inCompany(async ({ gateway, company, keyOf }) => {
    const adminTypeId = await createType(gateway, company.id, "access_goods");
    const id = await createAdminRow(gateway, company.id, { adminTypeId });
    const path = `/companies/${company.id}/admin-types/${adminTypeId}/roles`;
    return held(keyOf({ id }), () => sends(company.owner, "POST", path, ["access_coupons"]));
  }),
  "slices/clients/client-data.sql.ts lockAnyClient: clients": inCompany(
    async ({ gateway, company, own, keyOf }) => {
      const client = await gateway.db.client.create({ data: { ...own, name: "Client" } });
      return held(keyOf(client), () => runs(company, `eraseClient(clientId: ${client.id}) { id }`));
    },
  ),
  "core/people/person-data.sql.ts lockWholes: names": async (gateway) => {
    const { company, orderId, clientId } = await createLedger(gateway);
    return held(
      { company_id: company.id, id: orderId },
      () => runs(company, `eraseClient(clientId: ${clientId}) { id }`),
      "orders",
    );
  },
  "slices/auth/session.sql.ts lockPrincipal: admins": inCompany(({ company, keyOf }) =>
    Promise.resolve(
      held(keyOf({ id: company.ownerId }), async () => dataOf(await company.owner.run(REVOKE))),
    ),
  ),
  "slices/auth/session.sql.ts lockPrincipal: clients": inCompany(async ({ gateway, company, keyOf }) => {
    const { id, client } = await signedInClient(gateway, company.id);
    return held(keyOf({ id }), async () => dataOf(await client.run(REVOKE)));
  }),
  "slices/balance/give-change.function.sql: orders": async (gateway) => {
    const { company, orderId, ofOrder } = await createLedger(gateway);
    return held({ company_id: company.id, id: orderId }, () =>
      sends(company.owner, "POST", `${ofOrder}/give-change`, { amount_e2: 350 }),
    );
  },
  "slices/balance/complete-movements.function.sql: balance_holders": inCompany(
    async ({ gateway, company, own }) => {
      const { id } = await gateway.db.client.create({ data: { ...own, name: "Client" } });
      const key = { type: "client", key: id, currencyIso: "USD" };
      await gateway.asOwner(
        "INSERT INTO balance_holders (company_id, type, key, currency_iso, credit_e2) VALUES ($1, $2, $3, $4, NULL)",
        [company.id, ...Object.values(key)],
      );
      return held({ company_id: company.id, type: "client", key: id, currency_iso: "USD" }, () =>
        gateway.asOwner("SELECT complete_movements($1, 10)", [company.id]),
      );
    },
  ),
  ...Object.fromEntries(
    (
      [
        ["admins", "account"],
        ["branches", "branch"],
        ["cities", "city"],
        ["clients", "client"],
        ["providers", "provider"],
      ] as const
    ).map(([table, type]) => [
      `slices/balance/holder-state.function.sql: ${table}`,
      async (gateway: Gateway) => {
        const { company, cityId, clientId, shopperId, movements } = await createLedger(gateway);
        const own = { companyId: company.id };
        const branch = await gateway.db.branch.create({ data: { ...own, name: "Branch" } });
        const { accountId } = await gateway.db.admin.findFirstOrThrow({
          where: { ...own, id: company.ownerId },
        });
        const id = {
          admins: company.ownerId,
          branches: branch.id,
          cities: cityId,
          clients: clientId,
          providers: shopperId,
        }[table];
        const body = { type, key: type === "account" ? accountId : id, amount_e2: 5 };
        return held({ company_id: company.id, id }, () =>
          sends(company.owner, "POST", `${movements}/adjust`, body),
        );
      },
    ]),
  ),
  "slices/balance/reverse-movement.function.sql: coupons": async (gateway) => {
    const { company, clientId } = await createLedger(gateway);
    const own = { companyId: company.id };
    const card = { type: "gift_card", status: "running", priceE2: 500, totalCount: 1, startsAt: new Date(0) };
    const coupon = await gateway.db.coupon.create({ data: { ...own, name: "Card", ...card } });
    await gateway.db.couponCode.create({ data: { ...own, couponId: coupon.id, code: "REVERSED" } });
    const client = await gateway.as({ kind: "client", id: clientId, companyId: company.id });
    await sends(client, "POST", `/companies/${company.id}/coupons/redeem`, {
      coupon_code: "REVERSED",
      redeem: true,
    });
    const { id } = await gateway.db.balanceMovement.findFirstOrThrow({
      where: { ...own, holderType: "client" },
    });
    return held({ company_id: company.id, id: coupon.id }, () =>
      runs(company, `reverseBalanceMovement(movementId: ${id}) { id }`),
    );
  },
  "slices/balance/sum-movements.function.sql: balance_hour_ends": inCompany(async ({ gateway, company }) => {
    const sum = () => gateway.asOwner("SELECT sum_movements($1, 0, 10)", [company.id]);
    await sum();
    return held({ company_id: company.id }, sum);
  }),
  "slices/balance/take-account-lane.function.sql: balance_accounts": async (gateway) => {
    const { company, clientId, movements } = await createLedger(gateway);
    const body = { type: "client", key: clientId, amount_e2: 5 };
    await sends(company.owner, "POST", `${movements}/adjust`, body);
    return held({ company_id: company.id, id: 1 }, () =>
      sends(company.owner, "POST", `${movements}/adjust`, { ...body, currency_iso: "EUR" }),
    );
  },
  "slices/balance/take-account-lane.function.sql: balance_holders": async (gateway) => {
    const { company, clientId, movements } = await createLedger(gateway);
    const body = { type: "client", key: clientId, amount_e2: 5 };
    await sends(company.owner, "POST", `${movements}/adjust`, body);
    return held({ company_id: company.id, type: "account", key: -64, currency_iso: "USD" }, () =>
      sends(company.owner, "POST", `${movements}/adjust`, body),
    );
  },
  "slices/balance/take-all-lanes.function.sql: balance_holders": async (gateway) => {
    const { company, clientId, movements } = await createLedger(gateway);
    const body = { type: "client", key: clientId, amount_e2: 2 ** 50 };
    await sends(company.owner, "POST", `${movements}/adjust`, body);
    return held({ company_id: company.id, type: "account", key: -64, currency_iso: "USD" }, () =>
      sends(company.owner, "POST", `${movements}/adjust`, body),
    );
  },
  "slices/balance/unsettled-balances.function.sql: balance_holders": async (gateway) => {
    const { company, clientId, movements } = await createLedger(gateway);
    const body = { type: "client", key: clientId, amount_e2: 0 };
    await sends(company.owner, "POST", `${movements}/adjust`, body);
    return held({ company_id: company.id, type: "client", key: clientId, currency_iso: "USD" }, () =>
      runs(company, `deleteClient(id: ${clientId}) { id }`),
    );
  },
  "slices/balance/write-movements.function.sql: balance_holders": async (gateway) => {
    const { company, clientId, movements } = await createLedger(gateway);
    const adjust = () =>
      sends(company.owner, "POST", `${movements}/adjust`, { type: "client", key: clientId, amount_e2: 500 });
    await adjust();
    return held({ company_id: company.id, type: "client", key: clientId, currency_iso: "USD" }, adjust);
  },
  "slices/clients/client-admin.sql.ts lockAdmins: admins": inCompany(async ({ gateway, company, keyOf }) => {
    const { id } = await signedInClient(gateway, company.id);
    const path = `/companies/${company.id}/clients/${id}/admins`;
    return held(keyOf({ id: company.ownerId }), () => sends(company.owner, "PUT", path, [company.ownerId]));
  }),
  "slices/clients/client.sql.ts lockClients: clients": inCompany(async ({ gateway, company, keyOf }) => {
    const { id } = await signedInClient(gateway, company.id);
    const path = `/companies/${company.id}/clients/${id}/admins`;
    return held(keyOf({ id }), () => sends(company.owner, "PUT", path, []));
  }),
  "slices/clients/segments/segment.sql.ts lockSegment: client_segments": inCompany(async (scene) => {
    const segment = await createSegment(scene);
    const call = `addSegmentClients(segmentId: ${segment.id}, input: {}) { id }`;
    return held(scene.keyOf(segment), () => runs(scene.company, call));
  }),
  "slices/clients/segments/segment.sql.ts keepSegments: client_segments": inCompany(async (scene) => {
    const segment = await createSegment(scene);
    const body = { name: "A", type: "promo", total_count: 5, price_e2: 100 };
    const config = { segment_ids: [segment.id] };
    const path = `/companies/${scene.company.id}/coupons`;
    return held(scene.keyOf(segment), () => sends(scene.company.owner, "POST", path, { ...body, config }));
  }),
  "slices/clients/segments/segment.sql.ts lockUpload: client_segment_uploads": inCompany(async (scene) => {
    const { id } = await createSegment(scene);
    const uploadId = await uploaded(scene, { query: UPLOAD_CLIENTS, id, text: "client_id\n1" });
    return { row: scene.keyOf({ id: uploadId }), act: readingSheet(scene.gateway) };
  }),
  "slices/clients/segments/segment.sql.ts lockUpload: client_segments": inCompany(async (scene) => {
    const { id } = await createSegment(scene);
    await uploaded(scene, { query: UPLOAD_CLIENTS, id, text: "client_id\n1" });
    return { row: scene.keyOf({ id }), act: readingSheet(scene.gateway) };
  }),
  "slices/companies/company.sql.ts lockCompany: companies": inCompany(({ company: { id, owner } }) =>
    Promise.resolve(held({ id }, () => sends(owner, "PATCH", `/companies/${id}`, { name: "Other" }))),
  ),
  "slices/companies/company.sql.ts lockSettings: company_settings": inCompany(({ company: { id, owner } }) =>
    Promise.resolve(
      held({ company_id: id }, () => sends(owner, "PATCH", `/companies/${id}/settings`, { slogan: "Fresh" })),
    ),
  ),
  "slices/auth/second-factor-secrets.sql.ts : second_factors": inCompany(
    async ({ gateway, company, own }) => {
      const place = { companyId: company.id, name: `second_factor.${company.ownerId}` };
      const secret = gateway.secrets.seal("secret", place);
      await gateway.db.secondFactor.create({ data: { ...own, adminId: company.ownerId, secret } });
      return held({ company_id: company.id, admin_id: company.ownerId }, () =>
        rotateSecrets(
          gateway.database.pool,
          { sources: SEALED_SOURCES, secrets: gateway.secrets, prefix: "sealed by another key" },
          () => undefined,
        ),
      );
    },
  ),
  "slices/companies/rotate-secrets.sql.ts : company_settings": inCompany(
    async ({ gateway, company: { id, owner } }) => {
      await sends(owner, "PATCH", `/companies/${id}/settings`, { messenger_a_token: "secret" });
      const { secrets, database } = gateway;
      return held({ company_id: id }, () =>
        rotateSecrets(
          database.pool,
          { sources: SEALED_SOURCES, secrets, prefix: "sealed by another key" },
          () => undefined,
        ),
      );
    },
  ),
  "slices/company-events/company-event.sql.ts lockEvent: company_events": inCompany(
    async ({ gateway, company, keyOf }) => {
      const event = await storeEvent(gateway, company.id, "pending");
      const path = `/companies/${company.id}/company-events/${event.id}`;
      return held(keyOf(event), () => sends(company.owner, "PATCH", path, { name: "Autumn" }));
    },
  ),
};
