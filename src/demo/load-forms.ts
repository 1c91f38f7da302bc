import { FORM_TYPES } from "../slices/forms/form.model.js";
import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";
import type { LoadedShops } from "./load-shops.js";

/** The forms of the company, at each of its branches. */
export async function loadForms(
  { db, companyId, data }: DemoTarget,
  { branches }: Pick<LoadedShops, "branches">,
): Promise<void> {
  await insertRows(
    db,
    "Form",
    branches.flatMap(({ id: branchId }) =>
      data.forms.map(({ type, components, currency, disabled = false, ...form }) => ({
        companyId,
        branchId,
        ...form,
        disabled,
        type: FORM_TYPES[type],
        currencyIso: currency?.iso ?? null,
        taxFlatE2: currency?.taxFlatE2 ?? 0,
        taxPercent: currency?.taxPercent ?? 0,
        data: components,
      })),
    ),
  );
}
