import type { Effects } from '../../platform/effects.ts';
import type { Judge } from '../../platform/judge.ts';
import type { JudgeSettings } from '../../platform/language-model.ts';
import { openModel } from '../../platform/open-model.ts';
import { createJudge } from './judge.ts';

/** The judge that the settings name. */
export const openJudge = async (
  effects: Pick<Effects, 'clock' | 'metrics' | 'log'>,
  settings: JudgeSettings,
): Promise<Judge> => createJudge(effects, await openModel(settings), settings.timeoutMs);
