import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** The program that `cdk synth` runs. The CLI passes the values of `-c` to it in this variable. */
const synthesize = (context: object) =>
  promisify(execFile)(process.execPath, ['--import', './infra/node-version.mjs', 'infra/app.ts'], {
    env: { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context) },
  });

it.each([
  [{ stgae: 'prod' }, /^-c stage: is required, as in -c stage=prod\n-c stgae: is not a setting; settings are .*\n$/],
  [{ stage: 'prod', managmentAuth: 'jwt' }, /^-c managmentAuth: is not a setting; settings are .*\n$/],
  [{ stage: 'prdo' }, /^-c stage=prdo: infra\/stages\/prdo.json does not exist; .*\n$/],
])('A deployment with %j ends with the reason and without a stack trace', async (context, message) => {
  await expect(synthesize(context)).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
});
