import type { ApiKey } from '../../keys/api-key.ts';
import type { Effects } from '../../platform/effects.ts';
import type { Judgment } from '../../platform/judge.ts';
import { unlessUnavailable } from '../../platform/unavailable.ts';
import type { Demand, Opportunity } from '../auction/auction.ts';
import { applyOpinion, buildShortlist, isFitting } from '../auction/shortlist.ts';
import { createAdTextReader, type ReadAdTexts } from './ad-texts.ts';

/** Time limit for reading the ads' texts. */
const MAX_READ_MS = 100;

/** The second opinion as X-Debug shows it. */
interface JudgeDebug {
  result: Judgment['result'];
  /** Whether the judge considers the conversation safe for ads; null without an answer. */
  safe: boolean | null;
}

/** The demand for the auction. `judge` is undefined if no opinion was requested. */
interface JudgedDemand {
  demand: Demand;
  judge: JudgeDebug | undefined;
}

/** Whether the conversation may be sent to the judge. Add further reasons against it here. */
const mayBeJudged = (key: Pick<ApiKey, 'judge'>, { optOut }: { optOut?: boolean }): boolean =>
  key.judge !== false && !optOut;

/**
 * Asks the judge about the best candidates. Its opinion replaces relevance. Without an answer, the demand is unchanged and matching
 * decides by its own threshold. Sensitive conversations, and those without candidates, are never sent to the judge.
 */
export const createSecondOpinion = ({ db, clock, judge }: Pick<Effects, 'db' | 'clock' | 'judge'>) =>
  createOpinionRequest({ clock, judge, readAdTexts: createAdTextReader({ db }) });

/** The same with another source of ad texts, for tests and evaluation. */
export function createOpinionRequest({
  clock,
  judge,
  readAdTexts: textsOf,
}: Pick<Effects, 'clock' | 'judge'> & { readAdTexts: ReadAdTexts }) {
  return async (
    demand: Demand,
    opportunity: Opportunity & { optOut?: boolean },
    key: Pick<ApiKey, 'judge'>,
  ): Promise<JudgedDemand> => {
    if (!judge || !mayBeJudged(key, opportunity)) return { demand, judge: undefined };
    const shortlist = buildShortlist(demand, opportunity);
    const fitting = shortlist.noBid === null ? shortlist.candidates.filter(isFitting) : [];
    if (fitting.length === 0) return { demand, judge: undefined };
    const campaigns = fitting.map(({ id }) => shortlist.find(id).campaign);
    const until = Math.min(clock.deadline(), clock.now() + MAX_READ_MS);
    const ads = await clock.within(until, () => textsOf(campaigns)).catch(unlessUnavailable);
    const judgment: Judgment = ads ? await judge.opine({ messages: opportunity.messages, ads }) : { result: 'failed' };
    if (judgment.result !== 'answered') return { demand, judge: { result: judgment.result, safe: null } };
    const { opinion } = judgment;
    return { demand: applyOpinion(shortlist, opinion), judge: { result: 'answered', safe: opinion.safe } };
  };
}
