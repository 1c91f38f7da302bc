import { OperatorError } from "../../core/errors/operator-error.js";

/** The configuration cannot be used. The message names every wrong variable. */
export class ConfigError extends OperatorError {
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
  private readonly known = new Set<string>();

  constructor(private readonly env: NodeJS.ProcessEnv) {}

  has(name: string): boolean {
    return this.text(name) !== null;
  }

  text(name: string): string | null {
    this.known.add(name);
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
    const text = this.text(name);
    const list = (text?.split(",") ?? []).map((part) => part.trim()).filter((part) => part !== "");
    if ((text === null || list.length > 0) && list.every((part) => isUrl(part, protocols))) return list;
    this.wrong(
      name,
      `must be URLs that begin with ${protocols.map(start).join(" or ")}, separated by commas`,
    );
    return [];
  }

  wrong(name: string, problem: string): void {
    this.problems.push(`${name} ${problem}`);
  }

  /**
   * Returns a line for each variable that is set, was never read, and has nearly the name of one that was. Call it when all
   * are read.
   */
  misspelled(): string[] {
    return Object.keys(this.env)
      .filter((name) => this.env[name] !== undefined && !this.known.has(name))
      .sort()
      .flatMap((name) => {
        const meant = [...this.known].find((known) => isNear(name, known));
        return meant === undefined ? [] : [`${name} is no variable of this service: is ${meant} meant?`];
      });
  }

  /** @throws ConfigError when a variable is wrong; it names the misspelled ones too, which may be the cause. */
  assertNoneWrong(): void {
    if (this.problems.length > 0) throw new ConfigError([...this.problems, ...this.misspelled()]);
  }
}

export function isUrl(text: string, protocols: string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

function start(protocol: string): string {
  return protocol === "file:" ? protocol : `${protocol}//`;
}

/**
 * Returns whether a name is another one with a slip: case and underscores apart, one character is too many, missing,
 * another or in its neighbour's place; or a part follows, as in `JWT_SECRET_FILE`.
 */
function isNear(name: string, known: string): boolean {
  if (known.includes("_") && name.toUpperCase().startsWith(`${known}_`)) return true;
  const [one, other] = [name, known].map((text) => text.toUpperCase().replaceAll(/[_-]/gu, "")) as [
    string,
    string,
  ];
  if (Math.abs(one.length - other.length) > 1) return false;
  const shortened = new Set(oneCharacterLess(other));
  return oneCharacterLess(one).some((text) => shortened.has(text));
}

/** Returns the text, and the text without each of its characters. */
function oneCharacterLess(text: string): string[] {
  return [text, ...Array.from(text, (_, index) => text.slice(0, index) + text.slice(index + 1))];
}
