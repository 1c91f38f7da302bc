/** Where names beyond the bound are counted together. */
export const OTHER_NAMES = "other";

const MOST_NAMES = 500;

/**
 * Keeps the first names as they are and calls all later ones `other`: callers choose the names of their GraphQL
 * operations, and each name costs memory here and in whatever collects the metrics.
 */
export function boundedNames(most = MOST_NAMES): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size >= most) return OTHER_NAMES;
    known.add(name);
    return name;
  };
}
