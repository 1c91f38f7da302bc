import "./invoices.permissions.js";
import { invoiceDocumentCrud, InvoiceDocumentResolver } from "./invoice-document.resolver.js";

/** Resolvers of invoice documents. */
export const invoicesResolvers = [...invoiceDocumentCrud, InvoiceDocumentResolver] as const;
