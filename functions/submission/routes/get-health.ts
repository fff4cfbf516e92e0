import { publicRoute } from '../../../adapters/runtime/http/route.ts';
import { getHealthContract } from '../../../core/api/health.ts';
import { version } from '../../../core/version.ts';

export const handler = publicRoute(
  getHealthContract,
  async () => ({ status: 200, body: { ok: true, version } }) as const,
);
