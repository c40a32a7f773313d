import { useCallback, useMemo, useState } from 'preact/hooks';
import type { CampaignBody, Summary } from './bodies.ts';

/** The campaigns with the changes that this page has saved since they were loaded, so that no change needs to load the list again. */
export function useSaved(loaded: readonly Summary[]) {
  const [saved, setSaved] = useState<ReadonlyMap<string, CampaignBody>>(new Map());
  const onSaved = useCallback(
    (campaign: CampaignBody) => setSaved((known) => new Map(known).set(campaign.id, campaign)),
    [],
  );
  const campaigns = useMemo(
    () =>
      loaded.map((campaign): Summary => {
        const change = saved.get(campaign.id);
        return change && change.updatedAt > campaign.updatedAt ? change : campaign;
      }),
    [loaded, saved],
  );
  return { campaigns, onSaved };
}
