import { ClientResolver, RestoreClientResolver } from "./clients/client.resource.js";
import { BranchResolver } from "./branches/branch.resource.js";
import { BranchCategoryResolver } from "./branches/branch-category.resource.js";
import { BranchGoodResolver } from "./goods/branch-good.resource.js";
import { BranchGoodPropertyResolver } from "./properties/branch-good-property.resource.js";
import { BranchGroupResolver } from "./branches/branch-group.resource.js";
import { CartResolver } from "./carts/cart.resource.js";
import { CategoryResolver } from "./goods/category.resource.js";
import { CityResolver } from "./branches/city.resource.js";
import { FleetResolver } from "./fleet/fleet.resource.js";
import { GeofenceResolver } from "./branches/geofence.resource.js";
import { GoodTagResolver } from "./goods/good-tag.resource.js";
import { GoodTypeResolver } from "./goods/good-type.resource.js";
import { MaterialResolver } from "./goods/material.resource.js";
import { OrderResolver } from "./orders/order.resource.js";
import { ProviderResolver } from "./providers/provider.resource.js";
import { ProviderBranchGroupsResolver } from "./providers/provider-branch-groups.resolver.js";
import { ServiceResolver } from "./services/service.resource.js";
import { ServiceChargeResolver } from "./services/service-charge.resource.js";

/** The resolvers of all plain resources. */
export const referenceResolvers: readonly (new () => object)[] = [
  BranchCategoryResolver,
  BranchGoodPropertyResolver,
  BranchGoodResolver,
  BranchGroupResolver,
  BranchResolver,
  CartResolver,
  CategoryResolver,
  CityResolver,
  ClientResolver,
  FleetResolver,
  GeofenceResolver,
  GoodTagResolver,
  GoodTypeResolver,
  MaterialResolver,
  OrderResolver,
  ProviderBranchGroupsResolver,
  ProviderResolver,
  RestoreClientResolver,
  ServiceChargeResolver,
  ServiceResolver,
];
