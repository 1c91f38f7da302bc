import type { PropertyData, PropertyUse } from "../demo-company.js";

/** Letters, digits and plain punctuation, for words written on a cake or a card. */
const SHORT_TEXT = "^[A-Za-zÁÉÍÓÚÜÑáéíóúüñ0-9 .,!¡?¿'-]{1,40}$";

export const AVILA_PROPERTIES: readonly PropertyData[] = [
  {
    name: "Tamaño de pizza",
    shop: "Pizzería La Piedra",
    options: [
      ["Personal (22 cm)", 0],
      ["Mediana (30 cm)", 350],
      ["Familiar (38 cm)", 700],
    ],
    defaultOption: "Mediana (30 cm)",
  },
  {
    name: "Masa",
    shop: "Pizzería La Piedra",
    options: [
      ["Masa madre", 0],
      ["Delgada", 0],
      ["Integral", 80],
      ["Sin gluten", 200],
    ],
    defaultOption: "Masa madre",
  },
  {
    name: "Ingredientes de pizza",
    shop: "Pizzería La Piedra",
    options: [
      ["Champiñones", 120],
      ["Jamón", 150],
      ["Tocineta", 180],
      ["Pepperoni", 180],
      ["Maíz", 80],
      ["Aceitunas negras", 100],
      ["Pimentón", 70],
      ["Cebolla caramelizada", 90],
      ["Mozzarella extra", 200],
      ["Piña", 90],
    ],
  },
  {
    name: "Borde",
    shop: "Pizzería La Piedra",
    options: [
      ["Borde sencillo", 0],
      ["Relleno de queso", 250],
      ["Ajo y parmesano", 120],
    ],
    defaultOption: "Borde sencillo",
  },
  {
    name: "Tipo de pasta",
    options: [
      ["Espagueti", 0],
      ["Penne", 0],
      ["Fettuccine", 0],
      ["Ñoquis de papa", 120],
    ],
    defaultOption: "Espagueti",
  },
  {
    name: "Extras de arepa",
    shop: "Arepera Doña Carmen",
    options: [
      ["Aguacate", 100],
      ["Queso de mano", 120],
      ["Queso amarillo", 90],
      ["Huevo frito", 80],
      ["Tajadas", 70],
      ["Nata", 60],
      ["Caraotas negras", 60],
    ],
  },
  {
    name: "Cocción de la arepa",
    shop: "Arepera Doña Carmen",
    options: [
      ["Asada", 0],
      ["Frita", 20],
    ],
    defaultOption: "Asada",
  },
  {
    name: "Salsas",
    options: [
      ["Guasacaca", 0],
      ["Salsa de ajo", 0],
      ["Salsa rosada", 0],
      ["Picante de la casa", 0],
      ["Sin salsa", 0],
    ],
  },
  {
    name: "Tamaño de bebida",
    options: [
      ["350 ml", 0],
      ["500 ml", 60],
      ["1 litro", 150],
    ],
    defaultOption: "350 ml",
  },
  {
    name: "Azúcar",
    options: [
      ["Sin azúcar", 0],
      ["Poca azúcar", 0],
      ["Normal", 0],
      ["Papelón", 20],
    ],
    defaultOption: "Normal",
  },
  {
    name: "Bebida del combo",
    options: [
      ["Malta de la casa", 0],
      ["Papelón con limón", 0],
      ["Agua mineral", 0],
      ["Jugo de parchita", 50],
      ["Refresco de cola", 0],
    ],
    defaultOption: "Papelón con limón",
  },
  {
    name: "Corte",
    options: [
      ["Entero", 0],
      ["En bistecs", 0],
      ["En cubos", 0],
      ["Molido", 30],
      ["Mechado", 50],
    ],
    defaultOption: "Entero",
  },
  {
    name: "Grosor de la rebanada",
    shop: "Supermercado El Galeón",
    range: {
      min: 10,
      max: 50,
      decimates: 1,
      step: 5,
      default: 20,
      basePriceE2: 0,
      stepPriceE2: 0,
      unit: "mm",
    },
  },
  {
    name: "Madurez",
    shop: "Frutería La Huerta",
    options: [
      ["Verde", 0],
      ["Pintón", 0],
      ["Maduro para hoy", 0],
    ],
    defaultOption: "Pintón",
  },
  {
    name: "Porciones de torta",
    shop: "Panadería La Espiga",
    range: {
      min: 8,
      max: 40,
      decimates: 0,
      step: 4,
      default: 12,
      basePriceE2: 0,
      stepPriceE2: 450,
      unit: "porc.",
    },
  },
  {
    name: "Dedicatoria",
    shop: "Panadería La Espiga",
    text: { regex: SHORT_TEXT, hint: "Hasta 40 letras, por ejemplo «Feliz cumple, Ana»" },
  },
  {
    name: "Relleno de torta",
    shop: "Panadería La Espiga",
    options: [
      ["Arequipe", 0],
      ["Crema pastelera", 0],
      ["Chocolate", 150],
      ["Frutos rojos", 250],
    ],
    defaultOption: "Arequipe",
  },
  {
    name: "Horas de servicio",
    range: {
      min: 2,
      max: 8,
      decimates: 0,
      step: 1,
      default: 3,
      basePriceE2: 0,
      stepPriceE2: 1200,
      unit: "h",
    },
  },
  {
    name: "Mensaje del regalo",
    text: { regex: SHORT_TEXT, hint: "Aparece en la tarjeta" },
  },
  {
    name: "Sabor para mascotas",
    shop: "Mascotas del Valle",
    options: [
      ["Pollo", 0],
      ["Carne", 0],
      ["Salmón", 150],
      ["Cordero", 120],
    ],
    defaultOption: "Pollo",
  },
];

