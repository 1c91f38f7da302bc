import type { ShopsData } from "../demo-company.js";
import { week } from "./opening-hours.js";

const SHOP = week([["10:00", "19:00"]], [["10:00", "18:00"]], []);
const WORKSHOP = week([["08:00", "17:00"]], [["09:00", "13:00"]], []);
const SHOWROOM = week(
  [
    ["09:30", "13:00"],
    ["14:00", "19:00"],
  ],
  [["10:00", "16:00"]],
  [],
);

export const SPREEWERK_SHOPS: ShopsData = {
  cities: [
    { name: "Berlin", latitudeE6: 52_520_008, longitudeE6: 13_404_954 },
    { name: "Potsdam", latitudeE6: 52_390_569, longitudeE6: 13_064_473 },
    { name: "Leipzig", latitudeE6: 51_339_695, longitudeE6: 12_373_075 },
  ],
  branchCategories: ["Elektronik", "Haushalt", "Bauen und Wohnen", "Dienstleistungen"],
  shops: [
    {
      name: "Spreewerk Elektronik",
      category: "Elektronik",
      branches: [
        {
          name: "Elektronik Mitte",
          city: "Berlin",
          address: "Rosenthaler Straße 58, 10178 Berlin",
          latitudeE6: 52_528_600,
          longitudeE6: 13_401_700,
          hours: SHOP,
          deliveryRadius: 15_000,
        },
        {
          name: "Elektronik Potsdam",
          city: "Potsdam",
          address: "Brandenburger Straße 31, 14467 Potsdam",
          latitudeE6: 52_400_400,
          longitudeE6: 13_056_100,
          hours: SHOP,
          deliveryRadius: 12_000,
        },
        {
          name: "Elektronik Leipzig",
          city: "Leipzig",
          address: "Karl-Liebknecht-Straße 44, 04107 Leipzig",
          latitudeE6: 51_325_800,
          longitudeE6: 12_374_200,
          hours: SHOP,
          deliveryRadius: 12_000,
        },
      ],
    },
    {
      name: "Spreewerk Haushalt",
      category: "Haushalt",
      branches: [
        {
          name: "Haushalt Neukölln",
          city: "Berlin",
          address: "Karl-Marx-Straße 92, 12043 Berlin",
          latitudeE6: 52_479_700,
          longitudeE6: 13_436_600,
          hours: SHOWROOM,
          deliveryRadius: 25_000,
        },
        {
          name: "Haushalt Charlottenburg",
          city: "Berlin",
          address: "Wilmersdorfer Straße 117, 10627 Berlin",
          latitudeE6: 52_508_700,
          longitudeE6: 13_306_000,
          hours: SHOWROOM,
          deliveryRadius: 25_000,
        },
      ],
    },
    {
      name: "Spreewerk Baudepot",
      category: "Bauen und Wohnen",
      branches: [
        {
          name: "Baudepot Lichtenberg",
          city: "Berlin",
          address: "Herzbergstraße 40, 10365 Berlin",
          latitudeE6: 52_527_800,
          longitudeE6: 13_489_100,
          hours: WORKSHOP,
          deliveryRadius: 30_000,
        },
      ],
    },
    {
      name: "Spreewerk Service",
      category: "Dienstleistungen",
      branches: [
        {
          name: "Service Kreuzberg",
          city: "Berlin",
          address: "Oranienstraße 161, 10969 Berlin",
          latitudeE6: 52_501_900,
          longitudeE6: 13_413_400,
          hours: WORKSHOP,
          deliveryRadius: 30_000,
        },
        {
          name: "Service Potsdam",
          city: "Potsdam",
          address: "Friedrich-Ebert-Straße 88, 14467 Potsdam",
          latitudeE6: 52_404_100,
          longitudeE6: 13_059_300,
          hours: WORKSHOP,
          deliveryRadius: 20_000,
        },
      ],
    },
  ],
  geofences: [
    {
      name: "Berlin und Umland",
      type: "delivery",
      data: { shape: "circle", radius: 45_000, coordinates: [[13_404_954, 52_520_008]] },
    },
    {
      name: "Leipzig",
      type: "delivery",
      data: { shape: "circle", radius: 18_000, coordinates: [[12_373_075, 51_339_695]] },
    },
    {
      name: "Umweltzone Innenstadt",
      type: "service",
      data: {
        shape: "polygon",
        coordinates: [
          [13_283_000, 52_479_000],
          [13_478_000, 52_472_000],
          [13_474_000, 52_549_000],
          [13_289_000, 52_547_000],
        ],
      },
    },
  ],
  fleets: ["Lastenräder Berlin", "Elektrotransporter", "Montageteams"],
  services: [
    {
      name: "Lieferung",
      type: 0,
      charges: ["Lieferung bis Bordsteinkante", "Lieferung bis zum Verwendungsort", "Wunschtermin"],
    },
    {
      name: "Montage vor Ort",
      type: 2,
      charges: ["Anfahrt Berlin", "Anfahrt Brandenburg", "Zuschlag am Samstag"],
    },
    { name: "Altgeräte-Mitnahme", type: 1, charges: ["Mitnahme Großgerät", "Mitnahme Kleingerät"] },
  ],
  providers: [
    { name: "Jonas Albrecht", city: "Berlin", shops: ["Spreewerk Service", "Spreewerk Elektronik"] },
    { name: "Aylin Demir", city: "Berlin", shops: ["Spreewerk Service", "Spreewerk Haushalt"] },
    { name: "Torsten Wieczorek", city: "Berlin", shops: ["Spreewerk Baudepot", "Spreewerk Service"] },
    { name: "Katharina Böhm", city: "Potsdam", shops: ["Spreewerk Elektronik", "Spreewerk Service"] },
    { name: "Minh Anh Nguyen", city: "Berlin", shops: ["Spreewerk Elektronik"] },
    { name: "Sebastian Krüger", city: "Leipzig", shops: ["Spreewerk Elektronik"] },
    { name: "Paulina Nowak", city: "Berlin", shops: ["Spreewerk Haushalt", "Spreewerk Baudepot"] },
    { name: "Emre Yıldız", city: "Berlin", shops: ["Spreewerk Service"], enabled: false },
  ],
};
