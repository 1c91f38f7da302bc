import "./promoted-banners.permissions.js";
import { promotedBannerCrud, PromotedBannerResolver } from "./promoted-banner.resolver.js";

/** Resolvers of promoted banners. */
export const promotedBannersResolvers = [...promotedBannerCrud, PromotedBannerResolver] as const;