export const PIZZA: readonly PropertyUse[] = [
  { property: "Tamaño de pizza", displayName: "Tamaño", minCount: 1, maxCount: 1, isDynamic: true },
  { property: "Masa", displayName: "Masa", minCount: 1, maxCount: 1 },
  {
    property: "Ingredientes de pizza",
    displayName: "Agrega ingredientes",
    isMultiSelection: true,
    maxCount: 5,
    stackCount: 2,
  },
  { property: "Borde", displayName: "Borde", maxCount: 1 },
];

export const PASTA: readonly PropertyUse[] = [
  { property: "Tipo de pasta", displayName: "Elige la pasta", minCount: 1, maxCount: 1 },
];

export const AREPA: readonly PropertyUse[] = [
  { property: "Cocción de la arepa", displayName: "¿Asada o frita?", minCount: 1, maxCount: 1 },
  {
    property: "Extras de arepa",
    displayName: "Con todo lo que quieras",
    isMultiSelection: true,
    maxCount: 4,
    stackCount: 1,
  },
  {
    property: "Salsas",
    displayName: "Salsas (hasta 2 gratis)",
    isMultiSelection: true,
    isFree: true,
    maxCount: 2,
  },
];

export const SAUCES: readonly PropertyUse[] = [
  { property: "Salsas", displayName: "Elige tus salsas", isMultiSelection: true, isFree: true, maxCount: 3 },
];

export const FRESH_JUICE: readonly PropertyUse[] = [
  { property: "Tamaño de bebida", displayName: "Tamaño", minCount: 1, maxCount: 1, isDynamic: true },
  { property: "Azúcar", displayName: "Azúcar", minCount: 1, maxCount: 1, isFree: true },
];

export const COMBO_DRINK: readonly PropertyUse[] = [
  {
    property: "Bebida del combo",
    displayName: "Elige la bebida",
    minCount: 1,
    maxCount: 1,
    isConsumable: true,
  },
];

export const MEAT_CUT: readonly PropertyUse[] = [
  { property: "Corte", displayName: "¿Cómo la preparamos?", minCount: 1, maxCount: 1 },
];

export const SLICES: readonly PropertyUse[] = [
  { property: "Grosor de la rebanada", displayName: "Grosor de la rebanada", isFree: true },
];

export const RIPENESS: readonly PropertyUse[] = [
  { property: "Madurez", displayName: "Punto de madurez", maxCount: 1, isFree: true },
];

export const CAKE: readonly PropertyUse[] = [
  { property: "Porciones de torta", displayName: "Porciones", isDynamic: true },
  { property: "Relleno de torta", displayName: "Relleno", minCount: 1, maxCount: 1 },
  { property: "Dedicatoria", displayName: "Escribe tu dedicatoria", isFree: true, isAdminCustomizable: true },
];

export const GIFT: readonly PropertyUse[] = [
  { property: "Mensaje del regalo", displayName: "Mensaje", isFree: true },
];

export const SERVICE_HOURS: readonly PropertyUse[] = [
  { property: "Horas de servicio", displayName: "Horas", isDynamic: true, isAdminCustomizable: true },
];

export const PET_FLAVOUR: readonly PropertyUse[] = [
  { property: "Sabor para mascotas", displayName: "Sabor", minCount: 1, maxCount: 1 },
];
