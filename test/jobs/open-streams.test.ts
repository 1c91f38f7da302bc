import { OpenStreams, streamQuota } from "../../src/api/http/open-streams.js";
import { Quotas } from "../../src/core/quotas/quota.js";

/** A stream without a connection. */
class Stream {
  private readonly ended = new AbortController();
  readonly signal = this.ended.signal;

  end(): void {
    this.ended.abort();
  }
}

function opened(streams: OpenStreams<Stream>, companyId: number, count: number): Stream[] {
  return Array.from({ length: count }, (_, i) =>
    streams.open({ caller: `${companyId}-${Math.floor(i / 6)}`, companyId }, () => new Stream()),
  );
}

const isOpen = ({ signal }: Stream): boolean => !signal.aborted;

it("ends the oldest stream of the company with the most, when an instance has 200", () => {
  const streams = new OpenStreams<Stream>(new Quotas([streamQuota]));
  const small = opened(streams, 1, 40);
  const large = [2, 3, 4].map((companyId) => opened(streams, companyId, 50));
  const middle = opened(streams, 5, 10);

  const last = [6, 7].flatMap((companyId) => opened(streams, companyId, 1));

  expect([...small, ...middle, ...last].every(isOpen)).toBe(true);
  expect(large.map((company) => company.map(isOpen).indexOf(true))).toEqual([1, 1, 0]);
  expect(large.flat().filter(isOpen)).toHaveLength(148);
});

it("ends the oldest stream of a company that would have more than 50, whatever others have", () => {
  const streams = new OpenStreams<Stream>(new Quotas([streamQuota]));
  const company = opened(streams, 1, 50);
  const others = opened(streams, 2, 3);

  const more = ["a", "b"].map((caller) => streams.open({ caller, companyId: 1 }, () => new Stream()));

  expect(company.map(isOpen).indexOf(true)).toBe(2);
  expect([...others, ...more].every(isOpen)).toBe(true);
});

it("counts no stream that has ended", () => {
  const streams = new OpenStreams<Stream>(new Quotas([streamQuota]));
  const [first, ...rest] = opened(streams, 1, 50);
  first?.end();

  streams.open({ caller: "late", companyId: 1 }, () => new Stream());

  expect(rest.every(isOpen)).toBe(true);
});
