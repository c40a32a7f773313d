import type { Biddable } from '../../campaigns/biddable.ts';
import { advertiserOf, type Creative } from '../../platform/values/creative.ts';
import { domainOf } from '../../platform/values/urls.ts';
import type { NativeAssetRequest, NativeRequest } from './native-schema.ts';

/** Types of data assets (OpenRTB Native 1.2, section 7.4) that an ad of ours can have, and of images (7.3). */
const DATA = { sponsored: 1, description: 2, displayUrl: 11, callToAction: 12 } as const;
const MAIN_IMAGE = 3;
/** Event trackers (7.6 and 7.7): an impression, told by a picture. */
const IMPRESSION = 1;
const PICTURE = 1;

export interface Asset {
  id: number;
  required?: 1;
  title?: { text: string; len: number };
  img?: { type: number; url: string };
  data?: { type: number; value: string; len: number };
}

/** The assets that were asked for, as an ad has them; undefined where it lacks one that is required. @param secure what is loaded by http is left out */
export function answerAssets({ assets }: NativeRequest, ad: Creative, secure: boolean): Asset[] | undefined {
  const { imageUrl = '' } = ad;
  const creative = secure && !/^https:/i.test(imageUrl) ? { ...ad, imageUrl: '' } : ad;
  const answered = assets.map((asked): Asset | undefined => {
    const content = contentOf(asked, creative);
    return content && { id: asked.id, ...(asked.required === 1 && { required: 1 }), ...content };
  });
  if (answered.some((asset, index) => !asset && assets[index]!.required === 1)) return undefined;
  const given = answered.filter((asset) => asset !== undefined);
  return given.length > 0 ? given : undefined;
}

/** An ad whose texts are as short as there are; that it has all of them but perhaps a picture is yet to be read. */
const shortestAd = (imageUrl: string): Creative => ({
  headline: '-',
  description: '-',
  callToAction: '-',
  landingUrl: 'https://-',
  imageUrl,
  videoUrl: '',
  thumbnailUrl: '',
  sponsoredBy: '-',
});

/** What is known of the assets that were asked for before any creative is read. */
export function knownAssets(native: NativeRequest) {
  const isLackedBy = (ad: Creative) => answerAssets(native, ad, false) === undefined;
  const [byAll, withoutImage] = [isLackedBy(shortestAd('-')), isLackedBy(shortestAd(''))];
  const domains = native.assets.filter(({ required, data }) => required === 1 && data?.type === DATA.displayUrl);
  const mostOfDomain = Math.min(...domains.map(({ data }) => data?.len ?? Number.POSITIVE_INFINITY));
  return {
    /** Whether no ad has them. */
    areLackedByAll: byAll,

    /** Whether that of a campaign lacks one that it would have to have. */
    areLackedBy: ({ hasImage, domain }: Pick<Biddable, 'hasImage' | 'domain'>): boolean =>
      byAll || (!hasImage && withoutImage) || domain.length > mostOfDomain,
  };
}

function contentOf({ title, img, data }: NativeAssetRequest, creative: Creative): Omit<Asset, 'id'> | undefined {
  if (title) {
    const text = fitting(creative.headline, title.len);
    return text === undefined ? undefined : { title: { text, len: text.length } };
  }
  if (img) {
    const isMain = (img.type ?? MAIN_IMAGE) === MAIN_IMAGE;
    return isMain && creative.imageUrl ? { img: { type: MAIN_IMAGE, url: creative.imageUrl } } : undefined;
  }
  if (!data) return undefined;
  const value = textOf(data.type, data.len ?? undefined, creative);
  return value === undefined ? undefined : { data: { type: data.type, value, len: value.length } };
}

function textOf(type: number, len: number | undefined, creative: Creative): string | undefined {
  switch (type) {
    case DATA.sponsored:
      return fitting(advertiserOf(creative), len);
    case DATA.description:
      return fitting(shortened(creative.description, len), len);
    case DATA.displayUrl:
      return fitting(domainOf(creative.landingUrl), len);
    case DATA.callToAction:
      return fitting(creative.callToAction, len);
    default:
      return undefined;
  }
}

/** A text that is there and not too long. */
const fitting = (text: string, len: number | null | undefined): string | undefined =>
  text && (len == null || text.length <= len) ? text : undefined;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** A description cut behind its last word that fits, with an ellipsis; a headline or call to action would say something else then. */
function shortened(text: string, len: number | undefined): string {
  if (len === undefined || text.length <= len) return text;
  const end = text.slice(0, len).search(/\s+\S*$/u);
  const cut = text.slice(0, end > len / 2 ? end : lastWordEnd(text, len)).replace(/[\s,;:、，；：–—-]+$/u, '');
  return cut && `${cut}…`;
}

/** Where the last word ends that leaves room for an ellipsis, in scripts without spaces too; 0 where none does. */
function lastWordEnd(text: string, len: number): number {
  let end = 0;
  for (const { index } of segmenter.segment(text)) {
    if (index >= len) break;
    end = index;
  }
  return end;
}

/** The native response (OpenRTB Native 1.2, section 5) around its assets. */
export function nativeMarkup(
  { ver, eventtrackers }: NativeRequest,
  assets: Asset[],
  { clickUrl, impressionUrl, creative }: { clickUrl: string; impressionUrl: string; creative: Creative },
) {
  const asksForPicture = (eventtrackers ?? []).some(
    ({ event, methods }) => event === IMPRESSION && methods.includes(PICTURE),
  );
  return {
    ver: ver === '1.1' || ver === '1.0' ? ver : '1.2',
    assets,
    link: { url: clickUrl },
    ...(asksForPicture
      ? { eventtrackers: [{ event: IMPRESSION, method: PICTURE, url: impressionUrl }] }
      : { imptrackers: [impressionUrl] }),
    ext: { disclosure: { label: 'Sponsored', advertiser: advertiserOf(creative) } },
  };
}
