import { KMSClient } from '@aws-sdk/client-kms';
import { clientSettings } from './client-settings.ts';
import { ofJob } from './job-credentials.ts';

let client: KMSClient | undefined;

/** The KMS client of a function, made at its first use: most requests have no secret. */
export function kms(): KMSClient {
  client ??= new KMSClient({ ...clientSettings, ...ofJob });
  return client;
}
