import type { FormCurrencyInput } from "./form.inputs.js";
import type { FormCurrency } from "./form.model.js";

/** What of a form its currency is read from. */
export interface FormWithCurrency {
  readonly id: number;
  readonly companyId: number;
  readonly branchId: number;
  readonly disabled: boolean;
  readonly currencyIso: string | null;
  readonly taxFlatE2: bigint;
  readonly taxPercent: number | { toString(): string };
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly version: number;
}

const KNOWN: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** Returns the currency of a form with all that clients need to write its amounts; none is converted. */
export function describeCurrency(form: FormWithCurrency, companyIso: string): FormCurrency {
  const iso = form.currencyIso ?? companyIso;
  const isLocal = iso.toUpperCase() === companyIso.toUpperCase();
  return {
    id: form.id,
    iso,
    taxFlatE2: form.taxFlatE2,
    taxPercent: Number(form.taxPercent),
    enabled: !form.disabled,
    available: true,
    ...notationOf(iso.toUpperCase()),
    isLocal,
    isInternational: !isLocal,
    conversionFactor: isLocal ? 1 : null,
    useConversion: false,
    relatedIso: null,
    relatedIsoExpected: null,
    relatedIsoError: null,
    autoSync: false,
    autoSyncProvider: null,
    companyId: form.companyId,
    branchId: form.branchId,
    createdAt: form.createdAt,
    updatedAt: form.updatedAt,
    version: form.version,
  };
}

/** Whether a currency that was sent is what a form shows that has none of its own. */
export function showsCurrency(
  { currencyIso, taxFlatE2, taxPercent }: Pick<FormWithCurrency, "currencyIso" | "taxFlatE2" | "taxPercent">,
  companyIso: string,
  sent: FormCurrencyInput | null | undefined,
): boolean {
  return (
    currencyIso === null &&
    sent?.iso.toUpperCase() === companyIso.toUpperCase() &&
    BigInt(sent.taxFlatE2) === taxFlatE2 &&
    sent.taxPercent === Number(taxPercent)
  );
}

type Notation = Pick<
  FormCurrency,
  | "symbol"
  | "decimalsCount"
  | "format"
  | "decimalPoint"
  | "useThousandsSeparator"
  | "thousandsSeparator"
  | "isCustom"
>;

const PLAIN = { format: "%s%v", decimalPoint: ".", useThousandsSeparator: true, thousandsSeparator: "," };

function notationOf(iso: string): Notation {
  if (!KNOWN.has(iso)) return { ...PLAIN, symbol: iso, decimalsCount: 2, isCustom: true };
  const format = new Intl.NumberFormat("en", {
    style: "currency",
    currency: iso,
    currencyDisplay: "narrowSymbol",
  });
  const symbol = format.formatToParts(0).find(({ type }) => type === "currency")?.value ?? iso;
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return { ...PLAIN, symbol, decimalsCount: maximumFractionDigits, isCustom: false };
}
