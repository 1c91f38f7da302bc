/** The configuration cannot be used. The message names every wrong variable and needs no stack. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(readonly problems: string[]) {
    super(
      `The configuration is wrong, nothing was started:\n${problems.map((line) => `  ${line}`).join("\n")}`,
    );
  }
}

/**
 * Reads typed values from environment variables and collects what is wrong with them, to report all of it at once.
 */
export class VariableReader {
  private readonly problems: string[] = [];

  constructor(private readonly env: NodeJS.ProcessEnv) {}

  has(name: string): boolean {
    return this.text(name) !== null;
  }

  text(name: string): string | null {
    return this.env[name]?.trim() || null;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const text = this.text(name);
    if (text === null) return fallback;
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    this.wrong(name, `must be a whole number from ${min} to ${max}, is ${JSON.stringify(text)}`);
    return fallback;
  }

  flag(name: string, fallback: boolean): boolean {
    return this.oneOf(name, ["on", "off"] as const, fallback ? "on" : "off") === "on";
  }

  oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const text = this.text(name);
    if (text === null) return fallback;
    const value = allowed.find((candidate) => candidate === text);
    if (value === undefined)
      this.wrong(name, `must be one of ${allowed.join(", ")}, is ${JSON.stringify(text)}`);
    return value ?? fallback;
  }

  /**
   * Reads a URL.
   *
   * @param secrecy is `secret` when the value may hold a password: messages never repeat such a value.
   */
  url(name: string, protocols: string[], secrecy: "open" | "secret" = "open"): string | null {
    const text = this.text(name);
    if (text === null || isUrl(text, protocols)) return text;
    const shown = secrecy === "open" ? `, is ${JSON.stringify(text)}` : "";
    this.wrong(name, `must be a URL that begins with ${protocols.map(start).join(" or ")}${shown}`);
    return null;
  }

  /** Reads a comma-separated list of URLs, which may hold passwords. */
  urls(name: string, protocols: string[]): string[] {
    const list = (this.text(name)?.split(",") ?? []).map((part) => part.trim()).filter((part) => part !== "");
    if (list.every((part) => isUrl(part, protocols))) return list;
    this.wrong(
      name,
      `must be URLs that begin with ${protocols.map(start).join(" or ")}, separated by commas`,
    );
    return [];
  }

  wrong(name: string, problem: string): void {
    this.problems.push(`${name} ${problem}`);
  }

  assertNoneWrong(): void {
    if (this.problems.length > 0) throw new ConfigError(this.problems);
  }
}

function isUrl(text: string, protocols: string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

function start(protocol: string): string {
  return protocol === "file:" ? protocol : `${protocol}//`;
}
