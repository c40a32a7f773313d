import { parseArgs } from 'node:util';
import { edgePolicy } from '../infra/edge/policy.ts';

/** `npm run edge:policy -- --region eu-west-1 --account 123456789012 --prefix ads-prod-`: what the IAM user of a Worker may do. */
const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { region: text, account: text, prefix: { ...text, default: 'ads-prod-' } } });
const { region, account, prefix } = values;
if (region && account) {
  console.log(JSON.stringify(edgePolicy(`arn:aws:dynamodb:${region}:${account}:table/${prefix}`), null, 2));
} else {
  console.error('Whose tables? npm run edge:policy -- --region eu-west-1 --account 123456789012 [--prefix ads-prod-]');
  process.exitCode = 1;
}
