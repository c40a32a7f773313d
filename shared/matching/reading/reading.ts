import type { Lexicon } from '../lexicon/lexicon.ts';
import { findPhrases, type Hit, inOrder } from '../lexicon/phrases.ts';
import { Wordbook } from '../lexicon/word-cache.ts';
import { Scratch } from './array-pool.ts';
import { type Message, type Tokens, tokenize } from './conversation.ts';
import { coverage, parts, smallTalk, tally } from './coverage.ts';
import { gather, settle } from './evidence.ts';
import { interests } from './interest.ts';
import { hide, needs, outermost } from './needs.ts';
import { allow, denied } from './negation.ts';
import { NEVER, openings, turnsAgo } from './turns.ts';
import { CONTEXT } from './weights.ts';

/** What the engine makes of a conversation, before any campaign is looked at. */
export interface Reading {
  tokens: Tokens;
  /** By token, how much it counts: who said it, how long ago, whether it was denied. 0..1. */
  force: Float32Array;
  hits: Hit[];
  /** By token, 1 when the user said it. */
  byUser: Uint8Array;
  /** By topic, the evidence for it: 0 none, 1 a clear word for it just now, more for several. */
  evidence: Float32Array;
  /** By topic, the largest share that its words had in what a message of the user says, 0..1. */
  cover: Float32Array;
  /** By topic, 1 when the user asked for it and for nothing else since. */
  asked: Uint8Array;
  /** By topic, how much of an interest it is: 0 where something is asked for, else see `interests`. */
  interest: Float32Array;
  /** By token, the share of its message's content that it is; 0 for words of the assistant. */
  part: Float32Array;
  /** By message, 1 when the user asks for something in it. */
  asks: Uint8Array;
  /** Largest evidence among topics that products belong to, needed or merely mentioned. */
  strongest: number;
  /** Share of the user's words that are small talk, 0..1. */
  smallTalk: number;
  /** Number of words of the user. */
  userWords: number;
}

export function read(
  messages: readonly Message[],
  lexicon: Lexicon,
  wordbook = new Wordbook(lexicon),
  scratch = new Scratch(),
): Reading {
  const tokens = tokenize(messages, wordbook, scratch);
  const found = outermost(findPhrases(tokens.vocabulary, tokens.at, lexicon), tokens, lexicon, scratch);
  const hits = inOrder(found, lexicon.topics.length, scratch);
  const turns = turnsAgo(messages, scratch);
  const byUser = scratch.bytes(tokens.at.length);
  for (let token = 0; token < byUser.length; token++)
    byUser[token] = messages[tokens.message[token]!]!.role === 'user' ? 1 : 0;
  const { opened, newest, asking, asks } = openings(hits, tokens, turns, byUser, lexicon, scratch);

  const need = needs(messages, hits, tokens, asks, lexicon, scratch);
  const flags = denied(tokens.entries, tokens.at, scratch);
  allow(flags, hits, tokens.entries, lexicon);
  const weight = messages.map(({ role }, message) => {
    const age = newest === NEVER ? turns[message]! : Math.max(0, turns[message]! - newest);
    return (role === 'user' ? 1 : CONTEXT.assistant) * Math.max(CONTEXT.floor, CONTEXT.fade ** age);
  });
  const force = scratch.floats(byUser.length);
  for (let token = 0; token < force.length; token++) force[token] = flags[token] ? 0 : weight[tokens.message[token]!]!;
  const said = scratch.bytes(lexicon.topics.length);
  for (const { topic, from } of hits) if (byUser[from]) said[topic] = 1;
  const evidence = gather(hits, force, tokens, lexicon, scratch, need);
  // What is merely mentioned competes at its full strength, so that a small part of it does not look like all there is.
  const rival = need && gather(hits, force, tokens, lexicon, scratch);
  for (let topic = 0; rival && topic < rival.length; topic++)
    rival[topic] = evidence[topic]! > 0 ? rival[topic]! / evidence[topic]! : 1;
  // From here on it is what words count for keywords: needed or not, and little where only the assistant says them.
  for (let token = 0; token < force.length; token++)
    force[token] = force[token]! * (need?.[token] ?? 1) * (byUser[token] ? 1 : CONTEXT.unsaid);
  hide(force, hits, lexicon);
  const part = parts(hits, tokens, byUser, flags, lexicon, scratch);
  const cover = coverage(hits, part, tokens, lexicon, scratch);
  settle(evidence, cover, lexicon, scratch);
  const asked = scratch.bytes(evidence.length);
  let strongest = 0;
  for (let topic = 0; topic < evidence.length; topic++) {
    if (evidence[topic] === 0 || lexicon.own[topic]) continue;
    // What was not named in the newest turn that opened a topic was spoken of earlier, or is a detail of it.
    const current = opened[topic]! <= newest;
    if (current && asking) asked[topic] = 1;
    evidence[topic] = evidence[topic]! * (current ? 1 : CONTEXT.movedOn);
    strongest = Math.max(strongest, evidence[topic]! * (rival?.[topic] ?? 1));
    if (said[topic] === 0) evidence[topic] = evidence[topic]! * CONTEXT.unsaid;
  }
  // Without the mark at the start of each message.
  const userWords = tally(byUser) - messages.filter(({ role }) => role === 'user').length;
  return {
    tokens,
    force,
    hits,
    byUser,
    evidence,
    cover,
    asked,
    interest: asking || asks.at(-1) ? scratch.floats(evidence.length) : interests(hits, tokens, lexicon, scratch),
    part,
    asks,
    strongest,
    smallTalk: smallTalk(hits, byUser, userWords, lexicon, scratch),
    userWords,
  };
}
