import type { Database, Write } from '../../platform/database.ts';
import { micros } from '../../values/money.ts';
import { type Balance, isBalance, moneyKey } from '../balance.ts';
import { rolled } from '../settlement.ts';
import { grantedInAll, grantedName, withoutShards } from './opening.ts';
import type { BudgetShard, ShardId } from './shard.ts';

export async function findBalance(db: Pick<Database, 'get'>, campaignId: string): Promise<Balance | undefined> {
  const row = await db.get('ledgers', moneyKey(campaignId));
  return row && isBalance(row) ? row : undefined;
}

/** The balance that a write of it leaves, or that refuses it; whoever asks finds out from it which. */
export async function balanceAfter(db: Pick<Database, 'write'>, write: Write<'ledgers'>): Promise<Balance | undefined> {
  const written = await db.write(write, 'new');
  const row = written.ok ? written.item : written.old;
  return row && isBalance(row) ? row : undefined;
}

/**
 * Opens a budget. One write, and one that holds among any number of charges: so it does not say
 * how much there is; and needs a balance that counts its day.
 */
export const openInShards = ({ campaignId, epoch = 0, day }: Balance, width: number): Write<'ledgers'> => ({
  table: 'ledgers',
  key: moneyKey(campaignId),
  update: 'SET #phase = :open, #epoch = :next, #width = :width',
  when:
    `attribute_not_exists(#phase) AND ${epoch === 0 ? 'attribute_not_exists(#epoch)' : '#epoch = :epoch'} ` +
    'AND #day = :day AND #countDay = :day AND #remaining > :zero AND #dayRemaining > :zero',
  values: { open: 'open', next: epoch + 1, width, day, zero: 0, ...(epoch > 0 && { epoch }) },
});

/** A closed balance opened on a day. */
export function openedOn(today: string, balance: Balance, width: number): Balance {
  const before = rolled(balance, today);
  const { day, countDay, dayImpressions = 0, daySpend = micros(0), epoch = 0 } = before;
  const counts = countDay === day ? { dayImpressions, daySpend } : { dayImpressions: 0, daySpend: micros(0) };
  return { ...before, ...counts, countDay: day, phase: 'open', epoch: epoch + 1, width };
}

/** Spreads charges among more shards. */
export const widenShards = ({ campaignId, epoch, width }: Balance, wider: number): Write<'ledgers'> => ({
  table: 'ledgers',
  key: moneyKey(campaignId),
  update: 'SET #width = :wider',
  when: '#phase = :open AND #epoch = :epoch AND #width = :width',
  values: { open: 'open', epoch, width, wider },
});

/**
 * The first step of a grant: the balance gives the amount away. One grant of a shard is under way at a time: the condition holds when all
 * that was granted before has arrived. It never takes the last of a budget.
 * @param arrived what has arrived at the shard since the opening, micro-dollars
 */
export const grantToShard = (
  { campaignId, epoch, shard }: ShardId,
  arrived: number,
  amount: number,
): Write<'ledgers'> => {
  const granted = grantedName(shard);
  return {
    table: 'ledgers',
    key: moneyKey(campaignId),
    update: `SET #remaining = #remaining - :amount, #dayRemaining = #dayRemaining - :amount ADD #${granted} :amount`,
    when:
      '#phase = :open AND #epoch = :epoch AND #remaining > :amount AND #dayRemaining > :amount AND ' +
      (arrived === 0 ? `attribute_not_exists(#${granted})` : `#${granted} = :arrived`),
    values: { open: 'open', epoch, amount, ...(arrived > 0 && { arrived }) },
  };
};

/** The first step of closing: nothing more is granted. */
export const beginClosing = ({ campaignId, epoch }: Balance, heldUntil: number): Write<'ledgers'> => ({
  table: 'ledgers',
  key: moneyKey(campaignId),
  update: 'SET #phase = :closing, #heldUntil = :heldUntil',
  when: '#phase = :open AND #epoch = :epoch',
  values: { open: 'open', closing: 'closing', epoch, heldUntil },
});

/**
 * A balance as though it had been charged itself for everything that its shards were: what they were granted and have not spent
 * comes back to it, whether or not it has arrived there. It belongs to the balance's own day, so nothing of it comes to the next.
 * @param shards those that it has granted something, read after it
 */
export function withShards(balance: Balance, shards: readonly BudgetShard[]): Balance {
  const spent = shards.reduce((sum, one) => sum + (one.spent ?? 0), 0);
  const impressions = shards.reduce((sum, one) => sum + (one.impressions ?? 0), 0);
  const unspent = grantedInAll(balance) - spent;
  return withoutShards({
    ...balance,
    remaining: micros(balance.remaining + unspent),
    dayRemaining: micros(balance.dayRemaining + unspent),
    spent: micros(balance.spent + spent),
    impressions: balance.impressions + impressions,
    daySpend: micros((balance.daySpend ?? 0) + spent),
    dayImpressions: (balance.dayImpressions ?? 0) + impressions,
  });
}
