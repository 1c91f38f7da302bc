import { startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { untilLockWaits } from "../support/lock-waits.js";
import { csv, goodsOf, importAll, openShop, send, type Shop } from "./imports.js";

let gateway: Gateway;
let shop: Shop;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
});
beforeEach(async () => {
  shop = await openShop(gateway);
});
afterAll(() => gateway.close());

/** The goods of the shop with what their options cost. */
async function told(of = shop) {
  const { id: companyId } = of.company;
  const goods = await goodsOf(of);
  return Promise.all(
    goods.map(async ({ id: goodId, name, sku, priceE2, barcodes }) => {
      const properties = await gateway.db.goodProperty.findMany({
        where: { companyId, goodId },
        orderBy: { inOrder: "asc" },
        include: { property: { include: { propertyOptions: { orderBy: { inOrder: "asc" } } } } },
      });
      const options = properties.map(({ displayName, property }) => [
        displayName,
        ...property.propertyOptions.map((option) => `${option.name} ${option.priceE2}`),
      ]);
      return { name, sku, priceE2: Number(priceE2), barcodes, options };
    }),
  );
}
const SHOPIFY = [
  ...["Handle", "Title", "Option1 Name", "Option1 Value", "Option2 Name", "Option2 Value"],
  ...["Variant SKU", "Variant Barcode", "Variant Price", "Image Src"],
];
const shirt = (...prices: readonly number[]) => [
  [
    "shirt",
    "Shirt",
    "Size",
    "M",
    "Colour",
    "Red",
    "S-MR",
    "'111",
    prices[0] ?? 0,
    "https://example.com/1.jpg",
  ],
  ["shirt", "", "", "L", "", "Red", "S-LR", "'112", prices[1] ?? 0, "https://example.com/2.jpg"],
  ["shirt", "", "", "M", "", "Blue", "S-MB", "", prices[2] ?? 0, ""],
  ["shirt", "", "", "L", "", "Blue", "S-LB", "", prices[3] ?? 0, ""],
  ["shirt", "", "", "", "", "", "", "", "", "https://example.com/3.jpg"],
];
const TEA = ["tea", "Tea", "Title", "Default Title", "", "", "T", "", 3, ""];

