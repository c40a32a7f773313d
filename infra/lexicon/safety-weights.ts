import { readFileSync } from 'node:fs';
import type { SafetyWeights } from '../../shared/matching/index.ts';
import { SAFETY_WEIGHTS } from './paths.ts';

/** Weights as stored, with a hash of the sources that they were learned from. */
interface StoredSafetyWeights extends SafetyWeights {
  learnedFrom: string;
}

const LINE_FEED = 0x0a;

/** Format: a line of JSON, then the weights as raw bytes. */
export const packSafetyWeights = ({ weights, ...rest }: StoredSafetyWeights): Uint8Array =>
  Buffer.concat([Buffer.from(`${JSON.stringify(rest)}\n`), new Uint8Array(weights.buffer)]);

export function readSafetyWeights(): StoredSafetyWeights {
  const file = readFileSync(SAFETY_WEIGHTS);
  const end = file.indexOf(LINE_FEED);
  return { ...JSON.parse(file.toString('utf8', 0, end)), weights: Int8Array.from(file.subarray(end + 1)) };
}
