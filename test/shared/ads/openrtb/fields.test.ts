import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ZodType, z } from 'zod';
import { readNative } from '../../../../shared/ads/openrtb/native-schema.ts';
import { exchangeBidResponse } from '../../../../shared/ads/openrtb/openrtb-response.ts';
import { exchangeBidRequest } from '../../../../shared/ads/openrtb/openrtb-schema.ts';
import { ignoredFields, knownTo } from '../../../../shared/http/ignored-fields.ts';

const DOCUMENT = readFileSync('docs/openrtb.md', 'utf8');
const section = (name: string): string => DOCUMENT.split(/^## /m).find((part) => part.startsWith(`${name}\n`)) ?? '';
const getRows = (name: string): string[][] =>
  [...section(name).matchAll(/^\| (.+) \|$/gm)].slice(1).map(([, row = '']) => row.split(/ \| /));

/** The field names in the code spans of a text, without their parents: `len` for `assets[].title.len`. */
const getNames = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path.replace(/\[\d*\]$/, '').replace(/^.*\./, ''));
/** The field names in the code spans of a text, with their parents. */
const getParts = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].flatMap(([, path = '']) => path.split(/\W+/));

/** All fields of a schema, at any depth. */
function getFields(schema: z.core.$ZodType): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'catch') return getFields(def.innerType);
  if (def.type === 'array') return getFields(def.element);
  if (def.type !== 'object') return [];
  return Object.entries(def.shape).flatMap(([name, field]) => [name, ...getFields(field)]);
}

/** The fields of a native request that are read: those that can be wrong. */
function getNativeFields(): string[] {
  const wrong = {
    ver: {},
    assets: [{ id: '', required: '', title: { len: '' }, img: { type: '' }, data: { type: '', len: '' } }],
    eventtrackers: [{ event: '', methods: '' }],
  };
  const read = readNative(JSON.stringify(wrong));
  return 'faults' in read
    ? read.faults.flatMap(({ path }) => path.map(String).filter((part) => !/^\d/.test(part)))
    : [];
}

describe('docs/openrtb.md', () => {
  it('lists exactly the request fields that are read', () => {
    const schema: ZodType = exchangeBidRequest;
    const read = new Set([...getFields(schema), ...getNativeFields()]);
    const documented = getRows('Request');
    expect(read.size).toBeGreaterThan(50);
    const mentioned = new Set(getParts(documented.flat().join(' ')));
    expect([...read].filter((name) => !mentioned.has(name))).toEqual([]);
    const named = documented.flatMap(([field = '']) => getNames(field));
    expect(named.filter((name) => !read.has(name))).toEqual([]);
  });

  it('lists exactly the fields of the response', () => {
    const schema: ZodType = exchangeBidResponse;
    const named = getRows('Response').flatMap(([field = '']) =>
      getParts(field).filter((part) => /^[a-z]+$/.test(part)),
    );
    expect(new Set(named)).toEqual(new Set(getFields(schema)));
  });

  it('lists as ignored what the x-ignored-fields header reports', () => {
    const imp = { banner: 1, video: 1, audio: 1, instl: 1, exp: 1, metric: 1, native: { ver: 1, battr: 1, api: 1 } };
    const whole = {
      bapp: 1,
      bseat: 1,
      wlangb: 1,
      allimps: 1,
      source: { fd: 1, tid: 1, pchain: 1 },
      user: { data: 1, buyeruid: 1, eids: 1 },
    };
    const header = ignoredFields(knownTo(exchangeBidRequest), { ...whole, imp: [imp] });
    const withinNative = ['context', 'plcmttype', 'privacy'];
    const read = readNative(JSON.stringify({ assets: [{ id: 1 }], context: 1, plcmttype: 1, privacy: 1 }));
    expect(read).toEqual({ request: { assets: [{ id: 1 }] } });
    const names = [...header.map((path) => path.replace(/^.*\./, '')), ...withinNative];
    const places = ['site', 'app', 'device', 'user', 'x-ignored-fields'];
    expect(new Set(getNames(section('Ignored')).filter((name) => !places.includes(name)))).toEqual(new Set(names));
  });
});
