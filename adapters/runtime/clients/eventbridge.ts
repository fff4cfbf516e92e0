import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { clientSettings } from './client-settings.ts';

// An event is published as well as it can be: no delivery waits for the end of an outage of the bus.
const { retryStrategy: _, ...settings } = clientSettings;

export const eventBridge = new EventBridgeClient(settings);
