import type { Campaign } from '../campaigns/campaign.ts';
import { floorCpm, type Micros } from '../money.ts';

/**
 * The CPM that a campaign bids for a conversation of this relevance, never above its maxCpb. `manual` bids maxCpb;
 * the strategies that let the service choose scale it by relevance.
 */
export const price = ({ bidStrategy, maxCpb }: Pick<Campaign, 'bidStrategy' | 'maxCpb'>, relevance: number): Micros =>
  bidStrategy === 'manual' ? maxCpb : floorCpm(maxCpb * relevance);
