export function sqlFunctions(files: readonly string[], tables: readonly string[]): string;
