import { type AuctionCandidate, type Demand, holdAuction } from '../../shared/bidding/auction.ts';
import { createTieBreaker } from '../../shared/bidding/tie-breaker.ts';
import { impressionCost, micros } from '../../shared/values/money.ts';
import { type Account, deliver, openAccount, publish } from './account.ts';
import { createAgenda } from './agenda.ts';
import type { Contender } from './campaigns.ts';
import { arrivals, dailyCurve, wait } from './traffic.ts';

const SECOND = 1000;
const DAY_SECONDS = 24 * 60 * 60;
/** Bids outlive the day by their five minutes. */
const TAIL_SECONDS = 5 * 60;
const SAMPLE_SECONDS = 15 * 60;

/** How long exchanges take to fetch an ad, people to click it, and to buy; and how often an ad is never fetched. */
const RETRIEVAL_MS = 2_500;
const CLICK_MS = 20_000;
const CONVERSION_MS = 15 * 60_000;
const NEVER_FETCHED = 0.03;

interface DayOptions {
  midnight: number;
  topics: number;
  /** Conversations in the whole day. */
  opportunities: number;
  random: () => number;
}

/** The course of a campaign's day. */
export interface Course {
  account: Account;
  /** Micro-dollars spent by each quarter of an hour: 97 moments, the first is midnight. */
  spent: number[];
  /** Micro-dollars that each hour's traffic offered: what it won, and what it would have won had it not held itself back. */
  offered: number[];
}

interface Match {
  course: Course;
  fit: number;
}

/** A day of traffic through the service's own bidding and charging, on a clock of its own. */
export function simulateDay(contenders: readonly Contender[], options: DayOptions): Course[] {
  const { midnight, topics, opportunities, random } = options;
  const courses = contenders.map(
    (contender): Course => ({ account: openAccount(contender, midnight), spent: [0], offered: Array(24).fill(0) }),
  );
  const byId = new Map(courses.map((course) => [course.account.stored.id, course]));
  const byTopic = Array.from({ length: topics }, (_, topic) => matchesOf(courses, topic));
  const agenda = createAgenda();
  const turn = createTieBreaker();
  const changed = new Set<Account>();

  /** One conversation: an auction, and what becomes of its winner. */
  function converse(now: number): void {
    const fetched = random() >= NEVER_FETCHED;
    const demand = demandOf(byTopic[Math.floor(random() * topics)]!, byId, random);
    const opportunity = { messages: [], countryCode: 'US', floor: micros(0), now, random, debug: false };
    const { winner, candidates } = holdAuction(demand, opportunity, turn);
    if (!fetched) return;
    const hour = Math.floor((now - midnight) / (60 * 60 * SECOND));
    for (const candidate of candidates) {
      const would = candidate === winner || (candidate.outcome === 'pacing' && beats(candidate, winner));
      if (would) byId.get(candidate.campaign.id)!.offered[hour]! += impressionCost(candidate.bid);
    }
    if (winner) redeem(byId.get(winner.campaign.id)!.account, winner, now + wait(RETRIEVAL_MS, random));
  }

  function redeem(account: Account, { bid, relevance }: AuctionCandidate, at: number): void {
    agenda.add(at + SECOND, () => {
      if (!deliver(account, impressionCost(bid), at)) return;
      changed.add(account);
      if (random() >= (account.clickRate * relevance) / 0.7) return;
      agenda.add(at + 2 * SECOND + wait(CLICK_MS, random), () => {
        account.clicks++;
        changed.add(account);
      });
      if (random() >= account.conversionRate) return;
      agenda.add(at + CLICK_MS + wait(CONVERSION_MS, random), () => {
        account.conversions++;
        changed.add(account);
      });
    });
  }

  for (let second = 0; second < DAY_SECONDS + TAIL_SECONDS; second++) {
    const now = midnight + second * SECOND;
    for (const account of changed) publish(account, now);
    changed.clear();
    agenda.run(now / SECOND);
    if (second >= DAY_SECONDS) continue;
    const mean = (opportunities / DAY_SECONDS) * dailyCurve(second / 3600);
    for (let left = arrivals(mean, random); left > 0; left--) converse(now + Math.floor(random() * SECOND));
    if ((second + 1) % SAMPLE_SECONDS === 0) {
      for (const { account, spent } of courses) spent.push(account.balance.spent);
    }
  }
  return courses;
}

/** The campaigns that a subject concerns. */
const matchesOf = (courses: Course[], topic: number): Match[] =>
  courses.flatMap((course) => {
    const match = course.account.topics.find((one) => one.topic === topic);
    return match ? [{ course, fit: match.fit }] : [];
  });

/** The campaigns that a conversation concerns, each about as well as it fits the subject. */
const demandOf = (matches: Match[], byId: Map<string, Course>, random: () => number): Demand => ({
  find: (id) => byId.get(id)!.account.known,
  match: (_, { bid }) => ({
    noBid: null,
    context: { topics: [], language: null },
    candidates: matches.map(({ course, fit }) => {
      const { id } = course.account.stored;
      const relevance = fit * (0.7 + 0.3 * random());
      return { id, relevance, bid: bid(id, relevance), closeness: 0, matched: [], outcome: 'match' };
    }),
  }),
});

const beats = (candidate: AuctionCandidate, winner: AuctionCandidate | undefined): boolean =>
  !winner || candidate.bid * candidate.relevance > winner.bid * winner.relevance;
