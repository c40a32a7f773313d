import { useEffect, useRef, useState } from 'preact/hooks';
import { AdsError } from '../../packages/client/src/index.ts';
import { isRefusal, isTrouble, toProblem } from '../errors.ts';
import { counted, formatCount } from '../format.ts';
import { useUnsaved } from '../parts/unsaved.ts';
import { useSession } from '../session.ts';
import type { CampaignBody, Summary } from './bodies.ts';
import type { Select } from './selection.ts';
import { type Action, explain, findObstacles, getResult, isPausedByUser, PAUSE, RESUME } from './state.ts';

/** The campaigns that an action is for. Also pauses budget-paused campaigns, which would otherwise resume. */
export const BULK = [
  {
    action: PAUSE,
    applies: (one: Summary) => one.status === 'active' || (one.status === 'paused' && !isPausedByUser(one)),
  },
  { action: RESUME, applies: isPausedByUser },
] as const;

interface Failure {
  campaign: Summary;
  message: string;
}

/** A change of several campaigns, under way or over. */
export interface Run {
  action: Action;
  total: number;
  done: number;
  failures: readonly Failure[];
  /** Whether the service accepts no requests for a while. */
  isWaiting: boolean;
  /** Why it ended early. Null if it did not. */
  stopped: string | null;
  isOver: boolean;
}

interface BulkOptions {
  onSaved(saved: CampaignBody): void;
  onSelect: Select;
}

/** Changes campaigns one by one. Each is deselected once it is changed, so that what is still selected is what is left. */
export function useBulk({ onSaved, onSelect }: BulkOptions) {
  const { ads, health, toasts } = useSession();
  const [run, setRun] = useState<Run | null>(null);
  const stop = useRef(new AbortController());
  const isRunning = run !== null && !run.isOver;
  useUnsaved(isRunning, run ? askToLeave(run) : undefined);
  useEffect(() => () => stop.current.abort(), []);

  async function start(action: Action, campaigns: readonly Summary[]) {
    if (isRunning) return;
    stop.current = new AbortController();
    const { signal } = stop.current;
    let now: Run = {
      ...{ action, total: campaigns.length, done: 0, failures: [] },
      ...{ isWaiting: false, stopped: null, isOver: false },
    };
    const update = (change: Partial<Run>) => {
      now = { ...now, ...change };
      setRun(now);
    };
    const fail = (campaign: Summary, message: string) => update({ failures: [...now.failures, { campaign, message }] });

    update({});
    for (const campaign of campaigns) {
      if (signal.aborted) break;
      const [obstacle] = action.status === 'active' ? findObstacles(campaign) : [];
      if (obstacle) {
        fail(campaign, explain(obstacle, campaign));
        continue;
      }
      try {
        const saved = await change(campaign.id, action);
        if (!saved) break;
        onSaved(saved);
        onSelect([campaign.id], false);
        const result = getResult(saved, action);
        if ('done' in result) update({ done: now.done + 1 });
        else fail(campaign, result.obstacle);
      } catch (error) {
        const message = toProblem(error, true);
        // The others would fail as well.
        if (isTrouble(error) || (error instanceof AdsError && error.status === 401)) {
          update({ stopped: message });
          break;
        }
        fail(campaign, message);
      }
    }
    if (signal.aborted) update({ stopped: 'Stopped.' });
    update({ isOver: true });
    if (now.done < now.total) return;
    toasts.show(`${counted(now.total, 'campaign')} ${action.done}`);
    setRun(null);

    /** Waits while the service refuses requests. Null if the visitor stops it meanwhile. */
    async function change(id: string, { status }: Action): Promise<CampaignBody | null> {
      while (!signal.aborted) {
        try {
          return await ads('PATCH /api/v1/campaigns/{id}', { params: { id }, body: { status } }, { retries: 0 });
        } catch (error) {
          if (!isRefusal(error)) throw error;
          update({ isWaiting: true });
          await health.untilAccepted(signal);
          update({ isWaiting: false });
        }
      }
      return null;
    }
  }

  return { run, isRunning, start, stop: () => stop.current.abort(), dismiss: () => setRun(null) };
}

function askToLeave({ action, total, done, failures }: Run): string {
  const left = total - done - failures.length;
  return `${formatCount(left)} of ${counted(total, 'campaign')} ${left === 1 ? 'is' : 'are'} not ${action.done} yet. Leave anyway?`;
}
