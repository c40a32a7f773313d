import { useState } from 'preact/hooks';
import type { Ad } from '../chat/bodies.ts';

/** Types of OpenRTB Native 1.2. */
const DATA = { description: 2, callToAction: 12 } as const;

/** The ad as a reader sees it: labelled, and plain text whatever the advertiser wrote. */
export function AdCard({ ad, onClick }: { ad: Ad; onClick?: () => void }) {
  const { assets, ext } = ad.nativeAd;
  const title = assets.find((asset) => asset.title)?.title?.text;
  const data = (type: number) => assets.find((asset) => asset.data?.type === type)?.data?.value;
  return (
    <aside class="ad" aria-label="Advertisement">
      {ad.imageUrl && <Picture key={ad.imageUrl} address={ad.imageUrl} />}
      <div class="ad-text" dir="auto">
        <small dir="ltr">
          {ext.disclosure.label}
          {ext.disclosure.advertiser && ` · ${ext.disclosure.advertiser}`}
        </small>
        <strong>{title}</strong>
        <p>{data(DATA.description)}</p>
        <button type="button" class="primary" onClick={onClick}>
          {data(DATA.callToAction) || 'Visit'}
        </button>
      </div>
    </aside>
  );
}

/** A picture says nothing that the text does not; one that does not load leaves no hole. */
function Picture({ address }: { address: string }) {
  const [isThere, setThere] = useState(true);
  return isThere ? <img src={address} alt="" loading="lazy" onError={() => setThere(false)} /> : null;
}
