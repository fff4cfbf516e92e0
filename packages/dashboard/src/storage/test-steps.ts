import { type ProviderTestStep, providerTestSteps } from '@media-jobs/core/api';

export type StepResult = { step: ProviderTestStep; result: 'ok' | 'failed' | 'not run' };

/** The steps of a test by its result: those before the failed one succeeded, those after it did not run. */
export function stepResults({ ok, message }: { ok: boolean; message: string }): StepResult[] {
  const failed = ok
    ? providerTestSteps.length
    : providerTestSteps.findIndex((step) => message.startsWith(`${step} failed: `));
  // A message of a newer version of the service.
  if (failed === -1) return [];
  return providerTestSteps.map((step, index) => {
    if (index < failed) return { step, result: 'ok' };
    return { step, result: index === failed ? 'failed' : 'not run' };
  });
}
