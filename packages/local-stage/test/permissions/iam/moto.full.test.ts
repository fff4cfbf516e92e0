import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { hasCommands } from '@media-jobs/testing/has-commands';
import { pythonWith } from '@media-jobs/testing/python-packages';
import { seededRandom } from '@media-jobs/testing/random';
import { expect, it } from 'vitest';
import { evaluate } from '../../../src/permissions/iam/evaluate.ts';
import { asList, type PolicyStatement } from '../../../src/permissions/iam/policies.ts';
import { randomCase } from './random-requests.ts';

/** Evaluates policies of identities with moto, whose patterns have no `?` and whose conditions are few. */
const program = `
import json, sys
from moto.iam.access_control import IAMPolicy, PermissionResult
names = {PermissionResult.PERMITTED: "allowed", PermissionResult.DENIED: "explicitly denied", PermissionResult.NEUTRAL: "implicitly denied"}
def result(case):
    policy = IAMPolicy(json.dumps({"Version": "2012-10-17", "Statement": case["statements"]}))
    return names[policy.is_action_permitted(case["action"], case["resource"])]
json.dump([result(case) for case in json.load(sys.stdin)], sys.stdout)`;

type Case = { action: string; resource: string; statements: PolicyStatement[] };

function identityCases(count: number, seed: number): Case[] {
  const random = seededRandom(seed);
  const cases: Case[] = [];
  while (cases.length < count) {
    const { request, identity } = randomCase(random);
    const statements = identity.map(({ Condition: _, ...statement }) => statement);
    const patterns = statements.flatMap(({ Action, Resource }) => [...asList(Action), ...asList(Resource)]);
    if (patterns.some((pattern) => /[?$]/.test(pattern))) continue;
    cases.push({ action: request.action, resource: request.resourceArn, statements });
  }
  return cases;
}

function ours({ action, resource, statements }: Case): string {
  const { request } = randomCase(seededRandom(0));
  const identity = statements.map((statement, position) => ({ id: String(position), statement }));
  const caller = 'arn:aws:iam::111111111111:role/worker';
  return evaluate({ ...request, caller, action, resourceArn: resource }, { identity }).result;
}

async function byMoto(cases: readonly Case[]): Promise<string[]> {
  const python = spawn(await pythonWith('moto', ['moto[iam]==5.2.5']), ['-c', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  python.stdin.end(JSON.stringify(cases));
  const [results] = await Promise.all([json(python.stdout), once(python, 'exit')]);
  return results as string[];
}

it('evaluates actions and resources of 10,000 random requests as moto does', async (context) => {
  if (!hasCommands('python3')) context.skip('there is no python3');
  const cases = identityCases(10_000, 20_261_129);
  const results = await byMoto(cases);
  expect(new Set(results).size).toBe(3);
  const different = cases.filter((each, position) => ours(each) !== results[position]);
  expect(different).toEqual([]);
});
