import { CompressedBase64UrlEncoder, GppModel, HeaderV1, Sections, TcfCaV1 } from '@iabgpp/cmpapi';
import { TCString } from '@iabtechlabtcf/core';
import { optsOutOfSale, type Regs } from './regs.ts';

/** Sections of GPP with a language of their own; all others that the library knows are those of the United States, national or of a state. */
const TCF_EU = 2;
const TCF_CANADA = 5;
const US_PRIVACY = 6;

/** What an ad needs consent to: storing and accessing information (1), choosing basic advertising (2). */
const NEEDED_PURPOSES = [1, 2];

/** Fields of the sections of the United States: 0 does not apply, 1 opted out, 2 did not. */
const OPT_OUTS = ['SaleOptOut', 'SharingOptOut', 'TargetedAdvertisingOptOut'];
const VERSIONS = [1, 2];
/** Characters of a section of theirs: far more than any real one has. */
const MAX_STATE_CHARACTERS = 128;

/** Whether the strings of TCF and GPP that hold for a request opt out; what cannot be read does. */
export function doStringsOptOut({ gdpr, gpp, gpp_sid, consent }: Regs): boolean {
  try {
    const sections = gpp ? parseSections(gpp) : new Map<number, string>();
    const applicable = gpp_sid?.length
      ? gpp_sid.filter((id) => id > 0)
      : [...sections.keys()].filter((id) => id !== TCF_EU || gdpr !== 0);
    const isEuropean = gdpr === 1 || applicable.includes(TCF_EU);
    const consents = [applicable.includes(TCF_EU) && sections.get(TCF_EU), gdpr !== 0 && consent].filter(isText);
    if ((isEuropean && consents.length === 0) || !consents.every(consentsInEurope)) return true;
    return applicable.some((id) => id !== TCF_EU && doesSectionOptOut(id, sections.get(id)));
  } catch {
    return true; // the libraries throw errors of many kinds at what they cannot read
  }
}

const isText = (text: unknown): text is string => typeof text === 'string' && text !== '';

/**
 * Header of a GPP string in bits: type 3, version 1, how many groups, then for each an id or a range of ids as Fibonacci numbers below 4,200.
 * The library makes a list of every id of a range: of one without an end it would never come back.
 */
const HEADER = /^000011000001[01]{12}(?:(?:0|1(?:0|10){0,8}11)(?:0|10){0,8}11)*0*$/;
const MAX_HEADER_CHARACTERS = 32;

/** The sections of a GPP string by their ids. */
function parseSections(gpp: string): Map<number, string> {
  const [header = '', ...sections] = gpp.split('~');
  const isReadable =
    header.length <= MAX_HEADER_CHARACTERS && HEADER.test(CompressedBase64UrlEncoder.getInstance().decode(header));
  const ids: number[] = isReadable ? new HeaderV1(header).getFieldValue('SectionIds') : [];
  if (ids.length !== sections.length || ids.length === 0) throw new TypeError('no string of GPP');
  return new Map(sections.map((section, index) => [ids[index]!, section]));
}

/** Whether a section that holds opts out: one that is missing, or that the library does not know, does. */
function doesSectionOptOut(id: number, text: string | undefined): boolean {
  if (!text) return true;
  if (id === US_PRIVACY) return optsOutOfSale(text);
  if (id === TCF_CANADA) return !consentsInCanada(text);
  const name = Sections.SECTION_ID_NAME_MAP.get(id);
  if (!name || text.length > MAX_STATE_CHARACTERS) return true;
  const model = new GppModel();
  model.decodeSectionById(id, text);
  const state: Record<string, unknown> = model.getSection(name);
  const isKnown = VERSIONS.includes(Number(state.Version ?? state.MspaVersion));
  return (
    !isKnown ||
    state.Gpc === true ||
    OPT_OUTS.some((field) => ![undefined, 0, 2].some((value) => value === state[field]))
  );
}

/** Characters of a core before its lists of vendors. */
const HEAD_EU = 35;
const HEAD_CANADA = 33;
/** What empty lists of vendors take, in characters. */
const NO_VENDORS = 9;

/**
 * A core without its vendors: the service is on no list of vendors, so no consent to vendors can be for it, and the ranges in 8 KB
 * of them would keep the libraries busy for ten seconds.
 */
function withoutVendors(text: string, head: number): string {
  const [core = ''] = text.split('.');
  if (!/^[\w-]+(\.[\w-]+)*$/.test(text) || core.length < head + NO_VENDORS) throw new TypeError('no string of TCF');
  return core.slice(0, head).padEnd(head + 2 * NO_VENDORS, 'A');
}

/** Whether a string of TCF 2 consents to what is needed. */
function consentsInEurope(text: string): boolean {
  const { version, purposeConsents } = TCString.decode(withoutVendors(text, HEAD_EU));
  return version === 2 && NEEDED_PURPOSES.every((purpose) => purposeConsents.has(purpose));
}

/** Whether a string of TCF Canada consents to what is needed, expressly or by having been told and not objected. */
function consentsInCanada(text: string): boolean {
  const section = new TcfCaV1(withoutVendors(text, HEAD_CANADA));
  const purposeFields = ['PurposesExpressConsent', 'PurposesImpliedConsent'].map((field) =>
    section.getFieldValue(field),
  );
  return (
    section.getFieldValue('Version') === 1 &&
    NEEDED_PURPOSES.every((purpose) => purposeFields.some((purposes) => purposes[purpose - 1] === true))
  );
}
