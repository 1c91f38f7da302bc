import { createConfig, lintFromString } from "@redocly/openapi-core";
import { buildOpenApi } from "../../src/api/rest/openapi.js";
import { restSource, sharedOpenApi } from "../support/openapi.js";

async function complaintsOf(document: object): Promise<string[]> {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: "openapi.json",
    // The contract has /companies/domain/{domain} beside /companies/{companyId}/…: an id is a number, `domain` is none.
    config: await createConfig({ extends: ["recommended"], rules: { "no-ambiguous-paths": "off" } }),
  });
  return problems.map(
    ({ severity, ruleId, message, location }) =>
      `${severity} ${ruleId}: ${message} ${location[0]?.pointer ?? ""}`,
  );
}

describe("the OpenAPI document under Redocly's recommended rules", () => {
  it("has no error and no warning", async () => {
    expect(await complaintsOf(sharedOpenApi().document)).toEqual([]);
  });

  it("would report what is wrong", async () => {
    const { info, ...document } = sharedOpenApi().document;
    // Without paths and what they use it takes no second to read.
    const short = { ...document, paths: {}, components: {}, security: [], tags: [] };

    expect(await complaintsOf({ ...short, info: { ...info, license: undefined } })).toEqual([
      expect.stringContaining("info-license"),
    ]);
  });
});

it("is not made while a slice does not say what its routes are about", () => {
  const source = restSource();
  const documents = { ...source.documents, slices: new Map([...source.documents.slices, ["goods", ""]]) };

  expect(() => buildOpenApi({ ...source, documents })).toThrow(
    "schema/rest/goods.graphql has to begin with a comment",
  );
});
