/** Outside production graphql looks twice at every object that is not of the type asked about: a tenth of a test file. */
const { NODE_ENV } = process.env;
process.env.NODE_ENV = "production";
await import("graphql");
process.env.NODE_ENV = NODE_ENV;
