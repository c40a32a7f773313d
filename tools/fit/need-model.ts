import type { Phrasebook } from '../../infra/lexicon/phrasebook.ts';
import { getRarity, MESSAGE_KINDS, normalize, toFrequencyBands, VECTOR_SIZE } from '../../shared/matching/index.ts';
import type { KindMessage } from '../kinds/kind-messages.ts';
import { leaveWritersOut } from '../kinds/learn-kinds.ts';
import { generator } from '../random.ts';
import { type StemVectors, toStems, tuneVectors } from '../tune-vectors.ts';
import { dot, logisticRegression } from './regression.ts';
import { round, updateWeights, WEIGHTS_FILE } from './weights.ts';

/** The weights of `scoreNeed`. */
interface NeedWeights {
  intercept: number;
  likeness: number;
  wish: number;
}

/** Writers are left out in this many groups: each has its own vectors, and each takes a minute. */
const FOLDS = 4;
/** Advertisers with which a message is compared: as many as in the first judged market. */
const MARKET = 100;
const RIDGE = 1;

/**
 * Fits the probability that the advertiser nearest to a message is the right one, from their likeness and the probability of a wish. Both
 * come from models that have read neither the message's writer nor the advertiser. A market has the advertiser for whom the message was
 * written, and others of other topics.
 */
export function fitNeed(start: StemVectors, messages: readonly KindMessage[], book: Phrasebook): NeedWeights {
  const english = leaveWritersOut(messages.filter(({ labeled, lang }) => !labeled && lang === 'en'));
  const writers = [...new Set(english.map(({ writer }) => writer))];
  const foldOf = new Map(writers.map((writer, i) => [writer, i % FOLDS]));
  const draw = generator(1);
  const examples = Array.from({ length: FOLDS }, (_, fold) => {
    const others = messages.filter(({ writer }) => foldOf.get(writer) !== fold);
    const toVector = vectorReader({ ...start, numbers: tuneVectors(start, others, book) }, book);
    const own = english.filter(({ writer }) => foldOf.get(writer) === fold);
    const advertisers = [
      ...Map.groupBy(
        english.filter(({ keywords }) => keywords),
        toAdvertiser,
      ),
    ].map(([name, [first]]) => ({ name, topic: first!.topic!, vector: toVector(first!.keywords!) }));
    return own.map((message) => {
      const vector = toVector([message.text]);
      const market = Array.from({ length: MARKET }, () => advertisers[Math.floor(draw() * advertisers.length)]!)
        .filter(({ topic }) => topic !== message.topic)
        .concat(advertisers.filter(({ name }) => message.keywords && name === toAdvertiser(message)));
      const cosines = market.map((advertiser) => dot(advertiser.vector, vector));
      const likeness = Math.max(0, ...cosines);
      const winner = market[cosines.indexOf(likeness)];
      const right = message.kind === 'wish' && message.keywords !== undefined && winner?.name === toAdvertiser(message);
      const wish = message.chances[MESSAGE_KINDS.indexOf('wish')]!;
      return { figures: [1, likeness, likeness * wish], right, weight: 1 };
    });
  }).flat();
  const [intercept = 0, likeness = 0, wish = 0] = logisticRegression(examples, RIDGE);
  return { intercept, likeness, wish };
}

const toAdvertiser = ({ topic, keywords }: KindMessage): string => `${topic}|${keywords?.join()}`;

/** Reads texts as matching does: each as the sum of its words' vectors by rarity, all texts equally. */
function vectorReader(
  { stems, numbers }: StemVectors,
  { bands }: Phrasebook,
): (texts: readonly string[]) => Float32Array {
  const known = new Map(stems.map((stem, number) => [stem, number]));
  const frequencyBands = toFrequencyBands(bands);
  const read = (text: string) => {
    const sum = new Float32Array(VECTOR_SIZE);
    for (const stem of toStems(text)) {
      const first = VECTOR_SIZE * (known.get(stem) ?? -1);
      if (first < 0) continue;
      const rarity = getRarity(stem, frequencyBands);
      for (let k = 0; k < VECTOR_SIZE; k++) sum[k]! += rarity * numbers[first + k]!;
    }
    return normalize(sum);
  };
  return (texts) => {
    const sum = new Float32Array(VECTOR_SIZE);
    for (const text of texts)
      read(text).forEach((value, k) => {
        sum[k]! += value;
      });
    return normalize(sum);
  };
}

/** Writes the model of needs into the weights file. */
export const writeNeed = ({ intercept, likeness, wish }: NeedWeights): void =>
  updateWeights(WEIGHTS_FILE, { need: { intercept: round(intercept), likeness: round(likeness), wish: round(wish) } });
