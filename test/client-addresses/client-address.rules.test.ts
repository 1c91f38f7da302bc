import type { ClientAddressRow } from "../../src/slices/client-addresses/client-address.model.js";
import { addressOf, withoutShown } from "../../src/slices/client-addresses/client-address.rules.js";

const ROW = {
  type: "delivery",
  address: null,
  addressLine1: "Avenida 1",
  addressLine2: null,
  addressLine3: null,
  postalCode: "",
  city: "",
  state: "",
  country: "Venezuela",
} as ClientAddressRow;
const SHOWN = addressOf(ROW);

it.each<[string, Partial<ClientAddressRow>, { address?: string | null; type?: string | null }, unknown]>([
  ["what is shown of a row that has none of its own", {}, { address: SHOWN }, undefined],
  ["another text", {}, { address: "Behind the church" }, "Behind the church"],
  ["null", {}, { address: null }, null],
  ["what a row has of its own", { address: SHOWN }, { address: SHOWN }, SHOWN],
  ["what is shown of a row that loses its type", {}, { address: SHOWN, type: null }, SHOWN],
  ["what is shown of a row that has no type", { type: null }, { address: SHOWN }, SHOWN],
])("sets of %s what is its own", (_, stored, input, address) => {
  expect(withoutShown({ ...ROW, ...stored }, input).address).toBe(address);
});
