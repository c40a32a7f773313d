import type { Config } from '../../platform/config.ts';
import { toRecord } from '../../platform/values/typed.ts';
import { getDomain } from '../../platform/values/urls.ts';
import { type Creative, TEXT_FIELDS, URL_FIELDS } from '../creative.ts';
import { findForeignAddress, getUrlWords, withoutOwnHosts } from './addresses.ts';
import { toPlainText } from './letters.ts';
import { loadReviewModel } from './model.ts';
import { type CreativeTexts, getPassages, getReadings, joinPassages } from './passages.ts';
import { findMixedScriptWord } from './scripts.ts';
import { COMMANDS, findEncodedPassage, namesMachine, RULES, SIGNS, withoutQuotedCommand } from './signs.ts';
import { TURNS } from './turns.ts';

const MAX_PASSAGE_LENGTH = 80;
/** Log odds from which a text addresses a model, if it also names a machine as speaker or addressee. */
const NAMED_ODDS = -1;
/** Log odds from which a passage of two fields addresses a model. Higher, because joined sentences sound odd even if they are harmless. */
const JOINED_ODDS = 1.2;

const WORDED = [...COMMANDS, ...TURNS];

/** Why a creative does not serve: a passage that addresses a model instead of a person, or links to another site than the landing page. */
export interface CreativeReview {
  field: `creative.${keyof Creative}`;
  /** Excerpt of the text, or of the words in a URL. */
  passage: string;
}

/** The result of a review, stored with the campaign. */
export interface Reviewed {
  /** null: passed. Absent: not reviewed, because the owner is exempt or the campaign was saved before reviews existed. */
  review?: CreativeReview | null;
  /** Version of the rules and weights. Absent in older reviews, which counts as another version. */
  reviewedBy?: string;
}

/** Reviews a creative, unless the operator has exempted its owner. */
export const reviewUnlessExempt = (
  { creativeReviewExempt }: Pick<Config, 'creativeReviewExempt'>,
  owner: string,
  creative: Creative,
): Reviewed =>
  creativeReviewExempt.includes(owner)
    ? { review: undefined, reviewedBy: undefined }
    : { review: reviewCreative(creative), reviewedBy: getReviewVersion() };

/** Version of the current rules and weights. */
export const getReviewVersion = (): string => `${RULES}-${loadReviewModel().learnedFrom.slice(0, 12)}`;

/** Finds the first passage that a creative must not contain; null if there is none. */
function reviewCreative(creative: Creative): CreativeReview | null {
  const host = getDomain(creative.landingUrl);
  const known = new Map<string, number>();
  for (const name of TEXT_FIELDS) {
    const passage = findPassage(creative[name], host, known);
    if (passage !== undefined) return { field: `creative.${name}`, passage: shown(passage) };
  }
  const acrossFields = reviewAcrossFields(creative, host, known);
  if (acrossFields) return acrossFields;
  for (const name of URL_FIELDS) {
    // Only commands: the weights know sentences and mistake ordinary paths for commands, and IDs look like encoded words.
    const passage = findCommand(toPlainText(getUrlWords(creative[name])));
    if (passage !== undefined) return { field: `creative.${name}`, passage: shown(passage) };
  }
  return null;
}

/** Reviews the texts together: parts can be harmless alone, but an ad is read as a whole, in an order that publishers choose. */
function reviewAcrossFields(creative: Creative, host: string, known: Map<string, number>): CreativeReview | null {
  const names = TEXT_FIELDS.filter((name) => creative[name] !== '');
  for (let most = 2; most <= names.length; most++) {
    const text = names
      .slice(0, most)
      .map((name) => creative[name])
      .join('\n');
    const isNamed = names[most - 1] === 'sponsoredBy'; // a firm may be called what a model is called
    const passage = isNamed ? findCommand(withoutQuotedCommand(toPlainText(text))) : findByRules(text, host);
    if (passage !== undefined) return { field: `creative.${names[most - 1]!}`, passage: shown(passage) };
  }
  for (const { field, passage } of joinPassages(getReviewTexts(creative, host))) {
    const found = findCommand(withoutQuotedCommand(passage)) ?? findEncodedPassage(passage);
    if (found !== undefined) return { field: `creative.${field}`, passage: shown(found) };
    if (loadReviewModel().logOdds(passage, known) > JOINED_ODDS)
      return { field: `creative.${field}`, passage: shown(passage) };
  }
  return null;
}

/** The texts that the weights judge, without URLs of the advertiser's own site. */
export const getReviewTexts = (creative: Pick<Creative, (typeof TEXT_FIELDS)[number]>, host: string): CreativeTexts =>
  toRecord(TEXT_FIELDS, (name) => withoutOwnHosts(toPlainText(creative[name]), host));

/** A passage as it is stored and shown. A surrogate pair that is cut in half cannot be stored. */
const shown = (passage: string): string => passage.trim().slice(0, MAX_PASSAGE_LENGTH).toWellFormed();

/** The text that the first matching pattern finds. */
function firstMatch(patterns: readonly RegExp[], text: string): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found) return found[0];
  }
  return undefined;
}

/** Finds a passage that contains a command or a turn in disguise: backwards, shifted, or with digits for letters. */
const findDisguised = (text: string): string | undefined =>
  getPassages(text).find((passage) =>
    getReadings(passage).some((reading) => WORDED.some((pattern) => pattern.test(reading))),
  );

/** Finds a command or a turn, plain or disguised. */
const findCommand = (text: string): string | undefined => firstMatch(WORDED, text) ?? findDisguised(text);

/** Finds a passage that addresses a model or links to another site. */
function findPassage(text: string, host: string, known: Map<string, number>): string | undefined {
  if (text === '') return undefined;
  const ruled = findByRules(text, host);
  if (ruled !== undefined) return ruled;
  const plain = toPlainText(text);
  const { passage, logOdds } = loadReviewModel().strongest(withoutOwnHosts(plain, host), known);
  return logOdds > (namesMachine(plain) ? NAMED_ODDS : 0) ? passage : undefined;
}

/** Finds a passage by the rules, without the weights. */
function findByRules(text: string, host: string): string | undefined {
  const plain = toPlainText(text);
  const unquoted = withoutQuotedCommand(plain);
  return (
    firstMatch(SIGNS, unquoted) ??
    findCommand(unquoted) ??
    findEncodedPassage(plain) ??
    findForeignAddress(plain, host) ??
    findMixedScriptWord(text)
  );
}
