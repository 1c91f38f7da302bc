/** A variant that a good's row lists: the sku of its own row, and its values by the codes of their attributes. */
export interface ListedVariant {
  readonly sku: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Reads the variants that Magento lists of a good, such as `sku=S-M,size=M,color=Red|sku=S-L,size=L,color=Red`. */
export function listedVariants(text: string): ListedVariant[] {
  return text
    .split("|")
    .map(pairsOf)
    .flatMap((pairs) => {
      const { sku = "", ...values } = Object.fromEntries(pairs);
      return pairs.size === 0 ? [] : [{ sku, values: new Map(Object.entries(values)) }];
    });
}

/**
 * Reads pairs such as `size=Size,color=Colour`. A comma within a value is none before a code and its sign; a value may stand
 * between quotes, which are doubled within.
 */
export function pairsOf(text: string): Map<string, string> {
  return new Map(
    text.split(/,(?=\s*[a-z][a-z0-9_]*=)/iu).flatMap((pair): [string, string][] => {
      const at = pair.indexOf("=");
      const code = pair.slice(0, Math.max(at, 0)).trim().toLowerCase();
      return code === "" ? [] : [[code, unquoted(pair.slice(at + 1).trim())]];
    }),
  );
}

function unquoted(value: string): string {
  const between = /^"(?<text>.*)"$/su.exec(value)?.groups?.["text"];
  return between === undefined ? value : between.replaceAll('""', '"');
}
