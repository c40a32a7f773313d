import { withTimeout } from '../../platform/deadlines.ts';
import type { Effects } from '../../platform/effects.ts';
import type { NoAnswer } from '../../platform/judge.ts';
import { type LanguageModel, ModelFault, type Prompt } from '../../platform/language-model.ts';
import { createCircuit } from './circuit.ts';

/** Time reserved after the answer, for storing the result before the deadline. */
const RESERVE_MS = 100;

type Reply = { text: string } | { result: 'late' | 'failed'; cause: string; isOutage: boolean; isDenied: boolean };

interface ModelQuestion {
  /** Kind of question, for the log. */
  asked: 'opinion' | 'phrases';
  timeoutMs: number;
}

/**
 * Asks a model one kind of question, if enough time is left and the circuit is closed. Logs when the circuit opens, and the first denial of
 * access.
 */
export function createAsk(
  { clock, metrics, log }: Pick<Effects, 'clock' | 'metrics' | 'log'>,
  model: LanguageModel,
  { asked, timeoutMs }: ModelQuestion,
) {
  const circuit = createCircuit(clock);
  let hasLoggedDenial = false;

  /** Gets the model's answer, or why it failed or timed out. */
  function callModel(prompt: Prompt): Promise<Reply> {
    const controller = new AbortController();
    const work = () =>
      model(prompt, controller.signal).then(
        (text): Reply => ({ text }),
        (error): Reply => ({
          result: 'failed',
          cause: error instanceof ModelFault ? error.message : 'connection failed',
          isOutage: !(error instanceof ModelFault) || error.isOutage,
          isDenied: error instanceof ModelFault && error.isDenied,
        }),
      );
    return withTimeout(clock, timeoutMs, work, () => {
      controller.abort();
      return { result: 'late', cause: 'timeout', isOutage: true, isDenied: false };
    });
  }

  /** Counts every denial, so that the alarm stays on, but logs only the first. */
  function noteDenial(cause: string): void {
    metrics.add('JudgeDenied');
    if (!hasLoggedDenial) log.warn('the judge denies access', { asked, cause });
    hasLoggedDenial = true;
  }

  return async <T>(
    prompt: Prompt,
    read: (text: string) => T | undefined,
  ): Promise<{ result: 'answered'; answer: T } | { result: NoAnswer }> => {
    if (clock.deadline() - clock.now() < timeoutMs + RESERVE_MS) return { result: 'no_time' };
    if (!circuit.mayAsk()) return { result: 'circuit_open' };
    const reply = await callModel(prompt);
    if ('cause' in reply && reply.isDenied) noteDenial(reply.cause);
    const answer = 'text' in reply ? read(reply.text) : undefined;
    // An unusable answer depends on the conversation, so it must not open the circuit for other callers.
    if ('text' in reply || !reply.isOutage) circuit.note(true);
    else if (circuit.note(false)) log.warn('the judge fails too often', { asked, cause: reply.cause });
    if (answer !== undefined) return { result: 'answered', answer };
    return { result: 'text' in reply ? 'unreadable' : reply.result };
  };
}
