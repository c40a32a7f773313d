import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How far each reader of a stream has come; kept in the data folder across restarts. */
export interface Checkpoints {
  get(place: string): string | undefined;
  set(place: string, sequenceNumber: string): void;
}

export function openCheckpoints(dataDir: string): Checkpoints {
  if (dataDir === ':memory:') return new Map<string, string>();
  const file = join(dataDir, 'checkpoints.json');
  const places: Record<string, string> = readJson(file);
  return {
    get: (place) => places[place],
    set(place, sequenceNumber) {
      places[place] = sequenceNumber;
      writeFileSync(`${file}.new`, JSON.stringify(places)); // a crash in between leaves the old file whole
      renameSync(`${file}.new`, file);
    },
  };
}

function readJson(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {}; // none yet, or damaged: the stream is read from its beginning, and what was counted stays counted once
  }
}
