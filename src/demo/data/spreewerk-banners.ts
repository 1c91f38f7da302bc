import type { BannerData } from "../demo-company.js";

export const SPREEWERK_BANNERS: readonly BannerData[] = [
  {
    name: "Elektronik in Mitte",
    description: "Montags bis freitags beraten wir bis 19 Uhr",
    target: ["branch_group", "Spreewerk Elektronik"],
    categories: ["Elektronik"],
    hours: ["10:00", "19:00"],
    days: 0x3e,
  },
  { name: "Neu in Leipzig", target: ["city", "Leipzig"] },
];
