import {
  BUT,
  CANCELLER,
  CUES,
  DIRECT_NEGATOR,
  FORGET,
  IS_NOT,
  isNegatingPair,
  NEGATED_VERB,
  NEGATOR,
  NO,
  ONE,
  PAIR_FIRST,
  REJECTION,
  SEARCH_VERB,
  START,
  YET,
} from '../lexicon/negation-words.ts';
import type { ParsedConversation } from './parsed-conversation.ts';
import type { Tokens } from './tokens.ts';

/** Maximum number of positions that a negation extends within its clause. */
const MAX_SCOPE = 6;
/** Maximum number of words that a bare "no" negates: "hotel? no", but not "i need a hotel. no, wait". */
const MAX_WORDS_BEFORE_NO = 2;
/**
 * Maximum number of words after a negator in which the user may ask for the thing it seems to negate: "without a hotel we are lost, find
 * one".
 */
const MAX_NEED_DISTANCE = 12;

/** By token, 1 if it is negated: "not looking for hotels", "instead of a hotel". */
export function findNegatedTokens({ tokens, hits, lexicon, pool }: ParsedConversation): Uint8Array {
  const isNegated = pool.uint8(tokens.length);
  for (let cue = 0; cue < tokens.length; cue++) {
    if ((tokens.word(cue).negationRoles & CUES) === 0) continue;
    const back = findScopeStartBefore(tokens, cue);
    if (back < cue) isNegated.fill(1, back, cue);
    const from = findScopeStartAfter(tokens, cue);
    if (from >= 0 && !isNeed(tokens, cue)) isNegated.fill(1, from, findScopeEnd(tokens, cue, from));
  }
  // A negation inside a phrase for a need negates nothing in it: "no hot water", "hate ironing".
  for (const { topic, from, to } of hits)
    for (let token = from; !lexicon.isInternal[topic] && token < to; token++)
      if (getRoles(tokens, token) & CUES) isNegated.fill(0, token, to + 1);
  return isNegated;
}

/** The negation roles of a word; none if there is no such token. */
const getRoles = ({ words }: Tokens, token: number): number => words[token]?.negationRoles ?? 0;

/** Whether the next word follows immediately, without a comma between. */
const isAdjacent = (tokens: Tokens, token: number): boolean =>
  token + 1 < tokens.length && tokens.position(token + 1) - tokens.position(token) === 1;

/** The end of the scope of the negation at `cue`, starting at token `from`: a pause, "but", or MAX_SCOPE. */
function findScopeEnd(tokens: Tokens, cue: number, from: number): number {
  let end = from;
  while (
    end < tokens.length &&
    tokens.position(end) - tokens.position(cue) <= MAX_SCOPE &&
    !(getRoles(tokens, end) & BUT) &&
    (end === from || isAdjacent(tokens, end - 1))
  )
    end++;
  return end;
}

/** The first token that the negation at `cue` negates before itself; `cue` if there is none. */
function findScopeStartBefore(tokens: Tokens, cue: number): number {
  const next = isAdjacent(tokens, cue) ? tokens.words[cue + 1] : undefined;
  if (getRoles(tokens, cue) & NO) {
    const isBare = next === undefined || next.stem === 'thank';
    if (!isBare || cue === 0 || isAdjacent(tokens, cue - 1)) return cue;
    const from = findClauseStart(tokens, cue - 1, MAX_WORDS_BEFORE_NO + 1);
    return cue - from <= MAX_WORDS_BEFORE_NO ? from : cue;
  }
  // "not what you think" says nothing about hotels; "not what i want" does.
  if (!(getRoles(tokens, cue) & IS_NOT && next && next.negationRoles & REJECTION)) return cue;
  if (next.stem === 'what' && !(getRoles(tokens, cue + 3) & NEGATED_VERB)) return cue;
  return cue > 0 && isAdjacent(tokens, cue - 1) ? findClauseStart(tokens, cue - 1, MAX_SCOPE) : cue;
}

/** The first token of the clause that ends at `last`, or of its last `most` words. */
function findClauseStart(tokens: Tokens, last: number, most: number): number {
  let from = last;
  while (
    from > 0 &&
    last - from + 1 < most &&
    isAdjacent(tokens, from - 1) &&
    !(getRoles(tokens, from - 1) & (START | BUT))
  )
    from--;
  return getRoles(tokens, from) & START ? from + 1 : from;
}

/** Whether the user needs the thing that the negator at `cue` says is missing: "no hotel yet", "without a hotel we are lost, find one". */
function isNeed(tokens: Tokens, cue: number): boolean {
  if (!(getRoles(tokens, cue) & DIRECT_NEGATOR)) return false;
  let isSameClause = true;
  for (let i = cue + 1; i < tokens.length && i - cue <= MAX_NEED_DISTANCE && !(getRoles(tokens, i) & START); i++) {
    isSameClause &&= isAdjacent(tokens, i - 1);
    if (isSameClause && getRoles(tokens, i) & YET) return true;
    if (!(getRoles(tokens, i) & ONE)) continue;
    const before = getRoles(tokens, i - 2) | getRoles(tokens, i - 1);
    if (before & SEARCH_VERB && !((before | getRoles(tokens, i - 3)) & NEGATOR)) return true;
  }
  return false;
}

/** The first token that the negation at `cue` negates after itself; -1 if there is none. */
function findScopeStartAfter(tokens: Tokens, cue: number): number {
  if (!isAdjacent(tokens, cue)) return -1;
  const { negationRoles, stem } = tokens.word(cue);
  const next = tokens.word(cue + 1);
  if (negationRoles & PAIR_FIRST && isNegatingPair(stem, next.stem)) return cue + 2;
  // "forget the hotel" begins a clause; "i always forget my passwords" is a need.
  if (negationRoles & FORGET) return cue > 0 && findClauseStart(tokens, cue, 2) === cue ? cue + 1 : -1;
  if (negationRoles & NO && next.stem === 'more')
    return isAdjacent(tokens, cue + 1) && tokens.word(cue + 2).stem !== 'than' ? cue + 2 : -1;
  if (!(negationRoles & NEGATOR) || next.negationRoles & CANCELLER) return -1;
  // Articles are stop words and left out: in "not a hotel", "not" directly precedes the noun.
  if (negationRoles & DIRECT_NEGATOR) return cue + 1;
  return next.negationRoles & NEGATED_VERB ? cue + 1 : -1;
}
