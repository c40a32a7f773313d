import type { AnyItem } from './loose.ts';

/** Conditions and updates as DynamoDB reads them, as far as the service writes them. */

const TOKEN = /#\w+|:\w+|\w+|<=|>=|<>|[=<>(),+-]/g;

type Value = unknown;
/** A part of an expression over an item. */
type Part<T> = (item: AnyItem | undefined) => T;

const kind = (value: Value): string => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value);
const same = (a: Value, b: Value): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A comparison with an attribute that is not there, or of another type, is false; only "different" is true then. */
function compare(operator: string, a: Value, b: Value): boolean {
  if (operator === '<>') return a === undefined || kind(a) !== kind(b) || !same(a, b);
  if (a === undefined || b === undefined || kind(a) !== kind(b)) return false;
  if (operator === '=') return same(a, b);
  const [x, y] = [a, b] as [number, number];
  return { '<': x < y, '<=': x <= y, '>': x > y, '>=': x >= y }[operator]!;
}

class Reader {
  readonly #tokens: string[];
  readonly #values: AnyItem;
  readonly used = new Set<string>();
  #at = 0;

  constructor(text: string, values: AnyItem) {
    this.#tokens = text.match(TOKEN) ?? [];
    this.#values = values;
  }

  get done(): boolean {
    return this.#at >= this.#tokens.length;
  }

  peek(): string {
    return this.#tokens[this.#at] ?? '';
  }

  next(expected?: string): string {
    const token = this.peek();
    if (this.done || (expected !== undefined && token !== expected)) {
      throw new SyntaxError(`${expected ?? 'something'} expected, not "${token}", in ${this.#tokens.join(' ')}`);
    }
    this.#at++;
    return token;
  }

  skip(token: string): boolean {
    if (this.peek() !== token) return false;
    this.#at++;
    return true;
  }

  operand(): Part<Value> {
    const token = this.next();
    if (token.startsWith('#')) return (item) => item?.[token.slice(1)];
    if (token === 'if_not_exists') {
      const [attribute, otherwise] = this.#arguments();
      return (item) => attribute!(item) ?? otherwise!(item);
    }
    const name = token.slice(1);
    if (!token.startsWith(':') || !(name in this.#values)) throw new SyntaxError(`${token} has no value`);
    this.used.add(name);
    return () => this.#values[name];
  }

  #arguments(): Part<Value>[] {
    this.next('(');
    const found = [this.operand()];
    while (this.skip(',')) found.push(this.operand());
    this.next(')');
    return found;
  }

  or(): Part<boolean> {
    const parts = [this.#and()];
    while (this.skip('OR')) parts.push(this.#and());
    return (item) => parts.some((part) => part(item));
  }

  #and(): Part<boolean> {
    const parts = [this.#condition()];
    while (this.skip('AND')) parts.push(this.#condition());
    return (item) => parts.every((part) => part(item));
  }

  #condition(): Part<boolean> {
    if (this.skip('(')) {
      const inner = this.or();
      this.next(')');
      return inner;
    }
    switch (this.peek()) {
      case 'attribute_exists':
      case 'attribute_not_exists': {
        const wanted = this.next() === 'attribute_exists';
        const [attribute] = this.#arguments();
        return (item) => (attribute!(item) !== undefined) === wanted;
      }
      case 'begins_with': {
        this.next();
        const [attribute, prefix] = this.#arguments();
        return (item) => String(attribute!(item) ?? '').startsWith(String(prefix!(item)));
      }
    }
    const left = this.operand();
    const operator = this.next();
    const right = this.operand();
    if (operator !== 'BETWEEN') return (item) => compare(operator, left(item), right(item));
    this.next('AND');
    const last = this.operand();
    return (item) => compare('>=', left(item), right(item)) && compare('<=', left(item), last(item));
  }

  /** The right side of SET: an operand, or two with a sign between. */
  sum(): Part<Value> {
    const first = this.operand();
    const sign = ['+', '-'].find((operator) => this.skip(operator));
    if (!sign) return first;
    const second = this.operand();
    return (item) => {
      const [a, b] = [first(item), second(item)];
      if (typeof a !== 'number' || typeof b !== 'number') throw new TypeError('arithmetic needs two numbers');
      return sign === '+' ? a + b : a - b;
    };
  }
}

/** A condition, read once for the many items that it may be asked of, and the names of the values that it uses. */
export function condition(text: string, values: AnyItem = {}): { fulfilledBy: Part<boolean>; used: Set<string> } {
  const reader = new Reader(text, values);
  const fulfilledBy = reader.or();
  if (!reader.done) throw new SyntaxError(`more than a condition: ${text}`);
  return { fulfilledBy, used: reader.used };
}

/** An item after an update; every part of the update sees the item as it was before. */
export function updated(item: AnyItem, text: string, values: AnyItem = {}): { item: AnyItem; used: Set<string> } {
  const reader = new Reader(text, values);
  const changes: AnyItem = {};
  while (!reader.done) {
    const clause = reader.next();
    do {
      const name = reader.next().slice(1);
      if (clause === 'SET') {
        reader.next('=');
        changes[name] = reader.sum()(item);
      } else if (clause === 'ADD') {
        changes[name] = (item[name] ?? 0) + (reader.operand()(item) as number);
      } else if (clause === 'REMOVE') {
        changes[name] = undefined;
      } else throw new SyntaxError(`${clause} is no clause that the service uses`);
    } while (reader.skip(','));
  }
  const kept = Object.entries({ ...item, ...changes }).filter(([, value]) => value !== undefined);
  return { item: Object.fromEntries(kept), used: reader.used };
}
