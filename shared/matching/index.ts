export {
  type Audience,
  type Placement,
  place,
  placedAmong,
  placedIn,
  topicsNamed,
} from './inventory/matching-profile.ts';
export { unpackLexicon } from './lexicon/file.ts';
export { type CompiledLexicon, type Lexicon, loadLexicon } from './lexicon/lexicon.ts';
export { type Candidate, MatchIndex, type MatchOptions, type Verdict } from './ranking/match-index.ts';
export type { Silence } from './ranking/no-bid.ts';
export type { Outcome } from './ranking/top-k.ts';
export type { Message } from './reading/conversation.ts';
