import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from "@apollo/client";
import { Client, subscriptionExchange } from "@urql/core";
import { print } from "graphql";
import type { Client as SseClient } from "graphql-sse";

/** Subscribes by a client of GraphQL over a session of `graphql-sse`, and returns the first change, or the error in its place. */
type TakeFirst = (
  session: SseClient,
  document: string,
  variables: Record<string, unknown>,
) => Promise<unknown>;

/** The clients by their names, each with the link that the page of `graphql-sse` shows. */
export const SUBSCRIBING_CLIENTS: readonly (readonly [string, TakeFirst])[] = [
  [
    "Apollo Client",
    (session, document, variables) => {
      const link = new ApolloLink(
        ({ query, variables: own }) =>
          new Observable((sink) => session.subscribe({ query: print(query), variables: own }, sink)),
      );
      const client = new ApolloClient({ link, cache: new InMemoryCache() });
      return new Promise((resolve, reject) => {
        const subscription = client.subscribe({ query: gql(document), variables }).subscribe({
          next: ({ data, error }) => {
            resolve(data ?? error);
            subscription.unsubscribe();
          },
          error: reject,
        });
      });
    },
  ],
  [
    "urql",
    (session, document, variables) => {
      const forwardSubscription = ({
        query = "",
        variables: own,
      }: {
        query?: string;
        variables?: object;
      }) => ({
        subscribe: (sink: Parameters<SseClient["subscribe"]>[1]) => ({
          unsubscribe: session.subscribe({ query, variables: own as Record<string, unknown> }, sink),
        }),
      });
      const exchanges = [subscriptionExchange({ forwardSubscription: forwardSubscription as never })];
      const client = new Client({ url: "http://unused.example", exchanges });
      return new Promise((resolve) => {
        const subscription = client.subscription(document, variables).subscribe(({ data, error }) => {
          resolve(data ?? error);
          queueMicrotask(() => subscription.unsubscribe());
        });
      });
    },
  ],
];
