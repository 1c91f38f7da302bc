import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isId } from "../../core/integers.js";
import type { Caller } from "../../core/access/caller.js";
import { networkOf } from "../../core/access/network.js";
import { heldBackMs } from "../../engine/limits/loop-slices.js";
import { loopTime } from "../../engine/limits/loop-time.js";
import { FairTurns, Turn, type TurnOwner } from "../../engine/limits/fair-turns.js";
import { faceOf, type Face } from "../../engine/request/face.js";
import { overloaded } from "./back-pressure.js";
import { CrowdGate } from "./crowd-gate.js";
import type { WithCaller } from "./rate-limit-hook.js";
import { refuse } from "./refuse.js";

declare module "fastify" {
  interface FastifyRequest {
    /** The request's share of the process; `null` outside the two faces. */
    turn: Turn | null;
  }
}

/** The process works on this many requests at once for each connection of the pool. */
const WORKING_PER_CONNECTION = 1;
/** The share of them that one company may have. */
const SHARE_OF_COMPANY = 0.75;
/**
 * The event loop is expected to work this long for all requests that have their turn, while several companies ask: a few usual ones,
 * which keep it busy while they wait for a database that is near.
 */
const MOST_WORK_MS = 3;
/** This many requests of one company may wait for each connection of the pool, also in a burst. */
const BURST_PER_CONNECTION = 64;
/** This many may wait when it is no burst. */
const WAITING_PER_CONNECTION = 6;
/** A company whose first request waits for longer than this, and for this share of its time, has more than a burst. */
const BURST_MS = 500;
const BURST_SHARE = 0.05;
/** A request that is likely to wait for longer than this, and for this share of its time, is refused at once. */
const MOST_WAIT_MS = 600;
const MOST_WAIT_SHARE = 0.06;

export interface FairShareOptions {
  readonly connections: number;
  readonly requestTimeoutMs: number;
  readonly withCaller: WithCaller;
  /** Whether the address of a connection is that of its caller, and not of a proxy. */
  readonly knowsAddress: boolean;
  /** Whether the event loop is so late that further requests are refused. */
  readonly isLate: () => boolean;
}

/**
 * Shares the process among companies: it works on so many requests at once as keep it busy, the others wait, and the
 * next turn is for the company that has used the least time of the event loop and of the database. A company that asks for more than its share only waits for itself;
 * when it does so for longer than a burst, its further requests are answered 503 at once.
 *
 * A request has its turn from when its body has arrived until its answer is made, so slow senders and slow readers take
 * no turns.
 *
 * @returns a function that makes a turn for what is asked in a company's name without a request.
 */
