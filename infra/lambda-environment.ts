/** Variables of every deployed function. Source maps make stack traces name our source files. */
export const runtimeEnvironment = { NODE_OPTIONS: '--enable-source-maps' };

/** The environment of a deployed function, with a stand-in for DynamoDB. */
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
