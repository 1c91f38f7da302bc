import type { CompanySettings } from "../slices/companies/company-settings.model.js";
import type { StoredEventConfig } from "../slices/company-events/company-event-config.js";
import type { COMPANY_OPTIONS } from "../slices/companies/company.masks.js";
import type { Permission } from "../core/access/permissions.js";
import type { CouponConfig } from "../slices/coupons/coupon-config.model.js";
import type { ScheduleStatus } from "../core/schedule/schedule.js";
import type { BannerTargetType } from "../slices/promoted-banners/promoted-banner.model.js";
import type { FormTypeName } from "../slices/forms/form.model.js";
import type { FormComponent } from "../slices/forms/form.schema.js";
import type { GeofenceData } from "../slices/shops/geofence.model.js";
import type { OpeningHours } from "../slices/shops/branch.model.js";

/** Everything that the files of `data` hold of one demo company; rows refer to each other by name. */
export interface DemoCompany {
  /** Start of its random numbers. */
  readonly seed: number;
  readonly profile: CompanyProfile;
  readonly adminTypes: readonly AdminTypeData[];
  readonly admins: readonly AdminData[];
  readonly shops: ShopsData;
  readonly catalogue: CatalogueData;
  readonly people: PeopleData;
  /** Examples of the REST reference count on the first ten of company 1, and on their order. */
  readonly coupons: readonly CouponData[];
  readonly events: readonly EventData[];
  readonly banners: readonly BannerData[];
  readonly forms: readonly FormData[];
}

export interface CompanyProfile {
  readonly name: string;
  readonly email: string;
  readonly domain: string;
  readonly folderName: string;
  /** Capability flags that are on. */
  readonly flags: readonly (keyof typeof COMPANY_OPTIONS)[];
  readonly plan: number;
  readonly defaultIsoLang: string;
  readonly countryIso: string;
  readonly timeZoneOffset: string;
  readonly colorPrimary: string;
  readonly colorAccent: string;
  readonly settings: Partial<CompanySettings> & Pick<CompanySettings, "currencyIso">;
}

export interface AdminTypeData {
  readonly name: string;
  readonly defaultKey: string;
  readonly code: number;
  /** Parts of the interface that the type sees. */
  readonly screens: readonly string[];
  readonly roles: readonly Permission[];
}

/** An admin; the first one is the owner. */
export interface AdminData {
  readonly name: string;
  /** What stands before the `@` of the company's domain. */
  readonly mailbox: string;
  readonly phone: string;
  /** Null: a full administrator, who needs no type. */
  readonly type: string | null;
  readonly city: string;
  readonly shop?: string;
  readonly isOnline?: boolean;
  /** Says whether the same person is a client, too. */
  readonly isClient?: boolean;
}

export interface ShopsData {
  readonly cities: readonly { name: string; latitudeE6: number; longitudeE6: number }[];
  readonly branchCategories: readonly string[];
  readonly shops: readonly ShopData[];
  /** Areas of the whole company. */
  readonly geofences: readonly GeofenceRow[];
  readonly fleets: readonly string[];
  readonly services: readonly { name: string; type: number; charges: readonly string[] }[];
  readonly providers: readonly { name: string; city: string; shops: readonly string[]; enabled?: boolean }[];
}

export interface ShopData {
  readonly name: string;
  readonly category: string;
  readonly branches: readonly BranchData[];
}

export interface BranchData {
  readonly name: string;
  readonly city: string;
  readonly address: string;
  readonly latitudeE6: number;
  readonly longitudeE6: number;
  readonly hours: OpeningHours;
  /** Metres around the branch to which it delivers. */
  readonly deliveryRadius: number;
}

export interface GeofenceRow {
  readonly name: string;
  readonly type: string;
  readonly data: GeofenceData;
  readonly inverted?: boolean;
}

export interface CatalogueData {
  readonly goodTypes: readonly string[];
  readonly tags: readonly string[];
  readonly materials: readonly { name: string; unit: string }[];
  readonly categories: readonly { name: string; children: readonly string[] }[];
  readonly properties: readonly PropertyData[];
  readonly goods: readonly GoodGroup[];
  /** First digits of the barcodes: a GS1 number range for use inside one company. */
  readonly barcodePrefix: string;
}

export interface PropertyData {
  readonly name: string;
  readonly shop?: string;
  readonly options?: readonly OptionData[];
  readonly defaultOption?: string;
  readonly range?: RangeData;
  readonly text?: { readonly regex: string; readonly hint: string };
}

export type OptionData = readonly [name: string, priceE2: number];

