import { SFNClient } from '@aws-sdk/client-sfn';
import { clientSettings } from './client-settings.ts';

export const stepFunctions = new SFNClient(clientSettings);
