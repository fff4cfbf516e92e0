import { SFNClient } from '@aws-sdk/client-sfn';
import { clientSettings } from './client-settings.ts';

/** The client of Step Functions, one for each function. */
export const stepFunctions = new SFNClient(clientSettings);
