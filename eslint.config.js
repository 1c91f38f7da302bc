import graphql from "@graphql-eslint/eslint-plugin";
import tseslint from "typescript-eslint";

/** A name that says what kind of type it names. */
const KIND_IN_NAME = /(?:Enum|Interface|Union)$/u;
/** A field that is named like a call. */
const VERB_IN_NAME = /^(?:get|list)[A-Z]/u;
/** Names of enums whose values are no words of the specification: orders of lists, codes of refusals, and those of `@rest`. */
const IN_CAPITALS = "/(OrderField|OrderDirection|Reason)$|^Rest/";

export default tseslint.config(
  { ignores: ["dist/", "coverage/", "src/generated/", ".data/"] },
  {
    files: ["**/*.ts"],
    extends: [...tseslint.configs.recommendedTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "error",
      "prefer-const": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true, allowNullish: true },
      ],
      "@typescript-eslint/only-throw-error": "error",
      "@typescript-eslint/consistent-type-definitions": "off",
      "@typescript-eslint/prefer-nullish-coalescing": "off",
      "@typescript-eslint/dot-notation": "off",
      "@typescript-eslint/no-empty-function": "off",
      "@typescript-eslint/class-literal-property-style": "off",
      "@typescript-eslint/non-nullable-type-assertion-style": "off",
      "@typescript-eslint/array-type": "off",
      "@typescript-eslint/prefer-regexp-exec": "off",
      "@typescript-eslint/unbound-method": "off",
      "@typescript-eslint/no-unsafe-enum-comparison": "off",
    },
  },
  {
    files: ["src/**/*.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "ObjectExpression > Property[kind='get']",
          message:
            "Use a class or a function: V8 makes a new shape for each object with a getter of its own, and what the getter reaches outlives the object.",
        },
      ],
    },
  },
  {
    files: ["test/bench/**/*.ts", "test/prove/**/*.ts"],
    rules: { "no-console": "off" },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      "@typescript-eslint/no-explicit-any": "off",
    },
  },
  {
    // A start takes three seconds of a core, so what needs one is run by `npm run test:processes`.
    files: ["test/**/*.test.ts"],
    rules: { "no-restricted-imports": ["error", { patterns: ["**/support/service-process.js"] }] },
  },
  {
    // What clients get. The rules that are left out contradict it, or `printSchema` keeps them already.
    files: ["schema/*.graphql"],
    plugins: { "@graphql-eslint": graphql },
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: "schema/schema.graphql" } },
    },
    rules: {
      "@graphql-eslint/naming-convention": [
        "error",
        {
          types: { style: "PascalCase", forbiddenPatterns: [KIND_IN_NAME] },
          InputObjectTypeDefinition: { style: "PascalCase", suffix: "Input" },
          FieldDefinition: { style: "camelCase", forbiddenPatterns: [VERB_IN_NAME] },
          InputValueDefinition: { style: "camelCase", forbiddenPatterns: [VERB_IN_NAME] },
          DirectiveDefinition: "camelCase",
          [`EnumValueDefinition[parent.name.value=${IN_CAPITALS}]`]: "UPPER_CASE",
          // Groups of sums are spelled as the fields that they fill.
          [`EnumValueDefinition[parent.name.value!=${IN_CAPITALS}][name.value!=branchGroup]`]: "snake_case",
        },
      ],
      "@graphql-eslint/require-description": [
        "error",
        {
          types: true,
          FieldDefinition: true,
          InputValueDefinition: true,
          EnumValueDefinition: true,
          DirectiveDefinition: true,
          // HTTP describes its methods.
          ignoredSelectors: ["EnumValueDefinition[parent.name.value=RestMethod]"],
        },
      ],
      "@graphql-eslint/no-hashtag-description": "error",
      "@graphql-eslint/require-deprecation-reason": "error",
      "@graphql-eslint/no-unreachable-types": "error",
      "@graphql-eslint/unique-type-names": "error",
      "@graphql-eslint/unique-enum-value-names": "error",
      // A field of the root that is refused takes nothing else with it.
      "@graphql-eslint/require-nullable-result-in-root": "error",
      // Some lists are read forwards alone.
      "@graphql-eslint/relay-arguments": ["error", { includeBoth: false }],
      "@graphql-eslint/relay-connection-types": "error",
      "@graphql-eslint/relay-edge-types": [
        "error",
        { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false },
      ],
      "@graphql-eslint/relay-page-info": "error",
    },
  },
);
