import { useEffect, useRef, useState } from 'preact/hooks';
import { AdsError } from '../../packages/client/src/index.ts';
import { isRefusal, isTrouble, toProblem } from '../errors.ts';
import { counted } from '../format.ts';
import { showToast } from '../parts/toasts.tsx';
import { useUnsaved } from '../parts/unsaved.ts';
import { useSession } from '../session.ts';
import type { CampaignBody, Summary } from './bodies.ts';
import type { Select } from './selection.ts';
import { type Action, explainState, isPausedByUser, PAUSE, RESUME } from './state.ts';

/** A refusal without Retry-After. */
const USUAL_WAIT_S = 10;

/** The campaigns that an action changes. Pausing one that its budget paused keeps it from resuming by itself. */
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
  const { ads } = useSession();
  const [run, setRun] = useState<Run | null>(null);
  const stop = useRef(new AbortController());
  const isRunning = run !== null && !run.isOver;
  useUnsaved(isRunning);
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
      try {
        const saved = await change(campaign.id, action);
        if (!saved) break;
        onSaved(saved);
        onSelect([campaign.id], false);
        if (saved.status === action.status) update({ done: now.done + 1 });
        else fail(campaign, explainState(saved));
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
    showToast(`${counted(now.total, 'campaign')} ${action.done}`);
    setRun(null);

    /** Waits while the service refuses requests. Null if the visitor stops it meanwhile. */
    async function change(id: string, { status }: Action): Promise<CampaignBody | null> {
      while (!signal.aborted) {
        try {
          return await ads('PATCH /api/v1/campaigns/{id}', { params: { id }, body: { status } }, { retries: 0 });
        } catch (error) {
          if (!isRefusal(error)) throw error;
          const waitMs = (error.retryAfter ?? USUAL_WAIT_S) * 1000;
          update({ isWaiting: true });
          await pause(waitMs, signal);
          update({ isWaiting: false });
        }
      }
      return null;
    }
  }

  return { run, isRunning, start, stop: () => stop.current.abort(), dismiss: () => setRun(null) };
}

/** Resolves early if the signal is aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