export function shareFairly(app: FastifyInstance, options: FairShareOptions): (companyId: number) => Turn {
  const { connections, requestTimeoutMs, withCaller, knowsAddress, isLate } = options;
  const most = WORKING_PER_CONNECTION * connections;
  const mostOfOne = Math.ceil(SHARE_OF_COMPANY * most);
  const turns = new FairTurns({ most, mostOfOne, mostWorkMs: MOST_WORK_MS, loopUse: loopUse() });
  const isBurstOver = crowded(connections, Math.max(BURST_MS, BURST_SHARE * requestTimeoutMs));
  const mostWaitMs = Math.max(MOST_WAIT_MS, MOST_WAIT_SHARE * requestTimeoutMs);
  const fewOfAll = WAITING_PER_CONNECTION * connections;
  const waitsLong = (owner: TurnOwner): boolean =>
    ((owner.waiting.length > connections || turns.waiting > fewOfAll) &&
      turns.expectedWait(owner) > mostWaitMs) ||
    (owner.waiting.length > fewOfAll && turns.workAhead(owner) > mostWaitMs);
  const isCrowded = (owner: TurnOwner): boolean =>
    isBurstOver(owner) ||
    // Of a crowd the crowd is refused, however long others wait for its sake.
    ((isLate() || waitsLong(owner)) && !turns.hasLessToDo(owner));
  const refuseOne = (request: FastifyRequest, reply: FastifyReply): void => {
    turns.noteRefusal();
    refuse(overloaded(), request, reply);
  };
  const onRefused = (face: Face, headers: IncomingHttpHeaders): string => {
    turns.noteRefusal();
    return app.countRefused(face, headers);
  };
  const gate = new CrowdGate({ turns, isCrowded, knowsAddress, onRefused });
  gate.guard(app);

  app.addHook("onRequest", (request, reply, done) => {
    if (faceOf(request) === "other") return done();
    withCaller(request, done, (caller) => {
      const owner = turns.owner(ownerName(request, caller), { isBehind: isStranger(caller) });
      const turn = new Turn(turns, owner, companyOf(request, caller), reply.raw);
      loopTime.worksFor(turn);
      request.turn = turn;
      if (isOfOneCompany(caller)) gate.learn(request.headers.authorization, owner);
      if (isCrowded(owner)) refuseOne(request, reply);
      else done();
    });
  });
  app.addHook("preValidation", (request, reply, done) => {
    const { turn } = request;
    if (turn === null) return done();
    loopTime.worksFor(turn);
    if (turn.begin()) return done();
    if (isCrowded(turn.owner)) return void refuseOne(request, reply);
    void turn.wait(requestTimeoutMs).then((hasBegun) => {
      if (!hasBegun) return void refuseOne(request, reply);
      // Whoever has gone in the meantime needs no answer.
      if (reply.sent || reply.raw.destroyed) return turn.end();
      loopTime.worksFor(turn);
      done();
    });
  });
  app.addHook("onSend", (request, _reply, _payload, done) => {
    if (request.turn !== null) {
      loopTime.count();
      request.turn.end();
    }
    done();
  });
  return (companyId) => new Turn(turns, turns.owner(`company:${companyId}`), companyId);
}

/**
 * Returns a function that tells how busy the event loop has been since it was last called, from 0 to 1. While long work is held back
 * for the sake of others, it counts as busy.
 */
function loopUse(): () => number {
  let before = { loop: performance.eventLoopUtilization(), held: heldBackMs() };
  return () => {
    const now = { loop: performance.eventLoopUtilization(), held: heldBackMs() };
    const { active, idle } = performance.eventLoopUtilization(now.loop, before.loop);
    const busy = active + now.held - before.held;
    before = now;
    return Math.min(1, busy / (active + idle));
  };
}

/** Whether so many requests of an owner wait that a further one is refused. */
function crowded(connections: number, burstMs: number): (owner: TurnOwner) => boolean {
  const burst = BURST_PER_CONNECTION * connections;
  const usual = WAITING_PER_CONNECTION * connections;
  /** The owners that have had more than a burst, and still have many requests waiting. */
  const strict = new WeakSet<TurnOwner>();
  return (owner) => {
    const [first] = owner.waiting;
    if (first === undefined || owner.waiting.length <= usual / 2) strict.delete(owner);
    else if (performance.now() - first.since > burstMs) strict.add(owner);
    return owner.waiting.length >= (strict.has(owner) ? usual : burst);
  };
}

/** Whether all requests with the token of the caller are of one share. */
function isOfOneCompany(caller: Caller): caller is Extract<Caller, { companyId: number }> {
  return "companyId" in caller;
}

function isStranger({ kind }: Caller): boolean {
  return kind === "anonymous" || kind === "invalid";
}

/**
 * Names whose share a request is of: a company, which the token names, or for the platform the path. Strangers share by their
 * networks, also in what is open of a company: they take nothing from those who work there.
 */
function ownerName(request: FastifyRequest, caller: Caller): string {
  if (isStranger(caller)) return `network:${networkOf(request.ip)}`;
  const companyId = companyOf(request, caller);
  return companyId === null ? "platform" : `company:${companyId}`;
}

/** Returns the company that the token names, else the one of the path. */
function companyOf(request: FastifyRequest, caller: Caller): number | null {
  if (isOfOneCompany(caller)) return caller.companyId;
  const companyId = Number((request.params as { companyId?: string }).companyId);
  return isId(companyId) ? companyId : null;
}
