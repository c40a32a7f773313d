import * as z from 'zod';
import { toRecord } from '../platform/values/typed.ts';
import { text, webUrl } from '../platform/values/value-schema.ts';
import { CREATIVE_DESCRIPTIONS, CREATIVE_FIELD_NAMES, CREATIVE_FIELDS, type CreativeField } from './creative.ts';

/** Schema of a creative in a request body. The API treats null and an absent field alike: both mean the default. */
export const creativeInput = () => {
  const fieldInput = (name: CreativeField) => {
    const field = CREATIVE_FIELDS[name];
    if (field.kind === 'url') return webUrl(name).nullish();
    // A campaign has a description of its own, so its error names which one is too long.
    return text(name === 'description' ? 'creative description' : name, field.max).nullish();
  };
  return z
    .object(toRecord(CREATIVE_FIELD_NAMES, fieldInput), 'creative must be an object')
    .meta({ id: 'CreativeInput' });
};

/** Schema of a creative in a response. */
export const creativeOutput = () =>
  z
    .object(toRecord(CREATIVE_FIELD_NAMES, (name) => z.string().describe(CREATIVE_DESCRIPTIONS[name])))
    .meta({ id: 'Creative' })
    .describe('The ad. A field that is not set is an empty string');
