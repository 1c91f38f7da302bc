import "reflect-metadata";
import { buildSchemaSync, getMetadataStorage, type NonEmptyArray } from "type-graphql";
import { contractVersion } from "./engine/schema/contract-version.js";
import { describeDerived } from "./engine/schema/describe-derived.js";
import { withFoundExtensions } from "./engine/schema/find-extensions.js";
import { takePlainArguments } from "./engine/schema/plain-arguments.js";
import { withSubscriptions } from "./engine/schema/subscriptions.js";
import { asSubgraph } from "./engine/guard/subgraph.js";
import { finishSchema, type FinishedSchema } from "./engine/guard/finish-schema.js";
import { jobResolver } from "./core/jobs/job-resolver.js";
import { adminsResolvers } from "./slices/admins/admins.resolvers.js";
import { apiKeysResolvers } from "./slices/api-keys/api-keys.resolvers.js";
import { auditResolvers } from "./slices/audit/audit.resolvers.js";
import { authResolvers } from "./slices/auth/auth.resolvers.js";
import { balanceResolvers } from "./slices/balance/balance.resolvers.js";
import { shopsResolvers } from "./slices/shops/shops.resolvers.js";
import { cartsResolvers } from "./slices/carts/carts.resolvers.js";
import { clientAddressesResolvers } from "./slices/client-addresses/client-addresses.resolvers.js";
import { clientsResolvers } from "./slices/clients/clients.resolvers.js";
import { segmentUploads } from "./slices/clients/segments/segment-upload.jobs.js";
import { companiesResolvers } from "./slices/companies/companies.resolvers.js";
import { companyEventsResolvers } from "./slices/company-events/company-events.resolvers.js";
import { codeUploads } from "./slices/coupons/campaigns/code-upload.jobs.js";
import { couponCodesJob } from "./slices/coupons/codes/coupon-codes-progress.service.js";
import { couponSimulationJob } from "./slices/coupons/simulation/simulation.jobs.js";
import { couponsResolvers } from "./slices/coupons/coupons.resolvers.js";
import { chatRoomsResolvers } from "./slices/chat-rooms/chat-rooms.resolvers.js";
import { fleetResolvers } from "./slices/fleet/fleet.resolvers.js";
import { formsResolvers } from "./slices/forms/forms.resolvers.js";
import { repricingJob } from "./slices/goods/repricing/repricing.jobs.js";
import { goodsResolvers } from "./slices/goods/goods.resolvers.js";
import { importsResolvers } from "./slices/imports/imports.resolvers.js";
import { goodsImports } from "./slices/imports/import-goods.jobs.js";
import { invoicesResolvers } from "./slices/invoices/invoices.resolvers.js";
import { ordersResolvers } from "./slices/orders/orders.resolvers.js";
import { promotedBannersResolvers } from "./slices/promoted-banners/promoted-banners.resolvers.js";
import { propertiesResolvers } from "./slices/properties/properties.resolvers.js";
import { providersResolvers } from "./slices/providers/providers.resolvers.js";
import { servicesResolvers } from "./slices/services/services.resolvers.js";
import { webhooksResolvers } from "./slices/webhooks/webhooks.resolvers.js";

/** All resolvers of the service; the resolver of a slice has to be listed here. */
const resolvers: NonEmptyArray<new () => object> = [
  ...adminsResolvers,
  ...apiKeysResolvers,
  ...auditResolvers,
  ...authResolvers,
  ...balanceResolvers,
  ...shopsResolvers,
  ...cartsResolvers,
  ...chatRoomsResolvers,
  ...clientAddressesResolvers,
  ...clientsResolvers,
  ...companiesResolvers,
  ...companyEventsResolvers,
  ...couponsResolvers,
  ...fleetResolvers,
  ...formsResolvers,
  ...goodsResolvers,
  ...importsResolvers,
  ...invoicesResolvers,
  ...ordersResolvers,
  ...promotedBannersResolvers,
  ...propertiesResolvers,
  ...providersResolvers,
  ...servicesResolvers,
  ...webhooksResolvers,
  jobResolver([
    couponCodesJob,
    couponSimulationJob,
    codeUploads.followed,
    segmentUploads.followed,
    goodsImports.followed,
    repricingJob,
  ]),
];

/** Builds the one schema that both faces use. @param options.isSubgraph adds what a gateway of Apollo Federation asks for. */
export function createSchema({ isSubgraph = false } = {}): FinishedSchema {
  // A field without a resolver is a plain property, so no function has to be called for it.
  for (const type of getMetadataStorage().objectTypes) type.simpleResolvers ??= true;
  // The check would run the introspection query; validating the first REST document checks the schema anyway.
  const schema = describeDerived(
    withSubscriptions(
      withFoundExtensions(() => buildSchemaSync({ resolvers, validate: false, skipCheck: true })),
    ),
  );
  takePlainArguments();
  schema.description = `Version ${contractVersion()} of the public contract.`;
  const finished = finishSchema(schema);
  return isSubgraph ? asSubgraph(finished) : finished;
}
