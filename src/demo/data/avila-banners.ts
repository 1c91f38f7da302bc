import type { BannerData } from "../demo-company.js";

/** Banners of every kind of target: all day, at weekends, over midnight, and one that is switched off. */
export const AVILA_BANNERS: readonly BannerData[] = [
  {
    name: "Bienvenidos a Mercado Ávila",
    description: "Todo Caracas, en tu puerta",
    target: ["company"],
  },
  {
    name: "Noche de pizza",
    description: "Hornos encendidos hasta las dos",
    target: ["branch_group", "Pizzería La Piedra"],
    categories: ["Restaurantes"],
    hours: ["18:00", "02:00"],
    days: 0x70,
  },
  {
    name: "Reina Pepiada para el desayuno",
    target: ["good", "Arepa Reina Pepiada"],
    categories: ["Restaurantes", "Panaderías"],
    hours: ["06:30", "11:00"],
  },
  {
    name: "Supermercados abiertos el domingo",
    target: ["branch_category", "Supermercados"],
    categories: ["Supermercados"],
    hours: ["08:00", "20:00"],
    days: 0x1,
  },
  { name: "Ya llegamos a Valencia", target: ["city", "Valencia"], tz: "-04:00", enabled: false },
];
