import { randomBytes, randomInt } from "node:crypto";

/** Texts that stand nowhere else, each under the name of what it was sent or answered as. */
export class Marks {
  /** The same text in each of its forms, with its name. */
  private readonly names = new Map<string, string>();
  private readonly values = new Map<string, string>();

  /** Returns the text of this name, always the same. */
  text(name: string, length = 24): string {
    return (
      this.values.get(name) ?? this.add(name, `m${randomBytes(length).toString("hex")}`.slice(0, length))
    );
  }

  /** Returns the number of this name; numbers have to stay within a range. */
  number(name: string, max: number): number {
    return Number(this.values.get(name) ?? this.add(name, String(randomInt(10_000_001, max))));
  }

  add(name: string, value: string): string {
    this.values.set(name, value);
    const bytes = Buffer.from(value);
    // The last characters in base64 depend on what follows.
    const base64 = bytes.toString("base64url").slice(0, -2);
    for (const form of [value, encodeURIComponent(value), bytes.toString("hex"), base64])
      this.names.set(form, name);
    return value;
  }

  /** The names of the marks that the text holds in any form. */
  within(text: string): string[] {
    const found = [...this.names].filter(([form]) => text.includes(form)).map(([, name]) => name);
    return [...new Set(found)];
  }
}
