import { readFileSync } from 'node:fs';
import type { KindWeights, SafetyWeights } from '../../shared/matching/index.ts';
import { KIND_WEIGHTS, SAFETY_WEIGHTS } from './paths.ts';

/** Weights as stored, with a hash of the sources that they were learned from. */
type Stored<W extends { weights: Int8Array }> = W & { learnedFrom: string };

const LINE_FEED = 0x0a;

/** Format: a line of JSON, then the weights as raw bytes. */
export const packWeights = <W extends { weights: Int8Array }>({ weights, ...rest }: Stored<W>): Uint8Array =>
  Buffer.concat([Buffer.from(`${JSON.stringify(rest)}\n`), new Uint8Array(weights.buffer)]);

function readWeights<W extends { weights: Int8Array }>(path: URL): Stored<W> {
  const file = readFileSync(path);
  const end = file.indexOf(LINE_FEED);
  return { ...JSON.parse(file.toString('utf8', 0, end)), weights: Int8Array.from(file.subarray(end + 1)) };
}

export const readSafetyWeights = () => readWeights<SafetyWeights>(SAFETY_WEIGHTS);
export const readKindWeights = () => readWeights<KindWeights>(KIND_WEIGHTS);
