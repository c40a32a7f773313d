import * as z from 'zod';
import { grouped, variantLabel } from '../../platform/values/value-schema.ts';
import { anyMessages } from '../bids/bid-schema.ts';
import { conversationFields, getConversationId, getMember } from '../conversations/conversation-schema.ts';
import { MAX_STRING_CHARACTERS, regsFields } from '../regs/regs-schema.ts';
import { readNative } from './native-schema.ts';

/** The fields of a bid request (OpenRTB 2.6) that the service uses. docs/openrtb.md lists every field. */

/** Maximum impressions in one request. */
export const MAX_IMPRESSIONS = 10;

const object = (name: string) => `${name} must be an object`;
const MAX_TEXT_LENGTH = 256;
/** A list of strings, checked in one pass: exchanges send thousands, and a schema per item takes ten times as long. */
const texts = (name: string, most: number) =>
  z
    .custom<string[]>()
    .check(({ value, issues }) => {
      const fault = (message: string, ...path: number[]) =>
        issues.push({ code: 'custom', input: value, path, message, continue: false });
      const notTexts = `${name} must be a list of at most ${grouped(most)} strings`;
      if (!Array.isArray(value) || value.length > most) return void fault(notTexts);
      const wrong = value.findIndex((text) => typeof text !== 'string' || text.length > MAX_TEXT_LENGTH);
      if (wrong === -1) return;
      const isText = typeof value[wrong] === 'string';
      fault(isText ? `${name} must contain strings of at most ${MAX_TEXT_LENGTH} characters` : notTexts, wrong);
    })
    .meta({ type: 'array', items: { type: 'string', maxLength: MAX_TEXT_LENGTH }, maxItems: most });
const flag = (name: string) => z.literal([0, 1], `${name} must be 0 or 1`);
const short = (name: string, most = 512) => {
  const message = `${name} must be a string of at most ${grouped(most)} characters`;
  return z.string(message).max(most, message);
};
const whole = (name: string, least: number, most: number) => {
  const message = `${name} must be a whole number from ${least} to ${grouped(most)}`;
  return z.int(message).min(least, message).max(most, message);
};

/** A string that is only read from its beginning. The limit is the maximum body size. */
const cut = (name: string) => short(name, 1_048_576);
const atLeast0 = (name: string) => {
  const message = `${name} must be a whole number of at least 0`;
  return z.int(message).min(0, message);
};
/** Any number is valid: vendors number their own taxonomies from 500 up. */
const taxonomy = atLeast0;

/** A native request as JSON in a string. It is parsed here, so that errors have their paths. */
const nativeText = z
  .string('request must be a native request as a JSON string')
  .max(65_536, 'request must have at most 65,536 characters')
  .transform((text, { issues }) => {
    const read = readNative(text);
    if ('request' in read) return read.request;
    for (const { path, message } of read.faults) issues.push({ code: 'custom', input: text, path, message });
    return z.NEVER;
  });

const conversation = z
  .object(
    {
      ...conversationFields,
      messages: anyMessages
        .nullish()
        .describe('Messages of the conversation, oldest first, as in the SSP API. An empty list counts as absent'),
    },
    object('conversation'),
  )
  .meta({ id: 'ExchangeConversation' });
const ext = z
  .object(
    {
      conversation: conversation.nullish().describe('Conversation that the ad is for'),
      variant: variantLabel('variant'),
    },
    object('ext'),
  )
  .meta({ id: 'ExchangeExt' });

const impression = z
  .object(
    {
      id: short('id', 128).min(1, 'id must not be empty').describe('ID of the impression, unique in the request'),
      native: z
        .object(
          { request: nativeText.describe('Native 1.2 request as JSON. `assets` and `eventtrackers` are used') },
          object('native'),
        )
        .meta({ id: 'ExchangeNative' })
        .nullish()
        .describe('Native ad request. An impression without it gets no bid'),
      secure: flag('secure').nullish().describe('1: images must load over https'),
      bidfloor: z
        .number('bidfloor must be a number')
        .min(0, 'bidfloor must be at least 0')
        .max(1_000_000, 'bidfloor must be at most 1,000,000')
        .nullish()
        .describe('Minimum CPM. The floor of the API key also applies'),
      bidfloorcur: short('bidfloorcur')
        .nullish()
        .describe('Currency of `bidfloor`. Any currency other than USD gets no bid'),
      pmp: z
        .object({ private_auction: flag('private_auction').nullish().describe('1: only deals may bid') }, object('pmp'))
        .meta({ id: 'ExchangePmp' })
        .nullish()
        .describe('Private marketplace. Deals are not supported, so a private auction gets no bid'),
      ext: ext.nullish().describe('Extension'),
    },
    'an imp must be an object',
  )
  .meta({ id: 'ExchangeImp' });

