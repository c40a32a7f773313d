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

/** Positions that the scope of a negation extends to within its clause. */
const MAX_SCOPE = 6;
/** Most words that a bare "no" negates: "hotel? no", but not "i need a hotel. no, wait". */
const MAX_WORDS_BEFORE_NO = 2;
/** How many words after a negator may ask for what it seems to negate: "without a hotel we are lost, find one". */
const MAX_NEED_DISTANCE = 12;

/** By token, 1 when it is in the scope of a negation: "not looking for hotels", "instead of a hotel". */
export function findNegatedTokens({ tokens, hits, lexicon, pool }: ParsedConversation): Uint8Array {
  const isNegated = pool.uint8(tokens.length);
  for (let cue = 0; cue < tokens.length; cue++) {
    if ((tokens.word(cue).negationRoles & CUES) === 0) continue;
    const back = findScopeStartBefore(tokens, cue);
    if (back < cue) isNegated.fill(1, back, cue);
    const from = findScopeStartAfter(tokens, cue);
    if (from >= 0 && !isNeed(tokens, cue)) isNegated.fill(1, from, findScopeEnd(tokens, cue, from));
  }
  // A negation that is part of how a need is said negates none of it: "no hot water", "hate ironing".
  for (const { topic, from, to } of hits)
    for (let token = from; !lexicon.isInternal[topic] && token < to; token++)
      if (getRoles(tokens, token) & CUES) isNegated.fill(0, token, to + 1);
  return isNegated;
}

/** The roles of a word in negations; none for a token that is not there. */
const getRoles = ({ words }: Tokens, token: number): number => words[token]?.negationRoles ?? 0;

/** Whether the word after one stands right behind it, with no comma between. */
const isAdjacent = (tokens: Tokens, token: number): boolean =>
  token + 1 < tokens.length && tokens.position(token + 1) - tokens.position(token) === 1;

/** The end of the scope from the token `from` on of the negation at `cue`: a pause, "but", or the reach of a scope. */
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

/** The first token before the negation at `cue` that it negates; `cue` when it negates none before it. */
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

/** Whether what the negator at `cue` says to be missing is needed for that: "no hotel yet", "without a hotel we are lost, find one". */
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

/** The first token that a negation beginning at `cue` negates after it, or -1 when none begins there. */
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
  // "not a hotel": articles are stop words, so that a bare "not" right before a noun negates it too.
  if (negationRoles & DIRECT_NEGATOR) return cue + 1;
  return next.negationRoles & NEGATED_VERB ? cue + 1 : -1;
}
