import "./company-events.permissions.js";
import { CompanyEventResolver, companyEventCrud } from "./company-event.resolver.js";
import { ShakeResolver } from "./shake.resolver.js";

/** Resolvers of company events and of shakes. */
export const companyEventsResolvers = [...companyEventCrud, CompanyEventResolver, ShakeResolver] as const;
