import { randomUUID } from 'node:crypto';
import { inParallel } from '../parallel.ts';
import { type EvaluateClient, ServiceError } from './client.ts';
import type { FolderCampaign, RefusedCampaign } from './folder.ts';

/** Creating and cancelling stay under the 100 requests a minute that a user has. */
const CAMPAIGNS_PER_USER = 45;
const KEYS_PER_USER = 90;
const CONCURRENCY = 8;

/** The folder's campaigns in the service, and keys to ask it with; users and names are of this run alone. */
export function createMarket(client: EvaluateClient) {
  const run = randomUUID().slice(0, 8);
  const made = new Map<string, { campaign: FolderCampaign; user: string }>();

  return {
    /** Creates the campaigns; those that the service refuses come back with its reason. */
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

    async keys(count: number): Promise<string[]> {
      const keys: string[] = [];
      await inParallel(Array(count).keys(), CONCURRENCY, async (index) => {
        const user = `evaluate-${run}-keys-${Math.floor(index / KEYS_PER_USER)}`;
        keys.push((await client.createKey(user, `Evaluation ${run} ${index}`)).key);
      });
      return keys;
    },

    /** The folder's campaign behind one of the service; undefined when it is not of the folder. */
    campaignOf: (serviceId: string): FolderCampaign | undefined => made.get(serviceId)?.campaign,

    /** Cancels what was created, so that nothing of it bids any more; resolves to the ids of those where that failed. */
    async close(): Promise<string[]> {
      const left: string[] = [];
      await inParallel(made, CONCURRENCY, async ([id, { user }]) => {
        await client.cancelCampaign(user, id).catch(() => left.push(id));
      });
      return left;
    },
  };
}

/** A user for each campaign. A user's campaigns need different names, so one that bears a taken name goes to another user. */
export function assignUsers(campaigns: readonly FolderCampaign[], run: string): string[] {
  const borne = new Map<string, number>();
  return campaigns.map(({ body }, index) => {
    const name = String(body.name).trim().normalize('NFKC').toLowerCase();
    const before = borne.get(name) ?? 0;
    borne.set(name, before + 1);
    return `evaluate-${run}-${Math.floor(index / CAMPAIGNS_PER_USER)}-${before}`;
  });
}
