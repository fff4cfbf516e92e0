import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDownloads, formatJob } from '@media-jobs/cli';
import { formatSummary, suite } from '@media-jobs/conformance';
import { describe, expect, it } from 'vitest';
import { completedJobExample } from '../../core/api/job-examples.ts';
import { deployment } from '../../lib/operator/deploy-check/deployment.ts';
import { media } from '../../lib/operator/deploy-check/media.ts';
import { checkAccount, checkEnvironment } from '../../lib/operator/preflight/check-environment.ts';
import { checkQuotas } from '../../lib/operator/preflight/check-quotas.ts';
import { formatFinding } from '../../lib/operator/preflight/finding.ts';
import { needsDistribution } from '../../lib/settings/edge.ts';
import { readSettings } from '../../lib/settings/read-settings.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/deploying.md'), 'utf8');

/** The stage that the page adds to `cdk.json`. */
function stageOfThePage() {
  const [json = ''] = /^"prod": \{.*\}$/m.exec(text) ?? [];
  return readSettings(JSON.parse(`{${json}}`), 'prod');
}

describe('docs/deploying.md', () => {
  it('names the outputs of its stage as CDK prints them', () => {
    const { Outputs = {} } = synthesizedStage({ settings: stageOfThePage() }).service.toJSON();
    const names = Object.keys(Outputs).sort();
    const printed = [...text.matchAll(/^service\.(\w+) = /gm)].map(([, name]) => name);
    expect(printed).toEqual(names);
  });

  it('shows valid settings of a stage with a dashboard', () => {
    const [json = ''] = /^ *"prod": \{\n.*?^ {3}\}$/ms.exec(text) ?? [];
    const settings = readSettings(JSON.parse(`{${json}}`), 'prod');
    expect(settings.identityProvider?.dashboardClient).toBeDefined();
    expect(needsDistribution(settings)).toBe(true);
    const { Outputs } = synthesizedStage({ settings }).service.toJSON();
    expect(Object.keys(Outputs).filter((name) => name.startsWith('EdgeDistributionUrl'))).toHaveLength(1);
  });

  it('shows what the preflight prints for its stage in a new account', () => {
    const settings = stageOfThePage();
    const region = settings.region ?? '';
    const environment = {
      account: settings.account,
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
    const findings = [
      checkAccount(settings, environment),
      ...checkEnvironment(settings, environment),
      ...checkQuotas(settings, newAccount),
    ];
    expect(text).toContain(
      [
        '```',
        'Requirements of stage prod on this account in eu-central-1:',
        ...findings.map(formatFinding),
        '```',
      ].join('\n'),
    );
  });

  it('shows the number of clauses that its check of a stage passes and skips', () => {
    const clauses = [...deployment, ...media, ...suite];
    // `no-origin` is the only need that the command of the page meets.
    const skipped = clauses.filter(({ needs = [] }) => needs.some((need) => need !== 'no-origin')).length;
    const passed = clauses.length - skipped;
    expect(text).toContain(`✓   1/${clauses.length} ${clauses[0]?.sentence}`);
    expect(text).toContain(formatSummary({ passed, failed: 0, skipped, seconds: 67 }));
  });

  it('shows the rows that the command line prints for its first job', () => {
    const [, sample = ''] = /^## 8\. .*?(^Job {2}.*?)^```/ms.exec(text) ?? [];
    const job = {
      ...completedJobExample,
      metadata: undefined,
      worker: 'function' as const,
      chunking: { chunks: 1, reason: 'Encoded in a single pass' },
    };
    const downloads = [{ name: 'output', path: '/home/you/media-jobs/holiday.mp4', sizeBytes: 796_000 }];
    const titles = (rows: string) => rows.split('\n').map((row) => row.split('  ')[0]);
    expect(titles(sample)).toEqual(titles(`${formatJob(job)}\n\n${formatDownloads(downloads)}\n`));
    expect(sample.endsWith(`\n\n${formatDownloads(downloads)}\n`)).toBe(true);
  });
});
