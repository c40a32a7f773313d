import { useState } from 'preact/hooks';
import { presentAd } from '../../shared/ads/bids/ad.ts';
import { AdCard } from '../parts/ad-card.tsx';
import type { CampaignBody } from './bodies.ts';

const FORMS = ['Card', 'Text', 'Native'] as const;

/** Stands for the bid of an ad that nobody has bid for. */
const NO_BID = 'preview';

/** How the ad looks to a reader, and what a publisher gets: made by what serves it. */
export function AdPreview({ creative }: { creative: CampaignBody['creative'] }) {
  const [form, setForm] = useState<(typeof FORMS)[number]>('Card');
  const headline = creative.headline || 'Your headline';
  const ad = presentAd({ id: NO_BID, creative: { ...creative, headline } }, location.origin);
  return (
    <>
      <fieldset class="choice" aria-label="Form of the ad">
        {FORMS.map((name) => (
          <button key={name} type="button" aria-pressed={form === name} onClick={() => setForm(name)}>
            {name}
          </button>
        ))}
      </fieldset>
      {form === 'Card' && <AdCard ad={ad} />}
      {form === 'Text' && (
        <p class="ad-as-text" dir="auto">
          <small dir="ltr">{ad.nativeAd.ext.disclosure.label}</small>
          {ad.adText}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by the keyboard too */}
      {form === 'Native' && <pre tabIndex={0}>{JSON.stringify(ad.nativeAd, null, 2)}</pre>}
    </>
  );
}