describe("a sheet of Shopify", () => {
  it("makes one good of the rows of a handle, with options that cost a difference, and the same again nothing", async () => {
    const sheet = csv(SHOPIFY, ...shirt(20, 22.5, 21, 23.5), TEA);

    const first = await importAll(shop, sheet);
    const again = await importAll(shop, sheet);

    expect([
      first.errors.filter(({ rule }: { rule: string }) => rule === "variants"),
      first.total_rows,
    ]).toEqual([[], 6]);
    expect(first).toMatchObject({ imported: 6, updated: 0, failed: 0 });
    expect(again).toMatchObject({ imported: 0, updated: 6, unchanged: 6, failed: 0 });
    expect(first.pictures.wanted).toBe(3);
    expect(await told()).toEqual([
      {
        ...{ name: "Shirt", sku: "S-MR", priceE2: 2_000, barcodes: ["111", "112"] },
        options: [
          ["Size", "M 0", "L 250"],
          ["Colour", "Red 0", "Blue 100"],
        ],
      },
      { name: "Tea", sku: "T", priceE2: 300, barcodes: [], options: [] },
    ]);
    expect(await gateway.db.property.count({ where: { companyId: shop.company.id } })).toBe(2);
  });

  it("changes options by their names, shows that before, and shares properties that are the same", async () => {
    const trousers = shirt(20, 22.5, 21, 23.5).map(([, title, ...rest]) => [
      "trousers",
      title && "Trousers",
      ...rest,
    ]);
    const skus = trousers.map((row) => row.map((cell) => String(cell).replace(/^S-/u, "T-")));
    await importAll(shop, csv(SHOPIFY, ...shirt(20, 22.5, 21, 23.5)));
    const before = await gateway.db.propertyOption.findMany({ where: { companyId: shop.company.id } });
    const dearer = csv(SHOPIFY, ...shirt(20, 23, 21, 24));

    const tried = await importAll(shop, dearer, { preview: "changes" });
    await importAll(shop, dearer);
    await importAll(shop, csv(SHOPIFY, ...shirt(20, 22.5, 21, 23.5), ...skus));

    expect(tried.changes.map(({ changes }: { changes: object }) => Object.keys(changes))).toEqual([
      ["variants", "picture_urls"],
    ]);
    expect((await told()).map(({ name, options }) => [name, options[0]])).toEqual([
      ["Shirt", ["Size", "M 0", "L 250"]],
      ["Trousers", ["Size", "M 0", "L 250"]],
    ]);
    const after = await gateway.db.propertyOption.findMany({ where: { companyId: shop.company.id } });
    expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
  });

  it("lets a good keep what it costs that shares a property which a good further down has changed", async () => {
    const rowsOf = (name: string, price: number) => [
      [name, name, "Size", "M", "", "", `${name}-M`, "", 10, ""],
      [name, "", "", "L", "", "", `${name}-L`, "", price, ""],
    ];
    await importAll(shop, csv(SHOPIFY, ...rowsOf("Shirt", 12)));
    const sheet = csv(SHOPIFY, ...rowsOf("Trousers", 12), ...rowsOf("Shirt", 15));

    const tried = await importAll(shop, sheet, { preview: "changes" });
    const first = await importAll(shop, sheet);
    const again = await importAll(shop, sheet);

    expect(tried.changes.map(({ changes }: { changes: object }) => changes)).toMatchObject([
      { variants: { after: [{ options: [{ price_e2: 0 }, { price_e2: 200 }] }] } },
      { variants: { after: [{ options: [{ price_e2: 0 }, { price_e2: 500 }] }] } },
    ]);
    expect(first).toMatchObject({ imported: 2, updated: 2, unchanged: 0, failed: 0 });
    expect(again).toMatchObject({ imported: 0, updated: 4, unchanged: 4, failed: 0 });
    expect((await told()).map(({ name, options }) => [name, options])).toEqual([
      ["Shirt", [["Size", "M 0", "L 500"]]],
      ["Trousers", [["Size", "M 0", "L 200"]]],
    ]);
  });

  it("gives no good a property that somebody changes in the meantime", async () => {
    const { id: companyId } = shop.company;
    const rowsOf = (name: string) => [
      [name, name, "Size", "M", "", "", `${name}-M`, "", 10, ""],
      [name, "", "", "L", "", "", `${name}-L`, "", 12, ""],
    ];
    await importAll(shop, csv(SHOPIFY, ...rowsOf("Shirt")));
    const { id } = await gateway.db.propertyOption.findFirstOrThrow({ where: { companyId, name: "L" } });
    let importing: Promise<unknown> = Promise.resolve();
    await gateway.db.$transaction(async (db) => {
      await db.propertyOption.update({
        where: { companyId_id: { companyId, id } },
        data: { priceE2: 300 },
      });
      importing = importAll(shop, csv(SHOPIFY, ...rowsOf("Trousers")));
      await untilLockWaits(gateway.url);
    });
    await importing;

    expect((await told()).map(({ name, options }) => [name, options])).toEqual([
      ["Shirt", [["Size", "M 0", "L 300"]]],
      ["Trousers", [["Size", "M 0", "L 200"]]],
    ]);
  });

  it.each([
    [
      "prices that are no sum of differences",
      shirt(20, 22.5, 21, 25),
      5,
      "costs 25.00 as L / Blue; by what its values cost alone it would be 23.50",
    ],
    [
      "a combination that is missing",
      shirt(20, 22.5, 21, 0).toSpliced(3, 1),
      2,
      "has no variant L / Blue: a good is sold in all combinations",
    ],
    [
      "a combination that is there twice",
      [...shirt(20, 22.5, 21, 23.5), ["shirt", "", "", "L", "", "Blue", "S-X", "", 9, ""]],
      7,
      "is L / Blue, as is the variant of row 5",
    ],
    [
      "a variant without a price",
      shirt(20, 22.5, 21, 23.5).with(1, ["shirt", "", "", "L", "", "Red", "S-LR", "", "", ""]),
      3,
      "is required for a variant",
    ],
    [
      "a price without an option",
      shirt(20, 22.5, 21, 23.5).with(3, ["shirt", "", "", "", "", "", "S-LB", "", 23.5, ""]),
      5,
      "has no value of Size",
    ],
    [
      "a good's own price without an option",
      shirt(20, 22.5, 21, 23.5).with(0, ["shirt", "Shirt", "Size", "", "Colour", "", "S-MR", "", 20, ""]),
      2,
      "has no value of Size",
    ],
  ])("with %s is refused whole, and no half good is left", async (_, rows, row, message) => {
    const job = await importAll(shop, csv(SHOPIFY, ...rows, TEA));

    expect(job.errors).toMatchObject([{ row, rule: "variants", message }]);
    expect(job).toMatchObject({ imported: 1, failed: rows.length, total_rows: rows.length + 1 });
    expect((await told()).map(({ name }) => name)).toEqual(["Tea"]);
    expect(await gateway.db.property.count({ where: { companyId: shop.company.id } })).toBe(0);
  });
});