const segments = z
  .object(
    {
      ext: z
        .object({ segtax: taxonomy('segtax').nullish().describe('Taxonomy of the segments') }, object('ext'))
        .meta({ id: 'ExchangeDataExt' })
        .nullish()
        .describe('Extension'),
      segment: z
        .array(
          z
            .object(
              {
                id: short('id').nullish().describe('ID in the taxonomy'),
                name: cut('name').nullish().describe('Name of the segment. The first 512 characters are used'),
              },
              'a segment must be an object',
            )
            .meta({ id: 'ExchangeSegment' }),
          'segment must be a list',
        )
        .max(100, 'segment must contain at most 100 segments')
        .nullish()
        .describe('Segments of the content. Only segments of content taxonomies are used'),
    },
    'data must contain objects',
  )
  .meta({ id: 'ExchangeData' });

const content = z
  .object(
    {
      title: cut('title').nullish().describe('Title of the content. The first 1,024 characters are used'),
      keywords: cut('keywords').nullish().describe('Comma-separated keywords. The first 4,096 characters are used'),
      language: short('language')
        .nullish()
        .describe(
          'Language of the content, ISO 639-1. Without a conversation, ads known to be in another language are excluded',
        ),
      langb: short('langb').nullish().describe('Language of the content, BCP 47. Used if `language` is absent'),
      kwarray: texts('kwarray', 10_000).nullish().describe('Keywords as a list. The first 100 are used'),
      cat: texts('cat', 100).nullish().describe('Categories of the content. A sensitive category gets no bid'),
      cattax: taxonomy('cattax').nullish().describe('Taxonomy of `cat`; default 1'),
      data: z
        .array(segments, 'data must be a list')
        .max(20, 'data must contain at most 20 lists of segments')
        .nullish()
        .describe('Segments of the content'),
    },
    object('content'),
  )
  .meta({ id: 'ExchangeContent' });

/** A site or an app. OpenRTB calls both a distribution channel. */
const channel = z
  .object(
    {
      content: content.nullish().describe('Content of the page or screen'),
      cat: texts('cat', 100).nullish().describe('Categories of the site or app. A sensitive category gets no bid'),
      sectioncat: texts('sectioncat', 100)
        .nullish()
        .describe('Categories of the section. A sensitive category gets no bid'),
      pagecat: texts('pagecat', 100)
        .nullish()
        .describe('Categories of the page or view. A sensitive category gets no bid'),
      cattax: taxonomy('cattax').nullish().describe('Taxonomy of `cat`, `sectioncat`, and `pagecat`; default 1'),
    },
    { error: ({ path }) => object(String(path?.at(-1))) },
  )
  .meta({ id: 'ExchangeChannel' });
const geo = z
  .object(
    { country: short('country').nullish().describe('Country, ISO 3166-1 alpha-3. An invalid code counts as unknown') },
    object('geo'),
  )
  .meta({ id: 'ExchangeGeo' });

const schain = z
  .unknown()
  .optional()
  .describe(
    'Supply chain. Whether it is complete and its last node (`asi` and `sid`, at most 200 bytes together) are part of `ad.impression` for the owner of the API key. Anything malformed counts as absent',
  );

const consent = short('consent', MAX_STRING_CHARACTERS)
  .nullish()
  .describe('Consent string of the IAB Transparency and Consent Framework');

