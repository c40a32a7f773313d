import { COUNTRIES, getLanguages } from '../../shared/platform/values/countries.ts';
import type { Option } from './search.ts';

/** What people type instead of a country's English name. */
const COUNTRY_SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE', 'Emirates', 'Dubai', 'Abu Dhabi'],
  AT: ['Österreich'],
  BA: ['Bosnia and Herzegovina'],
  BE: ['Belgique', 'België'],
  BR: ['Brasil'],
  CD: ['DRC', 'DR Congo', 'Democratic Republic of the Congo'],
  CG: ['Republic of the Congo'],
  CH: ['Schweiz', 'Suisse', 'Svizzera'],
  CI: ['Ivory Coast'],
  CN: ['PRC', 'Mainland China', 'People’s Republic of China'],
  CV: ['Cabo Verde'],
  CZ: ['Czech Republic'],
  DE: ['Deutschland', 'Federal Republic of Germany'],
  DK: ['Danmark'],
  ES: ['España'],
  FI: ['Suomi'],
  FK: ['Falklands', 'Malvinas'],
  FR: ['République française'],
  GB: ['UK', 'Great Britain', 'Britain', 'England', 'Scotland', 'Wales', 'Northern Ireland'],
  GR: ['Hellas', 'EL'],
  HK: ['Hong Kong'],
  HR: ['Hrvatska'],
  HU: ['Magyarország'],
  IE: ['Éire', 'Republic of Ireland'],
  IN: ['Bharat'],
  IR: ['Persia', 'Islamic Republic of Iran'],
  IT: ['Italia'],
  JP: ['Nippon'],
  KP: ['DPRK'],
  KR: ['Korea', 'Republic of Korea', 'ROK'],
  MK: ['Macedonia'],
  MM: ['Burma'],
  MO: ['Macau', 'Macao'],
  MX: ['México'],
  NL: ['Holland', 'The Netherlands', 'Nederland'],
  NO: ['Norge'],
  PL: ['Polska'],
  PS: ['Palestine'],
  RU: ['Russian Federation'],
  SE: ['Sverige'],
  SZ: ['Swaziland'],
  TL: ['East Timor'],
  TR: ['Turkey'],
  TW: ['Republic of China', 'ROC'],
  US: ['America', 'USA', 'U.S.', 'U.S.A.', 'United States of America', 'The States'],
  VA: ['Holy See', 'Vatican'],
  VI: ['US Virgin Islands'],
};

const byName = (a: Option, b: Option) => a.name.localeCompare(b.name);

/** All countries by their English names. */
export const createCountries = (): readonly Option[] => {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return COUNTRIES.map((code) => ({
    code,
    name: names.of(code) ?? code,
    synonyms: COUNTRY_SYNONYMS[code] ?? [],
  })).sort(byName);
};

/** What people type instead of a language's English or own name. */
const LANGUAGE_SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  el: ['Modern Greek'],
  es: ['Castilian'],
  fa: ['Farsi'],
  he: ['Ivrit'],
  nb: ['Norwegian'],
  nl: ['Flemish'],
  ro: ['Moldovan'],
  zh: ['Mandarin', 'Cantonese'],
};

/** All languages by their English names. Their own names are synonyms, as far as the browser knows them. */
export const createLanguages = (): readonly Option[] => {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return getLanguages()
    .map((code) => {
      const own = new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code;
      return { code, name: names.of(code) ?? code, synonyms: [own, ...(LANGUAGE_SYNONYMS[code] ?? [])] };
    })
    .sort(byName);
};
