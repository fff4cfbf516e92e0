import { testWebhookContract } from '../../core/api/webhook-settings.ts';
import { route } from '../runtime/http/route.ts';
import { postWebhookDeps } from '../runtime/post-webhook-deps.ts';
import { newId } from '../runtime/random.ts';
import { testWebhook } from './app/test-webhook.ts';

export const handler = route(testWebhookContract, testWebhook({ ...postWebhookDeps(), newId }));
