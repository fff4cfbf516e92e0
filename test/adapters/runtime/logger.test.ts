import { afterEach, expect, it, vi } from 'vitest';
import { logFailure, startInvocationLog } from '../../../adapters/runtime/logger.ts';

afterEach(() => vi.restoreAllMocks());

it('an error that ends an invocation is logged with request, job and cause, and rethrown', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const failure = new Error('The table does not answer', { cause: new Error('ECONNRESET') });
  startInvocationLog({ awsRequestId: 'request-1' }, { jobId: 'job-1' });

  await expect(logFailure(() => Promise.reject(failure))).rejects.toBe(failure);

  const [line] = written.mock.calls.map(([text]) => JSON.parse(String(text)));
  expect(line).toMatchObject({
    level: 'ERROR',
    requestId: 'request-1',
    jobId: 'job-1',
    error: { message: failure.message, stack: failure.stack, cause: { message: 'ECONNRESET' } },
  });
});

it('a successful invocation logs nothing', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(await logFailure(async () => 'done')).toBe('done');
  expect(written).not.toHaveBeenCalled();
});
