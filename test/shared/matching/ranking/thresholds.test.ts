import { describe, expect, it } from 'vitest';
import { getSampleConversations } from '../../../../shared/ads/previews/sample.ts';
import { type MatchCandidate, RELEVANCE_MODEL, toRelativeThreshold } from '../../../../shared/matching/index.ts';
import { AD_STRICTNESS } from '../../../../shared/platform/values/ad-strictness.ts';
import { audience, MARKET, open, talk } from '../helpers.ts';

const bid = () => 1_000_000;
const { thresholds } = RELEVANCE_MODEL;
const highest = (candidates: readonly MatchCandidate[]) => Math.max(0, ...candidates.map(({ relevance }) => relevance));
const bidding = (candidates: readonly MatchCandidate[]) => candidates.filter(({ outcome }) => outcome === 'match');

describe('A match at a threshold', () => {
  it('has the bids of the lowest threshold that reach it, or else names those as held back', () => {
    const index = open({ ...MARKET, sedes: audience(['dog food', 'hotel booking'], { languages: ['la'] }) });
    const seen = { bids: 0, heldBack: 0 };
    for (const messages of getSampleConversations()) {
      const lowest = index.match(messages, { bid, threshold: thresholds.open });
      const best = highest(bidding(lowest.candidates));
      for (const level of AD_STRICTNESS) {
        const { noBid, candidates } = index.match(messages, { bid, threshold: thresholds[level] });
        const heldBack = candidates.filter(({ isHeldBack }) => isHeldBack);
        if (best >= thresholds[level]) {
          const reaching = bidding(lowest.candidates).filter(({ relevance }) => relevance >= thresholds[level]);
          expect(bidding(candidates).map(({ id, relevance }) => [id, relevance])).toEqual(
            reaching.map(({ id, relevance }) => [id, relevance]),
          );
          expect([noBid, heldBack]).toEqual([null, []]);
          seen.bids++;
        } else {
          expect([noBid === null, highest(heldBack)]).toEqual([false, best]);
          if (best > 0) seen.heldBack++;
        }
      }
    }
    expect(seen.bids).toBeGreaterThan(20);
    expect(seen.heldBack).toBeGreaterThan(5);
  });

  it('holds nothing back that another language or an excluded keyword keeps from bidding', () => {
    const text = 'where can i buy a zumbrel for my grandfather';
    const heldBack = (more: Parameters<typeof audience>[1]) =>
      open({ it: audience(['zumbrel'], more) })
        .match(talk(text), { bid, threshold: 1 })
        .candidates.map(({ outcome, isHeldBack }) => [outcome, isHeldBack]);
    expect(heldBack({})).toEqual([['below_threshold', true]]);
    expect(heldBack({ languages: ['fi'] })).toEqual([['below_threshold', false]]);
    expect(heldBack({ excludedKeywords: ['grandfather'] })).toEqual([['below_threshold', false]]);
  });

  it('keeps clearly worse ads from bidding unless the relative threshold is 0', () => {
    const index = open({ shoes: audience(['running shoes']), sneakers: audience(['sports shoes', 'sneakers']) });
    const ask = (options: object) =>
      index
        .match(talk('which running shoes should i buy for a marathon'), { bid, threshold: thresholds.open, ...options })
        .candidates.map(({ outcome }) => outcome);
    expect(ask({})).toEqual(['match', 'outranked']);
    expect(ask({ relativeThreshold: 0 })).toEqual(['match', 'match']);
    expect(toRelativeThreshold(1)).toBeGreaterThan(0);
  });
});
