import type { ShopsData } from "../demo-company.js";
import { week } from "./opening-hours.js";

const NOON_TO_NIGHT = week([["12:00", "22:30"]], [["12:00", "23:30"]], [["12:00", "22:00"]]);
const BREAKFAST_AND_DINNER = week(
  [
    ["06:30", "11:30"],
    ["17:00", "22:00"],
  ],
  [["06:30", "23:00"]],
  [["07:00", "22:00"]],
);
const SUPERMARKET = week([["08:00", "20:30"]], [["08:00", "20:30"]], [["08:30", "18:00"]]);
const MORNING_MARKET = week([["07:00", "18:00"]], [["06:30", "17:00"]], [["07:00", "13:00"]]);
const BAKERY = week([["06:00", "20:00"]], [["06:00", "20:00"]], [["06:30", "14:00"]]);
const ALL_DAY = week([["00:00", "23:59"]], [["00:00", "23:59"]], [["00:00", "23:59"]]);
const PET_SHOP = week([["09:00", "18:30"]], [["09:00", "16:00"]], []);

export const AVILA_SHOPS: ShopsData = {
  cities: [
    { name: "Caracas", latitudeE6: 10_488_011, longitudeE6: -66_879_192 },
    { name: "Valencia", latitudeE6: 10_162_450, longitudeE6: -68_007_650 },
    { name: "Maracay", latitudeE6: 10_246_880, longitudeE6: -67_595_810 },
  ],
  branchCategories: ["Restaurantes", "Supermercados", "Panaderías", "Farmacias", "Mascotas"],
  shops: [
    {
      name: "Pizzería La Piedra",
      category: "Restaurantes",
      branches: [
        {
          name: "La Piedra Altamira",
          city: "Caracas",
          address: "3.ª Transversal de Altamira, quinta La Piedra",
          latitudeE6: 10_498_300,
          longitudeE6: -66_848_900,
          hours: NOON_TO_NIGHT,
          deliveryRadius: 5_000,
        },
        {
          name: "La Piedra Las Mercedes",
          city: "Caracas",
          address: "Calle Madrid, entre Veracruz y Caroní, local 4",
          latitudeE6: 10_480_900,
          longitudeE6: -66_861_700,
          hours: NOON_TO_NIGHT,
          deliveryRadius: 4_500,
        },
      ],
    },
    {
      name: "Arepera Doña Carmen",
      category: "Restaurantes",
      branches: [
        {
          name: "Doña Carmen Chacao",
          city: "Caracas",
          address: "Avenida Francisco de Miranda, frente al mercado de Chacao",
          latitudeE6: 10_495_100,
          longitudeE6: -66_853_600,
          hours: BREAKFAST_AND_DINNER,
          deliveryRadius: 4_000,
        },
        {
          name: "Doña Carmen La Candelaria",
          city: "Caracas",
          address: "Esquina de Alcabala a Puente Anauco, local 12",
          latitudeE6: 10_504_900,
          longitudeE6: -66_901_400,
          hours: BREAKFAST_AND_DINNER,
          deliveryRadius: 3_500,
        },
      ],
    },
    {
      name: "Supermercado El Galeón",
      category: "Supermercados",
      branches: [
        {
          name: "El Galeón Los Palos Grandes",
          city: "Caracas",
          address: "4.ª Avenida de Los Palos Grandes, edificio Galeón, planta baja",
          latitudeE6: 10_500_700,
          longitudeE6: -66_843_200,
          hours: SUPERMARKET,
          deliveryRadius: 7_000,
        },
        {
          name: "El Galeón Valencia",
          city: "Valencia",
          address: "Avenida Bolívar Norte, centro comercial Los Sauces, local 2",
          latitudeE6: 10_209_300,
          longitudeE6: -68_007_100,
          hours: SUPERMARKET,
          deliveryRadius: 9_000,
        },
      ],
    },
    {
      name: "Frutería La Huerta",
      category: "Supermercados",
      branches: [
        {
          name: "La Huerta Quinta Crespo",
          city: "Caracas",
          address: "Mercado de Quinta Crespo, pasillo 3, puestos 41 al 44",
          latitudeE6: 10_497_200,
          longitudeE6: -66_918_800,
          hours: MORNING_MARKET,
          deliveryRadius: 6_000,
        },
      ],
    },
    {
      name: "Panadería La Espiga",
      category: "Panaderías",
      branches: [
        {
          name: "La Espiga Sabana Grande",
          city: "Caracas",
          address: "Bulevar de Sabana Grande, edificio Lincoln, planta baja",
          latitudeE6: 10_492_700,
          longitudeE6: -66_875_300,
          hours: BAKERY,
          deliveryRadius: 3_000,
        },
        {
          name: "La Espiga Maracay",
          city: "Maracay",
          address: "Avenida Las Delicias, centro comercial El Samán, local 7",
          latitudeE6: 10_271_900,
          longitudeE6: -67_592_100,
          hours: BAKERY,
          deliveryRadius: 5_000,
        },
      ],
    },
    {
      name: "Farmacia San Rafael",
      category: "Farmacias",
      branches: [
        {
          name: "San Rafael El Rosal",
          city: "Caracas",
          address: "Avenida Venezuela de El Rosal, torre Oxal, planta baja",
          latitudeE6: 10_488_600,
          longitudeE6: -66_861_000,
          hours: ALL_DAY,
          deliveryRadius: 8_000,
        },
      ],
    },
    {
      name: "Mascotas del Valle",
      category: "Mascotas",
      branches: [
        {
          name: "Mascotas La Trinidad",
          city: "Caracas",
          address: "Calle Humboldt de La Trinidad, galpón 9",
          latitudeE6: 10_433_600,
          longitudeE6: -66_865_900,
          hours: PET_SHOP,
          deliveryRadius: 10_000,
        },
      ],
    },
  ],
  geofences: [
    {
      name: "Gran Caracas",
      type: "delivery",
      data: {
        shape: "polygon",
        coordinates: [
          [-66_985_000, 10_415_000],
          [-66_760_000, 10_415_000],
          [-66_760_000, 10_525_000],
          [-66_985_000, 10_525_000],
        ],
      },
    },
    {
      name: "Parque Nacional El Ávila",
      type: "delivery",
      inverted: true,
      data: {
        shape: "polygon",
        coordinates: [
          [-66_930_000, 10_523_000],
          [-66_790_000, 10_516_000],
          [-66_790_000, 10_590_000],
          [-66_930_000, 10_590_000],
        ],
      },
    },
  ],
  fleets: ["Motorizados Caracas", "Bicicletas Chacao", "Camionetas Valencia"],
  services: [
    {
      name: "Entrega a domicilio",
      type: 0,
      charges: ["Entrega hasta 3 km", "Entrega de 3 a 8 km", "Recargo por lluvia"],
    },
    {
      name: "Compra en tienda",
      type: 1,
      charges: ["Compra de hasta 15 productos", "Compra de más de 15 productos"],
    },
    { name: "Entrega programada", type: 0, charges: ["Franja de la mañana", "Franja de la tarde"] },
  ],
  providers: [
    { name: "José Gregorio Rivas", city: "Caracas", shops: ["Pizzería La Piedra", "Arepera Doña Carmen"] },
    { name: "Yolimar Pacheco", city: "Caracas", shops: ["Supermercado El Galeón", "Frutería La Huerta"] },
    { name: "Wilmer Contreras", city: "Caracas", shops: ["Pizzería La Piedra", "Panadería La Espiga"] },
    { name: "Dayana Urbina", city: "Caracas", shops: ["Farmacia San Rafael", "Supermercado El Galeón"] },
    { name: "Ramón Eduardo Blanco", city: "Valencia", shops: ["Supermercado El Galeón"] },
    { name: "Mileidy Sequera", city: "Maracay", shops: ["Panadería La Espiga"] },
    { name: "Franklin Machado", city: "Caracas", shops: ["Mascotas del Valle", "Farmacia San Rafael"] },
    {
      name: "Oriana Figuera",
      city: "Caracas",
      shops: ["Arepera Doña Carmen", "Pizzería La Piedra", "Frutería La Huerta"],
    },
    { name: "Luis Alberto Moreno", city: "Caracas", shops: ["Supermercado El Galeón"], enabled: false },
  ],
};
