import type { FormData } from "../demo-company.js";

export const SPREEWERK_FORMS: readonly FormData[] = [
  {
    type: "payment",
    name: "Überweisung",
    internalName: "spreewerk_pm",
    icon: 1,
    currency: { iso: "EUR", taxFlatE2: 0, taxPercent: 0 },
    components: [
      { text: { question: "Überweisung", content: "Spreewerk GmbH\nIBAN DE00 0000 0000 0000 0000 00" } },
      {
        input: {
          question: "Kontoinhaber",
          required: true,
          hint: "Wie auf dem Konto",
          type: "bank",
        },
      },
      { input: { question: "Überwiesen am", required: true, type: "date", key: true } },
    ],
  },
  {
    type: "pod",
    name: "Übergabe",
    icon: 6,
    components: [
      { input: { question: "Übergeben an", required: true, type: "text" } },
      { boolean: { question: "Ware unbeschädigt", required: true } },
      { file: { question: "Unterschrift", required: true, allowed_types: ["image/png"], type: "image" } },
    ],
  },
];
