import { PropertyResolver, propertyCrud } from "./property.resolver.js";
import { GoodPropertyResolver } from "./good-property.resolver.js";
import { branchGoodPropertyCrud } from "./branch-good-property.resource.js";

/** Resolvers of properties and of what goods have of them. */
export const propertiesResolvers = [
  ...propertyCrud,
  PropertyResolver,
  GoodPropertyResolver,
  ...branchGoodPropertyCrud,
] as const;
