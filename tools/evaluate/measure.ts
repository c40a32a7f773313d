import { inParallel } from '../parallel.ts';
import type { BidResult, DebugCandidate } from './client.ts';
import type { FolderCampaign, LabeledRow, RowError } from './folder.ts';
import { type ScoredBid, scoreRow } from './score.ts';

/** A row and what the service answered to it. */
export interface EvaluatedRow extends ScoredBid {
  row: LabeledRow;
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

export interface EvaluationResult {
  /** In the order of the rows. */
  answered: EvaluatedRow[];
  /** Rows whose conversation the service did not take. */
  refused: RowError[];
  /** Rows at which the service failed. */
  errors: RowError[];
}

/** Who is asked for bids. */
export interface Bidder {
  bid(request: { countryCode: unknown; messages: LabeledRow['messages'] }): Promise<BidResult>;
  /** The folder's campaign behind one that bids. */
  findCampaign(serviceId: string): FolderCampaign | undefined;
  /** Requests under way at once, at most. */
  concurrency: number;
}

/** Asks for a bid on every row, and judges the answers. */
export async function measure(
  rows: readonly LabeledRow[],
  { bid, findCampaign, concurrency }: Bidder,
  onRow: () => void,
  signal: AbortSignal,
): Promise<EvaluationResult> {
  const measured: EvaluationResult = { answered: [], refused: [], errors: [] };
  await inParallel(
    rows,
    concurrency,
    async (row) => {
      const { countryCode, messages } = row;
      const answer = await bid({ countryCode, messages });
      onRow();
      if (answer.kind === 'answered') {
        const { campaignId: serviceId, candidates, ms } = answer;
        const campaign = serviceId === null ? undefined : findCampaign(serviceId);
        const best = findMostRelevant(candidates, serviceId);
        const judgement = scoreRow(row, serviceId === null ? null : (campaign?.labels ?? []));
        measured.answered.push({
          ...judgement,
          row,
          serviceId,
          campaign,
          score: best?.relevance ?? 0,
          best,
          bestCampaign: best && findCampaign(best.campaignId),
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
function findMostRelevant(candidates: readonly DebugCandidate[], winnerId: string | null): DebugCandidate | undefined {
  if (winnerId !== null) return candidates.find(({ campaignId }) => campaignId === winnerId);
  return candidates.reduce<DebugCandidate | undefined>(
    (best, one) => (best && best.relevance >= one.relevance ? best : one),
    undefined,
  );
}
