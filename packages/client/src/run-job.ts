import { ApiError } from './api-error.ts';
import type { Client } from './client.ts';
import type { Job } from './job-files.ts';
import type { OperationRequest } from './operation.ts';
import { poll } from './poll.ts';
import type { Sleep } from './sleep.ts';

type JobBody = OperationRequest<'createJob'>['body'];
type WithoutInput<Body> = Body extends unknown ? Omit<Body, 'mode' | 'input' | 'inputs'> : never;
type RecipeOf<Body> = Body extends { recipe: infer Recipe } ? Recipe : never;
type FormatOf<Body> = Body extends { output: { format: infer Format } } ? Format : never;

/**
 * What a job does: the name of a preset; a recipe with its parameters, and the `format` of the result (by default the
 * recipe's first); or a request of the API without `mode` and `input`.
 */
export type Work =
  | string
  | (RecipeOf<JobBody> & { format?: FormatOf<JobBody> })
  | WithoutInput<JobBody>
  | { preset: string; parameters?: Record<string, unknown> };

/** Fields of a request beside its work. */
export type JobFields = Partial<
  Pick<JobBody, 'webhookUrl' | 'metadata' | 'maxCostUsd' | 'speed' | 'finishBy' | 'priority'>
>;

/** The calls of one client. A foreign one, a page of another origin, may send neither `Idempotency-Key` nor `If-None-Match`. */
export type JobCalls = { client: Client; signal: AbortSignal; sleep: Sleep; newId: () => string; isForeign: boolean };

/** The request of a job. Its mode is that of the field that says what to do. */
export async function buildRequest(
  { client, signal }: Pick<JobCalls, 'client' | 'signal'>,
  { url, work, fields }: { url: string; work: Work; fields: JobFields },
): Promise<JobBody> {
  const request = typeof work === 'string' ? { preset: work } : 'name' in work ? await toRequest(work) : work;
  const modes = { recipe: 'recipe', steps: 'pipeline', outputs: 'outputs', preset: 'preset' };
  const [, mode] = Object.entries(modes).find(([field]) => field in request) ?? [];
  return { mode, input: { url }, ...request, ...fields } as JobBody;

  async function toRequest({ format, ...recipe }: RecipeOf<JobBody> & { format?: FormatOf<JobBody> }) {
    if (format !== undefined) return { recipe, output: { format } };
    const { recipes } = await client.listRecipes({ signal });
    const known = recipes.find(({ name }) => name === recipe.name);
    return { recipe, output: { format: known?.outputFormats[0] } };
  }
}

/** The metadata by which a page of another origin, which may send no `Idempotency-Key`, finds a lost submission. */
const submissionKey = 'clientSubmissionId';
const lookUps = 5;

/** Submits a job exactly once: under an idempotency key, else by looking for it after a lost answer. */
export async function submitOnce({ client, signal, sleep, newId, isForeign }: JobCalls, body: JobBody): Promise<Job> {
  const id = newId();
  if (!isForeign) return client.createJob({ body, headers: { 'idempotency-key': id }, signal });
  const metadata = { ...body.metadata, [submissionKey]: id };
  try {
    return await client.createJob({ body: { ...body, metadata }, signal });
  } catch (error) {
    const isLost = error instanceof ApiError && (error.status === 0 || error.status >= 500);
    if (!isLost) throw error;
    // A job may be missing from the list for seconds.
    for (let attempt = 1; attempt <= lookUps; attempt += 1) {
      await sleep(attempt * 500, signal);
      const { jobs } = await client.listJobs({ query: { metadata: { [submissionKey]: id } }, signal });
      if (jobs[0] !== undefined) return jobs[0];
    }
    throw error;
  }
}

const terminalStates: readonly string[] = ['completed', 'failed', 'rejected', 'cancelled'];

/** Polls one job until it is terminal. Throws like `poll`. */
export function waitForJob(
  { client, signal, sleep, isForeign }: Omit<JobCalls, 'newId'>,
  jobId: string,
  onPoll: (job: Job) => void = () => undefined,
): Promise<Job> {
  let etag: string | undefined;
  return poll({ signal, sleep }, async () => {
    const headers = { 'if-none-match': isForeign ? undefined : etag };
    const response = await client.send('getJob', { params: { id: jobId }, headers, signal });
    if (response.status !== 200) return undefined;
    etag = response.headers.get('etag') ?? undefined;
    onPoll(response.body);
    return terminalStates.includes(response.body.state) ? response.body : undefined;
  });
}
