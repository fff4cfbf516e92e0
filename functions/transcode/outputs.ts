import { attemptPrefix, type StoredFile } from '../../core/jobs/stored-file.ts';
import { downloadName } from '../../core/media/download-name.ts';
import { describeFile } from '../../core/media/file-record.ts';
import { verifyOutput } from '../../core/media/verify.ts';
import type { Workspace } from '../../core/media/workspace.ts';
import type { Plan, PlannedOutput } from '../../core/recipes/recipe.ts';
import { sideBySide } from './side-by-side.ts';
import type { WorkContext, WorkPorts } from './work.ts';

/** Files up to this size travel side by side; a larger one is sent in parts, which fill the line and memory alone. */
const smallBytes = 16 * 1024 * 1024;
const smallAtOnce = 8;
/** A probe is a short process of one thread. */
const measuredAtOnce = 4;

type Finished = { planned: PlannedOutput; path: string; sizeBytes: number; file: StoredFile };

/** Measures every finished file, compares it with the plan, and only then uploads; returns them by output name. */
export async function storeOutputs(
  ports: WorkPorts,
  context: WorkContext,
  { plan, workspace }: { plan: Plan; workspace: Workspace },
): Promise<Record<string, StoredFile>> {
  const finished = await sideBySide(plan.outputs, measuredAtOnce, (planned) =>
    measure(ports, context, { planned, workspace }),
  );
  const { lease, signal } = context;
  let stored = 0;
  lease.report({ stage: 'uploading', fraction: 0 });
  const atOnce = finished.every(({ sizeBytes }) => sizeBytes <= smallBytes) ? smallAtOnce : 1;
  await sideBySide(finished, atOnce, async ({ path, file }) => {
    await ports.files.upload({ path, key: file.key, mimeType: file.mime_type, signal });
    stored += 1;
    lease.report({ stage: 'uploading', fraction: stored / finished.length });
  });
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
  const sizeBytes = await workspace.sizeBytes(path);
  const record = describeFile({
    fileId: newId(),
    filename: downloadName(job.request.input.url, planned),
    format,
    sizeBytes,
    ...(probe === undefined ? {} : { probe }),
  });
  return {
    planned,
    path,
    sizeBytes,
    file: { ...record, key: attemptPrefix(job.jobId, job.attempt) + filename },
  };
}
