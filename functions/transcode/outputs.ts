import { attemptPrefix, type StoredFile } from '../../core/jobs/stored-file.ts';
import { downloadName } from '../../core/media/download-name.ts';
import { describeFile } from '../../core/media/file-record.ts';
import { verifyOutput } from '../../core/media/verify.ts';
import type { Workspace } from '../../core/media/workspace.ts';
import type { Plan, PlannedOutput } from '../../core/recipes/recipe.ts';
import type { WorkContext, WorkPorts } from './work.ts';

type Finished = { planned: PlannedOutput; path: string; file: StoredFile };

/** Measures every finished file, compares it with the plan, and only then uploads; returns them by output name. */
export async function storeOutputs(
  ports: WorkPorts,
  context: WorkContext,
  { plan, workspace }: { plan: Plan; workspace: Workspace },
): Promise<Record<string, StoredFile>> {
  const finished: Finished[] = [];
  for (const planned of plan.outputs) finished.push(await measure(ports, context, { planned, workspace }));

  const { lease, signal } = context;
  for (const [index, { path, file }] of finished.entries()) {
    lease.report({ stage: 'uploading', fraction: index / finished.length });
    await ports.files.upload({ path, key: file.key, mimeType: file.mime_type, signal });
  }
  lease.report({ stage: 'uploading', fraction: 1 });
  return Object.fromEntries(finished.map(({ planned, file }) => [planned.name, file]));
}

async function measure(
  { encoder, newId }: WorkPorts,
  { job, signal }: WorkContext,
  { planned, workspace }: { planned: PlannedOutput; workspace: Workspace },
): Promise<Finished> {
  const { filename, format, content, expectation } = planned;
  const path = `${workspace.outputDirectory}/${filename}`;
  if (content !== undefined) await workspace.writeText(path, content);
  const probe = expectation === undefined ? undefined : await encoder.probe(path, { signal, of: 'output' });
  if (expectation !== undefined && probe !== undefined) verifyOutput(probe, expectation);
  const record = describeFile({
    fileId: newId(),
    filename: downloadName(job.request.input.url, planned),
    format,
    sizeBytes: await workspace.sizeBytes(path),
    ...(probe === undefined ? {} : { probe }),
  });
  return { planned, path, file: { ...record, key: attemptPrefix(job.jobId, job.attempt) + filename } };
}
