import * as z from 'zod';
import { endpointRow } from '../../shared/http/operations/endpoints.ts';
import { getInput } from '../../shared/http/operations/inputs.ts';
import { type Answering, answering, getResponses } from '../../shared/http/operations/responses.ts';
import { getKeys } from '../../shared/platform/values/typed.ts';
import { EVENT_TYPES } from '../../shared/webhooks/events/types.ts';

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  description?: string;
}

/** The expanded type of all operations that `packages/client/src/operations.ts` derives, without references to tables or schemas. */
export function operationTypes(): string {
  const named = new Map<string, string>();
  const rows = answering.flatMap((name) =>
    endpointRow(name).methods.map((method) => operationType(name, method, named)),
  );
  const interfaces = [...named].map(([name, type]) => `export type ${name} = ${type};\n`);
  const operations = `/** Every operation by its method and path. */\nexport type Operations = {\n${rows.join('\n')}\n};\n`;
  const events = `/** The types of events that the service sends. */\nexport type WebhookEventType = ${toType({ enum: [...EVENT_TYPES] })};\n`;
  return [...interfaces, events, operations].join('\n');
}

function operationType(name: Answering, method: string, named: Map<string, string>): string {
  const { path, summary } = endpointRow(name);
  const { body, query } = getInput(name);
  const variables = [...(path ?? '').matchAll(/\{(\w+)\}/g)].map(([, variable]) => `${variable}: string`);
  const typed = (schema: z.ZodType, io: 'input' | 'output') => toType(toSchema(schema, io, named));
  const input = [
    ...(variables.length > 0 ? [`{ params: { ${variables.join('; ')} } }`] : []),
    ...(query ? [`{ query?: ${queryType(toSchema(query, 'input', named))} }`] : []),
    ...(body ? [bodyType(toSchema(body, 'input', named), method)] : []),
  ];
  const answer = method === 'HEAD' ? undefined : getResponses(name).body;
  const result = answer ? typed(answer, 'output') : 'undefined';
  return `${comment(summary)}'${method} ${path}': { input: ${input.join(' & ') || 'unknown'}; result: ${result} };`;
}

/** The body is optional if all of its fields are, except in an update, which would do nothing without one. */
const bodyType = (schema: Schema, method: string): string => {
  const mayBeLeftOut = method !== 'PATCH' && schema.type === 'object' && (schema.required ?? []).length === 0;
  return `{ body${mayBeLeftOut ? '?' : ''}: ${toType(schema)} }`;
};

/** Moves the definitions of a schema into `named`, as named types. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', named: Map<string, string>): Schema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema;
  for (const [name, definition] of Object.entries($defs)) named.set(name, toType(definition));
  return root;
}

/** Query parameters are sent as strings, but callers may also pass numbers. */
function queryType({ properties = {} }: Schema): string {
  const members = getKeys(properties).map((name) => `${name}?: ${toType(properties[name]!)} | number | undefined`);
  return `{ ${members.join('; ')} }`;
}

function toType(schema: Schema): string {
  if (schema.$ref) return schema.$ref.slice('#/$defs/'.length);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return unique(union.map(toType)).join(' | ');
  if (schema.allOf) return schema.allOf.map((part) => `(${toType(part)})`).join(' & ');
  if (Array.isArray(schema.type)) return unique(schema.type.map((type) => toType({ ...schema, type }))).join(' | ');
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return `(${toType(schema.items ?? {})})[]`;
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const members = Object.entries(properties).map(([name, member]) =>
    required.includes(name)
      ? `${comment(member.description)}${JSON.stringify(name)}: ${toType(member)};`
      : `${comment(member.description)}${JSON.stringify(name)}?: ${toType(member)} | undefined;`,
  );
  if (typeof additionalProperties === 'object') {
    const rest = toType(additionalProperties);
    members.push(`[member: string]: ${members.length > 0 ? 'unknown' : rest};`);
  }
  return `{\n${members.join('\n')}\n}`;
}

const comment = (text: string | undefined): string => (text ? `/** ${text.replaceAll('*/', '*\\/')} */\n` : '');
const unique = (types: string[]): string[] => [...new Set(types)];
