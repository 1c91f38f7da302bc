import { dataOf, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { keepRemembered } from "../support/remembered.js";
import { addAddress, DELIVERY, resident, UNTYPED, type Resident } from "./addresses.js";

let gateway: Gateway;
let home: Resident;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  home = await resident(gateway);
});
afterAll(() => gateway.close());

const CREATE = `mutation ($c: Int!, $input: CreateGeofenceInput!) { createGeofence(companyId: $c, input: $input) { id } }`;
const circle = (longitude: number, latitude: number, radius: number) => ({
  shape: "circle",
  radius,
  coordinates: [[longitude, latitude]],
});

async function addGeofence(data: object, more: object = {}): Promise<number> {
  const input = { name: "Area", type: "delivery", data, ...more };
  return dataOf(await home.company.owner.run(CREATE, { c: home.company.id, input })).createGeofence.id;
}

const at = (longitude: number, latitude: number) => ({
  ...DELIVERY,
  longitude_e6: longitude,
  latitude_e6: latitude,
});

async function checkOf(id: number) {
  return (await home.client.rest("GET", `${home.all}/${id}`)).body.geofence_check;
}

it("answers the geofence that holds an address, of several the first", async () => {
  const data = circle(10_000_000, 50_000_000, 5_000);
  const first = await addGeofence(data);
  await addGeofence(data);

  const check = await checkOf(await addAddress(home, at(10_001_000, 50_000_000)));

  expect(check).toEqual({
    coordinates_e6: [10_001_000, 50_000_000],
    distance_in_meters: 0,
    is_valid: true,
    geofence: {
      id: first,
      name: "Area",
      type: "delivery",
      data,
      enabled: true,
      inverted: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      version: 1,
      branch_id: null,
    },
  });
});

it("answers the nearest geofence and the metres to its edge when none holds the address", async () => {
  await addGeofence(circle(0, 0, 1_000));
  const near = await addGeofence(circle(1_000_000, 0, 1_000));

  const check = await checkOf(await addAddress(home, at(1_100_000, 0)));

  // A tenth of a degree is 11,119.5 m.
  expect([check.is_valid, check.distance_in_meters, check.geofence.id]).toEqual([false, 10_120, near]);
});

it("knows inverted geofences, and those over the antimeridian", async () => {
  await addGeofence(circle(0, 0, 50_000), { inverted: true });
  const inside = await addAddress(home, at(100_000, 0));
  const outside = await addAddress(home, at(90_000_000, 0));
  expect(await checkOf(inside)).toMatchObject({ is_valid: false, distance_in_meters: 38_881 });
  expect(await checkOf(outside)).toMatchObject({ is_valid: true, distance_in_meters: 0 });

  home = await resident(gateway);
  await addGeofence({
    shape: "polygon",
    coordinates: [
      [179_000_000, -1_000_000],
      [-179_000_000, -1_000_000],
      [-179_000_000, 1_000_000],
      [179_000_000, 1_000_000],
    ],
  });
  const west = await addAddress(home, at(-179_500_000, 0));
  const greenwich = await addAddress(home, at(0, 0));
  expect(await checkOf(west)).toMatchObject({ is_valid: true });
  expect(await checkOf(greenwich)).toMatchObject({ is_valid: false });
});

it("is null without coordinates, and without an enabled geofence; it follows each change of them", async () => {
  const geofence = await addGeofence(circle(0, 0, 1_000), { enabled: false });
  const [nowhere, somewhere] = [await addAddress(home), await addAddress(home, at(0, 0))];
  const change = (input: object) =>
    home.company.owner.run(
      `mutation ($c: Int!, $id: Int!, $input: UpdateGeofenceInput!) {
        updateGeofence(companyId: $c, id: $id, input: $input) { id }
      }`,
      { c: home.company.id, id: geofence, input },
    );
  expect([await checkOf(nowhere), await checkOf(somewhere)]).toEqual([null, null]);

  dataOf(await change({ enabled: true }));
  expect([await checkOf(nowhere), (await checkOf(somewhere)).is_valid]).toEqual([null, true]);

  dataOf(await change({ data: circle(1_000_000, 0, 1_000) }));
  expect(await checkOf(somewhere)).toMatchObject({ is_valid: false, distance_in_meters: 110_196 });
});

