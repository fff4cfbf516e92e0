import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { planStage, readAssembly } from '@media-jobs/local-stage/template';
import { endpoints } from '@media-jobs/local-stage/testing';
import { expect, it } from 'vitest';
import { synthesize } from '../../lib/build/synthesize.ts';
import { judges } from '../builders/judges.ts';

/** Judges policies with parliament, whose tables are those of AWS's Service Authorization Reference. */
const program = `
import json, sys
from parliament import analyze_policy_string
for name, policy in json.loads(sys.argv[1]).items():
    for finding in analyze_policy_string(json.dumps(policy)).findings:
        print(name, finding.issue, json.dumps(finding.detail))`;

/**
 * Otherwise than the Service Authorization Reference and the KMS Developer Guide ("AWS KMS condition keys"), parliament knows
 * the key for no action, and of an action's alternative resources one alone.
 */
const mistaken =
  /UNKNOWN_CONDITION.* kms:ResourceAliases for action kms:(En|De)crypt|"states:(DescribeExecution|ListExecutions)"/;

it('parliament finds nothing in the policies of the roles', async (context) => {
  const python = await judges();
  if (python === undefined) return context.skip();
  const { assemblyDirectory } = await synthesize({ stage: 'local' });
  const { permissions } = planStage(await readAssembly(assemblyDirectory), endpoints);
  const policies = permissions.roles.map(({ name, statements }) => [
    name,
    { Version: '2012-10-17', Statement: statements.map(({ statement }) => statement) },
  ]);
  expect(policies.length).toBeGreaterThan(10);
  const { stdout } = await promisify(execFile)(python, ['-c', program, JSON.stringify(Object.fromEntries(policies))]);
  expect(stdout.split('\n').filter((line) => line !== '' && !mistaken.test(line))).toEqual([]);
});
