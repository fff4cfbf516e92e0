import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { clientSettings } from './client-settings.ts';

/** The EventBridge client of a function. */
export const eventBridge = new EventBridgeClient(clientSettings);