export interface RangeData {
  readonly min: number;
  readonly max: number;
  readonly decimates: number;
  readonly step: number;
  readonly default: number;
  readonly basePriceE2: number;
  readonly stepPriceE2: number;
  readonly unit: string;
}

/** A property as goods have it, with the flags of its mask (contract §12.2). */
export interface PropertyUse {
  readonly property: string;
  readonly displayName: string;
  readonly isMultiSelection?: boolean;
  readonly isFree?: boolean;
  readonly isDynamic?: boolean;
  readonly isConsumable?: boolean;
  readonly isAdminCustomizable?: boolean;
  readonly minCount?: number;
  readonly maxCount?: number;
  readonly stackCount?: number;
}

/** What goods can have in common, or one good by itself. */
export interface GoodTraits {
  readonly tags?: readonly string[];
  readonly keywords?: readonly string[];
  readonly unit?: string;
  /** In files one of the `unitConfigs` of `catalogue.json`, by its name. */
  readonly unitConfig?: Readonly<Record<string, unknown>>;
  readonly weight?: string;
  readonly label?: string;
  readonly eta?: string;
  readonly limitType?: string;
  readonly maxQuantity?: number;
  readonly notesEnabled?: boolean;
  /** In files a set of `properties.json`, by its name. */
  readonly properties?: readonly PropertyUse[];
  readonly materials?: readonly (readonly [name: string, quantityReal: number])[];
  /** Share of the price that goes to the provider. */
  readonly providerFeePrc?: number;
  /** Says whether it was deleted, for those who try to restore it. */
  readonly isDeleted?: boolean;
}

/** Goods of one category and one shop. Tags and keywords of a good add to those of its group. */
export interface GoodGroup extends GoodTraits {
  readonly category: string;
  readonly shop: string;
  readonly goodType: string;
  readonly skuPrefix: string;
  /** Bit mask of the goods, 0 when absent. */
  readonly type?: number;
  /** Closes the details of each good. */
  readonly note: string;
  readonly hasBarcode?: boolean;
  /** Says whether branches count how many they have. */
  readonly isStocked?: boolean;
  readonly goods: readonly GoodEntry[];
}

export type GoodEntry = readonly [
  name: string,
  priceE2: number,
  shortDetails: string,
  details: string,
  traits?: GoodTraits,
];

export interface PeopleData {
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  /** First digits of telephone numbers; `phoneDigits` more follow. */
  readonly phonePrefixes: readonly string[];
  readonly phoneDigits: number;
  readonly orderSources: readonly string[];
}

/** A coupon drop. Days count back from the demo's day; those to come are negative. */
export interface EventData {
  readonly name: string;
  readonly status: "pending" | "ready" | "running" | "finished";
  readonly startsDaysAgo?: number;
  readonly endsDaysAgo?: number;
  readonly config: StoredEventConfig;
}

/** A coupon. Days count back from the demo's day; those to come are negative. */
export interface CouponData {
  readonly name: string;
  readonly type: "personal" | "batch" | "promo" | "gift_card";
  readonly status: ScheduleStatus;
  readonly promoCode?: string;
  readonly priceE2?: number;
  readonly pricePrc?: number;
  readonly minPurchaseE2?: number;
  readonly totalCount: number;
  readonly appliesTo?: string;
  readonly targetType?: string;
  /** The one shop where it can be used. */
  readonly shop?: string;
  /** Shops that are its targets. */
  readonly shops?: readonly string[];
  readonly config?: CouponConfig;
  /** Codes that guides and examples name; others fill up to `totalCount`. */
  readonly codes?: readonly string[];
  /** How many clients it is for; all when absent. */
  readonly whitelisted?: number;
  readonly startsDaysAgo?: number;
  readonly endsDaysAgo?: number;
  /** How many orders used it, at most. */
  readonly uses?: number;
  readonly isDeleted?: boolean;
}

/** A banner and what it leads to, by its name; the company has none. */
export interface BannerData {
  readonly name: string;
  readonly description?: string;
  readonly target:
    readonly [type: Exclude<BannerTargetType, "company">, name: string] | readonly [type: "company"];
  /** Branch categories on whose pages it is shown. */
  readonly categories?: readonly string[];
  readonly hours?: readonly [from: string, to: string];
  /** Bit mask of its days, 0x1 for Sunday; every day when absent. */
  readonly days?: number;
  readonly tz?: string;
  readonly enabled?: boolean;
}

/** A form that every branch has. */
export interface FormData {
  readonly type: FormTypeName;
  readonly name: string;
  readonly internalName?: string;
  readonly icon: number;
  readonly disabled?: boolean;
  readonly currency?: { readonly iso: string; readonly taxFlatE2: number; readonly taxPercent: number };
  readonly components: readonly FormComponent[];
}
