import { defineEnum } from "../../core/enums.js";

export const GoodKeyEnum = defineEnum("GoodKey", ["id", "sku", "external_id"], {
  description: "By what a row says which good it is of.",
  values: {
    id: "By its id: nothing is created.",
    sku: "By the sku in its shop.",
    external_id: "By the id of the company's own systems.",
  },
});
export type GoodKey = keyof typeof GoodKeyEnum;
