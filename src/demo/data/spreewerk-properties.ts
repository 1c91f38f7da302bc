import type { PropertyData, PropertyUse } from "../demo-company.js";

const ELECTRONICS = "Spreewerk Elektronik";
const HOUSEHOLD = "Spreewerk Haushalt";
const SERVICE = "Spreewerk Service";

export const SPREEWERK_PROPERTIES: readonly PropertyData[] = [
  {
    name: "Farbe Gerät",
    options: [
      ["Graphit", 0],
      ["Silber", 0],
      ["Mitternachtsblau", 0],
      ["Salbei", 0],
    ],
    defaultOption: "Graphit",
  },
  {
    name: "Farbe Audio",
    shop: ELECTRONICS,
    options: [
      ["Schwarz", 0],
      ["Weiß", 0],
      ["Koralle", 500],
    ],
    defaultOption: "Schwarz",
  },
  {
    name: "Speicher Telefon",
    shop: ELECTRONICS,
    options: [
      ["128 GB", 0],
      ["256 GB", 8_000],
      ["512 GB", 20_000],
    ],
    defaultOption: "128 GB",
  },
  {
    name: "Arbeitsspeicher",
    shop: ELECTRONICS,
    options: [
      ["16 GB", 0],
      ["32 GB", 18_000],
      ["64 GB", 42_000],
    ],
    defaultOption: "16 GB",
  },
  {
    name: "SSD",
    shop: ELECTRONICS,
    options: [
      ["512 GB", 0],
      ["1 TB", 12_000],
      ["2 TB", 29_000],
    ],
    defaultOption: "512 GB",
  },
  {
    name: "Tastatur",
    shop: ELECTRONICS,
    options: [
      ["Deutsch (QWERTZ)", 0],
      ["Englisch (QWERTY)", 0],
      ["Französisch (AZERTY)", 1_000],
      ["Türkisch (Q)", 1_000],
    ],
    defaultOption: "Deutsch (QWERTZ)",
  },
  {
    name: "Gravur",
    text: { regex: "^[A-Za-zÄÖÜäöüß0-9 .&+-]{1,24}$", hint: "Bis 24 Zeichen: Name, Datum oder Initialen" },
  },
  {
    name: "Zubehör Telefon",
    shop: ELECTRONICS,
    options: [
      ["Silikonhülle", 1_999],
      ["Lederhülle", 3_999],
      ["Schutzglas", 1_499],
      ["Ladegerät 30 W", 2_499],
      ["Ladepad", 2_999],
      ["USB-C-Kabel 2 m", 1_299],
    ],
  },
  {
    name: "Garantie",
    options: [
      ["Gesetzliche Gewährleistung", 0],
      ["3 Jahre Garantie", 4_900],
      ["5 Jahre Garantie", 8_900],
    ],
    defaultOption: "Gesetzliche Gewährleistung",
  },
  {
    name: "Kabellänge",
    shop: ELECTRONICS,
    range: {
      min: 5,
      max: 100,
      decimates: 1,
      step: 5,
      default: 20,
      basePriceE2: 0,
      stepPriceE2: 60,
      unit: "m",
    },
  },
  {
    name: "Wandmontage",
    shop: ELECTRONICS,
    options: [
      ["Ohne Montage", 0],
      ["Wandhalterung starr", 4_900],
      ["Wandhalterung schwenkbar", 7_900],
      ["Wandhalterung mit Montage", 16_900],
    ],
    defaultOption: "Ohne Montage",
  },
  {
    name: "Anschluss und Altgerät",
    shop: HOUSEHOLD,
    options: [
      ["Anschluss vor Ort", 3_900],
      ["Altgerät mitnehmen", 0],
      ["Verpackung mitnehmen", 0],
      ["Türanschlag wechseln", 2_900],
    ],
  },
  {
    name: "Farbe Küche",
    shop: HOUSEHOLD,
    options: [
      ["Edelstahl", 0],
      ["Creme", 0],
      ["Anthrazit", 1_000],
      ["Minze", 1_000],
    ],
    defaultOption: "Edelstahl",
  },
  {
    name: "Lichtfarbe",
    options: [
      ["Warmweiß 2700 K", 0],
      ["Neutralweiß 4000 K", 0],
      ["Tageslicht 6500 K", 0],
      ["Farbig (RGB)", 600],
    ],
    defaultOption: "Warmweiß 2700 K",
  },
  {
    name: "Arbeitsstunden",
    shop: SERVICE,
    range: {
      min: 1,
      max: 10,
      decimates: 0,
      step: 1,
      default: 2,
      basePriceE2: 0,
      stepPriceE2: 5_900,
      unit: "h",
    },
  },
  {
    name: "Wohnfläche",
    shop: SERVICE,
    range: {
      min: 30,
      max: 250,
      decimates: 0,
      step: 10,
      default: 60,
      basePriceE2: 0,
      stepPriceE2: 900,
      unit: "m²",
    },
  },
  {
    name: "Zeitfenster",
    shop: SERVICE,
    options: [
      ["Werktags 8 bis 12 Uhr", 0],
      ["Werktags 12 bis 17 Uhr", 0],
      ["Samstag 9 bis 13 Uhr", 2_500],
    ],
    defaultOption: "Werktags 8 bis 12 Uhr",
  },
  {
    name: "Zusatzleistungen Service",
    shop: SERVICE,
    options: [
      ["Einweisung (30 Minuten)", 2_900],
      ["Daten übertragen", 4_900],
      ["Kleinmaterial", 1_500],
      ["Endreinigung", 1_900],
      ["Entsorgung", 1_200],
    ],
  },
  {
    name: "Seriennummer",
    shop: SERVICE,
    text: { regex: "^[A-Z0-9-]{6,20}$", hint: "Steht auf dem Typenschild, z. B. SW-4711-AB" },
  },
  {
    name: "Lizenz für",
    options: [
      ["1 Gerät", 0],
      ["3 Geräte", 1_500],
      ["5 Geräte", 2_500],
    ],
    defaultOption: "1 Gerät",
  },
  {
    name: "Grußtext",
    text: {
      regex: "^[A-Za-zÄÖÜäöüß0-9 .,!?&'-]{1,80}$",
      hint: "Steht in der E-Mail an die beschenkte Person",
    },
  },
];

