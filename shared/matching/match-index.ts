import { type Conversation, type Message, readConversation } from './conversation.ts';
import { stems } from './words.ts';

/** The advertiser's own words; nothing else about a campaign reaches matching. */
export interface Audience {
  keywords: readonly string[];
  excludedKeywords: readonly string[];
  interests: readonly string[];
}

/** A term of a campaign found in a message. */
export interface Matched {
  term: string;
  message: number;
}

export interface Relevance {
  id: string;
  /** 0 to 1. */
  relevance: number;
  matched: Matched[];
  /** An excluded keyword that the conversation holds. */
  excludedBy: string | null;
}

interface Term {
  text: string;
  stems: string[];
  weight: number;
}

interface Entry {
  terms: Term[];
  excluded: Term[];
}

/** Interests name a whole field, keywords a product: half the weight. */
const INTEREST = 0.5;
/** The words of a phrase may stand this far apart. */
const WINDOW = 4;

/**
 * The campaigns by the stems of their terms. Matching touches the campaigns that share a stem with the conversation, no others.
 */
export class MatchIndex {
  readonly #entries = new Map<string, Entry>();
  readonly #byStem = new Map<string, Set<string>>();

  set(id: string, audience: Audience): void {
    this.delete(id);
    const entry: Entry = {
      terms: [...termsOf(audience.keywords, 1), ...termsOf(audience.interests, INTEREST)],
      excluded: termsOf(audience.excludedKeywords, 1),
    };
    this.#entries.set(id, entry);
    for (const first of firstStems(entry)) {
      const ids = this.#byStem.get(first);
      if (ids) ids.add(id);
      else this.#byStem.set(first, new Set([id]));
    }
  }

  delete(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    for (const first of firstStems(entry)) {
      const ids = this.#byStem.get(first);
      ids?.delete(id);
      if (ids?.size === 0) this.#byStem.delete(first);
    }
  }

  /** The campaigns that have something to do with a conversation, most relevant first. */
  match(messages: readonly Message[]): Relevance[] {
    const conversation = readConversation(messages);
    const ids = new Set<string>();
    for (const stem of conversation.positions.keys()) for (const id of this.#byStem.get(stem) ?? []) ids.add(id);
    return [...ids]
      .map((id) => relevanceOf(id, this.#entries.get(id)!, conversation))
      .filter(({ relevance }) => relevance > 0)
      .sort((a, b) => b.relevance - a.relevance);
  }
}

const termsOf = (texts: readonly string[], weight: number): Term[] =>
  texts.map((text) => ({ text, stems: stems(text).filter(Boolean), weight })).filter((term) => term.stems.length > 0);

const firstStems = (entry: Entry): Set<string> => new Set(entry.terms.map((term) => term.stems[0]!));

/** Independent hints: 1 - (1 - w1)(1 - w2)…, so more and weightier terms come nearer to 1 and never reach past it. */
function relevanceOf(id: string, entry: Entry, conversation: Conversation): Relevance {
  const matched: Matched[] = [];
  let miss = 1;
  for (const term of entry.terms) {
    const message = lastMessageWith(term, conversation);
    if (message === undefined) continue;
    matched.push({ term: term.text, message });
    miss *= 1 - 0.8 * term.weight * conversation.weights[message]!;
  }
  const excluded = entry.excluded.find((term) => lastMessageWith(term, conversation) !== undefined);
  return { id, relevance: 1 - miss, matched, excludedBy: excluded?.text ?? null };
}

/** The weightiest message in which all words of the term stand near each other. */
function lastMessageWith(term: Term, { positions, weights }: Conversation): number | undefined {
  const places = positions.get(term.stems[0]!) ?? [];
  const hits = places.filter(({ message, at }) =>
    term.stems
      .slice(1)
      .every((stem) => positions.get(stem)?.some((p) => p.message === message && Math.abs(p.at - at) <= WINDOW)),
  );
  return hits.map(({ message }) => message).sort((a, b) => weights[b]! - weights[a]!)[0];
}
