import { isAbstractType } from "graphql";
import { sharedSchema } from "../support/schema.js";

describe("the recipes of typed clients", () => {
  it("need no possibleTypes, since the schema has neither interfaces nor unions", () => {
    const types = Object.values(sharedSchema().schema.getTypeMap());

    expect(types.length).toBeGreaterThan(100);
    expect(types.filter(isAbstractType)).toEqual([]);
  });
});
