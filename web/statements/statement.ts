import type { Client, Result } from '../../packages/client/src/index.ts';

const ROUTE = 'GET /api/v1/statements';
type Body = Result<typeof ROUTE>;
export type Kind = Body['kind'];

/** What a campaign spent or a key earned on one day. */
export interface Line {
  id: string;
  name: string;
  impressions: number;
  clicks: number;
  /** Null for a key. */
  conversions: number | null;
  amount: number;
}

export interface StatementDay {
  date: string;
  isPreliminary: boolean;
  amount: number;
  lines: readonly Line[];
  /** Whether more lines of the day follow. Its amount is complete. */
  isCut: boolean;
}

export interface Statement {
  kind: Kind;
  month: string;
  amount: number;
  days: readonly StatementDay[];
  /** Whether more lines follow. The amount is complete. */
  isCut: boolean;
  /** How many pages it was loaded from. */
  pages: number;
}

const toDays = (body: Body): Omit<StatementDay, 'isCut'>[] =>
  body.kind === 'spend'
    ? body.days.map(({ date, preliminary, spend, campaigns }) => ({
        date,
        isPreliminary: preliminary,
        amount: spend,
        lines: campaigns.map(({ campaignId, campaignName, impressions, clicks, conversions, spend: amount }) => ({
          ...{ id: campaignId, name: campaignName, impressions, clicks, conversions, amount },
        })),
      }))
    : body.days.map(({ date, preliminary, earnings, keys }) => ({
        date,
        isPreliminary: preliminary,
        amount: earnings,
        lines: keys.map(({ keyId, keyName, impressions, clicks, earnings: amount }) => ({
          ...{ id: keyId, name: keyName, impressions, clicks, conversions: null, amount },
        })),
      }));

/** Loads at most so many pages of a statement. A day may begin on one page and end on the next. */
export async function loadStatement(ads: Client, month: string, kind: Kind, pages: number): Promise<Statement> {
  const bodies: Body[] = [];
  for (let after: string | null | undefined; after !== null && bodies.length < pages; after = bodies.at(-1)!.next)
    bodies.push(await ads(ROUTE, { query: { month, kind, ...(after && { after }) } }));
  const { next } = bodies.at(-1)!;
  const [first] = bodies;
  const byDate = Map.groupBy(bodies.flatMap(toDays), ({ date }) => date);
  return {
    kind,
    month,
    amount: first!.kind === 'spend' ? first!.spend : first!.earnings,
    days: [...byDate.values()].map((parts) => ({
      ...parts[0]!,
      lines: parts.flatMap(({ lines }) => lines),
      isCut: next?.startsWith(parts[0]!.date) ?? false,
    })),
    isCut: next !== null,
    pages: bodies.length,
  };
}

/** The sums of a month by campaign or key, largest first. A renamed one has its latest name. */
export const sumByItem = (days: readonly StatementDay[]): Line[] =>
  [...Map.groupBy(days.flatMap(({ lines }) => lines).toReversed(), ({ id }) => id).values()]
    .map((lines) => ({
      ...lines[0]!,
      impressions: total(lines, ({ impressions }) => impressions),
      clicks: total(lines, ({ clicks }) => clicks),
      conversions: lines[0]!.conversions === null ? null : total(lines, ({ conversions }) => conversions ?? 0),
      // In micro-dollars: a sum of fractions drifts from the total of the month.
      amount: total(lines, ({ amount }) => Math.round(amount * 1e6)) / 1e6,
    }))
    .sort((a, b) => b.amount - a.amount || a.name.localeCompare(b.name));

const total = (lines: readonly Line[], of: (line: Line) => number): number =>
  lines.reduce((sum, line) => sum + of(line), 0);

/** The IDs of the campaigns or keys that exist. A statement also has lines of deleted ones. */
export async function loadExisting(ads: Client, kind: Kind): Promise<ReadonlySet<string>> {
  if (kind === 'earnings') return new Set((await ads('GET /api/v1/auth/api-keys')).map(({ id }) => id));
  const ids = new Set<string>();
  for await (const { id } of ads.list('GET /api/v1/campaigns')) ids.add(id);
  return ids;
}

/** Loads the whole statement as CSV: further pages without their header. */
export async function loadStatementCsv(ads: Client, month: string, kind: Kind): Promise<string> {
  let text = '';
  for (let after: string | null | undefined; after !== null; ) {
    let following: string | null = null;
    const page = await ads.csv(
      ROUTE,
      { query: { month, kind, ...(after && { after }) } },
      {
        onResponse: ({ headers }) => {
          following = /[?&]after=([^&>]+)/.exec(headers.get('link') ?? '')?.[1] ?? null;
        },
      },
    );
    text += text === '' ? page : page.slice(page.indexOf('\n') + 1);
    after = following;
  }
  return text;
}
