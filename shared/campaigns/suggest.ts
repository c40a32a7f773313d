import type { Effects } from '../platform/effects.ts';
import type { CampaignText, Judge, NoAnswer, Phrase } from '../platform/judge.ts';
import { Unavailable } from '../platform/unavailable.ts';
import type { Campaign } from './campaign.ts';
import { campaignKey, fromCampaignItem, isCampaign, type PhrasesItem, phrasesKey } from './items.ts';
import { findSuggestedPhrases, getCampaignTexts, hashTexts, takeFitting } from './phrases.ts';

/** How long after a save to retry a failed request to the judge. After that, the campaign gets no phrases. */
const RETRY_MS = 15 * 60_000;

/** Pause before a retry, so that a failing model is not called, and logged, many times a second. */
const PAUSE_MS = 5_000;

/** Whether the campaign has texts to make phrases from and can still serve. */
const needsPhrases = ({ status }: Campaign, { headline, description, keywords }: CampaignText): boolean =>
  status !== 'completed' && status !== 'cancelled' && headline + description + keywords.join('') !== '';

/** A campaign that needs phrases, with its phrases for its previous texts, if any. */
interface Pending {
  campaign: Campaign;
  previous: PhrasesItem | undefined;
}

/** Creates a function that has the judge suggest phrases for a saved campaign. The function throws Unavailable if the caller should retry. */
export function createSuggest({ db, clock, log, judge }: Pick<Effects, 'db' | 'clock' | 'log'> & { judge: Judge }) {
  /** Undefined if the campaign was deleted, has other texts by now, or already has phrases for these texts or from its advertiser. */
  async function findPending({ owner, id }: Campaign, madeFor: string): Promise<Pending | undefined> {
    const [item, previous] = await Promise.all([
      db.get('campaigns', campaignKey(owner, id)),
      findSuggestedPhrases({ db }, { owner, id }),
    ]);
    const campaign = item && isCampaign(item) ? fromCampaignItem(item) : undefined;
    if (!campaign || hashTexts(getCampaignTexts(campaign)) !== madeFor) return undefined;
    return previous && (previous.madeFor === undefined || previous.madeFor === madeFor)
      ? undefined
      : { campaign, previous };
  }

  async function store({ campaign, previous }: Pending, phrases: readonly Phrase[], madeFor: string): Promise<boolean> {
    const { owner, id, version } = campaign;
    const { ok } = await db.transact([
      // Settles the race with an update or deletion: phrases are stored only with the texts that they were made for.
      {
        table: 'campaigns',
        key: campaignKey(owner, id),
        check: true,
        when: '#version = :version',
        values: { version },
      },
      {
        table: 'campaigns',
        put: { ...phrasesKey(owner, id), phrases: takeFitting(phrases, campaign), madeFor },
        // Settles the race with an edit by the advertiser, and with another run for the same record.
        ...(previous
          ? { when: '#madeFor = :before', values: { before: previous.madeFor } }
          : { when: 'attribute_not_exists(#owner)' }),
      },
    ]);
    return ok;
  }

  /** Whether to retry after a failure. Retries end after a while; otherwise one campaign would block all others forever. */
  const shouldRetry = (result: NoAnswer, { changedAt }: Campaign): boolean =>
    result === 'no_time' || (result !== 'unreadable' && clock.now() - changedAt < RETRY_MS);

  return async (saved: Campaign): Promise<void> => {
    const texts = getCampaignTexts(saved);
    if (!needsPhrases(saved, texts)) return;
    const madeFor = hashTexts(texts);
    const first = await findPending(saved, madeFor);
    if (!first) return;
    const suggestion = await judge.suggest(texts);
    const { result } = suggestion;
    if (result !== 'answered') {
      if (shouldRetry(result, saved)) {
        if (clock.now() + PAUSE_MS < clock.deadline()) await clock.sleep(PAUSE_MS);
        throw new Unavailable(`no phrases: ${result}`);
      }
      log.warn('no phrases suggested', { campaignId: saved.id, result });
    }
    // Without an answer, an empty list is stored, so the judge is not asked about the same texts again.
    const phrases = result === 'answered' ? suggestion.phrases : [];
    for (let pending: Pending | undefined = first; pending; pending = await findPending(saved, madeFor)) {
      if (await store(pending, phrases, madeFor)) return;
    }
  };
}
