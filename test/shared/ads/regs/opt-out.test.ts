import { FibonacciIntegerEncoder, GppModel, Sections } from '@iabgpp/cmpapi';
import { describe, expect, it } from 'vitest';
import { hasOptedOut } from '../../../../shared/ads/regs/opt-out.ts';
import type { Regs } from '../../../../shared/ads/regs/regs.ts';

type Fields = Record<string, unknown>;

/** A GPP string with the sections, by name. */
function gpp(sections: Record<string, Fields>): string {
  const model = new GppModel();
  for (const [section, fields] of Object.entries(sections))
    for (const [field, value] of Object.entries(fields)) model.setFieldValue(section, field, value);
  return model.encode();
}

const purposes = (...ids: number[]): boolean[] => Array.from({ length: 24 }, (_, index) => ids.includes(index + 1));
const europe = (...ids: number[]) => ({ CmpId: 31, PurposeConsents: purposes(...ids), VendorConsents: [3, 28, 755] });
/** A TCF 2 string with consent to the purposes. */
const tcf = (...ids: number[]): string => gpp({ tcfeuv2: europe(...ids) }).split('~')[1]!;
const canada = (express: number[], implied: number[]) => ({
  PurposesExpressConsent: purposes(...express),
  PurposesImpliedConsent: purposes(...implied),
});

const expectAll = async (expected: boolean, all: Regs[]) => {
  for (const regs of all)
    expect([JSON.stringify(regs), await hasOptedOut(regs)]).toEqual([expect.anything(), expected]);
};
const optOut = (...all: Regs[]) => expectAll(true, all);
const noOptOut = (...all: Regs[]) => expectAll(false, all);

/** The library's sections of the United States. */
const states = [...Sections.SECTION_ID_NAME_MAP.values()].filter((name) => /^us(?!pv1)/.test(name));

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const base64 = (bits: string): string =>
  (bits.match(/.{1,6}/g) ?? []).map((part) => DIGITS[Number.parseInt(part.padEnd(6, '0'), 2)]).join('');
const binary = (value: number, bits: number): string => value.toString(2).padStart(bits, '0');
const bitsOf = (text: string): string => [...text].map((digit) => binary(DIGITS.indexOf(digit), 6)).join('');

