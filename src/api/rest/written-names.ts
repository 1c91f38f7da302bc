/** A name with whole brackets, such as `filter[or][0][price_e2][gte]`. */
const WHOLE = /^[^[\]]*(?:\[[^[\]]*\])*$/u;

/**
 * The names of a query's parameters as they were written. The parsed query does not show which of them came twice, nor
 * what stood beside their brackets.
 */
export class WrittenNames {
  private readonly times = new Map<string, number>();

  constructor(url: string) {
    const start = url.indexOf("?");
    if (start < 0) return;
    for (const part of url.slice(start + 1).split("&")) {
      const name = nameOf(part);
      this.times.set(name, (this.times.get(name) ?? 0) + 1);
    }
  }

  /** Returns the names that begin with a parameter and have brackets that are not whole. */
  brokenWithin(parameter: string): string[] {
    const isWithin = (name: string): boolean =>
      name.startsWith(parameter) && /^\s*[[\]]/u.test(name.slice(parameter.length));
    const isWhole = (name: string): boolean => name.startsWith(`${parameter}[`) && WHOLE.test(name);
    return [...this.times.keys()].filter((name) => isWithin(name) && !isWhole(name));
  }

  isRepeated(name: string): boolean {
    return (this.times.get(name) ?? 0) > 1;
  }

  /** Returns a name that goes on where one that came, too, ends: `filter[price_e2][gte]` for `filter[price_e2]`. */
  beyond(name: string): string | undefined {
    if (!this.times.has(name)) return undefined;
    return [...this.times.keys()].find((other) => other.startsWith(`${name}[`));
  }
}

/** Reads the name of a parameter as the parser of queries does: an `=` within brackets belongs to the name. */
function nameOf(part: string): string {
  const text = part.replaceAll(/%5B/giu, "[").replaceAll(/%5D/giu, "]");
  const end = text.includes("]=") ? text.indexOf("]=") + 1 : text.indexOf("=");
  const name = (end < 0 ? text : text.slice(0, end)).replaceAll("+", " ");
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
