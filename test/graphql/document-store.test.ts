import { ApolloServer } from "@apollo/server";
import type { DocumentNode } from "graphql";
import { createSchema } from "../../src/schema.js";
import { documentStore } from "../../src/api/graphql/document-store.js";
import { Documents } from "../../src/engine/execution/documents.js";

it("gives Apollo the document that is prepared already", async () => {
  const finished = createSchema();
  const documents = new Documents(finished);
  const text = "query Kind { __typename }";
  const { document } = documents.ofText(text);
  const used: DocumentNode[] = [];
  const apollo = new ApolloServer({
    schema: finished.schema,
    documentStore: documentStore(documents),
    plugins: [
      {
        requestDidStart: () =>
          Promise.resolve({
            didResolveOperation: (request) => {
              used.push(request.document);
              return Promise.resolve();
            },
          }),
      },
    ],
  });

  await apollo.executeOperation({ query: text });
  await apollo.stop();

  expect(used).toHaveLength(1);
  expect(used[0]).toBe(document);
});
