import { toProblem } from '../errors.ts';
import { useAct } from '../parts/live.ts';
import { FailureText } from '../parts/problem.tsx';
import { useSession } from '../session.ts';
import type { CampaignBody } from './bodies.ts';

interface ExcludePublisherProps {
  campaign: Pick<CampaignBody, 'id' | 'excludedPublishers'>;
  publisher: { id: string; name: string };
  onSaved(saved: CampaignBody): void;
}

/** Excludes a publisher from a campaign, or includes it again. */
export function ExcludePublisher({ campaign, publisher, onSaved }: ExcludePublisherProps) {
  const { ads, toasts } = useSession();
  const { isBusy, problem, act } = useAct();
  const params = { id: campaign.id };
  // During a rollout, the previous version responds without the field.
  const isExcluded = campaign.excludedPublishers?.includes(publisher.id) ?? false;
  const change = async (isWanted: boolean) => {
    // The page may show an old list.
    const { excludedPublishers } = await ads('GET /api/v1/campaigns/{id}', { params });
    const others = excludedPublishers.filter((id) => id !== publisher.id);
    const body = { excludedPublishers: isWanted ? [...others, publisher.id] : others };
    onSaved(await ads('PATCH /api/v1/campaigns/{id}', { params, body }));
  };
  const undo = () =>
    change(isExcluded).then(
      () => toasts.show(`${publisher.name} ${isExcluded ? 'excluded' : 'included'} again`),
      (error) => toasts.show(toProblem(error, true), { isProblem: true }),
    );
  const toggle = () =>
    act(async () => {
      await change(!isExcluded);
      const done = isExcluded ? 'included again' : 'excluded';
      toasts.show(`${publisher.name} ${done}`, { action: { label: 'Undo', run: undo } });
    });
  return (
    <>
      {isExcluded && <small class="tag">Excluded</small>}
      <button
        type="button"
        class="inline"
        aria-disabled={isBusy}
        aria-label={`${isExcluded ? 'Include' : 'Exclude'} ${publisher.name}`}
        onClick={toggle}
      >
        {isExcluded ? 'Include' : 'Exclude'}
      </button>
      {problem && (
        <small class="fault" role="alert">
          <FailureText of={problem} />
        </small>
      )}
    </>
  );
}
