import type { CatalogueData, DemoCompany } from "../demo-company.js";
import { AVILA_BANNERS } from "./avila-banners.js";
import { AVILA_COUPONS } from "./avila-coupons.js";
import { AVILA_EVENTS } from "./avila-events.js";
import { AVILA_FORMS } from "./avila-forms.js";
import { AVILA_KITCHEN } from "./avila-kitchen.js";
import { AVILA_MARKET } from "./avila-market.js";
import { AVILA_MORE } from "./avila-more.js";
import { AVILA_PROFILE, AVILA_ADMIN_TYPES, AVILA_ADMINS } from "./avila-profile.js";
import { AVILA_PROPERTIES } from "./avila-properties.js";
import { AVILA_SHOPS } from "./avila-shops.js";

const CATALOGUE: CatalogueData = {
  barcodePrefix: "20075",
  goodTypes: [
    "Comida preparada",
    "Bebida",
    "Combo",
    "Fresco por peso",
    "Abarrote",
    "Hogar",
    "Salud",
    "Mascotas",
    "Servicio",
    "Digital",
  ],
  tags: [
    "Más vendido",
    "Vegetariano",
    "Vegano",
    "Sin gluten",
    "Picante",
    "Fresco",
    "Para compartir",
    "Por encargo",
  ],
  materials: [
    { name: "Harina de trigo", unit: "g" },
    { name: "Harina de maíz", unit: "g" },
    { name: "Queso mozzarella", unit: "g" },
    { name: "Salsa de tomate", unit: "ml" },
    { name: "Caja de cartón", unit: "unidad" },
  ],
  categories: [
    {
      name: "Comida",
      children: ["Pizzas", "Pastas", "Arepas", "Empanadas y pasapalos", "Platos criollos", "Combos"],
    },
    { name: "Bebidas", children: ["Jugos y bebidas", "Bebidas y licores"] },
    {
      name: "Frescos",
      children: ["Frutas", "Verduras y hortalizas", "Quesos y charcutería", "Carnes y aves"],
    },
    { name: "Víveres", children: ["Despensa", "Lácteos y huevos", "Limpieza y hogar", "Listas de compra"] },
    { name: "Panadería y pastelería", children: ["Panes", "Tortas y dulces"] },
    { name: "Salud y belleza", children: ["Botiquín", "Cuidado personal"] },
    { name: "Mascotas", children: ["Alimento para mascotas"] },
    { name: "Servicios y tarjetas", children: ["Servicios", "Tarjetas y saldo"] },
  ],
  properties: AVILA_PROPERTIES,
  goods: [...AVILA_KITCHEN, ...AVILA_MARKET, ...AVILA_MORE],
};

/** A delivery marketplace in Caracas: restaurants, groceries, a bakery, a pharmacy; dollars, Spanish. */
export const AVILA: DemoCompany = {
  seed: 20_260_601,
  profile: AVILA_PROFILE,
  adminTypes: AVILA_ADMIN_TYPES,
  admins: AVILA_ADMINS,
  shops: AVILA_SHOPS,
  catalogue: CATALOGUE,
  coupons: AVILA_COUPONS,
  events: AVILA_EVENTS,
  banners: AVILA_BANNERS,
  forms: AVILA_FORMS,
  people: {
    firstNames: [
      "Alejandra",
      "Andrés",
      "Beatriz",
      "Carlos",
      "Daniela",
      "Eduardo",
      "Fabiola",
      "Gabriel",
      "Génesis",
      "Héctor",
      "Isabel",
      "Jesús",
      "Karina",
      "Leonardo",
      "Mariángel",
      "Nelson",
      "Patricia",
      "Rafael",
      "Simón",
      "Valentina",
    ],
    lastNames: [
      "Álvarez",
      "Bermúdez",
      "Briceño",
      "Carrasquel",
      "Delgado",
      "Escalona",
      "Fernández",
      "González",
      "Hidalgo",
      "Lugo",
      "Márquez",
      "Núñez",
      "Ochoa",
      "Peña",
      "Quintero",
      "Rondón",
      "Suárez",
      "Uzcátegui",
    ],
    phonePrefixes: ["+58412555", "+58414555", "+58416555", "+58424555", "+58426555"],
    phoneDigits: 4,
    orderSources: ["web", "android", "ios", "bot"],
  },
};
