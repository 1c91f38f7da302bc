/**
 * Takes a share of a processor until it is ended, at a niceness, and does nothing with it: `burner.mjs SHARE NICENESS`. What it
 * does to somebody who asks the service, the machine does by itself.
 */
import { setPriority } from "node:os";

const PERIOD_MS = 20;
const [share, niceness] = process.argv.slice(2).map(Number);
setPriority(niceness);

function burn() {
  const start = performance.now();
  const end = start + share * PERIOD_MS;
  while (performance.now() < end);
  setTimeout(burn, PERIOD_MS - (performance.now() - start));
}

burn();
