import "./properties.permissions.js";
import { PropertyResolver, propertyCrud } from "./property.resolver.js";
import { GoodPropertyResolver } from "./good-property.resolver.js";
import { branchGoodPropertyCrud } from "./branch-good-property.resource.js";

/** Resolvers of properties, of the properties of goods, and of these at branches. */
export const propertiesResolvers = [
  ...propertyCrud,
  PropertyResolver,
  GoodPropertyResolver,
  ...branchGoodPropertyCrud,
] as const;
