import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkEnvironment } from '../../lib/preflight/check-environment.ts';
import { checkQuotas } from '../../lib/preflight/check-quotas.ts';
import { formatFinding } from '../../lib/preflight/finding.ts';
import { readSettings } from '../../lib/settings/read-settings.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/deploying.md'), 'utf8');

/** The stage that the page adds to `cdk.json`. */
function stageOfThePage() {
  const [json = ''] = /^"prod": \{.*\}$/m.exec(text) ?? [];
  return readSettings(JSON.parse(`{${json}}`), 'prod');
}

describe('docs/deploying.md', () => {
  it('shows what the preflight prints for its stage in a new account', () => {
    const settings = stageOfThePage();
    const region = settings.region ?? '';
    const environment = {
      cdkRegion: region,
      sdkRegion: region,
      engineArchitecture: settings.architecture,
      bootstrapVersions: { [region]: undefined },
    };
    const newAccount = {
      concurrentExecutions: 10,
      availableExecutions: 10,
      requestsPerSecond: 10_000,
      requestBurst: 5000,
      fargateVcpus: 6,
      fargateSpotVcpus: 0,
    };
    const findings = [...checkEnvironment(settings, environment), ...checkQuotas(settings, newAccount)];
    expect(text).toContain(
      [
        '```',
        'Requirements of stage prod on this account in eu-central-1:',
        ...findings.map(formatFinding),
        '```',
      ].join('\n'),
    );
  });
});
