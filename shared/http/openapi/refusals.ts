import type { Endpoint, EndpointName } from '../../operations/endpoints.ts';
import { responsesOf } from '../../operations/responses.ts';
import { absentEverywhere, absentKey, absentUser } from '../absent.ts';
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

/** A request without any credential: what it is told is the example of a 401. */
const NOTHING = { headers: {}, rawQueryString: '' };

/** What an operation may refuse with, as its row tells: the very errors that it would send. */
export function refusalsOf(name: EndpointName, row: Endpoint): ApiError[] {
  const { area, credential, limit } = row;
  const { notFound: absent = [], conflict: taken, unfilled } = responsesOf(name);
  return [
    ...(row.body || row.query
      ? [invalid(area, [{ path: 'the.field', message: 'What is wrong with it, and what would be right' }])]
      : []),
    ...(credential === 'key' ? [invalidKey(absentKey(NOTHING))] : []),
    ...(credential === 'any-key' ? [invalidKey(absentEverywhere(NOTHING))] : []),
    ...(credential === 'user' ? [userIdRequired(absentUser(NOTHING))] : []),
    ...absent.map((message) => notFound(area, message)),
    ...(taken ? [conflict(taken)] : []),
    ...(row.body ? [tooLarge(), notJson()] : []),
    ...(limit ? [limited(area, {})] : []),
    somethingWentWrong(),
    ...(unfilled ? [noAds({})] : []),
    unavailable(),
  ];
}