it("makes goods of the rows of WooCommerce, wherever their variations stand", async () => {
  const header = [
    ...["ID", "Type", "SKU", "Name", "Visibility in catalog", "Regular price", "Sale price", "Parent"],
    ...["Attribute 1 name", "Attribute 1 value(s)", "Attribute 2 name", "Attribute 2 value(s)"],
  ];
  const variation = (id: number, sku: string, price: number | "", parent: string, ...values: string[]) => [
    ...[
      id,
      "variation",
      sku,
      sku,
      "visible",
      price,
      "",
      parent,
      "Colour",
      values[0] ?? "",
      "Size",
      values[1] ?? "",
    ],
  ];
  const sheet = csv(
    header,
    [44, "variable", "tee", "Tee", "visible", "", "", "", "Colour", "Blue, Green", "Size", "Large, Small"],
    [45, "variable", "", "Cap", "visible", "", "", "", "Colour", "Blue, Green", "", ""],
    [46, "simple", "mug", "Mug", "visible", 7, "", "", "Colour", "White", "", ""],
    variation(50, "tee-b", 20, "tee", "Blue"),
    variation(51, "cap-b", 5, "id:45", "Blue"),
    variation(52, "tee-g", 21.5, "tee", "Green"),
    variation(53, "lost", 1, "hat", "Blue"),
  );

  const job = await importAll(shop, sheet);

  expect(job.errors).toMatchObject([
    { row: 3, rule: "variants", message: "has no variant Green: a good is sold in all combinations" },
    { row: 8, rule: "exists", message: "is no good of the sheet" },
  ]);
  expect(job).toMatchObject({ imported: 4, failed: 3, total_rows: 7 });
  expect(await told()).toMatchObject([
    {
      name: "Tee",
      sku: "tee",
      priceE2: 2_000,
      options: [
        ["Colour", "Blue 0", "Green 150"],
        ["Size", "Large 0", "Small 0"],
      ],
    },
    { name: "Mug", sku: "mug", priceE2: 700, options: [] },
  ]);
});

it.each([
  [
    ["Artikelnummer", "Name", "Regulärer Preis", "Übergeordnetes Produkt"],
    ["Attribut 1 Name", "Attribut 1 Wert(e)"],
  ],
  [
    ["SKU", "Nombre", "Precio normal", "Superior"],
    ["Nombre del atributo 1", "Valor(es) del atributo 1"],
  ],
  [
    ["UGS", "Nom", "Tarif régulier", "Parent"],
    ["Nom de l’attribut 1", "Valeur(s) de l’attribut 1 "],
  ],
])("makes goods of the rows of WooCommerce in other languages: %j", async (header, attribute) => {
  const sheet = csv(
    [...header, ...attribute],
    ["tee", "Tee", "", "", "Colour", "Blue, Green"],
    ["tee-b", "Tee", 20, "tee", "Colour", "Blue"],
    ["tee-g", "Tee", 21.5, "tee", "Colour", "Green"],
  );

  expect(await importAll(shop, sheet)).toMatchObject({ imported: 3, failed: 0 });
  expect(await told()).toMatchObject([{ sku: "tee", options: [["Colour", "Blue 0", "Green 150"]] }]);
});

