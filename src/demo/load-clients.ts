import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";
import type { LoadedShops } from "./load-shops.js";
import { daysBefore } from "./moment.js";

const CLIENTS = 60;

/** What NFD leaves of letters that are no letter with an accent. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = { ß: "ss", ı: "i", ø: "o", ł: "l" };

/** Customers with different names. @returns their ids. */
export async function loadClients(
  { db, companyId, data, random }: DemoTarget,
  shops: LoadedShops,
): Promise<number[]> {
  const { firstNames, lastNames, phonePrefixes, phoneDigits } = data.people;
  const everyName = firstNames.flatMap((first) => lastNames.map((last) => `${first} ${last}`));
  const cities = shops.cities.entries().map(([, id]) => id);
  const rows = random.sample(everyName, CLIENTS).map((name, index) => {
    const registeredAt = daysBefore(random.int(2, 800));
    const digits = String(random.int(0, 10 ** phoneDigits - 1)).padStart(phoneDigits, "0");
    return {
      companyId,
      name,
      email: `${asciiOf(name).replaceAll(" ", ".")}@mail.example`,
      // One in eight signed up by e-mail alone.
      phone: index % 8 === 7 ? null : `${random.pick(phonePrefixes)}${digits}`,
      // Most live in the first, the biggest city.
      cityId: random.chance(0.7) ? cities[0] : random.pick(cities),
      registeredAt,
      createdAt: registeredAt,
      updatedAt: registeredAt,
    };
  });
  const created = await insertRows(db, "Client", rows, ["id"]);
  return created.map(({ id }) => id);
}

function asciiOf(text: string): string {
  const plain = text.toLowerCase().replace(/[ßıøł]/gu, (letter) => PLAIN_LETTERS[letter] ?? letter);
  return plain.normalize("NFD").replace(/\p{Mark}/gu, "");
}
