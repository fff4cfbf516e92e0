import { STSClient } from '@aws-sdk/client-sts';
import { clientSettings } from './client-settings.ts';

/** The STS client of a function. */
export const sts = new STSClient(clientSettings);
