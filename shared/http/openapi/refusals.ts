import { answersOf } from '../../answers.ts';
import type { Endpoint, EndpointName } from '../../endpoints.ts';
import {
  type ApiError,
  conflict,
  invalid,
  invalidKey,
  limited,
  noAds,
  notFound,
  notJson,
  somethingWentWrong,
  tooLarge,
  unavailable,
  userIdRequired,
} from '../errors.ts';

/** What an operation may refuse with, as its row tells: the very errors that it would send. */
export function refusalsOf(name: EndpointName, row: Endpoint): ApiError[] {
  const { area, credential, limit } = row;
  const { notFound: absent = [], conflict: taken, unfilled } = answersOf(name);
  return [
    ...(row.body || row.query
      ? [invalid(area, [{ path: 'the.field', message: 'What is wrong with it, and what would be right' }])]
      : []),
    ...(credential === 'key' || credential === 'any-key' ? [invalidKey()] : []),
    ...(credential === 'user' ? [userIdRequired()] : []),
    ...absent.map((message) => notFound(area, message)),
    ...(taken ? [conflict(taken)] : []),
    ...(row.body ? [tooLarge(), notJson()] : []),
    ...(limit ? [limited(area, {})] : []),
    somethingWentWrong(),
    ...(unfilled ? [noAds({})] : []),
    unavailable(),
  ];
}
