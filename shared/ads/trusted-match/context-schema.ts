import * as z from 'zod';
import { canonicalAgentUrl } from '../../platform/values/urls.ts';
import { grouped } from '../../platform/values/value-schema.ts';

/** The fields of a Context Match request (AdCP Trusted Match) that the service uses. docs/trusted-match.md lists every field. */

const object = (name: string) => `${name} must be an object`;
const text = (name: string, most: number) => {
  const message = `${name} must be a string of at most ${grouped(most)} characters`;
  return z.string(message).max(most, message);
};
const texts = (name: string, most: number, length: number) => {
  const message = `${name} must be a list of at most ${most} strings of at most ${length} characters`;
  return z.array(text(name, length), message).max(most, message);
};

/** Types of places where a publisher shows ads, as the protocol names them. */
const PROPERTY_TYPES = [
  'website',
  'mobile_app',
  'ctv_app',
  'desktop_app',
  'dooh',
  'podcast',
  'radio',
  'linear_tv',
  'streaming_audio',
  'ai_assistant',
] as const;
const ASSETS = ['text', 'image', 'video', 'audio'] as const;
const FORMATS = ['text/plain', 'text/markdown', 'text/html', 'application/json'] as const;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SELLER = 'seller_agent_url must be an http or https URL of at most 2,048 characters';
const PACKAGES = 'package_ids must be a list of 1 to 500 strings';
const MAJOR = 'adcp_major_version must be 3';

const contextSignals = z
  .object(
    {
      topics: texts('topics', 50, 256)
        .optional()
        .describe("Topic IDs in the taxonomy, or words if the taxonomy is the publisher's own"),
      taxonomy_source: text('taxonomy_source', 256).optional().describe('Source of the taxonomy; default `iab`'),
      taxonomy_id: z
        .int('taxonomy_id must be a whole number')
        .optional()
        .describe('Taxonomy as an AdCOM `cattax` value; default 7 (Content Taxonomy 3.0)'),
      keywords: texts('keywords', 50, 100).optional().describe('Keywords of the content'),
      language: z
        .string('language must be a two-letter ISO 639-1 code such as en')
        .regex(/^[a-z]{2}$/, 'language must be a two-letter ISO 639-1 code such as en')
        .optional()
        .describe('Language, ISO 639-1. Ads known to be in another language are excluded'),
      content_policies: texts('content_policies', 20, 256)
        .optional()
        .describe("Policies that apply to the content. The policy for children's content excludes every ad"),
      summary: text('summary', 500).optional().describe('Summary of the content in one sentence'),
    },
    object('context_signals'),
  )
  .meta({ id: 'TrustedMatchContextSignals' });

const asset = z
  .object(
    {
      type: z
        .enum(ASSETS, 'type of an asset must be text, image, video, or audio')
        .describe('Type of the asset. Only text is used'),
      content: text('content', 100_000).optional().describe('Content of a text asset'),
      content_format: z
        .enum(FORMATS, `content_format must be one of ${FORMATS.join(', ')}`)
        .optional()
        .describe(
          'Format of the text; default plain text. HTML is used without tags, scripts, and styles. JSON is ignored',
        ),
    },
    'assets must contain objects',
  )
  .meta({ id: 'TrustedMatchArtifactAsset' });

/** The body of a Context Match request (api 11.3). */
export const contextMatchRequest = z.object({
  type: z.literal('context_match_request', 'type must be context_match_request').describe('Type of the message'),
  adcp_version: text('adcp_version', 64)
    .regex(/^3\.\d/, 'adcp_version must be 3.x')
    .optional()
    .describe('AdCP version, 3.x'),
  adcp_major_version: z.literal(3, MAJOR).optional().describe('AdCP major version; older form of `adcp_version`'),
  protocol_version: text('protocol_version', 64)
    .regex(/^1\.\d/, 'protocol_version must be 1.x')
    .optional()
    .describe('Trusted Match version, 1.x'),
  request_id: text('request_id', 1_024).describe('ID of the request. The response repeats it'),
  property_rid: z
    .string('property_rid must be a UUID')
    .regex(UUID, 'property_rid must be a UUID')
    .describe('ID of the property in the catalog'),
  property_type: z
    .enum(PROPERTY_TYPES, `property_type must be one of ${PROPERTY_TYPES.join(', ')}`)
    .describe('Type of the property. Only `ai_assistant` gets offers'),
  placement_id: text('placement_id', 1_024).describe('Placement of the ad on the property'),
  seller_agent_url: text('seller_agent_url', 2_048)
    .transform((url) => canonicalAgentUrl(url) ?? '')
    .refine((url) => url !== '', SELLER)
    .describe('URL of the seller agent. Only the seller that the API key registers gets offers'),
  package_ids: z
    .array(text('package_ids', 256), PACKAGES)
    .min(1, PACKAGES)
    .max(500, PACKAGES)
    .optional()
    .describe('Campaigns that may be offered; default all'),
  geo: z
    .object(
      {
        country: z
          .string('country must be a two-letter ISO 3166-1 code such as US')
          .regex(/^[A-Z]{2}$/, 'country must be a two-letter ISO 3166-1 code such as US')
          .optional()
          .describe('Country, ISO 3166-1 alpha-2. An unassigned code counts as unknown'),
      },
      object('geo'),
    )
    .meta({ id: 'TrustedMatchGeo' })
    .optional()
    .describe('Location of the user. Only the country is used'),
  context_signals: contextSignals.optional().describe("The publisher's classification of the content"),
  artifact: z
    .object(
      {
        property_rid: text('property_rid', 256).optional().describe('ID of the property. Ignored'),
        artifact_id: text('artifact_id', 1_024).optional().describe('ID of the content. Ignored'),
        assets: z
          .array(asset, 'assets must be a list')
          .max(200, 'assets must contain at most 200 assets')
          .describe('Assets in order, newest last'),
      },
      object('artifact'),
    )
    .meta({ id: 'TrustedMatchArtifact' })
    .optional()
    .describe('The content'),
});

export type ContextMatchRequest = z.output<typeof contextMatchRequest>;
