import { SFNClient } from '@aws-sdk/client-sfn';
import { clientTimeouts } from './timeouts.ts';

/** The client of Step Functions, one for each function. */
export const stepFunctions = new SFNClient(clientTimeouts);
