import { CompressedBase64UrlEncoder, GppModel, HeaderV1, Sections, TcfCaV1 } from '@iabgpp/cmpapi';
import { TCString } from '@iabtechlabtcf/core';
import { optsOutOfSale, type Regs } from './regs.ts';

/** GPP sections with their own format. The library's other sections are for US states and the US as a whole. */
const TCF_EU = 2;
const TCF_CANADA = 5;
const US_PRIVACY = 6;

/** TCF purposes that an ad needs consent for: store and access information (1), select basic advertising (2). */
const NEEDED_PURPOSES = [1, 2];

/** Fields of the US sections: 0 not applicable, 1 opted out, 2 not opted out. */
const OPT_OUTS = ['SaleOptOut', 'SharingOptOut', 'TargetedAdvertisingOptOut'];
const VERSIONS = [1, 2];
/** Far more than the length of any real US section. */
const MAX_STATE_CHARACTERS = 128;

/** Whether the applicable TCF and GPP strings opt out. An unreadable string counts as an opt-out. */
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
    return true; // the libraries throw many kinds of errors for malformed strings
  }
}

const isText = (text: unknown): text is string => typeof text === 'string' && text !== '';

/**
 * Header of a GPP string as bits: type 3, version 1, number of groups, then an id or a range of ids per group, as Fibonacci numbers below
 * 4,200. The library expands ranges into lists, so an unbounded range would hang it.
 */
const HEADER = /^000011000001[01]{12}(?:(?:0|1(?:0|10){0,8}11)(?:0|10){0,8}11)*0*$/;
const MAX_HEADER_CHARACTERS = 32;

/** Parses the sections of a GPP string by id. Throws if malformed. */
function parseSections(gpp: string): Map<number, string> {
  const [header = '', ...sections] = gpp.split('~');
  const isReadable =
    header.length <= MAX_HEADER_CHARACTERS && HEADER.test(CompressedBase64UrlEncoder.getInstance().decode(header));
  const ids: number[] = isReadable ? new HeaderV1(header).getFieldValue('SectionIds') : [];
  if (ids.length !== sections.length || ids.length === 0) throw new TypeError('not a GPP string');
  return new Map(sections.map((section, index) => [ids[index]!, section]));
}

/** Whether an applicable section opts out. A missing or unknown section counts as an opt-out. */
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

/** Length of the core string up to its vendor lists. */
const HEAD_EU = 35;
const HEAD_CANADA = 33;
/** Length of empty vendor lists. */
const NO_VENDORS = 9;

/**
 * Returns the core string without its vendor lists. The service is not a registered vendor, so they do not matter, and 8 KB of vendor
 * ranges would keep the library busy for ten seconds.
 */
function withoutVendors(text: string, head: number): string {
  const [core = ''] = text.split('.');
  if (!/^[\w-]+(\.[\w-]+)*$/.test(text) || core.length < head + NO_VENDORS) throw new TypeError('not a TCF string');
  return core.slice(0, head).padEnd(head + 2 * NO_VENDORS, 'A');
}

/** Whether a TCF 2 string consents to the needed purposes. */
function consentsInEurope(text: string): boolean {
  const { version, purposeConsents } = TCString.decode(withoutVendors(text, HEAD_EU));
  return version === 2 && NEEDED_PURPOSES.every((purpose) => purposeConsents.has(purpose));
}

/** Whether a TCF Canada string consents to the needed purposes, by express or implied consent. */
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
