import { STSClient } from '@aws-sdk/client-sts';
import { clientSettings } from './client-settings.ts';

/** The STS clients of a function: of its own region, and of one that no account can disable. */
export const sts = {
  here: new STSClient({ ...clientSettings }),
  everywhere: new STSClient({ ...clientSettings, region: 'us-east-1' }),
};
