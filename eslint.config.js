import tseslint from "typescript-eslint";

/** Imports that would turn an arrow of `main → app → rest, schema → slices → core` round. */
function forbid(group, message) {
  return { "no-restricted-imports": ["error", { patterns: [{ group, message }] }] };
}

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
    files: ["src/core/**/*.ts"],
    rules: forbid(
      ["**/*.resolver.js", "**/*.service.js", "**/rest/**", "**/app.js", "**/schema.js", "**/main.js"],
      "core knows no slice, no façade and no process",
    ),
  },
  {
    files: ["src/**/*.service.ts", "src/**/*.rules.ts"],
    rules: forbid(
      ["**/*.resolver.js", "fastify", "@apollo/*", "**/rest/**", "**/app.js", "**/schema.js"],
      "services and rules know neither resolvers nor HTTP",
    ),
  },
  {
    files: ["src/!(core|rest|graphql|http|cli|tools|generated|demo)/**/*.ts"],
    ignores: ["src/**/*.service.ts", "src/**/*.rules.ts"],
    rules: forbid(
      ["fastify", "**/rest/**", "**/app.js", "**/schema.js", "**/main.js"],
      "slices know nothing above them",
    ),
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
);
