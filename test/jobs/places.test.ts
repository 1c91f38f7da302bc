import { Places } from "../../src/core/jobs/places.js";

describe("the places for some work", () => {
  let now = 0;
  let places: Places;
  beforeEach(() => {
    now = 0;
    places = new Places(2, () => now);
  });

  it("are one for a company, which keeps nobody else from another one", () => {
    expect([places.take(1), places.take(1), places.areWanted(), places.take(2)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it("go to those who came first, however often others ask", () => {
    places.take(1);
    places.take(2);
    expect(places.take(3)).toBe(false);
    now = 100;
    expect(places.take(4)).toBe(false);
    expect(places.areWanted()).toBe(true);

    places.leave(1);
    now = 200;

    expect([places.take(1), places.take(4), places.take(3)]).toEqual([false, false, true]);
    places.leave(2);
    expect([places.take(2), places.take(1), places.take(4)]).toEqual([false, false, true]);
  });

  it("are not kept for who asks no more", () => {
    places.take(1);
    places.take(2);
    places.take(3);
    now = 3_001;

    places.leave(1);

    expect([places.areWanted(), places.take(4)]).toEqual([false, true]);
  });
});
