import { describe, expect, it } from 'vitest';
import stages from '../../docs/examples/stages.json' with { type: 'json' };
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';

const { service } = synthesizedStage({ settings: { fargate: stages.production.fargate } });
const [dashboard] = Object.values(service.findResources('AWS::CloudWatch::Dashboard'));
const [, errors = ''] = JSON.stringify(dashboard?.Properties.DashboardBody).split('Failed jobs and errors');

describe('the errors in the operations dashboard', () => {
  it('are searched in the logs of five functions and of Fargate tasks', () => {
    expect(errors.split('SOURCE ')).toHaveLength(1 + 5 + 1);
    expect(errors).toContain("SOURCE 'media-jobs-test-fargate'");
  });

  it('include each failed job with its error', () => {
    expect(errors).toContain('or JobsFailed = 1 or');
    expect(errors).toContain('error.code, error.message');
  });
});
