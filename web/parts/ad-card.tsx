import { useState } from 'preact/hooks';
import type { Ad } from '../chat/bodies.ts';

/** Data asset types (OpenRTB Native 1.2). */
const DATA = { description: 2, callToAction: 12 } as const;

interface AdCardProps {
  ad: Ad;
  onClick?: () => void;
  onReject?: () => void;
  /** Whether what the reader pressed is being sent. */
  isBusy?: boolean;
}

/** The ad as the chatbot's user sees it: labeled, and always plain text. */
export function AdCard({ ad, onClick, onReject, isBusy = false }: AdCardProps) {
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
        <div class="ad-actions">
          <button type="button" class="primary" onClick={onClick}>
            {data(DATA.callToAction) || 'Visit'}
          </button>
          {onReject && ad.feedbackUrl && (
            <button type="button" class="small" aria-disabled={isBusy} onClick={onReject}>
              Not relevant
            </button>
          )}
        </div>
      </div>
    </aside>
  );
}

/** The image adds nothing to the text, so it has no alt text and disappears if it does not load. */
function Picture({ address }: { address: string }) {
  const [isThere, setThere] = useState(true);
  return isThere ? <img src={address} alt="" loading="lazy" onError={() => setThere(false)} /> : null;
}
