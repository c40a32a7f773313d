/** The variables of every deployed function: stacks name files and lines of our source, by the maps next to the bundle. */
export const runtimeEnvironment = { NODE_OPTIONS: '--enable-source-maps' };

/** The environment that Lambda and the stack hand to a function, with a stand-in in the place of DynamoDB. */
export const lambdaEnvironment = (dynamoDbEndpoint: string, prefix: string): Record<string, string> => ({
  ...runtimeEnvironment,
  TABLE_PREFIX: prefix,
  BASE_URL: 'https://ads.example',
  LOG_LEVEL: 'silent',
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint,
});
