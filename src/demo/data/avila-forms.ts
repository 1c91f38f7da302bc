import type { FormData } from "../demo-company.js";

/** Two ways to pay, the second switched off, and a proof of delivery. */
export const AVILA_FORMS: readonly FormData[] = [
  {
    type: "payment",
    name: "Pago móvil",
    internalName: "avila_pm",
    icon: 2,
    currency: { iso: "USD", taxFlatE2: 25, taxPercent: 0.015 },
    components: [
      {
        text: {
          question: "Pago móvil",
          content: "Banco Ávila (0199)\nTeléfono 0412-5550100\nRIF J-00000000-0",
        },
      },
      {
        option: {
          question: "Banco emisor",
          required: true,
          choices: ["Banco Ávila", "Banco del Valle"],
          type: "bank",
        },
      },
      {
        input: {
          question: "Número de referencia",
          required: true,
          hint: "8 dígitos",
          regex: "/^[0-9]{8}$/",
          type: "text",
          key: true,
        },
      },
      { input: { question: "Fecha del pago", required: true, type: "date" } },
      {
        file: {
          question: "Comprobante",
          required: false,
          allowed_types: ["image/png", "image/jpeg"],
          type: "image",
        },
      },
      {
        text_button: {
          question: "¿Dónde está la referencia?",
          content: "Su banco la muestra al confirmar el pago.",
          button_text: "Ver ejemplo",
          button_content: "Operación exitosa. Referencia 00123456",
        },
      },
      { boolean: { question: "El pago está hecho", required: true } },
    ],
  },
  {
    type: "pod",
    name: "Entrega",
    icon: 7,
    components: [
      { text: { question: "Entrega", content: "Complete la entrega en la puerta del cliente." } },
      { input: { question: "Recibido por", required: true, hint: "Nombre y apellido", type: "text" } },
      {
        option: {
          question: "¿Quién recibió?",
          required: true,
          choices: ["El cliente", "Un vecino", "Vigilancia"],
        },
      },
      { boolean: { question: "Pedido completo", required: true } },
      { file: { question: "Foto de la entrega", required: true, allowed_types: ["image/*"], type: "image" } },
      { input: { question: "Notas", type: "text_area" } },
    ],
  },
  {
    type: "payment",
    name: "Transferencia en euros",
    internalName: "avila_ci",
    icon: 3,
    disabled: true,
    currency: { iso: "EUR", taxFlatE2: 0, taxPercent: 0.03 },
    components: [
      { text: { question: "Transferencia", content: "IBAN ES00 0000 0000 0000 0000 0000" } },
      { input: { question: "Referencia", required: true, type: "text", key: true } },
    ],
  },
];
