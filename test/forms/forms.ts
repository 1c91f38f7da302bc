import { unique } from "../support/factories.js";
import type { Gateway } from "../support/gateway.js";

/** One component of each kind, as a form takes them. */
export const EVERY_COMPONENT = [
  { text: { question: "Transfer", content: "Account 1\nAccount 2" } },
  {
    input: {
      question: "Reference",
      required: true,
      hint: "8 digits",
      regex: "/^[0-9]{8}$/",
      type: "text",
      key: true,
    },
  },
  { option: { question: "Bank", required: true, choices: ["Bank A", "Bank B"], type: "bank" } },
  { boolean: { question: "Paid", required: true } },
  { text_button: { question: "Help", content: "How", button_text: "Read", button_content: "Long" } },
  { file: { question: "Receipt", required: true, allowed_types: ["image/*", ".pdf"], type: "file" } },
];

export const PAYMENT = 1;
export const POD = 2;

export const formsPath = (companyId: number, branchId: number) =>
  `/companies/${companyId}/branches/${branchId}/forms`;

/** Creates a payment form of a branch. */
export function createForm(
  { db }: Gateway,
  companyId: number,
  branchId: number,
  overrides: object = {},
): Promise<{ id: number; name: string | null; updatedAt: Date }> {
  return db.form.create({ data: { companyId, branchId, type: PAYMENT, name: unique(), ...overrides } });
}
