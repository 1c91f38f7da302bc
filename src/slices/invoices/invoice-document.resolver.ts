import { Mutation, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import {
  CompleteInvoiceDocumentInput,
  CreateInvoiceDocumentInput,
  RefundInvoiceDocumentInput,
} from "./invoice-document.inputs.js";
import { InvoiceDocument, invoiceDocumentList } from "./invoice-document.model.js";
import { complete, invoiceDocumentService, refund } from "./invoice-document.service.js";

/** Lists, shows and creates documents; nobody deletes one. */
export const invoiceDocumentCrud = resourceResolvers({
  model: "InvoiceDocument",
  type: InvoiceDocument,
  list: invoiceDocumentList,
  plural: "invoiceDocuments",
  area: "invoices",
  create: CreateInvoiceDocumentInput,
  deletable: false,
  service: invoiceDocumentService,
});

@Resolver(() => InvoiceDocument)
export class InvoiceDocumentResolver {
  @RequirePermission("can_refund_invoices")
  @Audited()
  @Mutation(() => InvoiceDocument, {
    description:
      "Refunds a document by a new one, which it answers: of the given type, about the same record and for the same target, " +
      "with `relatedDocumentId` the original's `documentId`. INVALID_STATE when it is refunded already, for a refund, and " +
      "for a document without `documentId`.",
  })
  refundInvoiceDocument(
    @Company() company: CompanyScope,
    @EntityId("invoiceDocumentId", "InvoiceDocument") invoiceDocumentId: number,
    @Input(() => RefundInvoiceDocumentInput, { description: "The refund." })
    input: RefundInvoiceDocumentInput,
  ) {
    return refund(company, invoiceDocumentId, input);
  }

  @RequirePermission("can_edit_invoices")
  @Audited()
  @Mutation(() => InvoiceDocument, {
    description:
      "Writes down what the fiscal printer answered for a document, at this moment unless `completedAt` is given. " +
      "INVALID_STATE for a document that was completed without errors, which never changes; CONFLICT for a number that another " +
      "document of the type has.",
  })
  completeInvoiceDocument(
    @Company() company: CompanyScope,
    @EntityId("invoiceDocumentId", "InvoiceDocument") invoiceDocumentId: number,
    @Input(() => CompleteInvoiceDocumentInput, { description: "The answer." })
    input: CompleteInvoiceDocumentInput,
  ) {
    return complete(company, invoiceDocumentId, input);
  }
}
