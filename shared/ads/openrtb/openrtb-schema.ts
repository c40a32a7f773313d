import * as z from 'zod';
import { grouped } from '../../platform/values/value-schema.ts';
import { anyMessages } from '../bids/bid-schema.ts';
import { conversationFields, getConversationId, getMember } from '../conversations/conversation-schema.ts';
import { MAX_STRING_CHARACTERS, regsFields } from '../regs/regs-schema.ts';
import { readNative } from './native-schema.ts';

/** What is read of a bid request (OpenRTB 2.6); docs/openrtb.md has every field. */

/** Impressions of one request. */
export const MOST_IMPRESSIONS = 10;

const object = (name: string) => `${name} must be an object`;
const LONGEST = 256;
/** A list of texts, looked through in one go: exchanges send thousands, and a schema for each item takes ten times as long. */
const texts = (name: string, most: number) =>
  z
    .custom<string[]>()
    .check(({ value, issues }) => {
      const fault = (message: string, ...path: number[]) =>
        issues.push({ code: 'custom', input: value, path, message, continue: false });
      const notTexts = `${name} must be a list of at most ${grouped(most)} strings`;
      if (!Array.isArray(value) || value.length > most) return void fault(notTexts);
      const wrong = value.findIndex((text) => typeof text !== 'string' || text.length > LONGEST);
      if (wrong === -1) return;
      const isText = typeof value[wrong] === 'string';
      fault(isText ? `${name} must contain strings of at most ${LONGEST} characters` : notTexts, wrong);
    })
    .meta({ type: 'array', items: { type: 'string', maxLength: LONGEST }, maxItems: most });
const flag = (name: string) => z.literal([0, 1], `${name} must be 0 or 1`);
const short = (name: string, most = 512) => {
  const message = `${name} must be a string of at most ${grouped(most)} characters`;
  return z.string(message).max(most, message);
};
const whole = (name: string, least: number, most: number) => {
  const message = `${name} must be a whole number from ${least} to ${grouped(most)}`;
  return z.int(message).min(least, message).max(most, message);
};

/** A text of which the beginning is read: no body is longer. */
const cut = (name: string) => short(name, 1_048_576);
const atLeast0 = (name: string) => {
  const message = `${name} must be a whole number of at least 0`;
  return z.int(message).min(0, message);
};
/** Vendors number theirs from 500 on, without an end; what is none that is known here is no fault. */
const taxonomy = atLeast0;

/** A native request as JSON within a text, read where it stands, so that its faults are told with their paths. */
const nativeText = z
  .string('request must be a native request as a JSON string')
  .max(65_536, 'request must have at most 65,536 characters')
  .transform((text, { issues }) => {
    const read = readNative(text);
    if ('request' in read) return read.request;
    for (const { path, message } of read.faults) issues.push({ code: 'custom', input: text, path, message });
    return z.NEVER;
  });

const conversation = z.object(
  {
    ...conversationFields,
    messages: anyMessages
      .nullish()
      .describe('The conversation, oldest message first, as in a bid of the SSP API; an empty list counts as absent'),
  },
  object('conversation'),
);
const ext = z.object(
  { conversation: conversation.nullish().describe('The conversation that the ad is for') },
  object('ext'),
);

const impression = z.object(
  {
    id: short('id', 128).min(1, 'id must not be empty').describe('Of this impression, unique in the request'),
    native: z
      .object(
        { request: nativeText.describe('A native request 1.2 as JSON: `assets` and `eventtrackers` are read') },
        object('native'),
      )
      .nullish()
      .describe('What the ad is to be made of; an impression without gets no bid'),
    secure: flag('secure').nullish().describe('1: no picture by http, so an ad that needs one does not bid'),
    bidfloor: z
      .number('bidfloor must be a number')
      .min(0, 'bidfloor must be at least 0')
      .max(1_000_000, 'bidfloor must be at most 1,000,000')
      .nullish()
      .describe('Least CPM; the floor of the key holds too'),
    bidfloorcur: short('bidfloorcur').nullish().describe('Currency of `bidfloor`; another than USD gets no bid'),
    pmp: z
      .object({ private_auction: flag('private_auction').nullish().describe('1: for deals alone') }, object('pmp'))
      .nullish()
      .describe('There are no deals: a private auction gets no bid'),
    ext: ext.nullish().describe('Beyond OpenRTB'),
  },
  'an imp must be an object',
);

const segments = z.object(
  {
    ext: z
      .object({ segtax: taxonomy('segtax').nullish().describe('Taxonomy of the segments') }, object('ext'))
      .nullish()
      .describe('Beyond OpenRTB'),
    segment: z
      .array(
        z.object(
          {
            id: short('id').nullish().describe('Id in the taxonomy'),
            name: cut('name').nullish().describe('What it is called; the first 512 characters are read'),
          },
          'a segment must be an object',
        ),
        'segment must be a list',
      )
      .max(100, 'segment must contain at most 100 segments')
      .nullish()
      .describe('Segments of the content; those of taxonomies of content are read'),
  },
  'data must contain objects',
);

