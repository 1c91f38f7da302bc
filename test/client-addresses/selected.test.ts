import { errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { addAddress, resident, storedAddresses, UNTYPED, type Resident } from "./addresses.js";

let gateway: Gateway;
let home: Resident;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  home = await resident(gateway);
});
afterAll(() => gateway.close());

async function selected(): Promise<number[]> {
  return (await storedAddresses(gateway, home)).filter(({ isSelected }) => isSelected).map(({ id }) => id);
}

it("selects the first address, and another one when asked", async () => {
  const [first, second] = [await addAddress(home), await addAddress(home)];
  expect(await selected()).toEqual([first]);

  const answer = await home.client.rest("POST", `${home.all}/${second}/set-selected`);

  expect([answer.status, answer.body.id, answer.body.is_selected]).toEqual([200, second, true]);
  expect(await selected()).toEqual([second]);
  const listed = await home.client.rest("GET", `${home.own}?filter[is_selected]=true&fields=id`);
  expect(listed.body).toEqual([{ id: second }]);
});

it("selects none when the selected one is deleted, until one is chosen", async () => {
  const [first, second] = [await addAddress(home), await addAddress(home)];

  const deleted = await home.client.rest("DELETE", `${home.all}/${first}`);
  const third = await addAddress(home);

  expect([deleted.status, deleted.body]).toEqual([204, null]);
  expect(await selected()).toEqual([]);
  expect((await storedAddresses(gateway, home)).map(({ id }) => id)).toEqual([second, third]);
  expect((await home.client.rest("DELETE", `${home.all}/${first}`)).status).toBe(404);
});

it("has one selected address after two hundred choices at once", async () => {
  const ids: number[] = [];
  for (let n = 0; n < 5; n += 1) ids.push(await addAddress(home));

  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => home.client.rest("POST", `${home.all}/${ids[n % 5]}/set-selected`)),
  );

  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect(await selected()).toHaveLength(1);
});

it("has one selected address however addresses come, go and are chosen at once", async () => {
  const first = await addAddress(home);
  const second = await addAddress(home);
  const SELECT = `mutation ($c: Int!, $id: Int!) { setSelectedClientAddress(companyId: $c, clientAddressId: $id) { isSelected } }`;
  const { client, company, own, all } = home;

  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () => client.rest("POST", own, { body: UNTYPED })),
    ...Array.from({ length: 10 }, () => client.rest("POST", `${all}/${second}/set-selected`)),
    client.rest("DELETE", `${all}/${first}`),
  ]);
  const last = await client.run(SELECT, { c: company.id, id: second });

  expect(answers.map(({ status }) => status).filter((status) => status >= 400)).toEqual([]);
  expect(errorCodes(last)).toEqual([]);
  expect(await selected()).toEqual([second]);
});

it("selects one of an empty list only once, however many are the first", async () => {
  await Promise.all(Array.from({ length: 12 }, () => addAddress(home)));

  expect(await selected()).toHaveLength(1);
});

it("takes two hundred addresses of a client and no more, also at once", async () => {
  await gateway.db.clientAddress.createMany({
    data: Array.from({ length: 198 }, () => ({ companyId: home.company.id, clientId: home.id, ...UNTYPED })),
  });

  const answers = await Promise.all(
    Array.from({ length: 6 }, () => home.client.rest("POST", home.own, { body: UNTYPED })),
  );

  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe("INVALID_STATE");
  expect(await storedAddresses(gateway, home)).toHaveLength(200);
});
