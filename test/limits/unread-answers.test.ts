import { buffer } from "node:stream/consumers";
import { UnreadAnswer, UnreadAnswers } from "../../src/api/http/unread-answers.js";
import type { LoopUser } from "../../src/engine/limits/loop-time.js";

const PIECE = Buffer.alloc(10, "x");
/** A reader stands still by then, in milliseconds. */
const STILL_MS = 1_001;

let answers: UnreadAnswers;
beforeEach(() => (answers = new UnreadAnswers(100)));

const userOf = (owner: LoopUser): LoopUser => ({ owner, loopMs: 0, used: 0 });
const [one, other] = [userOf({ loopMs: 0, used: 0 }), userOf({ loopMs: 0, used: 0 })];

const unread = (user: LoopUser, pieces: number): UnreadAnswer =>
  new UnreadAnswer(
    Array.from({ length: pieces }, () => PIECE),
    user,
    answers,
  );

function still(user: LoopUser, pieces: number, { forMs = STILL_MS } = {}): UnreadAnswer {
  const answer = unread(user, pieces);
  answer.readAt -= forMs;
  return answer;
}

const areClosed = (...some: readonly UnreadAnswer[]): boolean[] => some.map(({ destroyed }) => destroyed);

describe("large answers that nobody reads", () => {
  it("are kept as long as there is room", () => {
    const kept = [still(one, 4), still(one, 3), still(other, 3)];

    expect(areClosed(...kept)).toEqual([false, false, false]);
  });

  it("are closed for further ones, of the owner who has the most of them, the one that was read the longest ago first", () => {
    const [late, early, last] = [still(one, 3), still(one, 3, { forMs: 2 * STILL_MS }), still(other, 4)];

    const further = unread(other, 1);
    expect(areClosed(late, early, last, further)).toEqual([false, true, false, false]);

    const another = unread(other, 6);
    expect(areClosed(late, last, further, another)).toEqual([false, true, false, false]);
  });

  it("are not closed while they are read, however many there are", () => {
    const kept = [unread(one, 9), unread(one, 9), unread(other, 9)];

    expect(areClosed(...kept)).toEqual([false, false, false]);
  });

  it("take no room for what has been read, or once their reader has gone", async () => {
    const [read, gone] = [unread(one, 5), still(one, 5)];

    expect(await buffer(read)).toEqual(Buffer.concat(Array.from({ length: 5 }, () => PIECE)));
    gone.destroy();
    const kept = still(other, 5);
    unread(other, 5);

    expect(areClosed(kept)).toEqual([false]);
  });
});
