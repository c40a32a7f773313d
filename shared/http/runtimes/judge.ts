import type { Effects } from '../../platform/effects.ts';
import type { Judge } from '../../platform/judge.ts';

/**
 * The judge, where the settings ask for one; its code is loaded then alone. That begins at once, so that the first bid does not wait
 * for it, and what cannot be loaded has no opinions.
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
