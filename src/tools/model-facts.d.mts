export function modelFacts(files: readonly string[]): string;
