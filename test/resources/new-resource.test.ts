import { readFileSync } from "node:fs";
import { joinedFiles } from "../../src/cli/resource/joined-files.js";
import { columnOf, namesOf, type ResourceNames } from "../../src/cli/resource/names.js";
import { newFiles } from "../../src/cli/resource/new-files.js";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");

describe("the names of a new resource", () => {
  it("have all the forms that its files need", () => {
    expect(namesOf("delivery-zone")).toEqual({
      type: "DeliveryZone",
      one: "deliveryZone",
      many: "deliveryZones",
      file: "delivery-zone",
      slice: "delivery-zones",
      table: "delivery_zones",
      words: "delivery zone",
      manyWords: "delivery zones",
    });
  });

  it.each([
    ["supplier", "suppliers"],
    ["currency", "currencies"],
    ["holiday", "holidays"],
    ["tax", "taxes"],
    ["branch", "branches"],
  ])("has the plural of %s", (name, plural) => {
    expect(namesOf(name)?.slice).toBe(plural);
  });

  it.each(["", "Supplier", "supplier_x", "-supplier", "supplier-", "9lives"])("refuses %j", (name) => {
    expect(namesOf(name)).toBeNull();
  });

  it("takes a plural that no rule gives, which has to differ", () => {
    expect(namesOf("staff", "staff-members")?.many).toBe("staffMembers");
    expect(namesOf("sheep", "sheep")).toBeNull();
  });
});

describe("the columns of a new resource", () => {
  it("have a kind each", () => {
    expect(columnOf("contactEmail:text")).toEqual({
      field: "contactEmail",
      column: "contact_email",
      words: "contact email",
      kind: "text",
    });
  });

  it.each(["email", "email:", "email:string", "Email:text", "e-mail:text"])("refuse %s", (text) => {
    expect(columnOf(text)).toBeNull();
  });
});

describe("the files of a new resource", () => {
  const resource = { names: namesOf("aaa-thing") as ResourceNames, area: "fleet", columns: [] };

  it("are seven of its own, and a line or two in six others", () => {
    const joined = joinedFiles(resource, read);

    expect(Object.keys(newFiles(resource))).toHaveLength(7);
    const added = Object.entries(joined).map(([path, text]) => {
      const before = read(path).split("\n");
      return [path, text.split("\n").filter((line) => !before.includes(line))];
    });
    expect(Object.fromEntries(added)).toEqual({
      "prisma/schema/companies.prisma": ["  aaaThings AaaThing[]"],
      "src/schema.ts": [
        'import { aaaThingsResolvers } from "./slices/aaa-things/aaa-things.resolvers.js";',
        "  ...aaaThingsResolvers,",
      ],
      "src/demo/load.ts": [
        'import { loadAaaThings } from "./load-aaa-things.js";',
        "  await loadAaaThings(target);",
      ],
      "test/support/fill-company.ts": ["  AaaThing: (_, n) => ({ name: `Aaa thing ${n}` }),"],
      "test/resources/resource-cases.ts": ['  named("AaaThing", "aaaThings", "fleet"),'],
      "test/rest/coverage.test.ts": [
        String.raw`  /^\/companies\/\{companyId\}\/aaa-things(?:\/\{aaaThingId\})?$/u,`,
      ],
    });
  });

  it("say when a file has no place for a line", () => {
    expect(() => joinedFiles(resource, () => "")).toThrow(
      "prisma/schema/companies.prisma has no line beside which aaaThings AaaThing[] belongs",
    );
  });
});
