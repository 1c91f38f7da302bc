import { getMetadataStorage } from "type-graphql";
import { createSchema } from "../../src/schema.js";
import { groupExtensions } from "../support/grouped-extensions.js";

interface Storage {
  readonly fields: readonly { readonly target: object; readonly name: string }[];
  readonly queries: readonly { readonly target: object; readonly methodName: string }[];
  readonly mutations: Storage["queries"];
  findExtensions(target: object, name?: string): object;
}

it("are found by the tests' shortcut as TypeGraphQL finds them", () => {
  createSchema();
  const storage = getMetadataStorage() as unknown as Storage;
  const declared = [
    ...storage.fields.map(({ target, name }) => [target, name] as const),
    ...[...storage.queries, ...storage.mutations].map(
      ({ target, methodName }) => [target, methodName] as const,
    ),
    ...storage.fields.map(({ target }) => [target, undefined] as const),
  ];
  const find = () => declared.map(([target, name]) => storage.findExtensions(target, name));

  const slowly = find();
  groupExtensions();

  expect(slowly.filter((extensions) => Object.keys(extensions).length > 0).length).toBeGreaterThan(1_000);
  expect(find()).toEqual(slowly);
});
