it.each([/^__wbg_set_wasm$/u, /^__wbg_setTimeout_/u])(
  "Prisma's migration engine has %s, by which it is loaded",
  async (name) => {
    const bindings = (await import("@prisma/schema-engine-wasm/schema_engine_bg")) as object;

    expect(Object.keys(bindings)).toContainEqual(expect.stringMatching(name));
  },
);
