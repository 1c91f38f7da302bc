import { randomUUID } from "node:crypto";
import { createOrder } from "../coupons/running-coupon.js";
import { createAssociation, createFleetRows } from "../fleet/associations.js";
import { createForm, formsPath } from "../forms/forms.js";
import { createBanner } from "../promoted-banners/banners.js";
import { createBranch, createBranchGroup, unique } from "../support/factories.js";
import { type Cases, held, inCompany, runs, type Scene, sends } from "./lock-case.js";

/** Shops and branches, what belongs to them, and orders. */
export const SHOP_CASES: Cases = {
  "slices/fleet/fleet-association.sql.ts lockCharge: service_charges": inCompany(async (scene) => {
    const { rows, create } = await newAssociation(scene);
    return held(scene.keyOf({ id: rows.serviceChargeId }), create);
  }),
  "slices/fleet/fleet-association.sql.ts lockAssociation: fleet_associations": inCompany(
    async ({ gateway, company, keyOf }) => {
      const association = await createAssociation(gateway, company.id);
      const { id, serviceId, serviceChargeId } = association;
      const body = { service_id: serviceId, service_charge_id: serviceChargeId, in_order: 2 };
      return held(keyOf(association), () => sends(company.owner, "PATCH", `/fleet-associations/${id}`, body));
    },
  ),
  "slices/fleet/take-service-type.function.sql: services": inCompany(async (scene) => {
    const { rows, create } = await newAssociation(scene);
    return held(scene.keyOf({ id: rows.serviceId }), create);
  }),
  "slices/forms/form.sql.ts lockBranch: branches": inCompany(async ({ gateway, company, keyOf }) => {
    const branch = await createBranch(gateway, company.id);
    const path = `${formsPath(company.id, branch.id)}/payment`;
    return held(keyOf(branch), () => sends(company.owner, "PUT", path, { name: "Transfer", form: [] }));
  }),
  "slices/forms/form.sql.ts lockBranchOf: branches": inCompany(async ({ gateway, company, keyOf }) => {
    const branch = await createBranch(gateway, company.id);
    const { id } = await createForm(gateway, company.id, branch.id);
    return held(keyOf(branch), () => runs(company, `deleteForm(id: ${id}) { id }`));
  }),
  "slices/invoices/invoice-document.sql.ts lockDocument: invoice_documents": inCompany(
    async ({ gateway, company, own, keyOf }) => {
      const about = { relatedType: "order", relatedId: 1, targetType: "client", targetId: 1 };
      const document = await gateway.db.invoiceDocument.create({
        data: {
          ...own,
          ...about,
          type: "invoice",
          reference: unique(),
          issuedAt: new Date(),
          documentId: randomUUID(),
        },
      });
      const call = `completeInvoiceDocument(invoiceDocumentId: ${document.id}, input: { number: 1 }) { id }`;
      return held(keyOf(document), () => runs(company, call));
    },
  ),
  "slices/balance/balance.sql.ts insertForOrder: orders": inCompany(async ({ gateway, company, keyOf }) => {
    const { id: clientId } = await gateway.db.client.create({ data: { companyId: company.id, name: "Ana" } });
    const order = await createOrder(gateway, company.id, { clientId });
    const path = `/companies/${company.id}/orders/${order.id}/balance-movements/transfer`;
    const body = { type: "company", key: company.id, amount_e2: 1 };
    return held(keyOf(order), () => sends(company.owner, "POST", path, body));
  }),
  "slices/orders/order.sql.ts keepClient: clients": inCompany(async ({ gateway, company, own, keyOf }) => {
    const client = await gateway.db.client.create({ data: { ...own, name: "Ana" } });
    const call = `createOrder(input: { clientId: ${client.id}, items: [] }) { id }`;
    return held(keyOf(client), () => runs(company, call));
  }),
  "slices/orders/order.sql.ts lockOrder: orders": inCompany(async ({ gateway, company, keyOf }) => {
    const order = await createOrder(gateway, company.id);
    const call = `updateOrder(id: ${order.id}, input: { subtotalE2: 900 }) { id }`;
    return held(keyOf(order), () => runs(company, call));
  }),
  "slices/promoted-banners/promoted-banner.sql.ts lockBanner: promoted_banners": inCompany(
    async ({ gateway, company, keyOf }) => {
      const banner = await createBanner(gateway, company.id);
      const path = `/companies/${company.id}/promoted-banners/${banner.id}`;
      return held(keyOf(banner), () => sends(company.owner, "PATCH", path, { name: "Weekend" }));
    },
  ),
  "slices/providers/provider.sql.ts lockProvider: providers": inCompany(
    async ({ gateway, company, own, keyOf }) => {
      const provider = await gateway.db.provider.create({ data: { ...own, name: unique() } });
      const shop = await createBranchGroup(gateway, company.id);
      const call = `setProviderBranchGroups(providerId: ${provider.id}, input: [${shop.id}]) { id }`;
      return held(keyOf(provider), () => runs(company, call));
    },
  ),
  "slices/services/service-charge.service.ts keepsItsService: service_charges": inCompany(
    async ({ gateway, company, keyOf }) => {
      const { serviceChargeId, serviceId } = await createFleetRows(gateway, company.id);
      const call = `updateServiceCharge(id: ${serviceChargeId}, input: { serviceId: ${serviceId} }) { id }`;
      return held(keyOf({ id: serviceChargeId }), () => runs(company, call));
    },
  ),
  "slices/shops/geofence.sql.ts lockGeofences: companies": inCompany(({ company }) => {
    const data = '{ shape: "circle", radius: 1000, coordinates: [[-66900000, 10500000]] }';
    const call = `createGeofence(input: { name: "Area", type: "delivery", data: ${data} }) { id }`;
    return Promise.resolve(held({ id: company.id }, () => runs(company, call)));
  }),
};

/** What an association refers to, and the request that creates it. */
async function newAssociation({ gateway, company }: Scene) {
  const rows = await createFleetRows(gateway, company.id);
  const body = {
    fleet_id: rows.fleetId,
    service_id: rows.serviceId,
    service_charge_id: rows.serviceChargeId,
  };
  const path = `/companies/${company.id}/fleet-associations`;
  return { rows, create: () => sends(company.owner, "POST", path, body) };
}
