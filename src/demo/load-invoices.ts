import { formatAmount } from "../core/money.js";
import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";
import { minutesBefore } from "./moment.js";
import type { Random } from "./random.js";

const INVOICED = 20;
const REFUNDED = 2;

/** Invoices of the last delivered orders; of the oldest of them there are refunds, which the fiscal printer has not completed. */
export async function loadInvoices({ db, companyId, data, random }: DemoTarget): Promise<void> {
  const orders = await db.order.findMany({
    where: { companyId, status: "delivered", clientId: { not: null } },
    orderBy: { id: "desc" },
    take: INVOICED,
  });
  const invoices = await insertRows(
    db,
    "InvoiceDocument",
    orders.map(({ id, clientId, totalE2, currencyIso, createdAt }, index) => {
      const number = 1_000 + orders.length - index;
      return {
        companyId,
        type: "invoice",
        reference: `${data.profile.folderName}-${id}`,
        issuedAt: createdAt,
        completedAt: new Date(createdAt.getTime() + 2_345),
        documentId: uuid(random),
        payload: {
          result: {
            strongId: uuid(random),
            serie: "A",
            number,
            currency: currencyIso,
            grandTotal: formatAmount(totalE2),
            status: "issued",
          },
          information: [],
          success: [],
          hasErrors: false,
        },
        relatedType: "order",
        relatedId: id,
        targetType: "client",
        targetId: clientId ?? 0,
        number,
        control: 50_000 + number,
        createdAt,
        updatedAt: createdAt,
      };
    }),
    ["id", "reference", "relatedType", "relatedId", "targetType", "targetId", "documentId"],
  );
  await insertRows(
    db,
    "InvoiceDocument",
    invoices.slice(-REFUNDED).map((original) => ({
      companyId,
      type: "credit_note",
      reference: original.reference,
      issuedAt: minutesBefore(30),
      documentId: uuid(random),
      relatedType: original.relatedType,
      relatedId: original.relatedId,
      targetType: original.targetType,
      targetId: original.targetId,
      relatedDocumentId: original.documentId,
      refundOfId: original.id,
    })),
  );
}

/** The demo data are the same each time, so its UUIDs are too. */
function uuid(random: Random): string {
  const digits = (count: number) =>
    random
      .int(0, 16 ** count - 1)
      .toString(16)
      .padStart(count, "0");
  return `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(6)}${digits(6)}`;
}
