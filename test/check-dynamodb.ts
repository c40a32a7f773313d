import { requireDynamoDb } from '../infra/local/dynamodb.ts';
import { toError } from '../shared/platform/values/typed.ts';

/** Global setup: without DynamoDB, stops with one message that says what to do, instead of failing every test. */
export default function checkDynamoDb(): void {
  const { AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint, DYNOXIDE_BIN: dynoxideBin } = process.env;
  try {
    requireDynamoDb({ dynamoDbEndpoint, dynoxideBin });
  } catch (thrown) {
    console.error(toError(thrown).message);
    process.exit(1);
  }
}
