import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildMatchingProfile,
  ColumnReader,
  ColumnWriter,
  INDEX_SHAPE,
  type IndexColumns,
  MatchIndex,
  type MatchingProfile,
  SegmentWriter,
} from '../../../../shared/matching/index.ts';
import { scaleRuns } from '../../../run-size.ts';
import { MARKET, talk, testLexicon } from '../helpers.ts';

const NAMES = Object.keys(MARKET);
const PROFILES = new Map(NAMES.map((name) => [name, buildMatchingProfile(MARKET[name]!, testLexicon)]));
/** The same words in another language, and words that no other campaign has, whose terms are added and removed. */
for (const [i, name] of NAMES.entries())
  PROFILES.set(`own ${name}`, { ...PROFILES.get(name)!, k: `ownoom${i}|hotel|cheap ownoom${i + 1}`, l: 'de en' });
const CONVERSATIONS = [
  'cheap flights to rome',
  'any hotel deals near the airport?',
  'is there a cheap ownoom3 or ownoom4',
  'gift card for a chef knife',
].map((text) => talk(text));

type Campaigns = Map<string, { profile: MatchingProfile; ceiling: number }>;

/** A segment read back in chunks of this many frames. */
function written(campaigns: Campaigns, framesAtOnce: number): IndexColumns {
  const columns = new ColumnWriter(INDEX_SHAPE);
  const segment = new SegmentWriter(testLexicon, columns);
  const frames: Uint8Array[] = [];
  for (const [id, { profile, ceiling }] of campaigns) {
    segment.add(id, profile, ceiling);
    frames.push(...columns.take());
  }
  segment.end();
  frames.push(...columns.end());
  const reader = new ColumnReader(INDEX_SHAPE, columns.lengths);
  for (let at = 0; at < frames.length; at += framesAtOnce)
    expect(reader.take(Buffer.concat(frames.slice(at, at + framesAtOnce)))).toBe(true);
  return reader.columns()!;
}

function answers(index: MatchIndex, campaigns: Campaigns) {
  const bid = (id: string) => campaigns.get(id)!.ceiling - 1;
  return CONVERSATIONS.map((messages) =>
    index
      .match(messages, { bid })
      .candidates.map(({ id, ...figures }) => JSON.stringify([id, figures]))
      .sort(),
  );
}

/** The ids shown in repeated matches, when far more campaigns are equal than fit into one result. */
function getSeenIds(index: MatchIndex, campaigns: Campaigns): Set<string> {
  const ids = new Set<string>();
  for (let turn = 0; turn < campaigns.size; turn++)
    for (const { id } of index.match(CONVERSATIONS[1]!, { bid: () => 1, limit: 1 }).candidates) ids.add(id);
  return ids;
}

describe('An index that starts from a segment', () => {
  it('answers after any changes like a newly built one, including rarity, rotation, deletion, and reinsertion', {
    tags: 'whole',
  }, () => {
    const campaign = fc.record({
      id: fc.integer({ min: 0, max: 14 }).map((i) => `cmp_é"${i}`),
      like: fc.constantFrom(...PROFILES.keys()),
      ceiling: fc.constantFrom(500_000, 1_000_000, 3_000_000_000),
    });
    const change = fc.record({ campaign, isDeleted: fc.boolean() });
    const market = fc.array(campaign, { maxLength: 30 });
    fc.assert(
      fc.property(
        market,
        fc.array(change, { maxLength: 60 }),
        fc.integer({ min: 1, max: 30 }),
        (base, changes, framesAtOnce) => {
          const campaigns: Campaigns = new Map();
          for (const { id, like, ceiling } of base) campaigns.set(id, { profile: PROFILES.get(like)!, ceiling });
          const index = new MatchIndex(testLexicon, written(campaigns, framesAtOnce));
          for (const { campaign, isDeleted } of changes) {
            const [{ id, ceiling }, profile] = [campaign, PROFILES.get(campaign.like)!];
            if (isDeleted) {
              index.delete(id);
              campaigns.delete(id);
            } else {
              index.set(id, profile, ceiling);
              campaigns.set(id, { profile, ceiling });
            }
          }
          const rebuilt = new MatchIndex(testLexicon);
          for (const [id, { profile, ceiling }] of campaigns) rebuilt.set(id, profile, ceiling);
          expect(index.size).toBe(campaigns.size);
          expect(answers(index, campaigns)).toEqual(answers(rebuilt, campaigns));
          expect(getSeenIds(index, campaigns)).toEqual(getSeenIds(rebuilt, campaigns));
        },
      ),
      { numRuns: scaleRuns(10), seed: 17 },
    );
  });
});
