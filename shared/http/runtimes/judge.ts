import type { Effects } from '../../platform/effects.ts';
import type { Judge } from '../../platform/judge.ts';

/**
 * Creates the judge, if the settings enable one. Its code is only loaded in that case, and at once, so the first bid does not wait for
 * it. If the code cannot be loaded, every opinion is `failed`.
 */
export function createJudgeFromConfig({
  config,
  clock,
  metrics,
  log,
}: Pick<Effects, 'config' | 'clock' | 'metrics' | 'log'>): Judge | undefined {
  const settings = config.judge;
  if (!settings) return undefined;
  const opening = import('../../ads/judge/judge.ts').then(({ openJudge }) =>
    openJudge({ clock, metrics, log }, settings),
  );
  opening.catch((error) => log.error('the judge cannot be loaded', { cause: String(error) }));
  const open = () => opening.catch(() => undefined);
  return {
    opine: async (question) => (await open())?.opine(question) ?? { result: 'failed' },
    suggest: async (campaign) => (await open())?.suggest(campaign) ?? { result: 'failed' },
  };
}