const content = z.object(
  {
    title: cut('title').nullish().describe('What the content is called; the first 1,024 characters are read'),
    keywords: cut('keywords').nullish().describe('Words with commas between; the first 4,096 characters are read'),
    language: short('language')
      .nullish()
      .describe('ISO 639-1; without a conversation ads that are known to be in another language stay out'),
    langb: short('langb').nullish().describe('The same by BCP 47, read where `language` is absent'),
    kwarray: texts('kwarray', 10_000).nullish().describe('The same as a list; the first 100 are read'),
    cat: texts('cat', 100).nullish().describe('Categories of the content; a sensitive one gets no bid'),
    cattax: taxonomy('cattax').nullish().describe('Taxonomy of `cat`; 1 unless told'),
    data: z
      .array(segments, 'data must be a list')
      .max(20, 'data must contain at most 20 lists of segments')
      .nullish()
      .describe('Segments of the content'),
  },
  object('content'),
);

const place = (name: string) =>
  z.object(
    {
      content: content.nullish().describe('What is read or seen there'),
      cat: texts('cat', 100).nullish().describe('Categories of the whole; a sensitive one gets no bid'),
      sectioncat: texts('sectioncat', 100).nullish().describe('Categories of the section, in the same way'),
      pagecat: texts('pagecat', 100).nullish().describe('Categories of the page, in the same way'),
      cattax: taxonomy('cattax').nullish().describe('Taxonomy of these three; 1 unless told'),
    },
    object(name),
  );
const geo = z.object(
  { country: short('country').nullish().describe('ISO 3166-1 alpha-3; what is none counts as unknown') },
  object('geo'),
);

const consent = short('consent', MAX_STRING_CHARACTERS)
  .nullish()
  .describe('A string of the Transparency and Consent Framework');

/** The body of a bid request of an exchange (api 11.1). */
export const exchangeBidRequest = z.object({
  id: short('id', 256).min(1, 'id must not be empty').describe('Of the request; answered as it is'),
  imp: z
    .array(impression, 'imp must be a list of impressions')
    .min(1, 'imp must hold at least one impression')
    .max(MOST_IMPRESSIONS, `imp must contain at most ${MOST_IMPRESSIONS} impressions`)
    .check(({ value, issues }) => {
      const ids = value.map(({ id }) => id);
      ids.forEach((id, index) => {
        const message = 'id must be unique among the impressions';
        if (ids.indexOf(id) < index) issues.push({ code: 'custom', input: id, path: [index, 'id'], message });
      });
    })
    .describe('The impressions on offer; no campaign comes twice'),
  site: place('site').nullish().describe('Where the ad is shown, on the web'),
  app: place('app').nullish().describe('Where the ad is shown, in an app'),
  device: z
    .object({ geo: geo.nullish().describe('Where the device is') }, object('device'))
    .nullish()
    .describe('Of the device its country alone is read'),
  user: z
    .object(
      {
        geo: geo.nullish().describe('Where the user lives; read where the device does not tell'),
        consent,
        ext: z.object({ consent }, object('ext')).nullish().describe('As before OpenRTB 2.6'),
      },
      object('user'),
    )
    .nullish()
    .describe('Of the user the country and the consent alone are read'),
  regs: z
    .object(
      { ...regsFields, ext: z.object(regsFields, object('ext')).nullish().describe('As before OpenRTB 2.6') },
      object('regs'),
    )
    .nullish()
    .describe('What the law asks for'),
  test: flag('test').nullish().describe('1: nothing is charged or counted'),
  at: whole('at', 1, 1_000_000)
    .nullish()
    .describe('1: the bid is what is paid; 2, the default: the price of the notice'),
  tmax: atLeast0('tmax')
    .nullish()
    .describe('Milliseconds in which the answer must be there; it is within 900 in any case'),
  wseat: texts('wseat', 1_000).nullish().describe('Seats that may bid: there are none here, so a list gets no bid'),
  cur: texts('cur', 200).nullish().describe('Currencies that are taken; a list without USD gets no bid'),
  wlang: texts('wlang', 200).nullish().describe('Languages of ads, ISO 639-1; ads in others or unknown ones stay out'),
  acat: texts('acat', 1_000)
    .nullish()
    .describe('Categories whose ads alone may come, by `cattax`; ads of no known category stay out'),
  bcat: texts('bcat', 1_000).nullish().describe('Categories whose ads stay out, by `cattax`'),
  cattax: taxonomy('cattax').nullish().describe('Taxonomy of `bcat`, `acat` and of the answer; 1 unless told'),
  badv: texts('badv', 10_000).nullish().describe('Domains of advertisers whose ads stay out'),
  ext: ext.nullish().describe('Beyond OpenRTB'),
});

export type ExchangeBidRequest = z.output<typeof exchangeBidRequest>;
export type Imp = ExchangeBidRequest['imp'][number];

/** The id of the conversation of a request's first impression, before anything of it is known to be right. */
export function firstConversationIn(json: unknown): string | undefined {
  const [first]: unknown[] = [getMember(json, 'imp')].flat();
  return getConversationId(getMember(first, 'ext')) ?? getConversationId(getMember(json, 'ext'));
}

/** The query of a notice. */
export const notice = z.object({
  price: z
    .string()
    .optional()
    .catch(undefined) // no price at all: nobody's notice is lost over how it is written
    .describe('Clearing price, CPM in USD; heeded under second price'),
  loss: z.string().optional().catch(undefined).describe('Why the bid was lost: a code of OpenRTB'),
});
