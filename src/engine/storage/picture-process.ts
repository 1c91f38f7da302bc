/** The program of the process that decodes pictures, one after the other, until whoever started it ends it. */
import { serveParent } from "../processes/serve-parent.js";
import { decodePicture, isTimeout } from "./decode-picture.js";
import type { PictureAnswer, PictureOrder } from "./picture-orders.js";

const report = serveParent<PictureOrder, PictureAnswer>((order) => {
  void decodePicture(order)
    .then(
      (result): PictureAnswer => ({ kind: "done", result }),
      (error: unknown): PictureAnswer =>
        isTimeout(error) ? { kind: "slow" } : { kind: "broken", message: String(error) },
    )
    .then(report);
});
