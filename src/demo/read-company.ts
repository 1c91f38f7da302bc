import { readFileSync } from "node:fs";
import type { OpeningHours } from "../slices/shops/branch.model.js";
import type {
  CatalogueData,
  DemoCompany,
  GoodGroup,
  GoodTraits,
  PropertyData,
  PropertyUse,
  ShopsData,
} from "./demo-company.js";

type Names = Readonly<Record<string, unknown>>;
type Span = readonly [from: string, to: string];

/** Spans of Monday to Friday, of Saturday and of Sunday; a day without spans is closed. */
interface WeekFile {
  readonly weekdays: readonly Span[];
  readonly saturday: readonly Span[];
  readonly sunday: readonly Span[];
}

/** Shops, whose branches name their hours. */
type ShopsFile = Omit<ShopsData, "shops"> & {
  readonly hours: Readonly<Record<string, WeekFile>>;
  readonly shops: readonly {
    readonly name: string;
    readonly category: string;
    readonly branches: readonly (Omit<ShopsData["shops"][number]["branches"][number], "hours"> & {
      hours: string;
    })[];
  }[];
};

interface PropertiesFile {
  readonly properties: readonly PropertyData[];
  readonly sets: Readonly<Record<string, readonly PropertyUse[]>>;
}

type CatalogueFile = Omit<CatalogueData, "properties" | "goods"> & {
  readonly unitConfigs: Names;
  /** The files of goods in the order in which they get their ids. */
  readonly goodsFiles: readonly string[];
};

/** What goods name instead of writing it out: a set of properties, a way to be weighed or cut. */
interface Shared {
  readonly sets: Names;
  readonly unitConfigs: Names;
}

/** Returns a demo company, as the JSON files of its folder in `data` describe it. */
export function readCompany(name: string): DemoCompany {
  const read = <T>(file: string): T => readData<T>(`${name}/${file}`);
  const { properties, sets } = read<PropertiesFile>("properties");
  const { unitConfigs, goodsFiles, ...catalogue } = read<CatalogueFile>("catalogue");
  const groups = goodsFiles.flatMap((file) => read<readonly GoodGroup[]>(file));
  const goods = groups.map((group) => groupOf(group, { sets, unitConfigs }));
  return {
    ...read<Pick<DemoCompany, "seed" | "profile" | "adminTypes" | "admins" | "people">>("company"),
    shops: shopsOf(read<ShopsFile>("shops")),
    catalogue: { ...catalogue, properties, goods },
    ...read<Pick<DemoCompany, "coupons" | "events" | "banners">>("marketing"),
    forms: read<DemoCompany["forms"]>("forms"),
  };
}

/** Returns what a JSON file of `data` holds. */
export function readData<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(`data/${file}.json`, import.meta.url), "utf8")) as T;
}

function shopsOf({ hours, shops, ...rest }: ShopsFile): ShopsData {
  return {
    ...rest,
    shops: shops.map((shop) => ({
      ...shop,
      branches: shop.branches.map((branch) => ({
        ...branch,
        hours: openingHours(named<WeekFile>(hours, branch.hours)),
      })),
    })),
  };
}

function openingHours({ weekdays, saturday, sunday }: WeekFile): OpeningHours {
  const days = [sunday, weekdays, weekdays, weekdays, weekdays, weekdays, saturday];
  const open = days.map((spans, day) => [String(day), spans.map(([from, to]) => ({ from, to }))] as const);
  return Object.fromEntries(open.filter(([, spans]) => spans.length > 0));
}

function groupOf(group: GoodGroup, shared: Shared): GoodGroup {
  return {
    ...group,
    ...traitsOf(group, shared),
    goods: group.goods.map(([name, priceE2, shortDetails, details, traits]) =>
      traits === undefined
        ? [name, priceE2, shortDetails, details]
        : [name, priceE2, shortDetails, details, traitsOf(traits, shared)],
    ),
  };
}

/** Writes out what traits name. */
function traitsOf(traits: GoodTraits, { sets, unitConfigs }: Shared): GoodTraits {
  const { properties, unitConfig }: { properties?: unknown; unitConfig?: unknown } = traits;
  return {
    ...traits,
    ...(typeof properties === "string" && { properties: named<readonly PropertyUse[]>(sets, properties) }),
    ...(typeof unitConfig === "string" && { unitConfig: named<Names>(unitConfigs, unitConfig) }),
  };
}

/** @throws Error for a name that stands for nothing. */
function named<T>(values: Names, name: string): T {
  const value = values[name];
  if (value === undefined) throw new Error(`The demo data name ${name}, which is not there.`);
  return value as T;
}
