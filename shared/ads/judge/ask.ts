import { withTimeout } from '../../platform/clock.ts';
import type { Effects } from '../../platform/effects.ts';
import type { NoAnswer } from '../../platform/judge.ts';
import { type LanguageModel, ModelFault, type Prompt } from '../../platform/language-model.ts';
import { createCircuit } from './circuit.ts';

/** What is left of an operation's time after the answer, for storing what comes of it. */
const RESERVE_MS = 100;

type Reply = { text: string } | { result: 'late' | 'failed'; cause: string; isOutage: boolean; isDenied: boolean };

interface ModelQuestion {
  /** What for, in the log. */
  asked: 'opinion' | 'phrases';
  timeoutMs: number;
}

/** Asks a model for one kind of answer: in the time that is left, and while the model is reachable. Logs why once it is not, or once it denies access. */
export function createAsk(
  { clock, metrics, log }: Pick<Effects, 'clock' | 'metrics' | 'log'>,
  model: LanguageModel,
  { asked, timeoutMs }: ModelQuestion,
) {
  const circuit = createCircuit(clock);
  let hasLoggedDenial = false;

  /** The model's answer, unless it fails, or takes longer than it may. */
  function reply(prompt: Prompt): Promise<Reply> {
    const cutOff = new AbortController();
    const work = () =>
      model(prompt, cutOff.signal).then(
        (text): Reply => ({ text }),
        (error): Reply => ({
          result: 'failed',
          cause: error instanceof ModelFault ? error.message : 'connection failed',
          isOutage: !(error instanceof ModelFault) || error.isOutage,
          isDenied: error instanceof ModelFault && error.isDenied,
        }),
      );
    return withTimeout(clock, timeoutMs, work, () => {
      cutOff.abort();
      return { result: 'late', cause: 'timeout', isOutage: true, isDenied: false };
    });
  }

  /** Each denial is counted, so that the alarm stays on; the log has the first alone. */
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
    const got = await reply(prompt);
    if ('cause' in got && got.isDenied) noteDenial(got.cause);
    const answer = 'text' in got ? read(got.text) : undefined;
    // What a conversation makes the model answer, or refuse, is its caller's doing: it closes the circuit to no other caller.
    if ('text' in got || !got.isOutage) circuit.note(true);
    else if (circuit.note(false)) log.warn('the judge fails too often', { asked, cause: got.cause });
    if (answer !== undefined) return { result: 'answered', answer };
    return { result: 'text' in got ? 'unreadable' : got.result };
  };
}
