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
/** Minimum log odds for a text to address a model, if it also names a machine as speaker or addressee. */
const NAMED_ODDS = -1;
/**
 * Minimum log odds for a passage of two fields to address a model. Higher, because joined sentences sound odd even if they are harmless.
 */
const JOINED_ODDS = 1.2;

const COMMANDS_AND_TURNS = [...COMMANDS, ...TURNS];

/** Why a creative does not serve: a passage addresses a model instead of a person, or links to a site other than the landing page's. */
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
  const cache = new Map<string, number>();
  for (const name of TEXT_FIELDS) {
    const passage = findPassage(creative[name], host, cache);
    if (passage !== undefined) return { field: `creative.${name}`, passage: toExcerpt(passage) };
  }
  const acrossFields = reviewAcrossFields(creative, host, cache);
  if (acrossFields) return acrossFields;
  for (const name of URL_FIELDS) {
    // Only commands: the weights are trained on sentences and mistake ordinary paths for commands, and IDs look like encoded words.
    const passage = findCommand(toPlainText(getUrlWords(creative[name])));
    if (passage !== undefined) return { field: `creative.${name}`, passage: toExcerpt(passage) };
  }
  return null;
}

/** Reviews the texts together: each may be harmless by itself, but people read an ad as a whole, in an order that the publisher chooses. */
function reviewAcrossFields(creative: Creative, host: string, cache: Map<string, number>): CreativeReview | null {
  const names = TEXT_FIELDS.filter((name) => creative[name] !== '');
  for (let count = 2; count <= names.length; count++) {
    const text = names
      .slice(0, count)
      .map((name) => creative[name])
      .join('\n');
    const isNamed = names[count - 1] === 'sponsoredBy'; // a firm may have the name of a model
    const passage = isNamed ? findCommand(withoutQuotedCommand(toPlainText(text))) : findByRules(text, host);
    if (passage !== undefined) return { field: `creative.${names[count - 1]!}`, passage: toExcerpt(passage) };
  }
  for (const { field, passage } of joinPassages(getReviewTexts(creative, host))) {
    const found = findCommand(withoutQuotedCommand(passage)) ?? findEncodedPassage(passage);
    if (found !== undefined) return { field: `creative.${field}`, passage: toExcerpt(found) };
    if (loadReviewModel().logOdds(passage, cache) > JOINED_ODDS)
      return { field: `creative.${field}`, passage: toExcerpt(passage) };
  }
  return null;
}

/** The texts that the weights judge, without URLs of the advertiser's own site. */
export const getReviewTexts = (creative: Pick<Creative, (typeof TEXT_FIELDS)[number]>, host: string): CreativeTexts =>
  toRecord(TEXT_FIELDS, (name) => withoutOwnHosts(toPlainText(creative[name]), host));

/** Cuts a passage for storage. The database cannot store half of a surrogate pair. */
const toExcerpt = (passage: string): string => passage.trim().slice(0, MAX_PASSAGE_LENGTH).toWellFormed();

function findFirstMatch(patterns: readonly RegExp[], text: string): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found) return found[0];
  }
  return undefined;
}

/** Finds a passage that contains a disguised command or turn: backwards, shifted, or with digits for letters. */
const findDisguised = (text: string): string | undefined =>
  getPassages(text).find((passage) =>
    getReadings(passage).some((reading) => COMMANDS_AND_TURNS.some((pattern) => pattern.test(reading))),
  );

/** Finds a command or a conversation turn, plain or disguised. */
const findCommand = (text: string): string | undefined =>
  findFirstMatch(COMMANDS_AND_TURNS, text) ?? findDisguised(text);

/** Finds a passage that addresses a model or links to another site. */
function findPassage(text: string, host: string, cache: Map<string, number>): string | undefined {
  if (text === '') return undefined;
  const ruled = findByRules(text, host);
  if (ruled !== undefined) return ruled;
  const plain = toPlainText(text);
  const { passage, logOdds } = loadReviewModel().findStrongest(withoutOwnHosts(plain, host), cache);
  return logOdds > (namesMachine(plain) ? NAMED_ODDS : 0) ? passage : undefined;
}

/** Finds a passage by the rules, without the weights. */
function findByRules(text: string, host: string): string | undefined {
  const plain = toPlainText(text);
  const unquoted = withoutQuotedCommand(plain);
  return (
    findFirstMatch(SIGNS, unquoted) ??
    findCommand(unquoted) ??
    findEncodedPassage(plain) ??
    findForeignAddress(plain, host) ??
    findMixedScriptWord(text)
  );
}
