import type { Effects } from '../platform/effects.ts';
import type { CampaignText, Judge, NoAnswer, Phrase } from '../platform/judge.ts';
import { Unavailable } from '../platform/unavailable.ts';
import type { Campaign } from './campaign.ts';
import { campaignKey, fromCampaignItem, isCampaign, type PhrasesItem, phrasesKey } from './items.ts';
import { findSuggestedPhrases, getCampaignTexts, hashTexts, takeFitting } from './phrases.ts';

/** How long after it was saved a campaign's phrases are asked for again where they are not had; then it goes without. */
const RETRY_MS = 15 * 60_000;

/** A pause before that, so that a model that is down is not asked at once again, and not told of many times a second. */
const PAUSE_MS = 5_000;

/** Whether there is anything to make phrases from, and any use for them. */
const isTelling = ({ status }: Campaign, { headline, description, keywords }: CampaignText): boolean =>
  status !== 'completed' && status !== 'cancelled' && headline + description + keywords.join('') !== '';

/** A campaign that wants phrases, and those that it has for other texts. */
interface Wanting {
  campaign: Campaign;
  had: PhrasesItem | undefined;
}

/** Has a judge make the phrases of campaigns that were saved. @throws Unavailable where it should be tried again */
export function createSuggest({ db, clock, log, judge }: Pick<Effects, 'db' | 'clock' | 'log'> & { judge: Judge }) {
  /** Undefined where the campaign is gone, says something else by now, has its phrases, or was given some by its advertiser. */
  async function wanting({ owner, id }: Campaign, madeFor: string): Promise<Wanting | undefined> {
    const [item, had] = await Promise.all([
      db.get('campaigns', campaignKey(owner, id)),
      findSuggestedPhrases({ db }, { owner, id }),
    ]);
    const campaign = item && isCampaign(item) ? fromCampaignItem(item) : undefined;
    if (!campaign || hashTexts(getCampaignTexts(campaign)) !== madeFor) return undefined;
    return had && (had.madeFor === undefined || had.madeFor === madeFor) ? undefined : { campaign, had };
  }

  async function store({ campaign, had }: Wanting, phrases: readonly Phrase[], madeFor: string): Promise<boolean> {
    const { owner, id, version } = campaign;
    const { ok } = await db.transact([
      // Settles the race with a change and with a deletion: phrases belong to the texts that they were made for.
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
        // Settles the race with its advertiser, and with another run for the same record.
        ...(had
          ? { when: '#madeFor = :before', values: { before: had.madeFor } }
          : { when: 'attribute_not_exists(#owner)' }),
      },
    ]);
    return ok;
  }

  /** Whether a failure is to be tried again: what is not had for long is not, or one campaign would hold up all others for good. */
  const passes = (result: NoAnswer, { changedAt }: Campaign): boolean =>
    result === 'no_time' || (result !== 'unreadable' && clock.now() - changedAt < RETRY_MS);

  return async (saved: Campaign): Promise<void> => {
    const texts = getCampaignTexts(saved);
    if (!isTelling(saved, texts)) return;
    const madeFor = hashTexts(texts);
    const first = await wanting(saved, madeFor);
    if (!first) return;
    const suggestion = await judge.suggest(texts);
    const { result } = suggestion;
    if (result !== 'answered') {
      if (passes(result, saved)) {
        if (clock.now() + PAUSE_MS < clock.deadline()) await clock.sleep(PAUSE_MS);
        throw new Unavailable(`no phrases: ${result}`);
      }
      log.warn('no phrases suggested', { campaignId: saved.id, result });
    }
    // What cannot be had is none, and stored as such: the same texts are not asked about again.
    const phrases = result === 'answered' ? suggestion.phrases : [];
    for (let at: Wanting | undefined = first; at; at = await wanting(saved, madeFor)) {
      if (await store(at, phrases, madeFor)) return;
    }
  };
}
