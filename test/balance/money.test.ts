import { formatMoney } from "../../src/slices/balance/money.rules.js";

it.each([
  [123456789n, "USD", "USD 1,234,567.89", "$1,234,567.89"],
  [-50n, "EUR", "-EUR 0.50", "-€0.50"],
  [0n, "USD", "USD 0.00", "$0.00"],
  [150000n, "JPY", "JPY 1,500", "¥1,500"],
  [150050n, "JPY", "JPY 1,500.50", "¥1,500.50"],
  [1234n, "KWD", "KWD 12.340", "KWD 12.340"],
  [900719925474099199n, "USD", "USD 9,007,199,254,740,991.99", "$9,007,199,254,740,991.99"],
  [1250n, "USDT", "USDT 12.50", "USDT 12.50"],
  [100000n, "points", "points 1,000.00", "points 1,000.00"],
])("writes %s of %s exactly", (amountE2, currency, formattedIso, formatted) => {
  expect(formatMoney(amountE2, currency)).toEqual({ formattedIso, formatted });
});
