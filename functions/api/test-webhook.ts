import { testWebhookContract } from '../../core/api/webhook-settings.ts';
import { route } from '../runtime/http/route.ts';
import { postingPorts } from '../runtime/posting-ports.ts';
import { newId } from '../runtime/random.ts';
import { testWebhook } from './app/test-webhook.ts';

export const handler = route(testWebhookContract, testWebhook({ ...postingPorts(), newId }));
