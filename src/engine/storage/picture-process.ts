/** The program of the process that decodes pictures, one after the other, until whoever started it ends it. */
import { serveParent } from "../processes/serve-parent.js";
import { decodePicture } from "./decode-picture.js";
import type { PictureAnswer, PictureOrder } from "./picture-orders.js";

/** An order has so much time of the processor, however long it has to wait for that. */
const MOST_MS = 10_000;
const LOOK_MS = 100;

const report = serveParent<PictureOrder, PictureAnswer>((order) => {
  const before = process.cpuUsage();
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1_000 > MOST_MS) report({ kind: "slow" });
  }, LOOK_MS);
  void decodePicture(order)
    .then(
      (result): PictureAnswer => ({ kind: "done", result }),
      (error: unknown): PictureAnswer => ({ kind: "broken", message: String(error) }),
    )
    .finally(() => clearInterval(watch))
    .then(report);
});
