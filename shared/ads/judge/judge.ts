import type { Effects } from '../../platform/effects.ts';
import type { Judge, Judgment } from '../../platform/judge.ts';
import type { JudgeSettings, LanguageModel } from '../../platform/language-model.ts';
import type { MetricName } from '../../platform/metrics.ts';
import { openModel } from '../../platform/open-model.ts';
import { createAsk } from './ask.ts';
import { createOpinionCache } from './cache.ts';
import { buildOpinionPrompt, parseOpinion } from './opinion.ts';
import { buildPhrasesPrompt, parsePhrases } from './phrases.ts';

/** How long phrases may take: a hundred are some thousand tokens, and nobody waits for them. */
const PHRASES_MS = 60_000;

/** What is counted for each result of asking for an opinion. */
const MEASURED: Readonly<Record<Judgment['result'], readonly MetricName[]>> = {
  answered: ['JudgeAsked', 'JudgeAnswered'],
  late: ['JudgeAsked', 'JudgeLate'],
  failed: ['JudgeAsked', 'JudgeFailed'],
  unreadable: ['JudgeAsked', 'JudgeFailed'],
  circuit_open: ['JudgeCircuitOpen'],
  no_time: [],
};

/** A judge that is a language model. @param timeoutMs how long an opinion may take */
export function createJudge(
  { clock, metrics, log }: Pick<Effects, 'clock' | 'metrics' | 'log'>,
  model: LanguageModel,
  timeoutMs: number,
): Judge {
  const cache = createOpinionCache();
  const askOpinion = createAsk({ clock, metrics, log }, model, { asked: 'opinion', timeoutMs });
  const askPhrases = createAsk({ clock, metrics, log }, model, { asked: 'phrases', timeoutMs: PHRASES_MS });

  return {
    async opine(question) {
      const prompt = buildOpinionPrompt(question);
      const key = cache.toKey(prompt);
      const known = cache.get(key);
      if (known) return { result: 'answered', opinion: known };
      const got = await askOpinion(prompt, (text) => parseOpinion(text, question.ads.length));
      for (const name of MEASURED[got.result]) metrics.add(name);
      if (got.result !== 'answered') return { result: got.result };
      cache.set(key, got.answer);
      return { result: 'answered', opinion: got.answer };
    },

    async suggest(campaign) {
      const got = await askPhrases(buildPhrasesPrompt(campaign), parsePhrases);
      return got.result === 'answered' ? { result: 'answered', phrases: got.answer } : { result: got.result };
    },
  };
}

/** The judge that the settings name. */
export const openJudge = async (
  effects: Pick<Effects, 'clock' | 'metrics' | 'log'>,
  settings: JudgeSettings,
): Promise<Judge> => createJudge(effects, await openModel(settings), settings.timeoutMs);
