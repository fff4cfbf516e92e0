import { ageInDays, type DatedVersion, maxAgeDays } from '../pinned-versions.ts';
import type { Finding } from './finding.ts';

/** A warning for each version that is too old to be deployed without a look at what was patched since. */
export function checkAges(versions: readonly DatedVersion[], now: Date): Finding[] {
  return versions.flatMap(({ name, version, at }) => {
    const days = ageInDays({ at }, now) ?? 0;
    if (days <= maxAgeDays) return [];
    const requirement = `The ${name}, ${version}: pinned ${days} days ago`;
    const advice = `Debian may have patched it since: take the next version, as layers/ffmpeg/NOTICE.md says`;
    return [{ requirement, status: 'warn', advice }];
  });
}
