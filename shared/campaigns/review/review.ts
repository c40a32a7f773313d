import type { Config } from '../../platform/config.ts';
import { recordOf } from '../../platform/values/typed.ts';
import { domainOf } from '../../platform/values/urls.ts';
import { type Creative, TEXT_FIELDS, URL_FIELDS } from '../creative.ts';
import { findForeignAddress, getUrlWords, withoutOwnHosts } from './addresses.ts';
import { toPlainText } from './letters.ts';
import { loadReviewModel } from './model.ts';
import { type CreativeTexts, getPassages, getReadings, joinPassages } from './passages.ts';
import { findMixedScriptWord } from './scripts.ts';
import { COMMANDS, findEncodedPassage, namesMachine, RULES, SIGNS, withoutQuotedCommand } from './signs.ts';
import { TURNS } from './turns.ts';

const MOST_PASSAGE = 80;
/** Where it names a machine as who speaks or is spoken to, a text is taken for one that addresses a model from these log odds on. */
const NAMED_ODDS = -1;
/** A passage of two fields is taken for one that addresses a model from these log odds on: nobody wrote it in one go, so it sounds odd by itself. */
const JOINED_ODDS = 1.2;

const WORDED = [...COMMANDS, ...TURNS];

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
export const reviewUnlessExempt = (
  { creativeReviewExempt }: Pick<Config, 'creativeReviewExempt'>,
  owner: string,
  creative: Creative,
): Reviewed =>
  creativeReviewExempt.includes(owner)
    ? { review: undefined, reviewedBy: undefined }
    : { review: reviewCreative(creative), reviewedBy: getReviewVersion() };

/** The rules and the weights that creatives are reviewed by. */
export const getReviewVersion = (): string => `${RULES}-${loadReviewModel().learnedFrom.slice(0, 12)}`;

/** The first passage of a creative that is not for people; null where there is none. */
function reviewCreative(creative: Creative): CreativeReview | null {
  const host = domainOf(creative.landingUrl);
  const known = new Map<string, number>();
  for (const name of TEXT_FIELDS) {
    const passage = passageIn(creative[name], host, known);
    if (passage !== undefined) return { field: `creative.${name}`, passage: shown(passage) };
  }
  const acrossFields = reviewAcrossFields(creative, host, known);
  if (acrossFields) return acrossFields;
  for (const name of URL_FIELDS) {
    // The weights know sentences: they take paths of ordinary shops for commands, and ids look like encoded words.
    const passage = commandIn(toPlainText(getUrlWords(creative[name])));
    if (passage !== undefined) return { field: `creative.${name}`, passage: shown(passage) };
  }
  return null;
}

/** What is harmless in its parts may not be as a whole: an ad is read in one go, and publishers order its texts as they like. */
function reviewAcrossFields(creative: Creative, host: string, known: Map<string, number>): CreativeReview | null {
  const names = TEXT_FIELDS.filter((name) => creative[name] !== '');
  for (let most = 2; most <= names.length; most++) {
    const text = names
      .slice(0, most)
      .map((name) => creative[name])
      .join('\n');
    const isNamed = names[most - 1] === 'sponsoredBy'; // a firm may be called what a model is called
    const passage = isNamed ? commandIn(withoutQuotedCommand(toPlainText(text))) : ruledIn(text, host);
    if (passage !== undefined) return { field: `creative.${names[most - 1]!}`, passage: shown(passage) };
  }
  for (const { field, passage } of joinPassages(getReviewTexts(creative, host))) {
    const found = commandIn(withoutQuotedCommand(passage)) ?? findEncodedPassage(passage);
    if (found !== undefined) return { field: `creative.${field}`, passage: shown(found) };
    if (loadReviewModel().logOdds(passage, known) > JOINED_ODDS)
      return { field: `creative.${field}`, passage: shown(passage) };
  }
  return null;
}

/** What the weights read of a creative: without its own addresses, which its landing page shows anyway. */
export const getReviewTexts = (creative: Pick<Creative, (typeof TEXT_FIELDS)[number]>, host: string): CreativeTexts =>
  recordOf(TEXT_FIELDS, (name) => withoutOwnHosts(toPlainText(creative[name]), host));

/** A passage as it is stored and shown. A sign that is cut in half could not be stored. */
const shown = (passage: string): string => passage.trim().slice(0, MOST_PASSAGE).toWellFormed();

/** What the first of some patterns finds. */
function firstMatch(patterns: readonly RegExp[], text: string): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found) return found[0];
  }
  return undefined;
}

/** A passage that says a command or a turn when it is read as it may be meant: backwards, shifted, with digits for letters. */
const disguisedPassage = (text: string): string | undefined =>
  getPassages(text).find((passage) =>
    getReadings(passage).some((reading) => WORDED.some((pattern) => pattern.test(reading))),
  );

/** A command or a turn, as it stands or disguised. */
const commandIn = (text: string): string | undefined => firstMatch(WORDED, text) ?? disguisedPassage(text);

/** A passage of a text that addresses a model, or leads to another host. */
function passageIn(text: string, host: string, known: Map<string, number>): string | undefined {
  if (text === '') return undefined;
  const ruled = ruledIn(text, host);
  if (ruled !== undefined) return ruled;
  const plain = toPlainText(text);
  const { passage, logOdds } = loadReviewModel().strongest(withoutOwnHosts(plain, host), known);
  return logOdds > (namesMachine(plain) ? NAMED_ODDS : 0) ? passage : undefined;
}

/** A passage that a rule finds. */
function ruledIn(text: string, host: string): string | undefined {
  const plain = toPlainText(text);
  const unquoted = withoutQuotedCommand(plain);
  return (
    firstMatch(SIGNS, unquoted) ??
    commandIn(unquoted) ??
    findEncodedPassage(plain) ??
    findForeignAddress(plain, host) ??
    findMixedScriptWord(text)
  );
}