it("takes a first row without a value for the good alone, as Spree writes it", async () => {
  const sheet = csv(
    ["slug", "sku", "name", "price", "option1_name", "option1_value"],
    ["pot", "P", "Pot", 0, "", ""],
    ["pot", "P".repeat(99), "", 880, "Colour", "Black"],
    ["pot", "P-2", "", 890, "Colour", "Silver"],
  );

  await importAll(shop, sheet);

  expect(await told()).toMatchObject([
    { name: "Pot", sku: "P", priceE2: 88_000, options: [["Colour", "Black 0", "Silver 1000"]] },
  ]);
});

const WOOCOMMERCE = [
  ["Type", "SKU", "Name", "Regular price", "Parent", "Attribute 1 name", "Attribute 1 value(s)"],
  ["variable", "tee", "Tee", "", "", "Colour", "Blue, Green"],
  ["variation", "tee-b", "Tee", 20, "tee", "Colour", "Blue"],
  ["variation", "tee-g", "Tee", 21.5, "tee", "Colour", "Green"],
  ["simple", "mug", "Mug", 7, "", "", ""],
];
const PRESTASHOP = [
  ["Product reference", "Attribute (Name:Type:Position)*", "Value (Value:Position)*", "Impact on price"],
  ["mug", "Size:select:0, Colour:color:1", "S:0, White:0", "0.50"],
  ["mug", "Size:select:0, Colour:color:1", "L:1, White:0", "1.50"],
];

it.each([
  ["Shopify", [csv(SHOPIFY, ...shirt(20, 22.5, 21, 23.5), TEA)], 2],
  ["WooCommerce", [csv(...WOOCOMMERCE)], 2],
  ["PrestaShop", [csv(["Name *", "Reference #", "Price"], ["Mug", "mug", 7]), csv(...PRESTASHOP)], 1],
])(
  "goes out in a column of its own, and comes back into the same shop and into another company: %s",
  async (_, sheets, count) => {
    for (const sheet of sheets) await importAll(shop, sheet);
    const { owner, id: companyId } = shop.company;
    const path = `/companies/${companyId}/branch-groups/${shop.shopId}/goods`;
    const { body: text } = await owner.rest("GET", `${path}?format=csv&columns=sku,name,price,variants`);
    const another = await openShop(gateway);
    const before = await told();

    const again = await importAll(shop, String(text));
    const elsewhere = await importAll(another, String(text));

    expect(again).toMatchObject({ updated: count, unchanged: count, failed: 0 });
    expect(elsewhere).toMatchObject({ imported: count, failed: 0 });
    expect(await told()).toEqual(before);
    const sold = ({ name, priceE2, options }: (typeof before)[number]) => [name, priceE2, options];
    expect((await told(another)).map(sold).sort()).toEqual(before.map(sold).sort());
    expect(before.flatMap(({ options }) => options)).not.toEqual([]);
  },
);

it("refuses a cell of variants that is in no form that an export has", async () => {
  const wrong = await importAll(
    shop,
    csv(["sku", "variants"], ["T", '[{"name":"Size","options":[{"name":""}]}]']),
  );

  expect(wrong.errors).toMatchObject([{ row: 2, field: "variants", rule: "type" }]);
  expect(await goodsOf(shop)).toEqual([]);
});

