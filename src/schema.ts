import "reflect-metadata";
import { buildSchemaSync, getMetadataStorage, type NonEmptyArray } from "type-graphql";
import { AdminTypeResolver } from "./slices/admins/admin-type.resolver.js";
import { AdminResolver } from "./slices/admins/admin.resolver.js";
import { AuthResolver } from "./slices/auth/auth.resolver.js";
import { CompanyResolver } from "./slices/companies/company.resolver.js";
import { FeeRuleResolver } from "./slices/companies/fee-rule.model.js";
import { CompanyEventResolver } from "./slices/company-events/company-event.resolver.js";
import { ShakeResolver } from "./slices/company-events/shake.resolver.js";
import { couponResolvers } from "./slices/coupons/coupons.resolvers.js";
import { finishSchema, type FinishedSchema } from "./engine/schema/finish-schema.js";
import { goodResolvers } from "./slices/goods/goods.resolvers.js";
import { GoodPropertyResolver } from "./slices/properties/good-property.resolver.js";
import { PropertyResolver } from "./slices/properties/property.resolver.js";
import { referenceResolvers } from "./slices/reference-resolvers.js";
import { describeDerived } from "./engine/schema/describe-derived.js";

/** Every resolver of the service; a slice joins the schema by standing here. */
const resolvers: NonEmptyArray<new () => object> = [
  PropertyResolver,
  GoodPropertyResolver,
  ...goodResolvers,
  ...referenceResolvers,
  AuthResolver,
  CompanyResolver,
  FeeRuleResolver,
  AdminResolver,
  AdminTypeResolver,
  ...couponResolvers,
  CompanyEventResolver,
  ShakeResolver,
];

/** Builds the one schema behind both faces. */
export function createSchema(): FinishedSchema {
  // Fields without a resolver of their own are properties: nothing has to be called for them.
  for (const type of getMetadataStorage().objectTypes) type.simpleResolvers ??= true;
  // The check would run the introspection query; validating the first REST document checks the schema anyway.
  return finishSchema(describeDerived(buildSchemaSync({ resolvers, validate: false, skipCheck: true })));
}
