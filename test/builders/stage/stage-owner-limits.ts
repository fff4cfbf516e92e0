import type { Tenancy } from '../../../core/access/owner.ts';
import type { OwnerLimits } from '../../../core/access/owner-limits.ts';
import { ownerLimitsOf } from '../../../lib/settings/owner-limits.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';

/** The variable `OWNER_LIMITS` of a stage, with other limits in addition or in place of its own. */
export function stageOwnerLimits(tenancy: Tenancy, differences: Partial<OwnerLimits> = {}): { OWNER_LIMITS: string } {
  const limits = ownerLimitsOf(readSettings({ dev: { tenancy } }, 'dev'));
  return { OWNER_LIMITS: JSON.stringify({ ...limits, ...differences }) };
}
