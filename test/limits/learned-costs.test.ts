import { LearnedCosts } from "../../src/engine/limits/learned-costs.js";

const RUNS = 30;
const SCALE = 3;

describe("the costs that runs show", () => {
  const search = { name: "searchGoods", points: 527 };
  const list = { name: "goods", points: 32 };

  it("are not known before thirty runs", () => {
    const costs = new LearnedCosts();

    for (let run = 1; run < RUNS; run += 1) costs.learn([search], SCALE, 60);
    const before = costs.expectedCost([search], SCALE);
    costs.learn([search], SCALE, 60);

    expect([before, costs.expectedCost([search], SCALE)]).toEqual([0, 3_000]);
  });

  it("leave out what every request stands for", () => {
    const costs = new LearnedCosts();

    for (let run = 0; run < RUNS; run += 1) costs.learn([list], SCALE, 30);

    expect(costs.expectedCost([list], SCALE)).toBe(0);
    expect(costs.expectedCost(Array(10).fill(list), SCALE)).toBe(27_000);
  });

  it("are told apart by the scale of the company, and by the digits of the points", () => {
    const costs = new LearnedCosts();

    for (let run = 0; run < RUNS; run += 1) costs.learn([search], SCALE, 60);

    expect(costs.expectedCost([search], SCALE + 1)).toBe(0);
    expect(costs.expectedCost([{ ...search, points: 5_270 }], SCALE)).toBe(0);
    expect(costs.expectedCost([{ ...search, points: 600 }], SCALE)).toBe(3_000);
  });

  it("share out a run among its fields as they were expected to take", () => {
    const costs = new LearnedCosts();
    for (let run = 0; run < RUNS; run += 1) costs.learn([list], SCALE, 1);

    for (let run = 0; run < RUNS; run += 1)
      costs.learn([...Array<typeof search>(9).fill(search), list], SCALE, 9 * 20 + 1);

    const nine = costs.expectedCost(Array(9).fill(search), SCALE);
    expect(nine).toBeGreaterThan((9 * 15 - 30) * 100);
    expect(nine).toBeLessThan((9 * 21 - 30) * 100);
  });

  it("follow the quickest run of late, since slow ones may have waited for others", () => {
    const [slower, quicker] = [new LearnedCosts(), new LearnedCosts()];
    for (let run = 0; run < RUNS; run += 1) {
      slower.learn([search], SCALE, 40);
      quicker.learn([search], SCALE, 140);
    }

    slower.learn([search], SCALE, 140);
    quicker.learn([search], SCALE, 40);

    expect(slower.expectedCost([search], SCALE)).toBe(1_020);
    expect(quicker.expectedCost([search], SCALE)).toBe(1_000);
  });
});
