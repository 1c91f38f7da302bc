import "reflect-metadata";
import { buildSchemaSync, getMetadataStorage, type NonEmptyArray } from "type-graphql";
import { AdminTypeResolver } from "./admins/admin-type.resolver.js";
import { AdminResolver } from "./admins/admin.resolver.js";
import { AuthResolver } from "./auth/auth.resolver.js";
import { CompanyResolver } from "./companies/company.resolver.js";
import { FeeRuleResolver } from "./companies/fee-rule.model.js";
import { CompanyEventResolver } from "./company-events/company-event.resolver.js";
import { ShakeResolver } from "./company-events/shake.resolver.js";
import { couponResolvers } from "./coupons/coupon-resolvers.js";
import { finishSchema, type FinishedSchema } from "./core/graphql/finish-schema.js";
import { goodResolvers } from "./goods/good-resolvers.js";
import { GoodPropertyResolver } from "./properties/good-property.resolver.js";
import { PropertyResolver } from "./properties/property.resolver.js";
import { referenceResolvers } from "./reference-data/reference-resolvers.js";
import { describeDerived } from "./schema-descriptions.js";

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
  return finishSchema(describeDerived(buildSchemaSync({ resolvers, validate: false })));
}