const ONE = { minCount: 1, maxCount: 1 } as const;

const WARRANTY: PropertyUse = { property: "Garantie", displayName: "Garantie", ...ONE };
const ENGRAVING: PropertyUse = {
  property: "Gravur",
  displayName: "Gravur (kostenlos)",
  isFree: true,
  isAdminCustomizable: true,
};
const DEVICE_COLOUR: PropertyUse = { property: "Farbe Gerät", displayName: "Farbe", ...ONE };
const TIME_SLOT: PropertyUse = { property: "Zeitfenster", displayName: "Wann passt es?", ...ONE };

export const PHONE: readonly PropertyUse[] = [
  DEVICE_COLOUR,
  { property: "Speicher Telefon", displayName: "Speicher", ...ONE, isDynamic: true },
  {
    property: "Zubehör Telefon",
    displayName: "Passendes Zubehör",
    isMultiSelection: true,
    maxCount: 4,
    stackCount: 2,
  },
  ENGRAVING,
  WARRANTY,
];

export const TABLET: readonly PropertyUse[] = [DEVICE_COLOUR, ENGRAVING, WARRANTY];

export const NOTEBOOK: readonly PropertyUse[] = [
  { property: "Arbeitsspeicher", displayName: "Arbeitsspeicher", ...ONE, isDynamic: true },
  { property: "SSD", displayName: "Festplatte", ...ONE, isDynamic: true },
  { property: "Tastatur", displayName: "Tastatur", ...ONE },
  ENGRAVING,
  WARRANTY,
];

export const AUDIO: readonly PropertyUse[] = [{ property: "Farbe Audio", displayName: "Farbe", ...ONE }];

export const TELEVISION: readonly PropertyUse[] = [
  { property: "Wandmontage", displayName: "An die Wand?", ...ONE },
  WARRANTY,
];

export const CABLE: readonly PropertyUse[] = [
  { property: "Kabellänge", displayName: "Länge", isDynamic: true },
];

export const LARGE_APPLIANCE: readonly PropertyUse[] = [
  {
    property: "Anschluss und Altgerät",
    displayName: "Lieferung und Altgerät",
    isMultiSelection: true,
    maxCount: 3,
  },
  WARRANTY,
];

export const KITCHEN_APPLIANCE: readonly PropertyUse[] = [
  { property: "Farbe Küche", displayName: "Farbe", ...ONE },
  ENGRAVING,
];

export const LIGHT: readonly PropertyUse[] = [{ property: "Lichtfarbe", displayName: "Lichtfarbe", ...ONE }];

export const HOURLY: readonly PropertyUse[] = [
  { property: "Arbeitsstunden", displayName: "Stunden", isDynamic: true, isAdminCustomizable: true },
  TIME_SLOT,
  { property: "Zusatzleistungen Service", displayName: "Dazu buchen", isMultiSelection: true, maxCount: 5 },
];

export const BY_AREA: readonly PropertyUse[] = [
  { property: "Wohnfläche", displayName: "Wohnfläche", isDynamic: true },
  TIME_SLOT,
];

export const REPAIR: readonly PropertyUse[] = [
  { property: "Seriennummer", displayName: "Seriennummer", isFree: true, isAdminCustomizable: true },
  TIME_SLOT,
];

export const LICENCE: readonly PropertyUse[] = [
  { property: "Lizenz für", displayName: "Anzahl Geräte", ...ONE },
];

export const GREETING: readonly PropertyUse[] = [
  { property: "Grußtext", displayName: "Grußtext", isFree: true },
];
