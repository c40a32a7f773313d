import type { Database, Write } from '../platform/database.ts';

/** How many campaigns a user has: an item beside them, changed in the very transactions that create and delete (2 write units each). */
const campaignCountKey = (owner: string) => ({ owner, item: '#count' }) as const;

/** The condition settles the race for the last place; it fails too where nobody has counted yet. */
export const countOneMore = (owner: string, most: number): Write<'campaigns'> => ({
  table: 'campaigns',
  key: campaignCountKey(owner),
  update: 'ADD #count :one',
  when: '#count < :most',
  values: { one: 1, most },
});

/** Fails where nobody has counted yet: else a deletion would be missed by whoever counts meanwhile. */
export const countOneLess = (owner: string): Write<'campaigns'> => ({
  table: 'campaigns',
  key: campaignCountKey(owner),
  update: 'ADD #count :less',
  when: 'attribute_exists(#count)',
  values: { less: -1 },
});

/**
 * Counts the campaigns of a user whose count is not kept yet: of a new one, or of one who had campaigns before counts were. By their
 * names' items, which are small; a name may have two. Until it is stored no campaign comes or goes, so it is exact; only a function of
 * the version before, still running during a rollout, could make it wrong by what it creates and deletes then.
 */
export async function beginCount(owner: string, db: Pick<Database, 'query' | 'write'>): Promise<void> {
  const campaigns = new Set<string>();
  const names = db.query({
    table: 'campaigns',
    where: '#owner = :owner AND begins_with(#item, :name)',
    values: { owner, name: 'name#' },
    consistent: true,
  });
  for await (const name of names) if ('campaignId' in name) campaigns.add(name.campaignId);
  await db.write({
    table: 'campaigns',
    put: { ...campaignCountKey(owner), count: campaigns.size },
    when: 'attribute_not_exists(#owner)', // settles the race with whoever counts too
  });
}
