import { inParallel } from '../parallel.ts';
import type { BidAnswer, DebugCandidate } from './client.ts';
import type { FolderCampaign, FolderErrors, JudgedRow } from './folder.ts';
import { judgementOf, type ScoredBid } from './score.ts';

/** A row and what the service answered to it. */
export interface Answered extends ScoredBid {
  row: JudgedRow;
  /** The service's id of the campaign that bid, or null. */
  serviceId: string | null;
  /** The folder's campaign that bid; undefined without a bid, or when the campaign is not of the folder. */
  campaign: FolderCampaign | undefined;
  /** Relevance of the winner, or of the most relevant candidate; 0 when there was none. */
  score: number;
  /** The candidate that the score is of, and the folder's campaign behind it. */
  best: DebugCandidate | undefined;
  bestCampaign: FolderCampaign | undefined;
  ms: number;
}

export interface JudgedRun {
  /** In the order of the rows. */
  answered: Answered[];
  /** Rows whose conversation the service did not take. */
  refused: FolderErrors[];
  /** Rows at which the service failed. */
  errors: FolderErrors[];
}

/** Who is asked for bids. */
export interface Bidding {
  bid(request: { countryCode: unknown; messages: JudgedRow['messages'] }): Promise<BidAnswer>;
  /** The folder's campaign behind one that bids. */
  campaignOf(serviceId: string): FolderCampaign | undefined;
  /** Requests under way at once, at most. */
  atOnce: number;
}

/** Asks for a bid on every row, and judges the answers. */
export async function measure(
  rows: readonly JudgedRow[],
  { bid, campaignOf, atOnce }: Bidding,
  onRow: () => void,
  signal: AbortSignal,
): Promise<JudgedRun> {
  const measured: JudgedRun = { answered: [], refused: [], errors: [] };
  await inParallel(
    rows,
    atOnce,
    async (row) => {
      const { countryCode, messages } = row;
      const answer = await bid({ countryCode, messages });
      onRow();
      if (answer.kind === 'answered') {
        const { campaignId: serviceId, candidates, ms } = answer;
        const campaign = serviceId === null ? undefined : campaignOf(serviceId);
        const best = mostRelevant(candidates, serviceId);
        const judgement = judgementOf(row, serviceId === null ? null : (campaign?.labels ?? []));
        measured.answered.push({
          ...judgement,
          row,
          serviceId,
          campaign,
          score: best?.relevance ?? 0,
          best,
          bestCampaign: best && campaignOf(best.campaignId),
          ms,
        });
      } else {
        const { line, id } = row;
        measured[answer.kind === 'refused' ? 'refused' : 'errors'].push({ line, id, reason: answer.reason });
      }
    },
    signal,
  );
  measured.answered.sort((a, b) => a.row.line - b.row.line);
  return measured;
}

/** The winner; without one the candidate with the highest relevance. */
function mostRelevant(candidates: readonly DebugCandidate[], winnerId: string | null): DebugCandidate | undefined {
  if (winnerId !== null) return candidates.find(({ campaignId }) => campaignId === winnerId);
  return candidates.reduce<DebugCandidate | undefined>(
    (best, one) => (best && best.relevance >= one.relevance ? best : one),
    undefined,
  );
}
