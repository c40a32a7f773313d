import { inParallel } from '../parallel.ts';
import type { BidResult, DebugCandidate } from './client.ts';
import type { FolderCampaign, LabeledRow, RowError } from './folder.ts';
import { type ScoredBid, scoreRow } from './score.ts';

/** A row and the response of the service. */
export interface EvaluatedRow extends ScoredBid {
  row: LabeledRow;
  /** The service's id of the campaign that bid, or null. */
  serviceId: string | null;
  /** The folder's campaign that bid; undefined without a bid, or if the campaign is not from the folder. */
  campaign: FolderCampaign | undefined;
  /** Relevance of the winner, or else of the most relevant candidate; 0 without candidates. */
  score: number;
  /** The candidate with this score, and its campaign of the folder. */
  best: DebugCandidate | undefined;
  bestCampaign: FolderCampaign | undefined;
  ms: number;
}

export interface EvaluationResult {
  /** In the order of the rows. */
  answered: EvaluatedRow[];
  /** Rows whose conversation the service rejected. */
  refused: RowError[];
  /** Rows for which the service failed. */
  errors: RowError[];
}

/** A source of bids. */
export interface Bidder {
  bid(request: { countryCode: unknown; messages: LabeledRow['messages'] }): Promise<BidResult>;
  /** The folder's campaign for the id of a bidding campaign. */
  findCampaign(serviceId: string): FolderCampaign | undefined;
  /** Maximum number of concurrent requests. */
  concurrency: number;
}

/** Requests a bid on every row, and scores the responses. */
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

/** The winner, or else the candidate with the highest relevance. */
function findMostRelevant(candidates: readonly DebugCandidate[], winnerId: string | null): DebugCandidate | undefined {
  if (winnerId !== null) return candidates.find(({ campaignId }) => campaignId === winnerId);
  return candidates.reduce<DebugCandidate | undefined>(
    (best, one) => (best && best.relevance >= one.relevance ? best : one),
    undefined,
  );
}
