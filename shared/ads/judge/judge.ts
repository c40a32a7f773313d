import type { Effects } from '../../platform/effects.ts';
import type { Judge, Judgment } from '../../platform/judge.ts';
import type { JudgeSettings, LanguageModel } from '../../platform/language-model.ts';
import type { MetricName } from '../../platform/metrics.ts';
import { openModel } from '../../platform/open-model.ts';
import { createAsk } from './ask.ts';
import { createOpinionCache } from './cache.ts';
import { buildOpinionPrompt, parseOpinion } from './opinion.ts';
import { buildPhrasesPrompt, parsePhrases } from './phrases.ts';

/** Timeout for phrases: about a thousand tokens, written in the background. */
const PHRASES_MS = 60_000;

/** Metrics recorded for each judgment result. */
const MEASURED: Readonly<Record<Judgment['result'], readonly MetricName[]>> = {
  answered: ['JudgeAsked', 'JudgeAnswered'],
  late: ['JudgeAsked', 'JudgeLate'],
  failed: ['JudgeAsked', 'JudgeFailed'],
  unreadable: ['JudgeAsked', 'JudgeFailed'],
  circuit_open: ['JudgeCircuitOpen'],
  no_time: [],
};

/** Creates a judge from a language model. @param timeoutMs for an opinion */
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
      const cached = cache.get(key);
      if (cached) return { result: 'answered', opinion: cached };
      const reply = await askOpinion(prompt, (text) => parseOpinion(text, question.ads.length));
      for (const name of MEASURED[reply.result]) metrics.add(name);
      if (reply.result !== 'answered') return { result: reply.result };
      cache.set(key, reply.answer);
      return { result: 'answered', opinion: reply.answer };
    },

    async suggest(campaign) {
      const reply = await askPhrases(buildPhrasesPrompt(campaign), parsePhrases);
      return reply.result === 'answered' ? { result: 'answered', phrases: reply.answer } : { result: reply.result };
    },
  };
}

/** Opens the judge from its settings. */
export const openJudge = async (
  effects: Pick<Effects, 'clock' | 'metrics' | 'log'>,
  settings: JudgeSettings,
): Promise<Judge> => createJudge(effects, await openModel(settings), settings.timeoutMs);
