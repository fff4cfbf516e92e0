import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suite } from '../../conformance/suite.ts';
import { aConformingStage, type ConformingStage } from './builders/a-conforming-stage.ts';
import { accountMutants } from './mutants/account-mutants.ts';
import { authenticationMutants } from './mutants/authentication-mutants.ts';
import { deliveryMutants } from './mutants/delivery-mutants.ts';
import { endpointMutants } from './mutants/endpoint-mutants.ts';
import { errorMutants } from './mutants/error-mutants.ts';
import type { Mutant } from './mutants/mutant.ts';
import { resultMutants } from './mutants/result-mutants.ts';
import { runMutant } from './mutants/run-mutant.ts';
import { serviceMutants } from './mutants/service-mutants.ts';
import { webhookMutants } from './mutants/webhook-mutants.ts';

const mutants: Mutant[] = [
  ...serviceMutants,
  ...resultMutants,
  ...accountMutants,
  ...endpointMutants,
  ...authenticationMutants,
  ...errorMutants,
  ...webhookMutants,
  ...deliveryMutants,
];

let stage: ConformingStage;
/** Mutants that mostly wait run concurrently with the others. */
const waiting = new Map<Mutant, ReturnType<typeof runMutant>>();

beforeAll(async () => {
  stage = await aConformingStage();
  for (const mutant of mutants.filter(({ timeouts }) => timeouts !== undefined)) {
    const result = runMutant(stage, mutant);
    // Its own test reports the error.
    result.catch(() => undefined);
    waiting.set(mutant, result);
  }
}, 240_000);
afterAll(() => stage?.stop());

it('the mutants violate every clause', () => {
  const broken = new Set(mutants.map(({ breaks }) => breaks));
  expect([...broken].sort()).toEqual(suite.map(({ id }) => id).sort());
});

describe.concurrent('a service', () => {
  it.each(mutants.map((mutant) => [mutant.how, mutant.breaks, mutant] as const))(
    'that %s breaks %s',
    async (_how, _clause, mutant) => {
      const result = await (waiting.get(mutant) ?? runMutant(stage, mutant));
      expect(result).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(mutant.found) });
    },
  );
});
