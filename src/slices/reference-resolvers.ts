import { ClientResolver, RestoreClientResolver } from "../clients/client.resource.js";
import { BranchResolver } from "./branch.resource.js";
import { BranchCategoryResolver } from "./branch-category.resource.js";
import { BranchGoodResolver } from "./branch-good.resource.js";
import { BranchGoodPropertyResolver } from "./branch-good-property.resource.js";
import { BranchGroupResolver } from "./branch-group.resource.js";
import { CartResolver } from "./cart.resource.js";
import { CategoryResolver } from "./category.resource.js";
import { CityResolver } from "./city.resource.js";
import { FleetResolver } from "./fleet.resource.js";
import { GeofenceResolver } from "./geofence.resource.js";
import { GoodTagResolver } from "./good-tag.resource.js";
import { GoodTypeResolver } from "./good-type.resource.js";
import { MaterialResolver } from "./material.resource.js";
import { OrderResolver } from "./order.resource.js";
import { ProviderResolver } from "./provider.resource.js";
import { ProviderBranchGroupsResolver } from "./provider-branch-groups.resolver.js";
import { ServiceResolver } from "./service.resource.js";
import { ServiceChargeResolver } from "./service-charge.resource.js";

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
