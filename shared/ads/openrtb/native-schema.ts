import * as z from 'zod';

/** The fields of a native request (OpenRTB Native 1.2, section 4) that the service uses. */

const count = (name: string) => {
  const message = `${name} must be a whole number of at least 0`;
  return z.int(message).min(0, message);
};
const type = (name: string) => {
  const message = `${name} must be a whole number of at least 1`;
  return z.int(message).min(1, message);
};

const asset = z.object(
  {
    id: z.int('id must be a whole number'),
    required: z.literal([0, 1], 'required must be 0 or 1').nullish(),
    title: z.object({ len: count('len') }, 'title must be an object').nullish(),
    img: z.object({ type: type('type').nullish() }, 'img must be an object').nullish(),
    data: z.object({ type: type('type'), len: count('len').nullish() }, 'data must be an object').nullish(),
  },
  'an asset must be an object',
);

const nativeRequest = z.object(
  {
    ver: z
      .union([z.string(), z.number()], 'ver must be a string or a number')
      .transform((ver) => (typeof ver === 'number' ? ver.toFixed(1) : ver))
      .nullish(),
    assets: z
      .array(asset, 'assets must be a list of assets')
      .min(1, 'assets must contain at least one asset')
      .max(50, 'assets must contain at most 50 assets'),
    eventtrackers: z
      .array(
        z.object(
          { event: type('event'), methods: z.array(type('methods'), 'methods must be a list of numbers') },
          'an event tracker must be an object',
        ),
        'eventtrackers must be a list',
      )
      .nullish(),
  },
  'request must be a native request',
);

export type NativeRequest = z.output<typeof nativeRequest>;
export type NativeAssetRequest = NativeRequest['assets'][number];

interface Fault {
  path: PropertyKey[];
  message: string;
}

/** Parses a native request. Versions before 1.1 have an object `native` around it. */
export function readNative(text: string): { request: NativeRequest } | { faults: Fault[] } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { faults: [{ path: [], message: 'request must be a native request as JSON' }] };
  }
  const bare = typeof json === 'object' && json !== null && 'native' in json ? json.native : json;
  const read = nativeRequest.safeParse(bare);
  return read.success
    ? { request: read.data }
    : { faults: read.error.issues.map(({ path, message }) => ({ path, message })) };
}
