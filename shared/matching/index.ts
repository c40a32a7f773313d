export type { Message } from './conversation.ts';
export { type Audience, type Matched, MatchIndex, type Relevance } from './match-index.ts';
