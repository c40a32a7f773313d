import { useRef } from 'preact/hooks';
import { type Faults, toFaults } from '../errors.ts';
import { useSession } from '../session.ts';
import type { NewCampaign } from './bodies.ts';
import type { PreviewBody } from './preview.ts';

/** What the service's review found in an ad, by field. */
export const findReviewFaults = ({ reasons }: PreviewBody['serving']): Faults =>
  toFaults(
    reasons.flatMap(({ code, field, message }) =>
      code === 'creative_review' && field ? [{ path: field, message }] : [],
    ),
  );

/** The review of the typed ad, which only the service can do. Previews include it, so it rarely takes a request of its own. */
export function useReview() {
  const { ads } = useSession();
  const latest = useRef<{ ad: string; faults: Faults }>(null);
  const keepReview = (creative: NewCampaign['creative'], serving: PreviewBody['serving']): Faults => {
    const faults = findReviewFaults(serving);
    latest.current = { ad: JSON.stringify(creative), faults };
    return faults;
  };
  const review = async ({ creative }: NewCampaign): Promise<Faults> => {
    if (latest.current?.ad === JSON.stringify(creative)) return latest.current.faults;
    const { serving } = await ads('POST /api/v1/campaigns/preview', { body: { campaign: { creative } } });
    return keepReview(creative, serving);
  };
  return { keepReview, review };
}
