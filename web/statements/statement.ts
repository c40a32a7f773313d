import type { Client, Result } from '../../packages/client/src/index.ts';

const ROUTE = 'GET /api/v1/statements';
type Body = Result<typeof ROUTE>;
export type Kind = Body['kind'];

/** What a campaign spent or a key earned on one day. */
interface Line {
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

/** Loads so many pages of a statement. A day may begin on one page and end on the next. */
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
  };
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
