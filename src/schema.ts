import "reflect-metadata";
import { buildSchemaSync, type NonEmptyArray } from "type-graphql";
import { AdminTypeResolver } from "./admins/admin-type.resolver.js";
import { AdminResolver } from "./admins/admin.resolver.js";
import { AuthResolver } from "./auth/auth.resolver.js";
import { CompanyResolver } from "./companies/company.resolver.js";
import { FeeRuleResolver } from "./companies/fee-rule.model.js";
import { finishSchema, type FinishedSchema } from "./core/graphql/finish-schema.js";
import { goodResolvers } from "./goods/good-resolvers.js";
import { GoodPropertyResolver } from "./properties/good-property.resolver.js";
import { PropertyResolver } from "./properties/property.resolver.js";
import { referenceResolvers } from "./reference-data/reference-resolvers.js";

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
];

/** Builds the one schema behind both faces. */
export function createSchema(): FinishedSchema {
  return finishSchema(buildSchemaSync({ resolvers, validate: false }));
}
