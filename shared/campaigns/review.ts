import type { Config } from '../platform/config.ts';
import { domainOf } from '../values/urls.ts';
import type { Creative, CreativeReview } from './campaign.ts';
import { PHRASES, SIGNS } from './review-rules.ts';

/** The texts of a creative that people read, and that publishers may hand to a model. */
const TEXTS = ['headline', 'description', 'callToAction', 'sponsoredBy'] as const;
const MOST_PASSAGE = 80;

/** Addresses that a text names: with a scheme, with www, or a host with a path. */
const ADDRESSES =
  /(?:\b[a-z][a-z0-9+.-]{1,10}:\/\/|\bwww\.)[^\s<>"')\]]+|\b(?:[a-z0-9-]+\.)+[a-z]{2,12}\/[^\s<>"')\]]+/giu;
/** Letters of two scripts within a word: what looks like one and is read as another. */
const MIXED =
  /[\p{Script=Latin}]\p{M}*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{M}*[\p{Script=Latin}]/u;
const STANDS_FOR: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** The same for a campaign that is saved: owners whom the operator allows are not reviewed. */
export const reviewFor = (
  { creativeReviewExempt }: Pick<Config, 'creativeReviewExempt'>,
  owner: string,
  creative: Creative,
): CreativeReview | null => (creativeReviewExempt.includes(owner) ? null : reviewCreative(creative));

/** The first passage of a creative that is not for people; null where there is none. */
function reviewCreative(creative: Creative): CreativeReview | null {
  const host = domainOf(creative.landingUrl);
  for (const name of TEXTS) {
    const passage = passageIn(creative[name], host);
    if (passage !== undefined) return { field: `creative.${name}`, passage: shown(passage) };
  }
  // What is harmless in its parts may not be as a whole: an ad is read in one go.
  const whole = passageIn([creative.headline, creative.description, creative.callToAction].join(' '), host);
  return whole === undefined ? null : { field: 'creative.description', passage: shown(whole) };
}

/** A passage as it is stored and shown. A sign that is cut in half could not be stored. */
const shown = (passage: string): string => passage.trim().slice(0, MOST_PASSAGE).toWellFormed();

/** A passage of a text that addresses a model, or leads to another host. */
function passageIn(text: string, host: string): string | undefined {
  if (text === '') return undefined;
  const plain = text.normalize('NFKC');
  for (const sign of SIGNS) {
    const found = sign.exec(plain);
    if (found) return found[0];
  }
  for (const [address] of plain.matchAll(ADDRESSES)) if (!isOf(address, host)) return address;
  const mixed = MIXED.exec(plain);
  if (mixed) return plain.slice(Math.max(0, mixed.index - 10), mixed.index + 20);
  for (const reading of readingsOf(plain)) {
    for (const phrase of PHRASES) {
      const found = phrase.exec(reading);
      if (found) return found[0];
    }
  }
  return undefined;
}

function isOf(address: string, host: string): boolean {
  const there = domainOf(/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`);
  return there !== '' && (there === host || there.endsWith(`.${host}`));
}

/** How a text may be meant to be read: in lower case without accents; with letters for the digits that stand for them; with spread letters joined. */
function readingsOf(plain: string): string[] {
  const simple = plain
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[‘’ʼ`´]/gu, "'")
    .replaceAll('ł', 'l')
    .replaceAll(/\s+/gu, ' ');
  const spelt = simple.replaceAll(
    /(?<=[a-z])[013457@$!](?=[a-z])|\b[013457@$](?=[a-z]{2})|(?<=[a-z]{2})[013457@$]\b/gu,
    (sign) => STANDS_FOR[sign]!,
  );
  const joined = simple.replaceAll(/\b(?:[a-z][ ._*-]){3,}[a-z]\b/gu, (letters) => letters.replaceAll(/[ ._*-]/gu, ''));
  const bare = simple.replaceAll(/(?<=[a-z])[._*|~^-](?=[a-z])/gu, '');
  const spread = simple.replaceAll(/(?<=[a-z])[._*|~^/-]+(?=[a-z])/gu, ' ');
  return [...new Set([simple, spelt, joined, bare, spread])];
}
