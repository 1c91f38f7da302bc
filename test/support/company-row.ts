import type { CompanyFacts } from "../../src/core/scope/company-scope.js";

/** Returns what operations know of a company that is open. */
export const companyFacts = (id: number): CompanyFacts => ({
  id,
  timeZoneOffset: "+00:00",
  currencyIso: "USD",
  searchLanguages: null,
  enabled: true,
  endsAt: new Date("2099-01-01T00:00:00Z"),
});

/** Returns the row of a new company whose texts all follow from its name. */
export const companyRow = (name: string) => ({
  name,
  email: `${name}@example.com`,
  domain: name,
  folderName: name,
  expiresAt: new Date("2099-01-01T00:00:00Z"),
  defaultIsoLang: "en",
  countryIso: "US",
  stringsJson: { strings: [], version: 1 },
  stylesJson: { styles: {}, version: 1 },
});
