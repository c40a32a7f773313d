import { randomUUID } from 'node:crypto';
import type { AdStrictness } from '../../shared/matching/index.ts';
import { inParallel } from '../parallel.ts';
import { type EvaluateClient, ServiceError } from './client.ts';
import type { FolderCampaign, RefusedCampaign } from './folder.ts';

/** Keeps creating and cancelling within the limit of 100 requests per minute and user. */
const CAMPAIGNS_PER_USER = 45;
const KEYS_PER_USER = 90;
const CONCURRENCY = 8;

/** The folder's campaigns in the service, and API keys to bid with. Users and names are unique to this run. */
export function createMarket(client: EvaluateClient) {
  const run = randomUUID().slice(0, 8);
  const made = new Map<string, { campaign: FolderCampaign; user: string }>();

  return {
    /** Creates the campaigns. @returns those that the service rejects, with its reason */
    async open(campaigns: readonly FolderCampaign[], signal: AbortSignal): Promise<RefusedCampaign[]> {
      const refused: RefusedCampaign[] = [];
      const users = assignUsers(campaigns, run);
      await inParallel(
        campaigns.entries(),
        CONCURRENCY,
        async ([index, campaign]) => {
          const user = users[index]!;
          try {
            const { id } = await client.createCampaign(user, campaign.body);
            made.set(id, { campaign, user });
          } catch (error) {
            if (!(error instanceof ServiceError) || error.status >= 500) throw error;
            refused.push({ campaign, reason: error.message });
          }
        },
        signal,
      );
      return refused;
    },

    async keys(count: number, strictness: AdStrictness): Promise<string[]> {
      const keys: string[] = [];
      await inParallel(Array(count).keys(), CONCURRENCY, async (index) => {
        const user = `evaluate-${run}-keys-${Math.floor(index / KEYS_PER_USER)}`;
        keys.push((await client.createKey(user, `Evaluation ${run} ${index}`, strictness)).key);
      });
      return keys;
    },

    /** The folder's campaign for an id of the service; undefined if it is not from the folder. */
    campaignOf: (serviceId: string): FolderCampaign | undefined => made.get(serviceId)?.campaign,

    /** Cancels the created campaigns, so that they stop bidding. @returns the ids of those that could not be cancelled */
    async close(): Promise<string[]> {
      const left: string[] = [];
      await inParallel(made, CONCURRENCY, async ([id, { user }]) => {
        await client.cancelCampaign(user, id).catch(() => left.push(id));
      });
      return left;
    },
  };
}

/** Assigns a user to each campaign. Campaigns of a user need different names, so duplicates go to other users. */
export function assignUsers(campaigns: readonly FolderCampaign[], run: string): string[] {
  const borne = new Map<string, number>();
  return campaigns.map(({ body }, index) => {
    const name = String(body.name).trim().normalize('NFKC').toLowerCase();
    const before = borne.get(name) ?? 0;
    borne.set(name, before + 1);
    return `evaluate-${run}-${Math.floor(index / CAMPAIGNS_PER_USER)}-${before}`;
  });
}
