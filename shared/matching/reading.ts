import { type Message, type Tokens, tokenize } from './conversation.ts';
import { type Lexicon, WORDS } from './lexicon.ts';
import { denied } from './negation.ts';
import { findPhrases, type Hit } from './phrases.ts';
import { CONTEXT } from './weights.ts';

/** What the engine makes of a conversation, before any campaign is looked at. */
export interface Reading {
  tokens: Tokens;
  /** By token, how much it counts: who said it, how long ago, whether it was denied. 0..1. */
  force: Float32Array;
  hits: Hit[];
  /** By topic, the evidence for it (0 none, 1 a clear word for it just now, more for several). */
  evidence: Float32Array;
  /** Largest evidence among topics that products belong to. */
  strongest: number;
  /** Largest evidence of the engine's own topics, by path. */
  own: (path: string) => number;
  /** Share of the user's words that are small talk. */
  smallTalk: number;
  userWords: number;
}

export function read(messages: readonly Message[], lexicon: Lexicon): Reading {
  const tokens = tokenize(messages, lexicon);
  const hits = findPhrases(tokens.vocabulary, tokens.at, lexicon);
  const turns = turnsAgo(messages);
  const opened = openings(hits, tokens, turns, messages, lexicon);
  const newest = opened.reduce((least, turn) => Math.min(least, turn), NEVER);
  const flags = denied(tokens.stems, tokens.said, tokens.at);
  const force = Float32Array.from(tokens.message, (message, token) => {
    const age = Math.max(0, turns[message]! - (newest === NEVER ? 0 : newest));
    const role = messages[message]!.role === 'user' ? 1 : CONTEXT.assistant;
    return flags[token] ? 0 : role * Math.max(CONTEXT.floor, CONTEXT.fade ** age);
  });
  const evidence = gather(hits, force, tokens, lexicon);
  // What was not asked for in the newest turn that asked for something was spoken of earlier, or is a detail of it.
  for (let topic = 0; topic < evidence.length; topic++)
    if (!lexicon.own[topic] && opened[topic]! > newest) evidence[topic] = evidence[topic]! * CONTEXT.movedOn;
  let strongest = 0;
  for (let topic = 0; topic < evidence.length; topic++)
    if (!lexicon.own[topic] && evidence[topic]! > strongest) strongest = evidence[topic]!;
  const own = (path: string) => evidence[lexicon.topics.indexOf(path)] ?? 0;
  const user = tokens.message.reduce((sum, message) => sum + (messages[message]!.role === 'user' ? 1 : 0), 0);
  return {
    tokens,
    force,
    hits,
    evidence,
    strongest,
    own,
    smallTalk: smallTalk(hits, tokens, messages, lexicon, user),
    userWords: user,
  };
}

const NEVER = 1 << 20;

/** By message, how many turns of the user came after it; an assistant's words belong to the turn they answer. */
function turnsAgo(messages: readonly Message[]): Int32Array {
  const turns = new Int32Array(messages.length);
  let after = 0;
  for (let index = messages.length - 1; index >= 0; index--) {
    turns[index] = after;
    if (messages[index]!.role === 'user') after++;
  }
  return turns;
}

/**
 * By topic, how many turns ago the user last asked for it: named it clearly in a message that asks for something. Where
 * nobody asks, naming it is enough. Else a topic that is only named is a detail: "a hotel near a cinema".
 */
function openings(hits: Hit[], tokens: Tokens, turns: Int32Array, messages: readonly Message[], lexicon: Lexicon): Int32Array {
  const asks = new Uint8Array(messages.length);
  for (const { topic, from } of hits)
    if (lexicon.topics[topic]!.startsWith('_Intent > ')) asks[tokens.message[from]!] = 1;
  const asked = new Int32Array(lexicon.topics.length).fill(NEVER);
  const named = new Int32Array(lexicon.topics.length).fill(NEVER);
  let any = false;
  for (const hit of hits) {
    const message = tokens.message[hit.from]!;
    if (lexicon.own[hit.topic] || messages[message]!.role !== 'user' || strength(hit) < CONTEXT.clear) continue;
    named[hit.topic] = Math.min(named[hit.topic]!, turns[message]!);
    if (!asks[message]) continue;
    asked[hit.topic] = Math.min(asked[hit.topic]!, turns[message]!);
    any = true;
  }
  return any ? asked : named;
}

function strength(hit: Hit): number {
  return CONTEXT.kinds[hit.kind]! * hit.weight;
}

/** Evidence by topic: each word of the text speaks for a topic once, by the strongest phrase that ends in it. */
function gather(hits: Hit[], force: Float32Array, tokens: Tokens, lexicon: Lexicon): Float32Array {
  const best = new Map<number, number>();
  const size = lexicon.topics.length;
  for (const hit of hits) {
    let weight = strength(hit);
    let least = 1;
    for (let token = hit.from; token <= hit.to; token++) least = Math.min(least, force[token]!);
    weight *= least;
    const key = hit.to * size + hit.topic;
    if (weight > (best.get(key) ?? 0)) best.set(key, weight);
  }
  // Repeating a word says little more: the same word counts in full only once per topic.
  const evidence = new Float32Array(size);
  const repeated = new Map<string, number>();
  for (const [key, weight] of best) {
    const topic = key % size;
    const word = `${topic} ${tokens.stems[(key - topic) / size]}`;
    const before = repeated.get(word) ?? 0;
    const gain = Math.max(0, weight - before) + CONTEXT.repeat * Math.min(weight, before);
    repeated.set(word, Math.max(before, weight));
    evidence[topic] = evidence[topic]! + gain;
  }
  for (let topic = size - 1; topic >= 0; topic--) {
    const parent = lexicon.parents[topic]!;
    if (parent >= 0)
      evidence[parent] = evidence[parent]! + CONTEXT.parent * evidence[topic]!;
  }
  return evidence;
}

function smallTalk(hits: Hit[], tokens: Tokens, messages: readonly Message[], lexicon: Lexicon, user: number): number {
  const topic = lexicon.topics.indexOf('_Small Talk');
  const covered = new Set<number>();
  for (const hit of hits)
    if (hit.topic === topic && hit.kind !== WORDS && messages[tokens.message[hit.from]!]!.role === 'user')
      for (let token = hit.from; token <= hit.to; token++) covered.add(token);
  return user === 0 ? 1 : covered.size / user;
}
