import { answerRoutes } from '../../adapters/runtime/http/answer-routes.ts';
import { handler as getSettings } from './routes/get-settings.ts';
import { handler as getWebhookSecret } from './routes/get-webhook-secret.ts';
import { handler as listAudit } from './routes/list-audit.ts';
import { handler as rotateWebhookSecret } from './routes/rotate-webhook-secret.ts';
import { handler as setSettings } from './routes/set-settings.ts';
import { handler as testWebhook } from './routes/test-webhook.ts';
import { handler as updateSettings } from './routes/update-settings.ts';

export const handler = answerRoutes<'settings'>({
  getSettings,
  setSettings,
  updateSettings,
  getWebhookSecret,
  rotateWebhookSecret,
  testWebhook,
  listAudit,
});
