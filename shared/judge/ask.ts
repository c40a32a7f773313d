import type { Effects } from '../platform/effects.ts';
import type { NoAnswer } from '../platform/judge.ts';
import type { LanguageModel, Prompt } from '../platform/language-model.ts';
import { withTimeout } from '../platform/timeout.ts';
import { createCircuit } from './circuit.ts';

/** What is left of an operation's time after the answer, for storing what comes of it. */
const RESERVE_MS = 100;

type Reply = { text: string } | { result: 'late' | 'failed' };

/** Asks a model for one kind of answer: in the time that there is, and while it does not fail often. Nothing is logged. */
export function createAsk({ clock }: Pick<Effects, 'clock'>, model: LanguageModel, timeoutMs: number) {
  const circuit = createCircuit(clock);

  /** The model's answer, unless it fails, or takes longer than it may. */
  function reply(prompt: Prompt): Promise<Reply> {
    const cutOff = new AbortController();
    const work = () =>
      model(prompt, cutOff.signal).then(
        (text): Reply => ({ text }),
        (): Reply => ({ result: 'failed' }),
      );
    return withTimeout(clock, timeoutMs, work, () => {
      cutOff.abort();
      return { result: 'late' };
    });
  }

  return async <T>(
    prompt: Prompt,
    read: (text: string) => T | undefined,
  ): Promise<{ result: 'answered'; answer: T } | { result: NoAnswer }> => {
    if (clock.deadline() - clock.now() < timeoutMs + RESERVE_MS) return { result: 'no_time' };
    if (!circuit.mayAsk()) return { result: 'circuit_open' };
    const got = await reply(prompt);
    const answer = 'text' in got ? read(got.text) : undefined;
    circuit.note(answer !== undefined);
    if (answer !== undefined) return { result: 'answered', answer };
    return { result: 'text' in got ? 'unreadable' : got.result };
  };
}
