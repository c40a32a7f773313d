import type { Database, Item, Query, Write } from '../shared/database.ts';
import { type TableName, tableShape } from '../shared/tables.ts';

type Evaluate = (item: Item, values: Item) => unknown;

/** Compiles what the stores write of DynamoDB's expressions; throws at anything else, so that no test passes by a misreading. */
function compile(text: string): Evaluate {
  const tokens = text.match(/[#:]?\w+|<>|<=|>=|[=<>(),+-]/g) ?? [];
  let at = 0;
  const take = (expected?: string) => {
    const token = tokens[at++];
    if (token === undefined || (expected && token !== expected)) throw new Error(`${expected ?? 'more'} in: ${text}`);
    return token;
  };
  const or = (): Evaluate => chain('OR', and, (a, b) => a || b);
  const and = (): Evaluate => chain('AND', comparison, (a, b) => a && b);
  const chain = (word: string, part: () => Evaluate, join: (a: unknown, b: unknown) => unknown): Evaluate => {
    let left = part();
    while (tokens[at] === word) {
      take();
      const [before, after] = [left, part()];
      left = (item, values) => join(before(item, values), after(item, values));
    }
    return left;
  };
  const comparison = (): Evaluate => {
    const left = sum();
    const operator = tokens[at] ?? '';
    if (operator === 'BETWEEN') throw new Error(`BETWEEN in: ${text}`);
    const compare = COMPARE[operator];
    if (!compare) return left;
    take();
    const right = sum();
    return (item, values) => {
      const [a, b] = [left(item, values), right(item, values)];
      return (a !== undefined || operator === '<>') && compare(a as number, b as number);
    };
  };
  const sum = (): Evaluate => {
    const left = operand();
    const sign = tokens[at] === '-' ? -1 : tokens[at] === '+' ? 1 : 0;
    if (!sign) return left;
    take();
    const right = operand();
    return (item, values) => (left(item, values) as number) + sign * (right(item, values) as number);
  };
  const operand = (): Evaluate => {
    const token = take();
    if (token === '(') {
      const inner = or();
      take(')');
      return inner;
    }
    if (token.startsWith(':')) return (_, values) => values[token.slice(1)];
    if (token.startsWith('#')) return (item) => item[token.slice(1)];
    const call = CALLS[token];
    if (!call) throw new Error(`${token} in: ${text}`);
    take('(');
    const parts = [operand()];
    while (tokens[at] === ',') {
      take();
      parts.push(operand());
    }
    take(')');
    return (item, values) => call(...parts.map((part) => part(item, values)));
  };
  const whole = or();
  if (at < tokens.length) throw new Error(`${tokens[at]} in: ${text}`);
  return whole;
}

const COMPARE: Record<string, (a: number, b: number) => boolean> = {
  '=': (a, b) => a === b,
  '<>': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};
// biome-ignore lint/suspicious/noExplicitAny: the functions of the expression language
const CALLS: Record<string, (...parts: any[]) => unknown> = {
  attribute_exists: (a) => a !== undefined,
  attribute_not_exists: (a) => a === undefined,
  if_not_exists: (a, b) => (a === undefined ? b : a),
  begins_with: (a, b) => a?.startsWith(b) ?? false,
};

const compiled = new Map<string, Evaluate>();
const evaluate = (text: string, item: Item, values: Item): unknown => {
  const known = compiled.get(text) ?? compile(text);
  compiled.set(text, known);
  return known(item, values);
};

/** A deep copy of plain values; `structuredClone` takes ten times as long. */
function copy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copy) as T;
  if (typeof value !== 'object' || value === null) return value;
  const made: Item = {};
  for (const name in value) if (value[name] !== undefined) made[name] = copy(value[name]);
  return made as T;
}

/** The item after an update: every part reads the item as it was. */
function updated(text: string, item: Item, values: Item): Item {
  const after = { ...item };
  for (const [, clause, list] of text.matchAll(/\b(SET|ADD|REMOVE) (.*?)(?= (?:SET|ADD|REMOVE) |$)/g)) {
    for (const part of list!.split(/,\s*(?=#\w+ (?:=|:)|#\w+(?:,|$))/)) {
      const [, name, rest] = /^#(\w+)\s*=?\s*(.*)$/.exec(part)!;
      if (clause === 'SET') after[name!] = evaluate(rest!, item, values);
      if (clause === 'ADD') after[name!] = (item[name!] ?? 0) + values[rest!.slice(1)];
      if (clause === 'REMOVE') delete after[name!];
    }
  }
  return after;
}

/** The Database interface in memory, a hundred times as fast as the stand-in, for tests of very many steps. */
export function memoryDatabase(): Database & { items(table: TableName): Item[] } {
  const tables = new Map<TableName, Map<string, Item>>();
  const rows = (table: TableName) => {
    if (!tables.has(table)) tables.set(table, new Map());
    return tables.get(table)!;
  };
  const keyOf = (table: TableName, item: Item) =>
    tableShape(table)
      .key.map((part) => part && item[part])
      .join('\u0000');
  const parts = (write: Write) => ('put' in write ? write.put : write.key);

  const look = (write: Write) => {
    const id = keyOf(write.table, parts(write));
    const old = rows(write.table).get(id);
    const ok = !write.when || Boolean(evaluate(write.when, old ?? {}, write.values ?? {}));
    return { id, old, ok };
  };
  const carryOut = (write: Write, id: string, old: Item | undefined): Item | undefined => {
    const table = rows(write.table);
    if ('check' in write) return old;
    if ('remove' in write) return void table.delete(id);
    const now = 'put' in write ? write.put : updated(write.update, old ?? { ...write.key }, write.values ?? {});
    table.set(id, copy(now));
    return now;
  };

  return {
    items: (table) => [...rows(table).values()],
    get: async (table, key) => copy(rows(table).get(keyOf(table, key))),
    getAll: async (table, keys) =>
      keys.map((key) => copy(rows(table).get(keyOf(table, key)))).filter((item) => item !== undefined),
    async *query({ table, where, values, newestFirst, limit }: Query) {
      const sort = tableShape(table).key[1] ?? '';
      const found = [...rows(table).values()].filter((item) => evaluate(where, item, values));
      found.sort((a, b) => (a[sort] < b[sort] ? -1 : 1) * (newestFirst ? -1 : 1));
      yield* copy(found.slice(0, limit));
    },
    async write(write, returning) {
      const { id, old, ok } = look(write);
      if (!ok) return { ok: false, old: copy(old) };
      const now = carryOut(write, id, old);
      return { ok: true, item: copy(returning === 'new' ? now : returning === 'old' ? old : undefined) };
    },
    async transact(writes) {
      const looks = writes.map(look);
      if (looks.every(({ ok }) => ok)) {
        for (const [i, { id, old }] of looks.entries()) carryOut(writes[i]!, id, old);
        return { ok: true };
      }
      return { ok: false, refused: looks.map(({ ok, old }) => (ok ? undefined : { old: copy(old) })) };
    },
  };
}