it("gives goods the combinations of PrestaShop, which cost more than they do, the same again and again", async () => {
  const products = csv(
    ["Product ID", "Name *", "Reference #", "Price tax included", "Categories (x,y,z...)"],
    [1, "Mug", "mug", 7, "Mugs"],
    [2, "Pen", "pen", 2, ""],
  );
  const header = [
    "Product ID*",
    "Product reference",
    "Attribute (Name:Type:Position)*",
    "Value (Value:Position)*",
  ];
  const attributes = "Size:select:0, Colour:color:1";
  const combinations = csv(
    [...header, "Reference", "EAN13", "Impact on price"],
    [1, "mug", attributes, "S:0, White:0", "m-1", "111", "0.50"],
    [1, "mug", attributes, "L:1, White:0", "m-2", "112", "1.50"],
    [2, "pen", "Colour:color:0", "Red:0", "", "", "-1"],
  );

  const made = await importAll(shop, products);
  const first = await importAll(shop, combinations);
  const again = await importAll(shop, combinations, { "config[]": "profile=prestashop" });

  expect(made).toMatchObject({ imported: 2, failed: 0, unknown_categories: ["Mugs"] });
  expect(first).toMatchObject({ imported: 0, updated: 2, failed: 1 });
  expect(first.errors).toMatchObject([{ row: 4, rule: "variants" }]);
  expect(again).toMatchObject({ updated: 2, unchanged: 2, failed: 1 });
  expect(await told()).toMatchObject([
    {
      name: "Mug",
      priceE2: 700,
      barcodes: ["111", "112"],
      options: [
        ["Size", "S 50", "L 150"],
        ["Colour", "White 0"],
      ],
    },
    { name: "Pen", priceE2: 200, options: [] },
  ]);
});

it("leaves variants alone in a sheet of another program, by its profile", async () => {
  const job = await importAll(shop, csv(SHOPIFY, TEA), { "config[]": "profile=magento" });
  const unknown = await send(shop, csv(SHOPIFY, TEA), { "config[]": "profile=opencart" });

  expect(job).toMatchObject({ imported: 1, failed: 0 });
  expect([unknown.status, wrongFields(unknown.body.errors)]).toEqual([422, ["config[0]:type"]]);
});

it("reads a sheet of Magento by its headers, and the same with its profile", async () => {
  const header = [
    ...["sku", "store_view_code", "attribute_set_code", "product_type", "categories", "name", "description"],
    ...["short_description", "weight", "product_online", "visibility", "price", "special_price", "qty"],
    ...["meta_keywords", "additional_attributes", "configurable_variations"],
  ];
  const sheet = csv(
    header,
    [
      ...["24-MB01", "", "Bag", "simple", "Gear", "Joust bag", "<p>Roomy.</p>", "For the gym", "0.5", 1],
      ...["Catalog, Search", "34.000000", "20.00", "100.0000", "bag, gym", "color=Black,size=M", ""],
    ],
    [
      ...["0024", "", "Bag", "simple", "Gear", "Strap", "Long.", "", "", 1, "Catalog, Search", "5.5", ""],
      ...["", "", "", ""],
    ],
  );

  const found = await importAll(shop, sheet);
  const named = await importAll(shop, sheet, { "config[]": "profile=magento" });

  expect(found).toMatchObject({ imported: 2, failed: 0, unknown_categories: ["Gear"] });
  expect(named).toMatchObject({ updated: 2, unchanged: 2, failed: 0 });
  expect(await goodsOf(shop)).toMatchObject([
    {
      ...{ sku: "24-MB01", name: "Joust bag", priceE2: 3_400n, details: "<p>Roomy.</p>" },
      ...{ shortDetails: "For the gym", keywords: ["bag", "gym"] },
    },
    { sku: "0024", name: "Strap", priceE2: 550n },
  ]);
});

