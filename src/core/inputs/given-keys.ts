/** The keys of an object that were given: those that are null count as absent, so that both are stored in one form. */
export function givenKeys<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)) as T;
}
