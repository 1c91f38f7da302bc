import { ReplicaLease, STEADY_MS } from "../../src/engine/connections/replica-lease.js";

const LEASE = 100;

/** A lease of a replica that has confirmed since 0 and is in use at the returned moment. */
function inUse(): { lease: ReplicaLease; now: number } {
  const lease = new ReplicaLease(LEASE);
  lease.join(0);
  for (let at = 0; at <= STEADY_MS; at += 50) lease.confirm(at);
  return { lease, now: STEADY_MS };
}

describe("ReplicaLease", () => {
  it("lets nobody read before a second of confirmations, nor a lease after the last one", () => {
    const lease = new ReplicaLease(LEASE);
    lease.confirm(0);
    expect(lease.mayRead(1)).toBe(false);
    lease.join(10);
    lease.confirm(20);
    lease.confirm(19 + STEADY_MS);
    expect(lease.mayRead(20 + STEADY_MS)).toBe(false);
    lease.confirm(20 + STEADY_MS);
    expect(lease.mayRead(20 + STEADY_MS)).toBe(true);

    expect(lease.mayRead(19 + STEADY_MS + LEASE)).toBe(true);
    expect(lease.mayRead(20 + STEADY_MS + LEASE)).toBe(false);
  });

  it("begins anew after the replica went out of use or the primary forgot who reads", () => {
    for (const end of ["leave", "unjoin"] as const) {
      const { lease, now } = inUse();
      lease[end]();
      lease.confirm(now + 10);
      expect(lease.mayRead(now + 10)).toBe(false);
    }
  });

  it("holds an answer until the replica confirms a later moment, for a lease at the longest", () => {
    const { lease, now } = inUse();
    const writtenAt = now + 10;

    expect(lease.isSettled(writtenAt, writtenAt + LEASE)).toBe(false);
    expect(lease.isSettled(writtenAt, lease.settledAt(writtenAt))).toBe(true);
    expect(lease.settledAt(writtenAt)).toBeGreaterThan(writtenAt + LEASE);
    lease.confirm(writtenAt - 1);
    expect(lease.isSettled(writtenAt, writtenAt + 1)).toBe(false);
    lease.confirm(writtenAt);
    expect(lease.isSettled(writtenAt, writtenAt + 1)).toBe(true);
  });

  it("holds no answer for a replica that nobody else reads, as long as nobody can have begun to", () => {
    const lease = new ReplicaLease(LEASE);
    lease.observe({ isHeld: false, askedAt: 0, answeredAt: 5 });
    // Whoever read it until the question may go on for a lease.
    expect(lease.isSettled(5, 5)).toBe(false);
    expect(lease.isSettled(200, 200)).toBe(true);
    // Whoever took the lock after the question may read it a second later.
    expect(lease.isSettled(STEADY_MS - LEASE, STEADY_MS - LEASE)).toBe(false);

    lease.observe({ isHeld: false, askedAt: 800, answeredAt: 805 });
    expect(lease.isSettled(1_500, 1_500)).toBe(true);
    lease.observe({ isHeld: true, askedAt: 1_600, answeredAt: 1_605 });
    expect(lease.isSettled(1_750, 1_750)).toBe(false);
    lease.observe({ isHeld: false, askedAt: 2_000, answeredAt: 2_005 });
    expect(lease.isSettled(2_010, 2_010)).toBe(false);
    expect(lease.isSettled(2_200, 2_200)).toBe(true);

    lease.join(2_200);
    expect(lease.isSettled(2_210, 2_210)).toBe(false);
  });
});
