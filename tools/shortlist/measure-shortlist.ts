import { MOST_JUDGED } from '../../shared/bidding/judged.ts';
import type { Message } from '../../shared/matching/index.ts';
import type { JudgedRow } from '../evaluate/folder.ts';
import { isErring } from '../evaluate/label-judge.ts';
import { figures, judgementOf, type ScoredBid, type ScoreFigures } from '../evaluate/score.ts';
import type { IndexedFolder } from '../fit/indexed-folder.ts';

/** A conversation and its candidates whatever their relevance, the most relevant first. */
export interface Shortlisted {
  row: JudgedRow;
  candidates: { relevance: number; isRight: boolean }[];
}

/** Least relevance of a candidate here: below it there is nothing to choose. */
const ANY = 0.001;
const MOST_BEHIND = 20;

export const shortlisted = ({ rows, index, byId }: IndexedFolder): Shortlisted[] =>
  rows.map((row) => {
    const { candidates } = index.match(row.messages as Message[], { threshold: ANY, limit: MOST_BEHIND, bid: () => 1 });
    const isRight = (id: string) => judgementOf(row, byId.get(id)!.labels).outcome === 'right';
    const fitting = candidates.filter(({ outcome }) => outcome === 'match').sort((a, b) => b.relevance - a.relevance);
    return { row, candidates: fitting.map(({ id, relevance }) => ({ relevance, isRight: isRight(id) })) };
  });

/** What a stand-in that knows the labels, and errs in one row of twenty, makes of a shortlist at this threshold. */
interface Trial extends ScoredBid {
  isAsked: boolean;
  /** Whether a right campaign is among those shown, and among all over the threshold. */
  isShown: boolean;
  isThere: boolean;
}

function trialOf({ row, candidates }: Shortlisted, threshold: number): Trial {
  const over = candidates.filter(({ relevance }) => relevance >= threshold);
  const isShown = over.slice(0, MOST_JUDGED).some(({ isRight }) => isRight);
  const isAsked = over.length > 0;
  const bids = isAsked && isShown !== isErring(row.messages);
  const labels = bids ? (isShown ? row.gold : []) : null;
  return { ...judgementOf(row, labels), isAsked, isShown, isThere: over.some(({ isRight }) => isRight) };
}

interface ThresholdFigures extends ScoreFigures {
  /** Shares of the rows that want an ad. */
  shown: number;
  there: number;
  /** Share of all rows. */
  asked: number;
}

export function measureAt(some: readonly Shortlisted[], threshold: number): ThresholdFigures {
  const trials = some.map((one) => trialOf(one, threshold));
  const wanting = trials.filter(({ kind }) => kind === 'positive');
  const share = (among: readonly Trial[], is: (trial: Trial) => boolean) =>
    among.filter(is).length / (among.length || 1);
  return {
    ...figures(trials),
    shown: share(wanting, ({ isShown }) => isShown),
    there: share(wanting, ({ isThere }) => isThere),
    asked: share(trials, ({ isAsked }) => isAsked),
  };
}

/** What was tried of each row at one threshold. */
type Tried = { threshold: number; trials: readonly Trial[] };

const tryAll = (some: readonly Shortlisted[], thresholds: readonly number[]): Tried[] =>
  thresholds.map((threshold) => ({ threshold, trials: some.map((one) => trialOf(one, threshold)) }));

/** The one with the highest F1 at no more false bids than these; that of the highest threshold where there is none. */
function best(tried: readonly Tried[], mostFalse: number, counts: (row: number) => boolean = () => true): Tried {
  const measured = tried.map((one) => ({ one, ...figures(one.trials.filter((_, row) => counts(row))) }));
  const within = measured.filter(({ falseBidRate }) => falseBidRate <= mostFalse);
  if (within.length > 0) return within.reduce((a, b) => (b.f1 > a.f1 ? b : a)).one;
  return tried.reduce((a, b) => (b.threshold > a.threshold ? b : a));
}

export const chooseThreshold = (
  some: readonly Shortlisted[],
  thresholds: readonly number[],
  mostFalse: number,
): number => best(tryAll(some, thresholds), mostFalse).threshold;

/** Thresholds chosen with each group left out, and what comes of the groups that were. */
export function leaveGroupsOut(
  some: readonly Shortlisted[],
  groupOf: (row: JudgedRow) => string,
  thresholds: readonly number[],
  mostFalse: number,
) {
  const tried = tryAll(some, thresholds);
  const groups = some.map(({ row }) => groupOf(row));
  const left = [...new Set(groups)].map((group) => {
    const { threshold, trials } = best(tried, mostFalse, (row) => groups[row] !== group);
    return { threshold, trials: trials.filter((_, row) => groups[row] === group) };
  });
  const chosen = left.map(({ threshold }) => threshold);
  return { least: Math.min(...chosen), most: Math.max(...chosen), ...figures(left.flatMap(({ trials }) => trials)) };
}
