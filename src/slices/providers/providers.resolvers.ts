import { providerCrud } from "./provider.resource.js";
import { ProviderBranchGroupsResolver } from "./provider-branch-groups.resolver.js";

/** Resolvers of providers and the shops they work for. */
export const providersResolvers = [...providerCrud, ProviderBranchGroupsResolver] as const;
