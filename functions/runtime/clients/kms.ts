import { KMSClient } from '@aws-sdk/client-kms';
import { clientSettings } from './client-settings.ts';

/** The KMS client of a function. */
export const kms = new KMSClient(clientSettings);
