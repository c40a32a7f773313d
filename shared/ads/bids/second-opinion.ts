import type { ApiKey } from '../../keys/api-key.ts';
import type { Effects } from '../../platform/effects.ts';
import type { Judgment } from '../../platform/judge.ts';
import { unlessUnavailable } from '../../platform/unavailable.ts';
import type { Demand, Opportunity } from '../auction/auction.ts';
import { applyOpinion, buildShortlist, isFitting } from '../auction/judged.ts';
import { createAdTextReader, type ReadAdTexts } from './ad-texts.ts';

/** How long the ads' texts are waited for. */
const MAX_READ_MS = 100;

/** What debug tells of the second opinion. */
interface JudgeDebug {
  result: Judgment['result'];
  /** Whether it takes the conversation for a place for ads; null without an opinion. */
  safe: boolean | null;
}

/** The demand in which an auction is held, and what came of asking for a second opinion; undefined where none was asked for. */
interface JudgedDemand {
  demand: Demand;
  judge: JudgeDebug | undefined;
}

/** Whether anything forbids to show a conversation to a judge. Whatever else a request may say against it belongs here. */
const mayBeJudged = (key: Pick<ApiKey, 'judge'>, { optOut }: { optOut?: boolean }): boolean =>
  key.judge !== false && !optOut;

/**
 * Considers what fits by the judge where there is one: its opinion replaces relevance; without an opinion the demand is as it was, and
 * the first stage decides by its own threshold. Nobody is asked about a sensitive conversation, nor where nothing fits.
 */
export const createSecondOpinion = ({ db, clock, judge }: Pick<Effects, 'db' | 'clock' | 'judge'>) =>
  createOpinionRequest({ clock, judge, readAdTexts: createAdTextReader({ db }) });

/** The same, with the ads' texts from wherever they are. */
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
    const listed = buildShortlist(demand, opportunity);
    const fitting = listed.noBid === null ? listed.candidates.filter(isFitting) : [];
    if (fitting.length === 0) return { demand, judge: undefined };
    const campaigns = fitting.map(({ id }) => listed.find(id).campaign);
    const until = Math.min(clock.deadline(), clock.now() + MAX_READ_MS);
    const ads = await clock.within(until, () => textsOf(campaigns)).catch(unlessUnavailable);
    const judgment: Judgment = ads ? await judge.opine({ messages: opportunity.messages, ads }) : { result: 'failed' };
    if (judgment.result !== 'answered') return { demand, judge: { result: judgment.result, safe: null } };
    const { opinion } = judgment;
    return { demand: applyOpinion(listed, opinion), judge: { result: 'answered', safe: opinion.safe } };
  };
}