const MAGENTO = [
  ...["sku", "store_view_code", "product_type", "name", "price", "visibility", "additional_attributes"],
  ...["configurable_variations", "configurable_variation_labels"],
];
const simple = (sku: string, price: number | string) => [
  ...[sku, "", "simple", `Hoodie ${sku}`, price, "Not Visible Individually", "color=Black,size=XS", "", ""],
];
const hoodie = (variations: string, labels = "size=Size,color=Color") => [
  ...["MH01", "", "configurable", "Chaz hoodie", "", "Catalog, Search", "", variations, labels],
];

describe("a sheet of Magento with variations", () => {
  const LISTED =
    "sku=MH01-XS,size=XS,color=Black|sku=MH01-S,size=S,color=Black|sku=MH01-XS-G,size=XS,color=Gray, dark|sku=MH01-S-G,size=S,color=Gray, dark";
  const rows = [
    ...[simple("MH01-XS", 52), simple("MH01-S", "54.5"), simple("MH01-XS-G", 53)],
    ...[hoodie(LISTED), simple("MH01-S-G", 55.5), simple("MH01-Cap", 9)],
  ];

  it("makes one good of a configurable product and its simple ones, wherever they stand, and the same again nothing", async () => {
    const sheet = csv(MAGENTO, ...rows);

    const first = await importAll(shop, sheet);
    const again = await importAll(shop, sheet, { "config[]": "profile=magento" });

    expect(first).toMatchObject({ imported: 6, updated: 0, failed: 0, total_rows: 6, error_count: 0 });
    expect(again).toMatchObject({ imported: 0, updated: 6, unchanged: 6, failed: 0 });
    expect(await told()).toEqual([
      {
        ...{ name: "Chaz hoodie", sku: "MH01", priceE2: 5_200, barcodes: [] },
        options: [
          ["Size", "XS 0", "S 250"],
          ["Color", "Black 0", "Gray, dark 100"],
        ],
      },
      { name: "Hoodie MH01-Cap", sku: "MH01-Cap", priceE2: 900, barcodes: [], options: [] },
    ]);
  });

  it("leaves the products alone in a sheet of another program", async () => {
    const job = await importAll(shop, csv(MAGENTO, simple("A", 1), simple("B", 2)), {
      "config[]": "profile=shopify",
    });

    expect(job).toMatchObject({ imported: 2, failed: 0 });
  });

  it.each([
    [
      "a variant without a row",
      [simple("A", 1), hoodie("sku=A,size=S|sku=B,size=M")],
      [[3, "lists the variant B, which has no row, or is of another good"]],
    ],
    [
      "a variant of two goods",
      [simple("A", 1), hoodie("sku=A,size=S"), ["MH02", "", "", "Other", "", "", "", "sku=A,size=S", ""]],
      [[4, "lists the variant A, which has no row, or is of another good"]],
    ],
    [
      "a variant with other attributes",
      [simple("A", 1), simple("B", 1), hoodie("sku=A,size=S|sku=B,color=Red")],
      [[3, "has not one value of each attribute that the good's first variant has"]],
    ],
    [
      "a variant without a price",
      [simple("A", ""), hoodie("sku=A,size=S")],
      [[2, "is required for a variant"]],
    ],
    [
      "a second row of a variant",
      [simple("A", 1), ["A", "de", "", "Pulli", "", "", "", "", ""], hoodie("sku=A,size=S")],
      [[3, "names a variant that has a row before"]],
    ],
    [
      "a list of itself",
      [hoodie("sku=MH01,size=S")],
      [[2, "lists the variant MH01, which has no row, or is of another good"]],
    ],
    ["a text that lists nothing", [simple("A", 1), hoodie("none")], [[3, "has options and no variant"]]],
  ])("refuses %s, and leaves no half good", async (_, sheet, wrong) => {
    const job = await importAll(shop, csv(MAGENTO, ...sheet));

    const { errors, total_rows: total, imported, failed } = job;
    expect(errors.map(({ row, message }: { row: number; message: string }) => [row, message])).toEqual(wrong);
    expect([total, imported + failed]).toEqual([sheet.length, sheet.length]);
    for (const good of await told()) expect(good.options.length).toBe(good.sku === "MH01" ? 1 : 0);
  });
});
