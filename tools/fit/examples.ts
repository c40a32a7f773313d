import {
  getCampaignFeatures,
  getContextFeatures,
  isSensitiveConversation,
  KeywordMatcher,
  type Lexicon,
  type Message,
  OTHER_LANGUAGE,
  readConversation,
  scoreKeywords,
  scoreTopic,
  TermPositions,
} from '../../shared/matching/index.ts';
import type { LabeledRow } from '../evaluate/folder.ts';
import { scoreRow } from '../evaluate/score.ts';
import type { IndexedFolder } from './indexed-folder.ts';
import type { TrainingExample } from './regression.ts';
import { FIRST_OF_CAMPAIGN, figureNames, withWeights } from './weights.ts';

/** The weight of an optional row. */
const OPTIONAL_WEIGHT = 0.5;

/** A training example of a campaign, identified by its index in the folder. */
export interface CampaignExample extends TrainingExample {
  campaign: number;
}

/** A conversation and its examples, one for each campaign with a common term or topic. */
export interface RowExamples {
  folder: IndexedFolder;
  row: LabeledRow;
  examples: CampaignExample[];
}

export function buildExamples(folder: IndexedFolder, row: LabeledRow, lexicon: Lexicon): RowExamples {
  const seen: RowExamples = { folder, row, examples: [] };
  const reading = readConversation(row.messages as Message[], lexicon);
  if (isSensitiveConversation(reading)) return seen;
  const { demand, campaigns } = folder;
  const positions = new TermPositions(demand.terms, reading);
  const keywords = new KeywordMatcher(demand, reading, positions);
  const context = Object.values(getContextFeatures(reading));
  const fits = demand.languages.compareWith(reading.language);
  campaigns.forEach(({ labels, profile: { t } }, slot) => {
    if (fits[demand.languages.get(slot)] === OTHER_LANGUAGE) return;
    const own = { ...keywords.match(demand.slots.recordStart(slot) + 2 + t.length) };
    const byKeywords = () => (own.evidence === 0 ? 0 : scoreKeywords(own, reading));
    const grounds = Array.from(
      { length: t.length / 2 },
      (_, i) => () => scoreTopic(reading, t[2 * i]!, t[2 * i + 1]! / 100),
    );
    const best = [...grounds, byKeywords].reduce((one, other) => (other() > one() ? other : one));
    if (best() === 0) return;
    const latest = Math.max(own.unknown, getCampaignFeatures(demand, slot, reading, keywords).latest);
    const likeness = Math.max(own.unknown, demand.vectors.likeness(slot, reading.vector));
    const asked = own.latest * reading.latest.intent.wishes;
    const figures = [1, ...context, ...toFigures(best), own.evidence, latest, likeness, asked];
    const right = scoreRow(row, labels).outcome === 'right';
    seen.examples.push({ campaign: slot, figures, right, weight: row.optional ? OPTIONAL_WEIGHT : 1 });
  });
  positions.release();
  return seen;
}

/** The factor of each topic weight: the score if that weight is 1 and all others are 0. */
function toFigures(score: () => number): number[] {
  return figureNames.slice(FIRST_OF_CAMPAIGN, figureNames.indexOf('keywords')).map((_, i) => {
    const weights = figureNames.map((_, place) => (place === FIRST_OF_CAMPAIGN + i ? 1 : 0));
    return withWeights(weights, score);
  });
}
