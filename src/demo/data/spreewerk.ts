import type { CatalogueData, DemoCompany } from "../demo-company.js";
import { SPREEWERK_BANNERS } from "./spreewerk-banners.js";
import { SPREEWERK_COUPONS } from "./spreewerk-coupons.js";
import { SPREEWERK_EVENTS } from "./spreewerk-events.js";
import { SPREEWERK_FORMS } from "./spreewerk-forms.js";
import { SPREEWERK_ELECTRONICS } from "./spreewerk-electronics.js";
import { SPREEWERK_HOME } from "./spreewerk-home.js";
import { SPREEWERK_PROFILE, SPREEWERK_ADMIN_TYPES, SPREEWERK_ADMINS } from "./spreewerk-profile.js";
import { SPREEWERK_PROPERTIES } from "./spreewerk-properties.js";
import { SPREEWERK_SHOPS } from "./spreewerk-shops.js";

const CATALOGUE: CatalogueData = {
  barcodePrefix: "20049",
  goodTypes: ["Gerät", "Zubehör", "Werkzeug", "Meterware", "Set", "Dienstleistung", "Digital"],
  tags: ["Bestseller", "Neu", "Nachhaltig", "Generalüberholt"],
  materials: [
    { name: "Dübel 8 mm", unit: "Stück" },
    { name: "Kabelkanal", unit: "cm" },
    { name: "Wärmeleitpaste", unit: "g" },
    { name: "Reinigungsmittel", unit: "ml" },
    { name: "Versandkarton", unit: "Stück" },
  ],
  categories: [
    {
      name: "Telefon und Computer",
      children: [
        "Smartphones",
        "Tablets und E-Reader",
        "Notebooks und PCs",
        "Monitore und Zubehör",
        "Speichermedien",
        "Kabel und Adapter",
      ],
    },
    { name: "Bild und Ton", children: ["Kopfhörer und Lautsprecher", "Fernseher"] },
    { name: "Wohnen", children: ["Smart Home", "Leuchten"] },
    { name: "Haushalt", children: ["Küche", "Großgeräte", "Reinigung und Klima"] },
    { name: "Baudepot", children: ["Werkzeug", "Meterware und Schüttgut"] },
    {
      name: "Service",
      children: ["Montage und Einrichtung", "Reparatur", "Reinigung und Umzug", "Servicepakete"],
    },
    { name: "Sets und Digitales", children: ["Sets", "Software und Guthaben"] },
  ],
  properties: SPREEWERK_PROPERTIES,
  goods: [...SPREEWERK_ELECTRONICS, ...SPREEWERK_HOME],
};

/** Electronics, household and home services in Berlin; euros, German. */
export const SPREEWERK: DemoCompany = {
  seed: 49_302_026,
  profile: SPREEWERK_PROFILE,
  adminTypes: SPREEWERK_ADMIN_TYPES,
  admins: SPREEWERK_ADMINS,
  shops: SPREEWERK_SHOPS,
  catalogue: CATALOGUE,
  coupons: SPREEWERK_COUPONS,
  events: SPREEWERK_EVENTS,
  banners: SPREEWERK_BANNERS,
  forms: SPREEWERK_FORMS,
  people: {
    firstNames: [
      "Amelie",
      "Anton",
      "Ayşe",
      "Clara",
      "David",
      "Elif",
      "Felix",
      "Greta",
      "Henrik",
      "Ida",
      "Jakob",
      "Leyla",
      "Lukas",
      "Marlene",
      "Nils",
      "Oskar",
      "Pauline",
      "Ruth",
      "Tobias",
      "Zoë",
    ],
    lastNames: [
      "Bauer",
      "Brandt",
      "Dietrich",
      "Engel",
      "Fuchs",
      "Grünwald",
      "Hoffmann",
      "Jäger",
      "Kaya",
      "König",
      "Lehmann",
      "Möller",
      "Nowak",
      "Öztürk",
      "Peters",
      "Schäfer",
      "Vogel",
      "Weiß",
    ],
    phonePrefixes: ["+493023125", "+494066969", "+496990009", "+498999998"],
    phoneDigits: 3,
    orderSources: ["web", "android", "ios", "store"],
  },
};
