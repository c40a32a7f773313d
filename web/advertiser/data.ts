import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Result } from '../../packages/client/src/index.ts';
import type { Session } from '../session.ts';
import { inWords } from '../words.ts';

export type Summary = Result<'GET /api/v1/campaigns'>[number];
export type ReportDayBody = Result<'GET /api/v1/campaigns/{id}/report'>[number];
export type WebhookBody = Result<'GET /api/v1/webhooks'>[number];
export type DeliveryBody = Result<'GET /api/v1/webhooks/{id}/deliveries'>[number];

/** Five requests each time stay well within the hundred a minute that a user has. */
const EVERY_MS = 5_000;

/** What `load` brings, loaded again from time to time and whenever `again` is called. */
function useFresh<T>(load: () => Promise<T>, about: readonly unknown[]) {
  const [value, setValue] = useState<T | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const again = useCallback(async () => {
    try {
      setValue(await load());
      setProblem(null);
    } catch (error) {
      setProblem(inWords(error));
    }
  }, about);
  useEffect(() => {
    again();
    const timer = setInterval(() => document.hidden || again(), EVERY_MS);
    return () => clearInterval(timer);
  }, [again]);
  return { value, problem, setProblem, again };
}

export const useCampaigns = ({ advertiser }: Session) =>
  useFresh(() => advertiser('GET /api/v1/campaigns', { query: { limit: 100 } }), [advertiser]);

export const useReport = ({ advertiser }: Session, id: string) =>
  useFresh(() => advertiser('GET /api/v1/campaigns/{id}/report', { params: { id } }), [advertiser, id]);

export const useWebhooks = ({ advertiser }: Session) =>
  useFresh(() => advertiser('GET /api/v1/webhooks'), [advertiser]);

export const useDeliveries = ({ advertiser }: Session, id: string) =>
  useFresh(() => advertiser('GET /api/v1/webhooks/{id}/deliveries', { params: { id } }), [advertiser, id]);
