import { type Message, type Tokens, tokenize } from './conversation.ts';
import { type Lexicon, WANT, WORDS } from './lexicon.ts';
import { denied } from './negation.ts';
import { findPhrases, type Hit } from './phrases.ts';
import { rarity } from './rarity.ts';
import { CONTEXT } from './weights.ts';

/** What the engine makes of a conversation, before any campaign is looked at. */
export interface Reading {
  tokens: Tokens;
  /** By token, how much it counts: who said it, how long ago, whether it was denied. 0..1. */
  force: Float32Array;
  hits: Hit[];
  /** By topic, the evidence for it: 0 none, 1 a clear word for it just now, more for several. */
  evidence: Float32Array;
  /** By topic, the largest share that its words had in what a message of the user says, 0..1. */
  cover: Float32Array;
  /** By topic, 1 when the user asked for it and for nothing else since. */
  asked: Uint8Array;
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

/** Turns ago of what never happened. */
const NEVER = 1 << 20;
/** Content of a word that is part of asking for something. */
const ASKING = 0.02;

export function read(messages: readonly Message[], lexicon: Lexicon): Reading {
  const tokens = tokenize(messages, lexicon);
  const hits = outermost(findPhrases(tokens.vocabulary, tokens.at, lexicon), tokens, lexicon);
  hits.sort((a, b) => a.topic - b.topic || a.to - b.to);
  const turns = turnsAgo(messages);
  const byUser = new Uint8Array(tokens.said.length);
  for (let token = 0; token < byUser.length; token++)
    byUser[token] = messages[tokens.message[token]!]!.role === 'user' ? 1 : 0;
  const { opened, asking, asks } = openings(hits, tokens, turns, byUser, lexicon);
  const newest = opened.reduce((least, turn) => Math.min(least, turn), NEVER);

  const need = needs(hits, tokens, asks, lexicon);
  const flags = denied(tokens.stems, tokens.said, tokens.at);
  const weight = messages.map(({ role }, message) => {
    const age = newest === NEVER ? turns[message]! : Math.max(0, turns[message]! - newest);
    return (role === 'user' ? 1 : CONTEXT.assistant) * Math.max(CONTEXT.floor, CONTEXT.fade ** age);
  });
  const force = new Float32Array(byUser.length);
  for (let token = 0; token < force.length; token++) force[token] = flags[token] ? 0 : weight[tokens.message[token]!]!;
  const said = new Uint8Array(lexicon.topics.length);
  for (const { topic, from } of hits) if (byUser[from]) said[topic] = 1;
  const mentioned = gather(hits, force, tokens, lexicon);
  const evidence = need ? gather(hits, force, tokens, lexicon, need) : mentioned.slice();
  // How much of what is mentioned of each topic may be a need.
  const needed = evidence.map(
    (one, topic) => (said[topic] ? 1 : CONTEXT.unsaid) * (one > 0 ? one / mentioned[topic]! : 1),
  );
  for (let token = 0; need && token < force.length; token++) force[token] = force[token]! * need[token]!;
  hide(force, hits, lexicon);
  const part = parts(hits, tokens, byUser, flags, lexicon);
  const cover = coverage(hits, part, tokens, lexicon);
  settle(evidence, cover, lexicon);
  const asked = new Uint8Array(evidence.length);
  let strongest = 0;
  for (let topic = 0; topic < evidence.length; topic++) {
    if (lexicon.own[topic]) continue;
    // What was not named in the newest turn that opened a topic was spoken of earlier, or is a detail of it.
    const factor = (opened[topic]! > newest ? CONTEXT.movedOn : 1) * (said[topic] ? 1 : CONTEXT.unsaid);
    if (opened[topic]! <= newest && asking) asked[topic] = 1;
    evidence[topic] = evidence[topic]! * factor;
    strongest = Math.max(strongest, evidence[topic]! / needed[topic]!);
  }
  // Without the mark at the start of each message.
  const userWords = byUser.reduce((sum, one) => sum + one, 0) - messages.filter(({ role }) => role === 'user').length;
  return {
    tokens,
    force,
    hits,
    evidence,
    cover,
    asked,
    part,
    asks,
    strongest,
    smallTalk: smallTalk(hits, byUser, userWords, lexicon),
    userWords,
  };
}

/** Drops products named inside a longer phrase that is none: "vacation days", "is it going to rain", "what pets do you have". */
function outermost(hits: Hit[], tokens: Tokens, lexicon: Lexicon): Hit[] {
  // Furthest end of such a phrase that began before each token, and of one that begins with it.
  const before = new Int32Array(tokens.said.length).fill(-1);
  const here = new Int32Array(tokens.said.length).fill(-1);
  for (const { topic, from, to, gaps } of hits) {
    if (!lexicon.covers[topic] || (gaps && lexicon.intents[topic])) continue;
    here[from] = Math.max(here[from]!, to);
    for (let token = from + 1; token <= to; token++) before[token] = Math.max(before[token]!, to);
  }
  return hits.filter(({ topic, from, to }) => lexicon.own[topic] || (before[from]! < to && here[from]! < to));
}

/**
 * By token, how much its message lets it be a need; nothing when all of them do. What a device is told to remember or a text is to be about is not asked for
 * ("remind me to buy dog food", "a story about a train"), though the words of the errand itself may name a product; and
 * what somebody merely tells ("my brother had pizza") is seldom a need.
 */
function needs(hits: Hit[], { message }: Tokens, asks: Uint8Array, { known }: Lexicon): Float32Array | undefined {
  const need = new Float32Array(asks.length).fill(1);
  for (const { topic, from } of hits) {
    const where = message[from]!;
    if (topic === known.device) need[where] = Math.min(need[where]!, CONTEXT.errand);
    else if (topic === known.writing) need[where] = Math.min(need[where]!, CONTEXT.writing);
    else if (topic === known.telling && !asks[where]) need[where] = Math.min(need[where]!, CONTEXT.telling);
  }
  if (need.every((one) => one === 1)) return undefined;
  const byToken = new Float32Array(message.length);
  for (let token = 0; token < byToken.length; token++) byToken[token] = need[message[token]!]!;
  for (const { topic, from, to } of hits) if (topic === known.writing) byToken.fill(1, from, to + 1);
  return byToken;
}

/** Words inside a phrase that is no product do not speak for keywords either: "I am a hair stylist". */
function hide(force: Float32Array, hits: Hit[], { covers, intents }: Lexicon): void {
  for (const { topic, from, to, gaps } of hits)
    if (covers[topic] && !intents[topic] && to > from && !gaps) force.fill(0, from, to + 1);
}

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
 * By topic, how many turns ago the user last opened it: named it clearly in a message that asks for something, or said a need for it. What is only
 * named beside that is a detail ("a hotel near a cinema"); but where nobody asks, naming opens.
 */
function openings(hits: Hit[], tokens: Tokens, turns: Int32Array, byUser: Uint8Array, lexicon: Lexicon) {
  const asks = new Uint8Array(turns.length);
  for (const { topic, from } of hits) if (lexicon.intents[topic] && byUser[from]) asks[tokens.message[from]!] = 1;
  const asked = new Int32Array(lexicon.topics.length).fill(NEVER);
  const named = new Int32Array(lexicon.topics.length).fill(NEVER);
  let asking = false;
  for (const hit of hits) {
    const message = tokens.message[hit.from]!;
    if (lexicon.own[hit.topic] || !byUser[hit.from] || strength(hit) < CONTEXT.clear) continue;
    named[hit.topic] = Math.min(named[hit.topic]!, turns[message]!);
    if (!asks[message] && hit.kind !== WANT) continue;
    asked[hit.topic] = Math.min(asked[hit.topic]!, turns[message]!);
    asking = true;
  }
  return { opened: asking ? asked : named, asking, asks };
}

/** What a phrase says by itself. One word alone may always mean something else. */
function strength({ kind, weight, from, to }: Hit): number {
  return CONTEXT.kinds[kind]! * weight * (from === to ? CONTEXT.single : 1);
}

/**
 * Evidence by topic, from hits in order of topic. Each word of the text speaks for a topic once, by the strongest phrase that
 * ends in it; and the same word counts in full only once, because repeating it says little more.
 */
function gather(hits: Hit[], force: Float32Array, tokens: Tokens, lexicon: Lexicon, need?: Float32Array): Float32Array {
  const evidence = new Float32Array(lexicon.topics.length);
  const said = new Map<number, number>();
  for (let i = 0; i < hits.length; i++) {
    const { topic, to } = hits[i]!;
    if (i > 0 && hits[i - 1]!.topic !== topic) said.clear();
    let weight = 0;
    for (; i < hits.length && hits[i]!.topic === topic && hits[i]!.to === to; i++)
      weight = Math.max(weight, weigh(hits[i]!, force));
    i--;
    if (need && !lexicon.own[topic]) weight *= need[to]!;
    const word = tokens.vocabulary[to]!;
    const before = said.get(word) ?? 0;
    evidence[topic] = evidence[topic]! + Math.max(0, weight - before) + CONTEXT.repeat * Math.min(weight, before);
    said.set(word, Math.max(before, weight));
  }
  return evidence;
}

/**
 * Settles topics with those within them. Where trains are spoken of, travel at large is not the point: the more specific topic
 * caps what stands above it. But who sells all of it may answer a part of it: some of that evidence is the whole's too.
 */
function settle(evidence: Float32Array, cover: Float32Array, { parents }: Lexicon): void {
  const own = evidence.slice();
  for (let topic = 0; topic < own.length; topic++)
    if (own[topic]! >= CONTEXT.clear)
      for (let above = parents[topic]!; above >= 0; above = parents[above]!)
        evidence[above] = Math.min(evidence[above]!, own[topic]!);
  for (let topic = 0; topic < own.length; topic++)
    for (let above = parents[topic]!; own[topic]! > 0 && above >= 0; above = parents[above]!) {
      evidence[above] = Math.max(evidence[above]!, CONTEXT.above * own[topic]!);
      cover[above] = Math.max(cover[above]!, CONTEXT.above * cover[topic]!);
    }
}

/** A phrase counts as much as the word of it that counts least. */
function weigh(hit: Hit, force: Float32Array): number {
  let least = 1;
  for (let token = hit.from; token <= hit.to; token++) least = Math.min(least, force[token]!);
  return strength(hit) * least;
}

/** By token, the share of its message's content that it is. What is denied or part of asking is no content; nor is the assistant's. */
function parts(
  hits: Hit[],
  { message, stems, vocabulary }: Tokens,
  byUser: Uint8Array,
  flags: Uint8Array,
  lexicon: Lexicon,
): Float32Array {
  const part = new Float32Array(stems.length);
  for (let token = 0; token < part.length; token++) {
    const word = vocabulary[token]!;
    if (byUser[token] && !flags[token])
      part[token] = word < 0 ? rarity(stems[token]!, lexicon.bands) : lexicon.rarities[word]!;
  }
  for (const { topic, from, to } of hits) if (lexicon.intents[topic] && byUser[from]) part.fill(ASKING, from, to + 1);
  const total = new Float32Array((message.at(-1) ?? 0) + 1).fill(CONTEXT.slack);
  for (let token = 0; token < part.length; token++) total[message[token]!] = total[message[token]!]! + part[token]!;
  for (let token = 0; token < part.length; token++) part[token] = part[token]! / total[message[token]!]!;
  return part;
}

/** By topic, the largest share of a message's content that its phrases are, from hits in order of topic and end. */
function coverage(hits: Hit[], part: Float32Array, { message }: Tokens, lexicon: Lexicon): Float32Array {
  const cover = new Float32Array(lexicon.topics.length);
  let share = 0;
  let counted = -1;
  for (let i = 0; i < hits.length; i++) {
    const { topic, from, to } = hits[i]!;
    const last = hits[i - 1];
    if (last?.topic !== topic) counted = -1;
    if (last?.topic !== topic || message[last.to] !== message[to]) share = 0;
    for (let token = Math.max(from, counted + 1); token <= to; token++) share += part[token]!;
    counted = to;
    cover[topic] = Math.max(cover[topic]!, share);
  }
  return cover;
}

function smallTalk(hits: Hit[], byUser: Uint8Array, userWords: number, lexicon: Lexicon): number {
  const covered = new Uint8Array(byUser.length);
  for (const { topic, kind, from, to } of hits)
    if (topic === lexicon.known.smallTalk && kind !== WORDS && byUser[from]) covered.fill(1, from, to + 1);
  return userWords === 0 ? 1 : covered.reduce((sum, one) => sum + one, 0) / userWords;
}