it("lists as missing what has no coordinates or lies outside, in pages, filtered and in order", async () => {
  await addGeofence(circle(0, 0, 1_000));
  const nowhere = await addAddress(home, { ...UNTYPED, name: "B" });
  await addAddress(home, { ...at(0, 0), name: "Inside" });
  const outside = await addAddress(home, { ...at(1_000_000, 0), name: "A" });
  const far = await addAddress(home, { ...at(2_000_000, 0), name: "C" });
  const other = await resident(gateway, home.company);
  await addAddress(other);
  const ids = async (query: string) => {
    const { body, headers } = await home.client.rest("GET", `${home.all}?fields=id${query}`);
    return [body.map(({ id }: { id: number }) => id), headers["x-total-count"]];
  };

  expect(await ids("")).toEqual([[far, outside, nowhere], "3"]);
  expect(await ids("&sort=name&per_page=2")).toEqual([[outside, nowhere], "3"]);
  expect(await ids("&sort=name&per_page=2&page=2")).toEqual([[far], "3"]);
  expect(await ids("&filter[type]=delivery")).toEqual([[far, outside], "2"]);
  expect(await ids("&filter[name][contains]=b")).toEqual([[nowhere], "1"]);
  const loaded = await home.client.rest("GET", `${home.all}?load=client&per_page=1`);
  expect(loaded.body[0].client.id).toBe(home.id);
});

it("takes no address for missing where the company has no geofences", async () => {
  await addAddress(home, at(0, 0));
  const nowhere = await addAddress(home);

  const { body } = await home.client.rest("GET", home.all);

  expect(body.map(({ id }: { id: number }) => id)).toEqual([nowhere]);
});

it("reads the geofences once for a page", async () => {
  const forget = keepRemembered();
  for (let n = 0; n < 12; n += 1) await addGeofence(circle(n * 1_000_000, 0, 1_000));
  for (let n = 0; n < 20; n += 1) await addAddress(home, at(n * 1_000_000, 0));
  const statements = async (size: number) => {
    await home.client.rest("GET", `${home.own}?per_page=${size}`);
    gateway.statements.length = 0;
    const { body } = await home.client.rest("GET", `${home.own}?per_page=${size}`);
    expect(body).toHaveLength(size);
    return gateway.statements.filter((text) => /from "?(?:public"?\."?)?geofences/iu.test(text)).length;
  };

  expect([await statements(2), await statements(20)]).toEqual([1, 1]);
  forget();
});

it("refuses a polygon that is larger than half of the globe, and geofences beyond the bounds", async () => {
  const add = (data: object) =>
    home.company.owner.run(CREATE, { c: home.company.id, input: { name: "x", type: "x", data } });
  const around = {
    shape: "polygon",
    coordinates: [
      [0, 0],
      [120_000_000, 0],
      [-120_000_000, 0],
    ],
  };
  const many = {
    shape: "polygon",
    coordinates: Array.from({ length: 1_000 }, (_, n) => [n * 1_000, (n % 7) * 1_000]),
  };
  const row = { companyId: home.company.id, name: "x", type: "x", enabled: false };

  const [large] = (await add(around)).errors ?? [];
  await gateway.db.geofence.createMany({ data: Array.from({ length: 20 }, () => ({ ...row, data: many })) });
  const [pointed] = (await add(many)).errors ?? [];
  await gateway.db.geofence.createMany({
    data: Array.from({ length: 979 }, () => ({ ...row, data: { shape: "circle", coordinates: [] } })),
  });
  await gateway.db.geofence.deleteMany({ where: { companyId: row.companyId, data: { equals: many } } });
  await gateway.db.geofence.createMany({
    data: Array.from({ length: 21 }, () => ({ ...row, data: { shape: "circle", coordinates: [] } })),
  });
  const [counted] = (await add(circle(0, 0, 1))).errors ?? [];

  expect(wrongFields(large?.extensions["errors"])).toEqual(["data.coordinates:half_of_globe"]);
  expect([pointed?.extensions["code"], counted?.extensions["code"]]).toEqual([
    "INVALID_STATE",
    "INVALID_STATE",
  ]);
  expect(await gateway.db.geofence.count({ where: { companyId: row.companyId } })).toBe(1_000);
});
