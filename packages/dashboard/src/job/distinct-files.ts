import type { JobResource } from '@media-jobs/core/api';

type Files = NonNullable<JobResource['output_files']>;
export type OutputFile = Files[string];

/** The files of a job by name, each once: the name of a set stands for one of its files. */
export function distinctFiles({ output_files: files = {} }: Pick<JobResource, 'output_files'>): Files {
  const entries = Object.entries(files);
  const isInSet = (name: string, id: string) =>
    entries.some(([other, { file_id }]) => file_id === id && other.startsWith(`${name}/`));
  return Object.fromEntries(entries.filter(([name, { file_id }]) => !isInSet(name, file_id)));
}
