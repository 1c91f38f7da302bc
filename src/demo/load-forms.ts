import { FORM_TYPES } from "../slices/forms/form.model.js";
import type { DemoTarget } from "./demo-target.js";
import type { LoadedShops } from "./load-shops.js";

/** The forms of the company, at each of its branches. */
export async function loadForms(
  { db, companyId, data }: DemoTarget,
  { branches }: Pick<LoadedShops, "branches">,
): Promise<void> {
  await db.form.createMany({
    data: branches.flatMap(({ id: branchId }) =>
      data.forms.map(({ type, components, currency, ...form }) => ({
        companyId,
        branchId,
        ...form,
        type: FORM_TYPES[type],
        ...(currency !== undefined && {
          currencyIso: currency.iso,
          taxFlatE2: currency.taxFlatE2,
          taxPercent: currency.taxPercent,
        }),
        data: components,
      })),
    ),
  });
}
