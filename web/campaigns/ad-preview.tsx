import { useState } from 'preact/hooks';
import { presentAd } from '../../shared/ads/bids/ad.ts';
import { AdCard } from '../parts/ad-card.tsx';
import type { CampaignBody } from './bodies.ts';

const FORMS = ['Card', 'Text', 'Native'] as const;

/** Bid ID of a preview, which has no bid. */
const NO_BID = 'preview';

/** The ad as the chatbot's user sees it, and the response that a publisher gets, built with the service's own code. */
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      {form === 'Native' && <pre tabIndex={0}>{JSON.stringify(ad.nativeAd, null, 2)}</pre>}
    </>
  );
}
