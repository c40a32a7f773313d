import { type Lexicon, MatchIndex, type MatchingProfile, type Message, RELEVANCE_MODEL } from '../../matching/index.ts';
import { remember } from '../../platform/values/remember.ts';

/** The conversations that a campaign fits. */
type Reached = Set<Message[]>;

/** A campaign by a name that no other has, made where its reach is not remembered. */
export type NamedProfile = readonly [name: string, make: () => MatchingProfile];

/** Campaigns whose reach an instance remembers: one is looked at many times while it is written. */
const MAX_REMEMBERED = 2_000;

/** Tells which of the conversations each campaign reaches, all that are new in one reading: it fits well enough to bid, whoever else bids. */
export function createSampleIndex(conversations: readonly Message[][], lexicon: Lexicon) {
  const index = new MatchIndex(lexicon);
  const known = new Map<string, Reached>();

  return (campaigns: readonly NamedProfile[]): Reached[] => {
    const found = new Map(campaigns.map(([name]) => [name, known.get(name) ?? new Set<Message[]>()]));
    const fresh = new Map(campaigns.filter(([name]) => !known.has(name)));
    for (const [name, make] of fresh) index.set(name, make(), 1);
    const options = { bid: () => 1, limit: Math.max(1, fresh.size), threshold: RELEVANCE_MODEL.threshold };
    for (const conversation of fresh.size > 0 ? conversations : [])
      for (const { id, outcome } of index.match(conversation, options).candidates)
        if (outcome === 'match') found.get(id)!.add(conversation);
    for (const name of fresh.keys()) {
      index.delete(name);
      remember(known, name, found.get(name)!, MAX_REMEMBERED);
    }
    return campaigns.map(([name]) => found.get(name)!);
  };
}
