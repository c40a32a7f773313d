import {
  contextFeatures,
  isSensitiveConversation,
  KeywordMatcher,
  keywordScore,
  type Lexicon,
  type Message,
  RELEVANCE_MODEL,
  readConversation,
  TermPositions,
  topicScore,
} from '../../shared/matching/index.ts';
import type { JudgedRow } from '../evaluate/folder.ts';
import { judgementOf } from '../evaluate/score.ts';
import type { TrainingExample } from './regression.ts';
import type { Stage } from './stage.ts';
import { names, using } from './weights.ts';

/** What an example weighs that has the lexicon's help taken away: keywords alone carry campaigns that no lexicon knows. */
const BLIND = 0.3;
/** Least evidence of keywords for such an example. */
const SAID = 0.3;

/** A conversation, and its examples: one for each campaign that shares anything with it. */
export interface Seen {
  stage: Stage;
  row: JudgedRow;
  examples: TrainingExample[];
  /** The same with keywords alone. */
  blind: TrainingExample[];
}

export function see(stage: Stage, row: JudgedRow, lexicon: Lexicon): Seen {
  const seen: Seen = { stage, row, examples: [], blind: [] };
  const reading = readConversation(row.messages as Message[], lexicon);
  if (isSensitiveConversation(reading)) return seen;
  const { demand, campaigns } = stage;
  const positions = new TermPositions(demand.terms, reading);
  const keywords = new KeywordMatcher(demand, reading, positions);
  const { request, length } = contextFeatures(reading);
  campaigns.forEach(({ labels, profile: { t } }, slot) => {
    const own = { ...keywords.match(demand.slots.recordStart(slot) + 1 + t.length) };
    const byKeywords = () => (own.evidence === 0 ? 0 : keywordScore(own, reading));
    const grounds = Array.from(
      { length: t.length / 2 },
      (_, i) => () => topicScore(reading, t[2 * i]!, t[2 * i + 1]! / 100),
    );
    const best = [...grounds, byKeywords].reduce((one, other) => (other() > one() ? other : one));
    if (best() === 0) return;
    const right = judgementOf(row, labels).outcome === 'right';
    const example = (score: () => number, weight: number): TrainingExample => ({
      figures: [1, request, length, ...figuresOf(score), own.evidence],
      right,
      weight,
    });
    seen.examples.push(example(best, 1));
    if (own.evidence > SAID) seen.blind.push(example(byKeywords, BLIND));
  });
  positions.close();
  return seen;
}

/** What each weight of a topic is multiplied with: the score where that weight is 1 and all others are 0. */
function figuresOf(score: () => number): number[] {
  const first = names.indexOf('evidence');
  const { calibration } = RELEVANCE_MODEL;
  return names.slice(first, -1).map((_, i) => {
    const figures = names.map((_, place) => (place === first + i ? 1 : 0));
    return using({ figures, calibration }, score);
  });
}
