import type { Lexicon, Message } from '../../shared/matching/index.ts';
import { Keywords } from '../../shared/matching/ranking/keywords.ts';
import { climateFigures, literalScore, topicScore } from '../../shared/matching/ranking/relevance.ts';
import { Said } from '../../shared/matching/ranking/term-positions.ts';
import { read } from '../../shared/matching/reading/reading.ts';
import { sensitive } from '../../shared/matching/reading/sensitive.ts';
import { RELEVANCE } from '../../shared/matching/reading/weights.ts';
import type { Row } from '../evaluate/folder.ts';
import { judge } from '../evaluate/score.ts';
import type { Example } from './regression.ts';
import type { Stage } from './stage.ts';
import { names, using } from './weights.ts';

/** What an example weighs that has the lexicon's help taken away: keywords alone carry campaigns that no lexicon knows. */
const BLIND = 0.3;
/** Least evidence of keywords for such an example. */
const SAID = 0.3;

/** A conversation, and its examples: one for each campaign that shares anything with it. */
export interface Seen {
  stage: Stage;
  row: Row;
  examples: Example[];
  /** The same with keywords alone. */
  blind: Example[];
}

export function see(stage: Stage, row: Row, lexicon: Lexicon): Seen {
  const seen: Seen = { stage, row, examples: [], blind: [] };
  const reading = read(row.messages as Message[], lexicon);
  if (sensitive(reading, lexicon)) return seen;
  const { market, campaigns } = stage;
  const said = new Said(market.terms, reading);
  const keywords = new Keywords(market, reading, said);
  const climate = Object.values(climateFigures(reading, lexicon));
  campaigns.forEach(({ labels, placement: { t } }, slot) => {
    const literal = { ...keywords.read(market.cards.start(slot) + 1 + t.length) };
    const byKeywords = () => (literal.evidence === 0 ? 0 : literalScore(literal, reading));
    const grounds = Array.from(
      { length: t.length / 2 },
      (_, i) => () => topicScore(reading, t[2 * i]!, t[2 * i + 1]! / 100),
    );
    const best = [...grounds, byKeywords].reduce((one, other) => (other() > one() ? other : one));
    if (best() === 0) return;
    const right = judge(row, labels).outcome === 'right';
    const example = (score: () => number, weight: number): Example => ({
      figures: [1, ...climate, ...figuresOf(score), literal.evidence],
      right,
      weight,
    });
    seen.examples.push(example(best, 1));
    if (literal.evidence > SAID) seen.blind.push(example(byKeywords, BLIND));
  });
  said.close();
  return seen;
}

/** What each weight of a topic is multiplied with: the score where that weight is 1 and all others are 0. */
function figuresOf(score: () => number): number[] {
  const first = names.indexOf('evidence');
  const { claim } = RELEVANCE;
  return names.slice(first, -1).map((_, i) => {
    const figures = names.map((_, place) => (place === first + i ? 1 : 0));
    return using({ figures, claim }, score);
  });
}
