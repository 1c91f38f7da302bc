import { CURRENCY_SCHEMA } from "../../core/inputs/input-fields.js";
import {
  createParameterDecorator,
  Ctx,
  Extensions,
  FieldResolver,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import type { JsonSchema } from "../../core/inputs/json-schema.js";
import { Audited } from "../../core/operations/audited.js";
import { ChangesRow } from "../../core/operations/changed-row.js";
import {
  ARGUMENT_SCHEMA,
  Company,
  EntityId,
  Input,
  Offset,
} from "../../core/operations/operation-arguments.js";
import { NamesRow, type NamedRow } from "../../core/operations/named-row.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { describeCurrency, type FormWithCurrency } from "./form-currency.rules.js";
import {
  CreateFormInput,
  FormInput,
  FormSubmissionInput,
  UpdateFormInput,
  UploadFormLabelInput,
} from "./form.inputs.js";
import { Form, FormCurrency, formList, FormSubmissionCheck, FormTax } from "./form.model.js";
import { fitsBranch, patternsAreLinear } from "./form.rule.js";
import * as formService from "./form.service.js";

/** Lists, shows, creates, changes and deletes forms by their ids. */
export const formCrud = resourceResolvers({
  model: "Form",
  type: Form,
  list: formList,
  plural: "forms",
  area: "forms",
  create: CreateFormInput,
  createRule: patternsAreLinear,
  update: UpdateFormInput,
  updateRule: patternsAreLinear,
  service: formService.formService,
});

/** An argument with bounds; null when it is absent. */
const TypedArgument = (
  name: string,
  type: () => object,
  { description, schema, nullable = false }: { description: string; schema: JsonSchema; nullable?: boolean },
) => {
  const parameter = createParameterDecorator<OperationContext>(({ args }): unknown => args[name] ?? null, {
    arg: { name, typeFunc: type as () => typeof String, options: { description, nullable } },
  });
  return (prototype: object, method: string | symbol | undefined, index: number): void => {
    const bounds = nullable ? { ...schema, nullable } : schema;
    (Extensions({ [ARGUMENT_SCHEMA + name]: bounds }) as MethodDecorator)(prototype, method as string, {});
    parameter(prototype, method as string, index);
  };
};

const FORM_TYPE = TypedArgument("formType", () => String, {
  description:
    "`payment` or `pod` for the branch's first form of that type, or the id of one of its forms as text.",
  schema: { text: "verbatim" },
});

/** The argument `formType`, by which a form of a branch is found; it is compared as it was sent. */
const FormTypeArgument =
  (find: NamedRow = formService.namedForm) =>
  (prototype: object, method: string | symbol | undefined, index: number): void => {
    NamesRow(find)(prototype, method as string, {});
    FORM_TYPE(prototype, method, index);
  };

@Resolver(() => Form)
export class FormResolver {
  @FieldResolver(() => FormCurrency, { description: "Its currency, and what is charged for paying by it." })
  currency(@Root() form: FormWithCurrency, @Ctx() context: OperationContext): FormCurrency {
    return describeCurrency(form, context.companyScope(form.companyId).company.currencyIso);
  }

  @RequirePermission("access_forms", { orAnyClient: true })
  @Query(() => [Form], {
    description:
      "The payment forms of a marketplace, from the oldest on, for clients those that are enabled. INVALID_STATE when the " +
      "company is no marketplace.",
  })
  paymentForms(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @Offset() offset: number,
  ) {
    return formService.listPaymentForms(company, branchId, offset);
  }

  @RequirePermission("access_forms", { orAnyClient: true })
  @Query(() => Int, { description: "How many payment forms a marketplace has." })
  paymentFormsCount(@Company() company: CompanyScope, @EntityId("branchId", "Branch") branchId: number) {
    return formService.countPaymentForms(company, branchId);
  }

  @RequirePermission("access_forms", { orAnyClient: true })
  @Query(() => Form, {
    description: "A form of a branch, for clients one that is enabled. NOT_FOUND when there is none.",
  })
  formOfBranch(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @FormTypeArgument() formType: string,
  ) {
    return formService.getForm(company, branchId, formType);
  }

  @RequirePermission("access_forms", { orAnyClient: true })
  @Query(() => FormTax, {
    description:
      "What paying an order by a form costs: flat + percent × (order + tip), rounded half up (contract §23.3).",
  })
  formTax(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @FormTypeArgument(formService.namedFormOfOrder) formType: string,
    @TypedArgument("orderE2", () => SafeInt, {
      description: "The order, in hundredths (at least 0).",
      schema: { minimum: 0 },
    })
    orderE2: number,
    @TypedArgument("tipE2", () => SafeInt, {
      description: "The tip, in hundredths (at least 0).",
      schema: { minimum: 0 },
    })
    tipE2: number,
    @TypedArgument("currencyToUse", () => String, {
      description:
        "The currency of the amounts; of several forms of the type the first in it is taken. Null: that of the form " +
        "(3 to 8 letters).",
      schema: CURRENCY_SCHEMA,
      nullable: true,
    })
    currencyToUse: string | null,
    @TypedArgument("orderBranchId", () => Int, {
      description: "The branch that the order is for, whose form is taken; null: the branch itself.",
      schema: {},
      nullable: true,
    })
    orderBranchId: number | null,
  ) {
    return formService.getTax(company, branchId, formType, { orderE2, tipE2, currencyToUse, orderBranchId });
  }

  @RequirePermission("access_forms", { orAnyClient: true })
  @NamesRow(formService.offeredForm)
  @Query(() => FormSubmissionCheck, {
    description:
      "What is wrong with the answers to a form, by the rules of its components (contract §23.4). Nothing is stored.",
  })
  validateFormSubmission(
    @Company() company: CompanyScope,
    @EntityId("formId", "Form") formId: number,
    @Input(() => FormSubmissionInput, { description: "The answers." }) { answers }: FormSubmissionInput,
  ) {
    return formService.checkSubmission(company, formId, answers);
  }

  @RequirePermission("can_edit_forms")
  @Audited()
  @ChangesRow("Form", formService.lockedFormId)
  @Mutation(() => Form, {
    description:
      "Creates or replaces a form of a branch: `payment` or `pod` the first of that type, a new one where there is none, " +
      "else the one with that id. Its state and its label stay.",
  })
  putForm(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @FormTypeArgument(formService.namedOrNewForm) formType: string,
    @Input(() => FormInput, { description: "The form.", stored: fitsBranch }) input: FormInput,
  ) {
    return formService.putForm(company, branchId, formType, input);
  }

  @RequirePermission("can_edit_forms")
  @Audited()
  @Mutation(() => Form, { description: "Adds a payment form to a branch." })
  addPaymentForm(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @Input(() => FormInput, { description: "The form.", stored: fitsBranch }) input: FormInput,
  ) {
    return formService.addPaymentForm(company, branchId, input);
  }

  @RequirePermission("can_edit_forms")
  @Audited()
  @ChangesRow("Form", formService.lockedFormId)
  @Mutation(() => Form, { description: "Deletes a form of a branch; answers what it was." })
  deleteFormOfBranch(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @FormTypeArgument() formType: string,
  ) {
    return formService.removeForm(company, branchId, formType);
  }

  @RequirePermission("can_edit_forms")
  @Audited()
  @ChangesRow("Form", formService.lockedFormId)
  @Mutation(() => Form, { description: "Enables a form of a branch; again: the same." })
  enableForm(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @FormTypeArgument() formType: string,
  ) {
    return formService.setDisabled(company, branchId, formType, false);
  }

  @RequirePermission("can_edit_forms")
  @Audited()
  @ChangesRow("Form", formService.lockedFormId)
  @Mutation(() => Form, {
    description: "Disables a form of a branch, so that clients are not offered it; again: the same.",
  })
  disableForm(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @FormTypeArgument() formType: string,
  ) {
    return formService.setDisabled(company, branchId, formType, true);
  }

  @RequirePermission("can_edit_forms")
  @Audited()
  @Mutation(() => Form, {
    description: "Gives a form another label; null removes it. The old one is removed.",
  })
  uploadFormLabel(
    @Company() company: CompanyScope,
    @EntityId("formId", "Form") formId: number,
    @Input(() => UploadFormLabelInput, { description: "The label." }) { image }: UploadFormLabelInput,
  ) {
    return formService.setLabel(company, formId, image === null ? null : image?.key);
  }
}
