import type { Biddable } from '../../campaigns/biddable.ts';
import { type Creative, EMPTY_CREATIVE, getAdvertiser, TEXT_FIELDS } from '../../campaigns/creative.ts';
import { toRecord } from '../../platform/values/typed.ts';
import { getDomain } from '../../platform/values/urls.ts';
import { DATA_ASSET, MAIN_IMAGE, toNativeExt } from '../bids/native-ad.ts';
import type { NativeAssetRequest, NativeRequest } from './native-schema.ts';

/** An event tracker for impressions (OpenRTB Native 1.2, section 7.6) that loads an image (section 7.7). */
const IMPRESSION_EVENT = 1;
const IMAGE_METHOD = 1;

export interface Asset {
  id: number;
  required?: 1;
  title?: { text: string; len: number };
  img?: { type: number; url: string };
  data?: { type: number; value: string; len: number };
}

/**
 * Fills the requested assets from a creative; undefined if the creative lacks a required one.
 * @param secure leaves out images that load over http
 */
export function fillAssets({ assets }: NativeRequest, ad: Creative, secure: boolean): Asset[] | undefined {
  const { imageUrl = '' } = ad;
  const creative = secure && !/^https:/i.test(imageUrl) ? { ...ad, imageUrl: '' } : ad;
  const filled = assets.map((request): Asset | undefined => {
    const content = getContent(request, creative);
    return content && { id: request.id, ...(request.required === 1 && { required: 1 }), ...content };
  });
  if (filled.some((asset, index) => !asset && assets[index]!.required === 1)) return undefined;
  const present = filled.filter((asset) => asset !== undefined);
  return present.length > 0 ? present : undefined;
}

/** A creative with the shortest possible texts: if it cannot fill an asset, no campaign can. */
const shortestCreative = (imageUrl: string): Creative => ({
  ...EMPTY_CREATIVE,
  ...toRecord(TEXT_FIELDS, () => '-'),
  landingUrl: 'https://-',
  imageUrl,
});

/** Detects campaigns that cannot fill the requested assets, as far as possible without reading their creatives. */
export function createAssetFilter(native: NativeRequest) {
  const cannotFill = (ad: Creative) => fillAssets(native, ad, false) === undefined;
  const [excludesAll, excludesWithoutImage] = [cannotFill(shortestCreative('-')), cannotFill(shortestCreative(''))];
  const domains = native.assets.filter(({ required, data }) => required === 1 && data?.type === DATA_ASSET.displayUrl);
  const maxDomainLength = Math.min(...domains.map(({ data }) => data?.len ?? Number.POSITIVE_INFINITY));
  return {
    /** Whether no ad can fill the assets. */
    excludesAll,

    /** Whether the campaign's ad lacks a required asset. */
    excludes: ({ hasImage, domain }: Pick<Biddable, 'hasImage' | 'domain'>): boolean =>
      excludesAll || (!hasImage && excludesWithoutImage) || domain.length > maxDomainLength,
  };
}

function getContent({ title, img, data }: NativeAssetRequest, creative: Creative): Omit<Asset, 'id'> | undefined {
  if (title) {
    const text = ifFits(creative.headline, title.len);
    return text === undefined ? undefined : { title: { text, len: text.length } };
  }
  if (img) {
    const isMain = (img.type ?? MAIN_IMAGE) === MAIN_IMAGE;
    return isMain && creative.imageUrl ? { img: { type: MAIN_IMAGE, url: creative.imageUrl } } : undefined;
  }
  if (!data) return undefined;
  const value = getText(data.type, data.len ?? undefined, creative);
  return value === undefined ? undefined : { data: { type: data.type, value, len: value.length } };
}

function getText(type: number, len: number | undefined, creative: Creative): string | undefined {
  switch (type) {
    case DATA_ASSET.sponsored:
      return ifFits(getAdvertiser(creative), len);
    case DATA_ASSET.description:
      return ifFits(shorten(creative.description, len), len);
    case DATA_ASSET.displayUrl:
      return ifFits(getDomain(creative.landingUrl), len);
    case DATA_ASSET.callToAction:
      return ifFits(creative.callToAction, len);
    default:
      return undefined;
  }
}

/** The text, or undefined if it is empty or too long. */
const ifFits = (text: string, len: number | null | undefined): string | undefined =>
  text && (len == null || text.length <= len) ? text : undefined;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Cuts a description after the last word that fits, and adds an ellipsis. Never use it for a headline or call to action: a cut changes what they say. */
function shorten(text: string, len: number | undefined): string {
  if (len === undefined || text.length <= len) return text;
  const end = text.slice(0, len).search(/\s+\S*$/u);
  const cut = text.slice(0, end > len / 2 ? end : findLastWordEnd(text, len)).replace(/[\s,;:、，；：–—-]+$/u, '');
  return cut && `${cut}…`;
}

/** Index after the last word that leaves room for an ellipsis, or 0. Works for scripts without spaces too. */
function findLastWordEnd(text: string, len: number): number {
  let end = 0;
  for (const { index } of segmenter.segment(text)) {
    if (index >= len) break;
    end = index;
  }
  return end;
}

/** Builds the native response (OpenRTB Native 1.2, section 5). */
export function buildNativeMarkup(
  { ver, eventtrackers }: NativeRequest,
  assets: Asset[],
  { clickUrl, impressionUrl, creative }: { clickUrl: string; impressionUrl: string; creative: Creative },
) {
  const wantsImageTracker = (eventtrackers ?? []).some(
    ({ event, methods }) => event === IMPRESSION_EVENT && methods.includes(IMAGE_METHOD),
  );
  return {
    ver: ver === '1.1' || ver === '1.0' ? ver : '1.2',
    assets,
    link: { url: clickUrl },
    ...(wantsImageTracker
      ? { eventtrackers: [{ event: IMPRESSION_EVENT, method: IMAGE_METHOD, url: impressionUrl }] }
      : { imptrackers: [impressionUrl] }),
    ext: toNativeExt(creative),
  };
}
