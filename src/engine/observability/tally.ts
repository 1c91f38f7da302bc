import { Counter, type Metric, type Registry } from "prom-client";

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

interface Observed<Label extends string> {
  readonly labels: Tally<Label>["labels"];
  /** How many values were in each bucket; the last one has those above all bounds. */
  readonly counts: number[];
  sum: number;
}

/**
 * Returns a histogram that adds up in a map, as `talliedCounter` does, and writes its sums at each scrape.
 *
 * @returns a function that takes a value; its `key` stands for the labels.
 */
export function talliedHistogram<Label extends string>(
  name: string,
  {
    help,
    labelNames,
    buckets,
    registers,
  }: {
    help: string;
    labelNames: readonly Label[];
    buckets: readonly number[];
    registers: readonly Registry[];
  },
): (key: string, labels: () => Tally<Label>["labels"], value: number) => void {
  const all = new Map<string, Observed<Label>>();
  const valuesOf = ({ labels, counts, sum }: Observed<Label>): object[] => {
    let count = 0;
    const inBuckets = counts.map((some, index) => ({
      metricName: `${name}_bucket`,
      labels: { le: buckets[index] ?? "+Inf", ...labels },
      value: (count += some),
    }));
    const sums = [
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
    return [...inBuckets, ...sums];
  };
  const metric = {
    name,
    help,
    type: "histogram",
    aggregator: "sum",
    labelNames,
    get: () => ({
      name,
      help,
      type: "histogram",
      aggregator: "sum",
      values: [...all.values()].flatMap(valuesOf),
    }),
    reset: () => all.clear(),
  };
  for (const registry of registers) registry.registerMetric(metric as unknown as Metric);
  return (key, labels, value) => {
    let known = all.get(key);
    if (known === undefined) {
      known = { labels: labels(), counts: Array<number>(buckets.length + 1).fill(0), sum: 0 };
      all.set(key, known);
    }
    let bucket = 0;
    while (bucket < buckets.length && value > (buckets[bucket] as number)) bucket += 1;
    known.counts[bucket] = (known.counts[bucket] as number) + 1;
    known.sum += value;
  };
}
