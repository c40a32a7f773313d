import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ZodType, z } from 'zod';
import { readNative } from '../../../../shared/ads/openrtb/native-schema.ts';
import { exchangeBidResponse } from '../../../../shared/ads/openrtb/openrtb-response.ts';
import { exchangeBidRequest } from '../../../../shared/ads/openrtb/openrtb-schema.ts';
import { ignoredFields, knownTo } from '../../../../shared/http/ignored-fields.ts';

const DOCUMENT = readFileSync('docs/openrtb.md', 'utf8');
const section = (name: string): string => DOCUMENT.split(/^## /m).find((part) => part.startsWith(`${name}\n`)) ?? '';
const rowsOf = (name: string): string[][] =>
  [...section(name).matchAll(/^\| (.+) \|$/gm)].slice(1).map(([, row = '']) => row.split(/ \| /));

/** Names of fields that a text has in backquotes, without where they stand: `len` of `assets[].title.len`. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path.replace(/\[\d*\]$/, '').replace(/^.*\./, ''));
/** The same with all that they stand in. */
const partsIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].flatMap(([, path = '']) => path.split(/\W+/));

/** All fields that a schema has, at any depth. */
function fieldsOf(schema: z.core.$ZodType): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'nullable') return fieldsOf(def.innerType);
  if (def.type === 'array') return fieldsOf(def.element);
  if (def.type !== 'object') return [];
  return Object.entries(def.shape).flatMap(([name, field]) => [name, ...fieldsOf(field)]);
}

/** What of a native request is read is what can be wrong there. */
function fieldsOfNative(): string[] {
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

describe('The document of OpenRTB', () => {
  it('has every field that is read, and no other', () => {
    const schema: ZodType = exchangeBidRequest;
    const read = new Set([...fieldsOf(schema), ...fieldsOfNative()]);
    const documented = rowsOf('Request');
    expect(read.size).toBeGreaterThan(50);
    const told = new Set(partsIn(documented.flat().join(' ')));
    expect([...read].filter((name) => !told.has(name))).toEqual([]);
    const named = documented.flatMap(([field = '']) => namesIn(field));
    expect(named.filter((name) => !read.has(name))).toEqual([]);
  });

  it('has every field that is answered, and no other', () => {
    const schema: ZodType = exchangeBidResponse;
    const named = rowsOf('Response').flatMap(([field = '']) => partsIn(field).filter((part) => /^[a-z]+$/.test(part)));
    expect(new Set(named)).toEqual(new Set(fieldsOf(schema)));
  });

  it('names as ignored what the header names, and nothing that is read', () => {
    const imp = { banner: 1, video: 1, audio: 1, instl: 1, exp: 1, metric: 1, native: { ver: 1, battr: 1, api: 1 } };
    const whole = { bapp: 1, bseat: 1, wlangb: 1, allimps: 1, source: 1, user: { data: 1, buyeruid: 1, eids: 1 } };
    const header = ignoredFields(knownTo(exchangeBidRequest), { ...whole, imp: [imp] });
    const withinNative = ['context', 'plcmttype', 'privacy'];
    const read = readNative(JSON.stringify({ assets: [{ id: 1 }], context: 1, plcmttype: 1, privacy: 1 }));
    expect(read).toEqual({ request: { assets: [{ id: 1 }] } });
    const names = [...header.map((path) => path.replace(/^.*\./, '')), ...withinNative];
    const places = ['site', 'app', 'device', 'user', 'x-ignored-fields'];
    expect(new Set(namesIn(section('Ignored')).filter((name) => !places.includes(name)))).toEqual(new Set(names));
  });
});
