import { LRUCache } from "lru-cache";
import { formatAmount } from "../../core/money.js";

/** An amount as a text, with the code of its currency and with its sign. */
export interface FormattedAmount {
  readonly formattedIso: string;
  readonly formatted: string;
}

const MOST_FORMATS = 200;
const formats = new LRUCache<string, Intl.NumberFormat>({ max: MOST_FORMATS });

/**
 * Writes an amount as its currency is written: `USD 1,234.50` and `$1,234.50`. No digit is rounded away: yen have no
 * decimals, unless the amount has some. The amount stays a decimal text on its way, never a binary fraction.
 */
export function formatMoney(amountE2: bigint, currencyIso: string): FormattedAmount {
  return {
    formattedIso: written(amountE2, currencyIso, "code"),
    formatted: written(amountE2, currencyIso, "symbol"),
  };
}

function written(amountE2: bigint, currencyIso: string, currencyDisplay: "code" | "symbol"): string {
  const hasDecimals = amountE2 % 100n !== 0n;
  const key = `${currencyIso} ${currencyDisplay} ${hasDecimals}`;
  let format = formats.get(key);
  if (format === undefined) formats.set(key, (format = formatOf(currencyIso, currencyDisplay, hasDecimals)));
  const text = format.format(formatAmount(amountE2) as Intl.StringNumericLiteral).replaceAll("\u00a0", " ");
  return format.resolvedOptions().style === "currency" ? text : `${currencyIso} ${text}`;
}

/** The format of a currency; of one that has no ISO code of three letters, that of its plain number. */
function formatOf(
  currency: string,
  currencyDisplay: "code" | "symbol",
  hasDecimals: boolean,
): Intl.NumberFormat {
  const decimals = hasDecimals ? { minimumFractionDigits: 2 } : {};
  if (!/^[A-Z]{3}$/u.test(currency))
    return new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const plain = new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay });
  const { minimumFractionDigits = 0 } = plain.resolvedOptions();
  return hasDecimals && minimumFractionDigits < 2
    ? new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay, ...decimals })
    : plain;
}
