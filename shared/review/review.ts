import type { Config } from '../platform/config.ts';
import type { Creative } from '../values/creative.ts';
import { ADDRESSES } from '../values/creative.ts';
import { domainOf } from '../values/urls.ts';
import { foreignAddress, withoutOwnHosts } from './addresses.ts';
import { withPlainLetters } from './letters.ts';
import { reviewModel } from './model.ts';
import { passagesOf, readingsOf } from './passages.ts';
import { COMMANDS, encodedPassage, namesMachine, RULES, SIGNS, withoutFaces, withoutQuotedCommand } from './signs.ts';
import { TURNS } from './turns.ts';
import { wordsOfUrl } from './urls.ts';

/** The texts of a creative that people read, and that publishers may hand to a model. */
const TEXTS = ['headline', 'description', 'callToAction', 'sponsoredBy'] as const;
const MOST_PASSAGE = 80;
/** Where it names a machine as who speaks or is spoken to, a text is taken for one that addresses a model from these log odds on. */
const NAMED_ODDS = -1;

const WORDED = [...COMMANDS, ...TURNS];

/** Letters of two scripts within a word: what looks like one and is read as another. */
const MIXED =
  /[\p{Script=Latin}]\p{M}*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{M}*[\p{Script=Latin}]/u;

/** Why a creative does not serve: a passage that speaks to a model instead of a person, or leads elsewhere than the landing page. */
export interface CreativeReview {
  field: `creative.${keyof Creative}`;
  /** As it stands in the text, or as the words of an address read; cut. */
  passage: string;
}

/** What is kept of a review with what was reviewed. */
export interface Reviewed {
  /** The passage for which its creative does not serve; null where there is none, absent where it was not reviewed: its owner is exempt, or it was saved before there was a review. */
  review?: CreativeReview | null;
  /** Which rules and weights that review is of; absent in what was reviewed before this was kept, which counts as another. */
  reviewedBy?: string;
}

/** The review of a campaign that is saved; none where the operator allows its owner whatever it says. */
export const reviewFor = (
  { creativeReviewExempt }: Pick<Config, 'creativeReviewExempt'>,
  owner: string,
  creative: Creative,
): Reviewed =>
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
  const names = TEXTS.filter((name) => creative[name] && name !== 'sponsoredBy');
  const inOneGo = (most: number) => {
    const parts = names.slice(0, most).map((name) => creative[name]);
    return parts.length > 1 ? passageIn(parts.join('\n'), host, known) : undefined;
  };
  const whole = inOneGo(names.length);
  if (whole !== undefined) {
    const last = names.find((_, i) => inOneGo(i + 1) !== undefined)!;
    return { field: `creative.${last}`, passage: shown(whole) };
  }
  // The weights would take a firm whose name ends in AI for who is spoken to: behind the others, the rules alone read the name.
  const all = TEXTS.map((name) => creative[name]).filter(Boolean);
  const command = commandIn(withoutQuotedCommand(plainOf(all.join('\n'))));
  if (command !== undefined) return { field: 'creative.sponsoredBy', passage: shown(command) };
  for (const name of ADDRESSES) {
    // The weights know sentences: they take paths of ordinary shops for commands, and ids look like encoded words.
    const passage = commandIn(plainOf(wordsOfUrl(creative[name])));
    if (passage !== undefined) return { field: `creative.${name}`, passage: shown(passage) };
  }
  return null;
}

/** A passage as it is stored and shown. A sign that is cut in half could not be stored. */
const shown = (passage: string): string => passage.trim().slice(0, MOST_PASSAGE).toWellFormed();

/** What the first of some patterns finds. */
function firstOf(patterns: readonly RegExp[], text: string): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found) return found[0];
  }
  return undefined;
}

/** A passage that says a command or a turn when it is read as it may be meant: backwards, shifted, with digits for letters. */
const disguisedPassage = (text: string): string | undefined =>
  passagesOf(text).find((passage) =>
    readingsOf(passage).some((reading) => WORDED.some((pattern) => pattern.test(reading))),
  );

/** A text as it is meant to be read: plain letters, in one face. */
const plainOf = (text: string): string => withoutFaces(withPlainLetters(text.normalize('NFKC')));

/** A command or a turn, as it stands or disguised. */
const commandIn = (text: string): string | undefined => firstOf(WORDED, text) ?? disguisedPassage(text);

/** A passage of a text that addresses a model, or leads to another host. */
function passageIn(text: string, host: string, known: Map<string, number>): string | undefined {
  if (text === '') return undefined;
  const whole = text.normalize('NFKC');
  const plain = plainOf(text);
  const unquoted = withoutQuotedCommand(plain);
  const ruled = firstOf(SIGNS, unquoted) ?? commandIn(unquoted) ?? encodedPassage(plain) ?? foreignAddress(plain, host);
  if (ruled !== undefined) return ruled;
  const mixed = MIXED.exec(whole);
  if (mixed) return whole.slice(Math.max(0, mixed.index - 10), mixed.index + 20);
  const { passage, logOdds } = reviewModel().strongest(withoutOwnHosts(plain, host), known);
  return logOdds > (namesMachine(plain) ? NAMED_ODDS : 0) ? passage : undefined;
}
