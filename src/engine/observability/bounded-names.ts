/** Names beyond the bound are counted together under this one. */
export const OTHER_NAMES = "other";

const MOST_NAMES = 500;

/**
 * Returns a function that keeps the first names and calls all later ones `other`. Callers choose the names of their
 * GraphQL operations, and each name costs memory, in this process and wherever metrics are collected.
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
