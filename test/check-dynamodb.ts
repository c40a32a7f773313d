import { requireDynamoDb } from '../infra/local/dynamodb.ts';
import { errorOf } from '../shared/platform/values/typed.ts';

/** Before any test: one line that says what to do where there is no DynamoDB, instead of a failure of each. */
export default function checkDynamoDb(): void {
  const { AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint, DYNOXIDE_BIN: dynoxideBin } = process.env;
  try {
    requireDynamoDb({ dynamoDbEndpoint, dynoxideBin });
  } catch (thrown) {
    console.error(errorOf(thrown).message);
    process.exit(1);
  }
}
