import type { Names } from '../../shared/platform/database.ts';
import type { AnyItem } from './untyped-database.ts';

/** DynamoDB conditions and updates, as far as the service uses them. */

const TOKEN = /#\w+(?:\.#\w+)*|:\w+|\w+|<=|>=|<>|[=<>(),+-]/g;

type Value = unknown;
/** The values of an expression, and attribute names that are known only at run time. */
interface Bindings {
  values: AnyItem;
  names: Names;
}

/** Evaluates a part of an expression for an item. */
type Evaluator<T> = (item: AnyItem | undefined, bindings: Bindings) => T;

const kind = (value: Value): string => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value);
const same = (a: Value, b: Value): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** A comparison with a missing attribute or another type is false, except `<>`, which is true. */
function compare(operator: string, a: Value, b: Value): boolean {
  if (operator === '<>') return a === undefined || kind(a) !== kind(b) || !same(a, b);
  if (a === undefined || b === undefined || kind(a) !== kind(b)) return false;
  if (operator === '=') return same(a, b);
  const [x, y] = [a, b] as [number, number];
  return { '<': x < y, '<=': x <= y, '>': x > y, '>=': x >= y }[operator]!;
}

class Parser {
  readonly #tokens: string[];
  readonly used = new Set<string>();
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.match(TOKEN) ?? [];
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
      throw new SyntaxError(`expected ${expected ?? 'a token'}, got "${token}", in ${this.#tokens.join(' ')}`);
    }
    this.#at++;
    return token;
  }

  skip(token: string): boolean {
    if (this.peek() !== token) return false;
    this.#at++;
    return true;
  }

  operand(): Evaluator<Value> {
    const token = this.next();
    if (token.startsWith('#')) {
      const path = token.slice(1).split('.#');
      return (item, { names }) => path.reduce<Value>((value, name) => Object(value)[names[name] ?? name], item);
    }
    if (token === 'if_not_exists') {
      const [attribute, otherwise] = this.#arguments();
      return (item, bindings) => attribute!(item, bindings) ?? otherwise!(item, bindings);
    }
    if (!token.startsWith(':')) throw new SyntaxError(`${token} is not an operand`);
    const name = token.slice(1);
    this.used.add(name);
    return (_, { values }) => values[name];
  }

  #arguments(): Evaluator<Value>[] {
    this.next('(');
    const found = [this.operand()];
    while (this.skip(',')) found.push(this.operand());
    this.next(')');
    return found;
  }

  or(): Evaluator<boolean> {
    const parts = [this.#and()];
    while (this.skip('OR')) parts.push(this.#and());
    return (item, bindings) => parts.some((part) => part(item, bindings));
  }

  #and(): Evaluator<boolean> {
    const parts = [this.#condition()];
    while (this.skip('AND')) parts.push(this.#condition());
    return (item, bindings) => parts.every((part) => part(item, bindings));
  }

  #condition(): Evaluator<boolean> {
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
        return (item, bindings) => (attribute!(item, bindings) !== undefined) === wanted;
      }
      case 'begins_with': {
        this.next();
        const [attribute, prefix] = this.#arguments();
        return (item, bindings) => String(attribute!(item, bindings) ?? '').startsWith(String(prefix!(item, bindings)));
      }
    }
    const left = this.operand();
    const operator = this.next();
    const right = this.operand();
    if (operator !== 'BETWEEN')
      return (item, bindings) => compare(operator, left(item, bindings), right(item, bindings));
    this.next('AND');
    const last = this.operand();
    return (item, bindings) => {
      const found = left(item, bindings);
      return compare('>=', found, right(item, bindings)) && compare('<=', found, last(item, bindings));
    };
  }

  /** The right side of SET: an operand, or a sum or difference of two. */
  sum(): Evaluator<Value> {
    const first = this.operand();
    const sign = ['+', '-'].find((operator) => this.skip(operator));
    if (!sign) return first;
    const second = this.operand();
    return (item, bindings) => {
      const [a, b] = [first(item, bindings), second(item, bindings)];
      if (typeof a !== 'number' || typeof b !== 'number') throw new TypeError('arithmetic needs two numbers');
      return sign === '+' ? a + b : a - b;
    };
  }
}

interface Condition {
  part: Evaluator<boolean>;
  used: Set<string>;
}

interface Change {
  attribute: string;
  /** The new value of the attribute; undefined removes it. */
  part: Evaluator<Value>;
}

function readCondition(text: string): Condition {
  const reader = new Parser(text);
  const part = reader.or();
  if (!reader.done) throw new SyntaxError(`unexpected text after a condition: ${text}`);
  return { part, used: reader.used };
}

function readChanges(text: string): { changes: Change[]; used: Set<string> } {
  const reader = new Parser(text);
  const changes: Change[] = [];
  while (!reader.done) {
    const clause = reader.next();
    do changes.push(readChange(reader, clause));
    while (reader.skip(','));
  }
  return { changes, used: reader.used };
}

function readChange(reader: Parser, clause: string): Change {
  const attribute = reader.next().slice(1);
  if (clause === 'REMOVE') return { attribute, part: () => undefined };
  if (clause === 'SET') {
    reader.next('=');
    return { attribute, part: reader.sum() };
  }
  if (clause !== 'ADD') throw new SyntaxError(`unsupported clause ${clause}`);
  const operand = reader.operand();
  return { attribute, part: (item, bindings) => (item?.[attribute] ?? 0) + (operand(item, bindings) as number) };
}

/** Parses every expression once: there are a few dozen, and tests evaluate them a million times. */
function once<T extends { used: Set<string> }>(read: (text: string) => T) {
  const parsed = new Map<string, T>();
  return (text: string, values: AnyItem): T => {
    const found = parsed.get(text) ?? read(text);
    parsed.set(text, found);
    for (const name of found.used) if (!(name in values)) throw new SyntaxError(`:${name} has no value`);
    return found;
  };
}

const parseConditionOnce = once(readCondition);
const parseChangesOnce = once(readChanges);

/** A condition on items, and the names of the values that it uses. */
export function parseCondition(text: string, values: AnyItem = {}, names: Names = {}) {
  const { part, used } = parseConditionOnce(text, values);
  return { fulfilledBy: (item: AnyItem | undefined): boolean => part(item, { values, names }), used };
}

/** Applies an update. Every part of it reads the item as it was before. */
export function applyUpdate(item: AnyItem, text: string, values: AnyItem = {}): { item: AnyItem; used: Set<string> } {
  const { changes, used } = parseChangesOnce(text, values);
  const after = { ...item };
  for (const { attribute, part } of changes) after[attribute] = part(item, { values, names: {} });
  return { item: after, used };
}