describe('an opt-out', () => {
  it('is absent without signals, and if no law applies', () =>
    noOptOut({}, { gdpr: 0 }, { gdpr: null, gpp: null, consent: null }, { gpp: '', consent: '' }, { gpp_sid: [-1] }));

  it('is an opt-out of sale in the CCPA string, or an invalid CCPA string', async () => {
    await noOptOut({ us_privacy: '1YNN' }, { us_privacy: '1---' });
    await optOut({ us_privacy: '1YYN' }, { us_privacy: '2' });
  });

  it('is Global Privacy Control, as a number or a string, regardless of other signals', async () => {
    await noOptOut({ gpc: 0 }, { gpc: '0' }, { gpc: '' }, { gpc: null });
    await optOut({ gpc: 1 }, { gpc: '1', us_privacy: '1YNN' }, { gpc: 1, gpp_sid: [-1] });
  });

  it('is assumed if a law applies but its string is missing', () =>
    optOut(
      { gdpr: 1 },
      { gdpr: 1, consent: '' },
      { gpp_sid: [7] },
      { gdpr: 1, gpp: gpp({ usca: { SaleOptOut: 2 } }) },
    ));

  it('is a TCF string without consent to purposes 1 and 2, regardless of vendors, if European law applies', async () => {
    await noOptOut({ gdpr: 1, consent: tcf(1, 2, 7) }, { consent: tcf(1, 2) }, { gdpr: 0, consent: tcf() });
    await optOut({ gdpr: 1, consent: tcf(1) }, { consent: tcf(2) }, { gdpr: 1, consent: tcf() });
  });

  it('is an invalid TCF string: truncated, another version, other characters, another segment', async () => {
    const whole = tcf(1, 2);
    const [core = '', disclosed = ''] = whole.split('.');
    await optOut(
      ...[
        core.slice(0, 40),
        `B${core.slice(1)}`,
        `D${core.slice(1)}`,
        `${core} `,
        `${core}.`,
        disclosed,
        'x',
        '{}',
      ].map((consent) => ({ consent })),
    );
  });

  it('is an opt-out of sale, sharing, or targeted advertising in a national or state section, or its Global Privacy Control', async () => {
    expect(states).toHaveLength(21);
    for (const state of states) {
      const fields = new GppModel(gpp({ [state]: { SaleOptOut: 2 } })).getSection(state);
      await noOptOut({ gpp: gpp({ [state]: { SaleOptOut: 2 } }) }, { gpp: gpp({ [state]: { SaleOptOut: 0 } }) });
      for (const field of ['SaleOptOut', 'SharingOptOut', 'TargetedAdvertisingOptOut'])
        if (field in fields) await optOut({ gpp: gpp({ [state]: { [field]: 1 } }) });
      if ('Gpc' in fields) await optOut({ gpp: gpp({ [state]: { Gpc: true } }) });
    }
  });

  it('is read from the applicable sections: those of gpp_sid, or all', async () => {
    const both = gpp({ usca: { SaleOptOut: 1 }, usco: { SaleOptOut: 2 }, tcfeuv2: europe(1, 2) });
    await noOptOut({ gpp: both, gpp_sid: [10] }, { gpp: both, gpp_sid: [2, 10] }, { gpp: both, gpp_sid: [-1] });
    await optOut({ gpp: both }, { gpp: both, gpp_sid: [] }, { gpp: both, gpp_sid: [8, 10] });
    await optOut({ gpp: both, gpp_sid: [10, 12] }, { gpp: both, gpp_sid: [99] }); // a section that is not in the string
  });

  it('is also read from TCF sections in a GPP string', async () => {
    const european = (...ids: number[]) => gpp({ tcfeuv2: europe(...ids) });
    await noOptOut({ gpp: european(1, 2) }, { gdpr: 1, gpp: european(1, 2) }, { gdpr: 0, gpp: european() });
    await noOptOut({ gpp_sid: [2], consent: tcf(1, 2) });
    await optOut({ gpp: european(1) }, { gdpr: 0, gpp: european(), gpp_sid: [2] });
    await optOut({ gpp: european(1, 2), consent: tcf(1) });
    await noOptOut({ gpp: gpp({ tcfcav1: canada([1], [2]) }) }, { gpp: gpp({ tcfcav1: canada([1, 2], []) }) });
    await optOut({ gpp: gpp({ tcfcav1: canada([1], [3]) }) }, { gpp: 'DBABDA~BQuIEN8Q' });
    await noOptOut({ gpp: 'DBABTA~1YNN' });
    await optOut({ gpp: 'DBABTA~1YYN' }, { gpp: 'DBABTA~1Y' });
  });

  it('is an invalid GPP string, or one with an unknown section', async () => {
    const [header, section] = gpp({ usca: { SaleOptOut: 2 } }).split('~');
    const unknown = base64(`000011000001000000000001${`0${FibonacciIntegerEncoder.encode(90)}`}`);
    await optOut(
      ...[
        'x',
        header,
        `${header}~`,
        `${header}~${section}~${section}`,
        `${header}~B`,
        `${header}~${section}!`,
        `${unknown}~BAAA`,
      ].map((text) => ({ gpp: text! })),
      { gpp: `${header}~${base64(`111111${bitsOf(section!).slice(6)}`)}` }, // a future version
    );
    await noOptOut({ gpp: `${header}~${section}` });
  });

  it('is found in bounded time in strings crafted to be slow', async () => {
    const ranges = `1${binary(1, 16)}${'1'.repeat(16)}`.repeat(4_000);
    const vendors = base64(`${bitsOf(tcf(1)).slice(0, 213)}${'1'.repeat(17)}${binary(4_000, 12)}${ranges}`);
    const ids = (most: number) => `1${FibonacciIntegerEncoder.encode(1)}${FibonacciIntegerEncoder.encode(most)}`;
    const header = (groups: string) => base64(`000011000001${binary(groups.length, 12)}${groups}`);
    const state = gpp({ usca: { SaleOptOut: 1 } });
    const before = process.cpuUsage();
    await optOut(
      { consent: vendors },
      { gpp: `DBABMA~${vendors}` },
      { gpp: `DBABDA~B${vendors.slice(1)}` },
      { gpp: `${header(ids(2 ** 40))}~a` },
      { gpp: `${header(ids(4_000).repeat(2_000))}~a` },
      { gpp: '~'.repeat(65_536) },
      { gpp: `DBABBg~${'B'.repeat(65_000)}` },
      { gpp: `${state}${'A'.repeat(65_000)}` },
      { consent: '.'.repeat(65_536) },
      { consent: 'C'.repeat(65_536) },
    );
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  });
});
