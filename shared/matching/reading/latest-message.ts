import { WANT } from '../lexicon/lexicon.ts';
import { showsCode } from '../text/code.ts';
import { type Asking, NOTHING_ASKED } from './asked.ts';
import { askingOf } from './asking.ts';
import { raise } from './columns.ts';
import { phraseStrength } from './evidence.ts';
import { isForeign } from './language-of.ts';
import type { ParsedConversation } from './parsed.ts';

/** Of a phrase, for the topics that its own is part of. */
const FOR_PARENT = 0.5;

/** What the user said last, by itself: what came before may be over. */
export interface LatestMessage {
  /** Its index, -1 where the user said nothing. */
  message: number;
  text: string;
  words: number;
  /** By topic, how strongly it is named in it, 0..1. */
  topics: Float32Array;
  /** The rarity of its words, summed: of those in phrases of a topic that is sold, and of all others. */
  explained: number;
  unexplained: number;
  asking: Asking;
  /** Whether the user said something before it. */
  goesOn: boolean;
  /** 1 when what is named in it is likely what it is about, even where it asks for nothing: nothing came before, and it is neither a chore nor code. */
  isOpening: number;
  /** 1 when nothing even speaks against it: a wish that is no question, or neither a wish nor a fact nor a task. */
  isPlain: number;
}

export function latestMessage({ messages, hits, tokens, language, lexicon, pool }: ParsedConversation): LatestMessage {
  const message = messages.findLastIndex(({ role }) => role === 'user');
  const topics = pool.float32(lexicon.topics.length);
  const isExplained = pool.uint8(tokens.length);
  let saysNeed = false;
  for (const hit of hits) {
    const { topic, from, to, kind } = hit;
    if (tokens.message(from) !== message) continue;
    const strength = Math.min(1, phraseStrength(hit));
    raise(topics, topic, strength);
    if (lexicon.isInternal[topic]) continue;
    if (kind === WANT) saysNeed = true;
    for (const ancestor of lexicon.ancestors[topic] ?? []) raise(topics, ancestor, FOR_PARENT * strength);
    isExplained.fill(1, from, to + 1);
  }
  const text = messages[message]?.content ?? '';
  // Nobody sells what a program names.
  const isCode = showsCode(text);
  const asking = isCode ? NOTHING_ASKED : askingOf(text, language, saysNeed, lexicon.askingWords);
  const goesOn = messages.findIndex(({ role }) => role === 'user') < message;
  const isForeignFact = isForeign(language) && !asking.wishes && !asking.isUnclear;
  const isOpening = goesOn || asking.chore || isCode || isForeignFact ? 0 : 1;
  const isPlain = isOpening && (asking.wishes ? !text.includes('?') : asking.isUnclear) ? 1 : 0;
  const latest = { message, text, words: 0, topics, explained: 0, unexplained: 0, asking, goesOn, isOpening, isPlain };
  for (let token = tokens.length - 1; token >= 0; token--) {
    if (tokens.message(token) !== message) continue;
    latest.words++;
    if (isExplained[token]) latest.explained += tokens.word(token).rarity;
    else latest.unexplained += tokens.word(token).rarity;
  }
  return latest;
}
