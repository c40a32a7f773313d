import type { WordRules } from '../language/word-rules.ts';
import { type Lexicon, VECTOR_SIZE } from '../lexicon/lexicon.ts';
import { rarity } from '../lexicon/rarity.ts';
import { addWord, normalize, VECTOR_LENGTH } from '../lexicon/vectors.ts';
import { words } from '../text/words.ts';

const INTERESTS = 0.3;
const CREATIVE = 0.2;

interface CampaignTexts {
  keywords: readonly string[];
  interests: readonly string[];
  headline: string;
  description: string;
  callToAction: string;
}

/** What a campaign is about as a vector, in base64; empty where none of its words has one. Its keywords count most, each the same. */
export function campaignVector(
  { keywords, interests, headline, description, callToAction }: CampaignTexts,
  rules: WordRules,
  lexicon: Lexicon,
): string {
  const sum = new Float32Array(VECTOR_SIZE);
  const add = (texts: readonly string[], weight: number) => {
    for (const text of texts)
      textVector(text, rules, lexicon).forEach((value, k) => {
        sum[k]! += (weight * value) / texts.length;
      });
  };
  add(keywords, 1);
  add(interests, INTERESTS);
  add([`${headline}. ${description}. ${callToAction}`], CREATIVE);
  const vector = Int8Array.from(normalize(sum), (value) => Math.round(VECTOR_LENGTH * value));
  return vector.some((value) => value !== 0) ? Buffer.from(vector.buffer).toString('base64') : '';
}

function textVector(text: string, rules: WordRules, lexicon: Lexicon): Float32Array {
  const sum = new Float32Array(VECTOR_SIZE);
  for (const { word } of words(text, rules)) {
    const { plain, isFunctionWord } = rules.formsOf(word);
    if (isFunctionWord) continue;
    addWord(sum, lexicon.vocabulary.get(plain) ?? -1, rarity(plain, lexicon.frequencyBands), lexicon);
  }
  return normalize(sum);
}
