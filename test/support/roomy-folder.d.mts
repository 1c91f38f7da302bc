export function roomyFolder(): Promise<string>;
