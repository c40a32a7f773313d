import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { bundle, bundleFolder } from './bundle.ts';
import { settingsOf } from './settings.ts';
import { AdsStack } from './stack.ts';

await bundle();
const app = new App();
const settings = settingsOf('dev');
new AdsStack(app, `conversation-ads-${settings.stage}`, {
  settings,
  codeOf: (name) => Code.fromAsset(bundleFolder(name)),
});
