import { SFNClient } from '@aws-sdk/client-sfn';
import { clientSettings } from './client-settings.ts';

/** The Step Functions client of a function. */
export const stepFunctions = new SFNClient(clientSettings);