/** The body of a bid request of an exchange (api 11.1). */
export const exchangeBidRequest = z.object({
  id: short('id', 256).min(1, 'id must not be empty').describe('ID of the request. The response repeats it'),
  imp: z
    .array(impression, 'imp must be a list of impressions')
    .min(1, 'imp must contain at least one impression')
    .max(MAX_IMPRESSIONS, `imp must contain at most ${MAX_IMPRESSIONS} impressions`)
    .check(({ value, issues }) => {
      const ids = value.map(({ id }) => id);
      ids.forEach((id, index) => {
        const message = 'id must be unique among the impressions';
        if (ids.indexOf(id) < index) issues.push({ code: 'custom', input: id, path: [index, 'id'], message });
      });
    })
    .describe('Impressions to bid on. Each campaign bids on at most one'),
  site: channel.nullish().describe('Website that shows the ad'),
  app: channel.nullish().describe('App that shows the ad'),
  device: z
    .object({ geo: geo.nullish().describe('Location of the device') }, object('device'))
    .meta({ id: 'ExchangeDevice' })
    .nullish()
    .describe('Device of the user. Only its country is used'),
  user: z
    .object(
      {
        geo: geo.nullish().describe('Home location of the user. Used if the device has no country'),
        consent,
        ext: z
          .object({ consent }, object('ext'))
          .meta({ id: 'ExchangeUserExt' })
          .nullish()
          .describe('Location of these fields before OpenRTB 2.6'),
      },
      object('user'),
    )
    .meta({ id: 'ExchangeUser' })
    .nullish()
    .describe('The user. Only country and consent are used'),
  regs: z
    .object(
      {
        ...regsFields,
        ext: z
          .object(regsFields, object('ext'))
          .meta({ id: 'ExchangeRegsExt' })
          .nullish()
          .describe('Location of these fields before OpenRTB 2.6'),
      },
      object('regs'),
    )
    .meta({ id: 'ExchangeRegs' })
    .nullish()
    .describe('Privacy signals required by law'),
  // No bid depends on it, so nothing in it is refused.
  source: z
    .object({
      schain,
      ext: z
        .object({ schain })
        .meta({ id: 'ExchangeSourceExt' })
        .nullish()
        .catch(undefined)
        .describe('Location of the supply chain before OpenRTB 2.6'),
    })
    .meta({ id: 'ExchangeSource' })
    .nullish()
    .catch(undefined)
    .describe('Origin of the request. Only the supply chain is used'),
  test: flag('test').nullish().describe('1: test request. Nothing is charged or counted'),
  at: whole('at', 1, 1_000_000)
    .nullish()
    .describe('1: first price, so the bid is paid. 2 (default): second price, so the price in the notice is paid'),
  tmax: atLeast0('tmax')
    .nullish()
    .describe('Maximum response time in milliseconds. Responses never take longer than 900'),
  wseat: texts('wseat', 1_000)
    .nullish()
    .describe('Seats that may bid. Seats are not supported, so a non-empty list gets no bid'),
  cur: texts('cur', 200).nullish().describe('Accepted currencies. A list without USD gets no bid'),
  wlang: texts('wlang', 200)
    .nullish()
    .describe('Allowed languages of ads, ISO 639-1. Ads in another or an unknown language are excluded'),
  acat: texts('acat', 1_000)
    .nullish()
    .describe('Allowed categories, in the taxonomy `cattax`. Ads without a known category are excluded'),
  bcat: texts('bcat', 1_000).nullish().describe('Blocked categories, in the taxonomy `cattax`'),
  cattax: taxonomy('cattax').nullish().describe('Taxonomy of `bcat`, `acat`, and the response; default 1'),
  badv: texts('badv', 10_000).nullish().describe('Blocked advertiser domains'),
  ext: ext.nullish().describe('Extension'),
});

export type ExchangeBidRequest = z.output<typeof exchangeBidRequest>;
export type Imp = ExchangeBidRequest['imp'][number];

/** ID of the conversation of the first impression, read before the body is validated. */
export function getFirstConversationId(json: unknown): string | undefined {
  const [first]: unknown[] = [getMember(json, 'imp')].flat();
  return getConversationId(getMember(first, 'ext')) ?? getConversationId(getMember(json, 'ext'));
}

/** The query of a notice. */
export const notice = z.object({
  price: z
    .string()
    .optional()
    .catch(undefined) // an invalid price counts as absent, so the notice itself is not lost
    .describe('Clearing price, CPM in USD. Used only in second-price auctions'),
  loss: z.string().optional().catch(undefined).describe('OpenRTB loss reason code'),
});

/** Part of `tmax` reserved for the network back to the exchange. */
const NETWORK_MS = 20;

/** Deadline for sending the response, epoch ms. An invalid `tmax` means no deadline here; the schema rejects the request. */
export function getTmaxDeadline(json: unknown, startedAt: number): number {
  const tmax = getMember(json, 'tmax');
  const isTmax = typeof tmax === 'number' && Number.isSafeInteger(tmax) && tmax >= 0;
  return isTmax ? startedAt + tmax - NETWORK_MS : Number.POSITIVE_INFINITY;
}
