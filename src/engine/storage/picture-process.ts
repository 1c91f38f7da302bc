/** The program of the process that decodes pictures, one after the other, until whoever started it ends it. */
import { behave } from "../processes/behave.js";
import { decodePicture, isTimeout } from "./decode-picture.js";
import type { PictureAnswer, PictureOrder } from "./picture-orders.js";

behave();
process.on("message", (order: PictureOrder) => {
  void decodePicture(order)
    .then(
      (result): PictureAnswer => ({ kind: "done", result }),
      (error: unknown): PictureAnswer =>
        isTimeout(error) ? { kind: "slow" } : { kind: "broken", message: String(error) },
    )
    .then((answer) => process.send?.(answer));
});
