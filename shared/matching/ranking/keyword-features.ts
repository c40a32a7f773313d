/** How a campaign's own keywords match a conversation. */
export interface KeywordFeatures {
  /** 0 nothing, 1 when a salient keyword was said whole just now. */
  evidence: number;
  /** Largest share that a keyword said whole has in what its message says, 0..1. */
  coverage: number;
  /** 1 when it was said in a message that asks for something. */
  requested: number;
  /** 1 when one was said whole in the newest message of the user; and when the rarest word of one that was is in no lexicon. */
  latest: number;
  unknown: number;
}

export const NO_KEYWORD_SAID: KeywordFeatures = { evidence: 0, coverage: 0, requested: 0, latest: 0, unknown: 0 };
