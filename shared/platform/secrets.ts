import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** Reads a secret from Secrets Manager. @param SecretId its name or ARN */
export async function readSecret(SecretId: string): Promise<string> {
  const { SecretString } = await new SecretsManagerClient({}).send(new GetSecretValueCommand({ SecretId }));
  if (!SecretString) throw new Error('the secret is empty');
  return SecretString.trim();
}
