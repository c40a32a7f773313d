import { useState } from 'preact/hooks';
import type { Ad } from '../chat/bodies.ts';

/** Data asset types (OpenRTB Native 1.2). */
const DATA = { description: 2, callToAction: 12 } as const;

interface AdCardProps {
  ad: Ad;
  onClick?: () => void;
  onReject?: () => void;
}

/** The ad as the chatbot's user sees it: labeled, and always plain text. */
export function AdCard({ ad, onClick, onReject }: AdCardProps) {
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
        {onReject && ad.feedbackUrl && (
          <button type="button" class="small" onClick={onReject}>
            Not relevant
          </button>
        )}
      </div>
    </aside>
  );
}

/** The image adds nothing to the text, so it has no alt text and disappears if it does not load. */
function Picture({ address }: { address: string }) {
  const [isThere, setThere] = useState(true);
  return isThere ? <img src={address} alt="" loading="lazy" onError={() => setThere(false)} /> : null;
}
