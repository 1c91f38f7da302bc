export { GraphQLJSON as Json } from "graphql-scalars";
