import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import stages from '../../docs/examples/stages.json' with { type: 'json' };
import { readSettings } from '../../lib/settings/read-settings.ts';
import { judges } from '../builders/judges.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';

const tables = `
import json
from cfnlint.helpers import REGIONS
from cfnlint.schema import PROVIDER_SCHEMA_MANAGER as schemas
print(json.dumps({region: schemas.get_resource_types(region) for region in REGIONS}))`;

/** The resource types of CloudFormation by region, which cfn-lint knows; none if it cannot be installed. */
async function typesByRegion(): Promise<Record<string, string[]>> {
  const python = await judges();
  if (python === undefined) return {};
  const { stdout } = await promisify(execFile)(python, ['-c', tables], { maxBuffer: 1e8 });
  return JSON.parse(stdout);
}

const govCloud = {
  ...stages.production,
  edge: {},
  identityProvider: undefined,
  dashboardOrigin: undefined,
  budgetUsdPerMonth: undefined,
};

/** A stage with everything that its region has. */
const stageIn = (region: string) =>
  synthesizedStage({
    settings: {
      ...(region.startsWith('us-gov-') ? govCloud : { ...stages.production, identityProvider: 'cognito' }),
      region,
    },
  });

const isAccepted = (region: string) => {
  try {
    return readSettings({ dev: { region } }, 'dev').region === region;
  } catch {
    return false;
  }
};

const missingIn = (types: readonly string[] = [], templates: readonly (Template | undefined)[]) => {
  const resources = templates.flatMap((template) => Object.values(template?.toJSON().Resources ?? {}));
  const used = new Set((resources as { Type: string }[]).map(({ Type }) => Type));
  return [...used].filter((type) => !type.startsWith('Custom::') && !types.includes(type));
};

const types = await typesByRegion();
const regions = Object.keys(types);

describe.skipIf(regions.length === 0)('every accepted region', () => {
  it('is one of the public partitions, with HTTP APIs', () => {
    expect(regions.filter((region) => !isAccepted(region)).toSorted()).toEqual([
      'ap-east-2',
      'ap-southeast-6',
      'cn-north-1',
      'cn-northwest-1',
      expect.stringMatching('^eu-iso'),
      expect.stringMatching('^eusc-'),
      ...Array(6).fill(expect.stringMatching('^us-iso')),
    ]);
  });

  it.each(regions.filter(isAccepted))('has the resource types of its templates: %s', (region) => {
    const { stateful, service, edge } = stageIn(region);
    expect(missingIn(types[region], [stateful, service])).toEqual([]);
    expect(missingIn(types['us-east-1'], [edge])).toEqual([]);
    const budgets = [service, edge].flatMap((template) =>
      Object.keys(template?.findResources('AWS::Budgets::Budget') ?? {}),
    );
    expect(budgets).toHaveLength(region.startsWith('us-gov-') ? 0 : 1);
  });
});
