import { Counter, type Registry } from "prom-client";

interface Tally<Label extends string> {
  readonly labels: Readonly<Record<Label, string | number>>;
  count: number;
}

/**
 * Returns a counter that adds up in a map and sets its registry's counter at each scrape: the library checks and
 * sorts the labels at every step, which takes longer than the work that is counted.
 *
 * @returns a function that counts one; its `key` stands for the labels.
 */
export function talliedCounter<Label extends string>(
  name: string,
  { help, labelNames, registers }: { help: string; labelNames: readonly Label[]; registers: Registry[] },
): (key: string, labels: () => Tally<Label>["labels"]) => void {
  const tallies = new Map<string, Tally<Label>>();
  new Counter<Label>({
    name,
    help,
    labelNames,
    registers,
    collect() {
      for (const tally of tallies.values()) {
        this.inc(tally.labels, tally.count);
        tally.count = 0;
      }
    },
  });
  return (key, labels) => {
    const known = tallies.get(key);
    if (known === undefined) tallies.set(key, { labels: labels(), count: 1 });
    else known.count += 1;
  };
}
