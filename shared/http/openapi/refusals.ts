import * as z from 'zod';
import { absentEverywhere, absentKey, absentOwner } from '../absent.ts';
import {
  type ApiError,
  conflict,
  invalid,
  invalidKey,
  limited,
  noAds,
  notFound,
  notJson,
  ownerRequired,
  somethingWentWrong,
  tooLarge,
  unavailable,
  usedKey,
  usedKeyElsewhere,
} from '../errors.ts';
import type { OperationInput } from '../operations/inputs.ts';
import { type Answering, responsesOf } from '../operations/responses.ts';
import type { Endpoint } from '../operations/rows.ts';

/** A request without any credential: what it is told is the example of a 401. */
const nothing = () => ({ headers: { get: () => null }, url: 'https://localhost' });

/** What an operation may refuse with, as its row tells: the very errors that it would send. */
export function refusalsOf(name: Answering, row: Endpoint & OperationInput): ApiError[] {
  const { area, credential, limit } = row;
  const { notFound: absent = [], conflict: conflicts = [], unfilled } = responsesOf(name);
  return [
    ...(row.body || (row.query && mayBeRefused(row.query))
      ? [invalid(area, [{ path: 'the.field', message: 'What is wrong with it, and what would be right' }])]
      : []),
    ...(credential === 'key' ? [invalidKey(absentKey(nothing()))] : []),
    ...(credential === 'any-key' ? [invalidKey(absentEverywhere(nothing()))] : []),
    ...(credential === 'owner' ? [ownerRequired(absentOwner(nothing()))] : []),
    ...absent.map((message) => notFound(area, message)),
    ...conflicts.map((message) => conflict(message)),
    ...(row.idempotent ? [usedKey()] : []),
    ...(row.idempotent && row.path?.includes('{') ? [usedKeyElsewhere()] : []),
    ...(row.body ? [tooLarge(), notJson()] : []),
    ...(limit ? [limited(area, {})] : []),
    somethingWentWrong(),
    ...(unfilled ? [noAds({})] : []),
    unavailable(),
  ];
}

/** Whether a query can be wrong: those that exchanges fill in are taken however they come. */
const mayBeRefused = (query: z.ZodType): boolean =>
  !(query instanceof z.ZodObject) ||
  !query.safeParse(Object.fromEntries(Object.keys(query.shape).map((name) => [name, ['', '']]))).success;
