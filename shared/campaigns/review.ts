import type { Config } from '../platform/config.ts';
import { domainOf } from '../values/urls.ts';
import type { Campaign, Creative, CreativeReview } from './campaign.ts';
import { foreignAddress, withoutOwnHosts } from './review-addresses.ts';
import { withPlainLetters } from './review-letters.ts';
import { reviewModel } from './review-model.ts';
import { passagesOf, readingsOf } from './review-passages.ts';
import {
  COMMANDS,
  encodedPassage,
  namesMachine,
  RULES,
  SIGNS,
  withoutFaces,
  withoutQuotedCommand,
} from './review-signs.ts';
import { TURNS } from './review-turns.ts';

/** The texts of a creative that people read, and that publishers may hand to a model. */
const TEXTS = ['headline', 'description', 'callToAction', 'sponsoredBy'] as const;
const MOST_PASSAGE = 80;
/** Where it names a machine as who speaks or is spoken to, a text is taken for one that addresses a model from these log odds on. */
const NAMED_ODDS = -1;

const WORDED = [...COMMANDS, ...TURNS];

/** Letters of two scripts within a word: what looks like one and is read as another. */
const MIXED =
  /[\p{Script=Latin}]\p{M}*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{M}*[\p{Script=Latin}]/u;

/** The review of a campaign that is saved; none where the operator allows its owner whatever it says. */
export const reviewFor = (
  { creativeReviewExempt }: Pick<Config, 'creativeReviewExempt'>,
  owner: string,
  creative: Creative,
): Pick<Campaign, 'review' | 'reviewedBy'> =>
  creativeReviewExempt.includes(owner)
    ? { review: undefined, reviewedBy: undefined }
    : { review: reviewCreative(creative), reviewedBy: currentReview() };

/** The rules and the weights that creatives are reviewed by. */
export const currentReview = (): string => `${RULES}-${reviewModel().learnedFrom.slice(0, 12)}`;

/** The first passage of a creative that is not for people; null where there is none. */
function reviewCreative(creative: Creative): CreativeReview | null {
  const host = domainOf(creative.landingUrl);
  const known = new Map<string, number>();
  for (const name of TEXTS) {
    const passage = passageIn(creative[name], host, known);
    if (passage !== undefined) return { field: `creative.${name}`, passage: shown(passage) };
  }
  // What is harmless in its parts may not be as a whole: an ad is read in one go.
  const parts = [creative.headline, creative.description, creative.callToAction].filter(Boolean);
  const whole = parts.length > 1 ? passageIn(parts.join('\n'), host, known) : undefined;
  return whole === undefined ? null : { field: 'creative.description', passage: shown(whole) };
}

/** A passage as it is stored and shown. A sign that is cut in half could not be stored. */
const shown = (passage: string): string => passage.trim().slice(0, MOST_PASSAGE).toWellFormed();

/** A passage that says a command or a turn when it is read as it may be meant: backwards, shifted, with digits for letters. */
const disguisedPassage = (text: string): string | undefined =>
  passagesOf(text).find((passage) =>
    readingsOf(passage).some((reading) => WORDED.some((pattern) => pattern.test(reading))),
  );

/** A passage of a text that addresses a model, or leads to another host. */
function passageIn(text: string, host: string, known: Map<string, number>): string | undefined {
  if (text === '') return undefined;
  const whole = text.normalize('NFKC');
  const plain = withoutFaces(withPlainLetters(whole));
  const unquoted = withoutQuotedCommand(plain);
  for (const sign of [...SIGNS, ...WORDED]) {
    const found = sign.exec(unquoted);
    if (found) return found[0];
  }
  const elsewhere = disguisedPassage(unquoted) ?? encodedPassage(plain) ?? foreignAddress(plain, host);
  if (elsewhere !== undefined) return elsewhere;
  const mixed = MIXED.exec(whole);
  if (mixed) return whole.slice(Math.max(0, mixed.index - 10), mixed.index + 20);
  const { passage, logOdds } = reviewModel().strongest(withoutOwnHosts(plain, host), known);
  return logOdds > (namesMachine(plain) ? NAMED_ODDS : 0) ? passage : undefined;
}
