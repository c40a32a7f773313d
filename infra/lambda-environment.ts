/** The environment that Lambda and the stack hand to a function, with a stand-in in the place of DynamoDB. */
export const lambdaEnvironment = (dynamoDbEndpoint: string, prefix: string): Record<string, string> => ({
  TABLE_PREFIX: prefix,
  BASE_URL: 'https://ads.example',
  LOG_LEVEL: 'silent',
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint,
});
