export type { Message } from './conversation.ts';
export type { Outcome } from './field.ts';
export { type CompiledLexicon, type Lexicon, loadLexicon } from './lexicon.ts';
export { unpackLexicon } from './lexicon-file.ts';
export { type Candidate, MatchIndex, type MatchOptions, type Verdict } from './match-index.ts';
export { type Audience, type Placement, place, placedAmong, placedIn, topicsNamed } from './placement.ts';
export type { Silence } from './silence.ts';
