import { sql, type Sql } from "../../../core/db/sql.js";
import type { CompanyFacts } from "../../../core/scope/company-scope.js";
import type { SearchLanguage } from "../../companies/company-settings.model.js";

/** PostgreSQL's dictionaries of stop words and stems. */
const DICTIONARIES: Readonly<Record<SearchLanguage, string>> = {
  en: "english_stem",
  fr: "french_stem",
  de: "german_stem",
  pt: "portuguese_stem",
  es: "spanish_stem",
};

type Languages = Pick<CompanyFacts, "searchLanguages">;

/** The dictionaries of the languages by which a company's goods are searched. */
export function dictionariesOf({ searchLanguages }: Languages): string[] {
  return (
    searchLanguages?.map((language) => DICTIONARIES[language as SearchLanguage]) ??
    Object.values(DICTIONARIES)
  );
}

/** The same as the last argument of a SQL function, which asks all of them where it has none. */
export function dictionariesArgument(company: Languages): Sql {
  return company.searchLanguages === null ? sql.empty : sql`, ${dictionariesOf(company)}::regdictionary[]`;
}
