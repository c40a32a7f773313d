import type { Effects } from '../platform/effects.ts';
import type { Judge, Judgment } from '../platform/judge.ts';
import type { LanguageModel, Prompt } from '../platform/language-model.ts';
import { withTimeout } from '../platform/timeout.ts';
import { opinionFrom } from './answer.ts';
import { createOpinionCache } from './cache.ts';
import { createCircuit } from './circuit.ts';
import { promptOf } from './prompt.ts';

/** What is left of an operation's time after the judge, for storing the bid. */
const RESERVE_MS = 100;

type Answer = { text: string } | { result: 'late' | 'failed' };

/** A judge that is a language model. Nothing of what is asked or answered is logged. */
export function createJudge(
  { clock, metrics }: Pick<Effects, 'clock' | 'metrics'>,
  model: LanguageModel,
  timeoutMs: number,
): Judge {
  const cache = createOpinionCache();
  const circuit = createCircuit(clock);

  /** The model's answer, unless it fails, or takes longer than it may. */
  function ask(prompt: Prompt): Promise<Answer> {
    const cutOff = new AbortController();
    const answer = () =>
      model(prompt, cutOff.signal).then(
        (text): Answer => ({ text }),
        (): Answer => ({ result: 'failed' }),
      );
    return withTimeout(clock, timeoutMs, answer, () => {
      cutOff.abort();
      return { result: 'late' };
    });
  }

  return {
    async opine(question): Promise<Judgment> {
      const prompt = promptOf(question);
      const key = cache.keyOf(prompt);
      const known = cache.get(key);
      if (known) return { result: 'answered', opinion: known };
      if (clock.deadline() - clock.now() < timeoutMs + RESERVE_MS) return { result: 'no_time' };
      if (!circuit.mayAsk()) {
        metrics.add('JudgeCircuitOpen');
        return { result: 'circuit_open' };
      }
      metrics.add('JudgeAsked');
      const answer = await ask(prompt);
      const opinion = 'text' in answer ? opinionFrom(answer.text, question.ads.length) : undefined;
      circuit.note(opinion !== undefined);
      if (opinion) {
        metrics.add('JudgeAnswered');
        cache.set(key, opinion);
        return { result: 'answered', opinion };
      }
      const result = 'result' in answer ? answer.result : 'failed';
      metrics.add(result === 'late' ? 'JudgeLate' : 'JudgeFailed');
      return { result };
    },
  };
}
