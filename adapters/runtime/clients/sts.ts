import { STSClient } from '@aws-sdk/client-sts';
import { clientSettings } from './client-settings.ts';
import { ofJob } from './job-credentials.ts';

/** The STS clients of a function, which in a worker act for its job: of its own region, and of one that no account can disable. */
export const sts = {
  here: new STSClient({ ...clientSettings, ...ofJob }),
  everywhere: new STSClient({ ...clientSettings, ...ofJob, region: 'us-east-1' }),
};
